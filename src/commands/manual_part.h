/* SPDX-License-Identifier: BSD-3-Clause */
/* manual_part.h - what the manual says of one command */
#ifndef COMMANDS_MANUAL_PART_H
#define COMMANDS_MANUAL_PART_H

/* The sources of the pages that have commands, one behind the other, line by
 * line, each with its end; then NULL.
 */
extern const char *const manual_lines[];

/* Append a page (mdoc) of those items in the sections COMMANDS of 'lines' that
 * are about 'command'; false, and nothing appended: there are none.
 */
bool manual_part_cut (const char *const *lines, const char *command,
                      struct strbuf *page);

/* Remove what prints a character over another, as terminals of paper do. */
void overstrikes_remove (struct strbuf *text);

/* Append that part formatted, as plain text; false where neither mandoc nor
 * nroff is on PATH, or it fails.
 */
bool manual_part_text (const char *command, struct strbuf *text);

#endif /* !COMMANDS_MANUAL_PART_H */
