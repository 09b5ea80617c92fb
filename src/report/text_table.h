/* SPDX-License-Identifier: BSD-3-Clause */
/* text_table.h - aligned columns for people */
#ifndef REPORT_TEXT_TABLE_H
#define REPORT_TEXT_TABLE_H

#include <stddef.h>

struct strbuf;
struct text_table;

/* 'columns' columns; numbers (cells that begin with a digit, '-' or '.') are
 * aligned to the right.
 */
struct text_table *text_table_create (size_t columns);
void text_table_destroy (struct text_table *table);

/* The next cell, row by row; NULL is an empty one. */
void text_table_cell (struct text_table *table, const char *text);

/* Append the rows, two blanks between columns, none at line ends. */
void text_table_format (const struct text_table *table, struct strbuf *out);

#endif /* !REPORT_TEXT_TABLE_H */
