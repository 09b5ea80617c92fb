/* SPDX-License-Identifier: BSD-3-Clause */
/* findings_text.h - findings for people */
#ifndef REPORT_FINDINGS_TEXT_H
#define REPORT_FINDINGS_TEXT_H

struct findings;
struct strbuf;

/* Append a line for each, "good  SUBJECT: TEXT", with what to do on a line of
 * its own below, and a last line that counts them.
 */
void findings_text (const struct findings *findings, struct strbuf *out);

#endif /* !REPORT_FINDINGS_TEXT_H */
