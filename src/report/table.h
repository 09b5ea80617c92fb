/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - text in columns */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

/* Append rows of 'columns' cells (row by row in 'cells', the first are heads),
 * two blanks between columns, none at line ends.  A column of which every cell
 * below its head is a number, "-" or empty is aligned to the right, decimal
 * points below each other, and so is its head; one without any text is left
 * out.
 */
void table_text (const struct strvec *cells, size_t columns,
                 struct strbuf *out);

#endif /* !REPORT_TABLE_H */
