/* SPDX-License-Identifier: BSD-3-Clause */
/* figure_tsv.h - a figure's numbers for other programs, and a script that draws
 * them (pure)
 */
#ifndef REPORT_PAGE_FIGURE_TSV_H
#define REPORT_PAGE_FIGURE_TSV_H

struct figure;

/* Append rows with tabs between cells and a head that begins with "# "; a tab
 * or a line break within a cell is a blank, an empty cell "nan".  'cells' are
 * figure_table's, or of any table, with so many columns.
 */
void table_tsv (const struct strvec *cells, size_t columns, struct strbuf *out);

/* Append what gnuplot makes ID.svg of ID.tsv with. */
void figure_gnuplot (const struct figure *figure, struct strbuf *out);

#endif /* !REPORT_PAGE_FIGURE_TSV_H */
