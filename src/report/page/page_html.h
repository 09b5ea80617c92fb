/* SPDX-License-Identifier: BSD-3-Clause */
/* page_html.h - pages as one HTML file that needs nothing else (pure) */
#ifndef REPORT_PAGE_PAGE_HTML_H
#define REPORT_PAGE_PAGE_HTML_H

struct page;

/* Append the file: one page, or two with their sections side by side.  There is
 * no script in it, and no address of anything else.  'made' says by what, and
 * when.
 */
void page_html (const struct page *const *pages, size_t n, const char *made,
                struct strbuf *out);

#endif /* !REPORT_PAGE_PAGE_HTML_H */
