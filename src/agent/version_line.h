/* SPDX-License-Identifier: BSD-3-Clause */
/* version_line.h - the line in which a code tells its version
 *
 * It is looked for in the first MiB of what a task's commands printed.  The
 * first line that begins with the operator's `version_line` is it; what stands
 * before that may be blanks, and a time in brackets: "[2026-11-21 01:51:54,313]
 * DEEPMD INFO ...".  Left out of it is " starts on " with the date behind it,
 * which codes of Quantum ESPRESSO print: that differs from run to run.
 */
#ifndef AGENT_VERSION_LINE_H
#define AGENT_VERSION_LINE_H

enum { VERSION_LINE_BYTES = 200, VERSION_LOG_BYTES = 1 << 20 };

/* Append the line of 'text' that begins with 'begins', made harmless, at most
 * VERSION_LINE_BYTES of it; false: there is none.  'of_group': each line may
 * stand behind the name of its program, "local/force:2: ".  (pure)
 */
bool version_line_find (const char *text, size_t len, const char *begins,
                        bool of_group, struct strbuf *line);

/* The same of what the log open at 'fd' holds. */
bool version_line_read (int fd, const char *begins, bool of_group,
                        struct strbuf *line);

#endif /* !AGENT_VERSION_LINE_H */
