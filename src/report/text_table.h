/* SPDX-License-Identifier: BSD-3-Clause */
/* text_table.h - aligned columns for people */
#ifndef REPORT_TEXT_TABLE_H
#define REPORT_TEXT_TABLE_H

#include <stddef.h>

struct strbuf;
struct strvec;

/* Append rows of 'columns' cells (row by row in 'cells'), two blanks between
 * columns, none at line ends; numbers (cells that begin with a digit, '-' or
 * '.') are aligned to the right.
 */
void text_table (const struct strvec *cells, size_t columns,
                 struct strbuf *out);

#endif /* !REPORT_TEXT_TABLE_H */
