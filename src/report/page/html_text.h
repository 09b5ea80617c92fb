/* SPDX-License-Identifier: BSD-3-Clause */
/* html_text.h - text that anybody wrote, as HTML and SVG (pure) */
#ifndef REPORT_PAGE_HTML_TEXT_H
#define REPORT_PAGE_HTML_TEXT_H

/* Append 'text' so that it is text between tags, and in an attribute in double
 * quotes, and nothing else: & < > " ' are escaped, what is no UTF-8 and control
 * characters but tab and newline are U+FFFD.
 */
void html_add (struct strbuf *out, const char *text);

/* The same of what a format makes. */
void html_addf (struct strbuf *out, const char *fmt, ...) PRINTF_LIKE (2, 3);

#endif /* !REPORT_PAGE_HTML_TEXT_H */
