/* SPDX-License-Identifier: BSD-3-Clause */
/* text_table.c - aligned columns for people */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "report/text_table.h"

struct text_table {
    size_t columns;
    struct strvec cells;
};

struct text_table *text_table_create (size_t columns)
{
    struct text_table *table = xcalloc (1, sizeof (*table));

    table->columns = columns;
    strvec_init (&table->cells);
    return table;
}

void text_table_destroy (struct text_table *table)
{
    if (!table)
        return;
    strvec_release (&table->cells);
    free (table);
}

void text_table_cell (struct text_table *table, const char *text)
{
    strvec_push (&table->cells, text ? text : "");
}

/* Columns on the screen: UTF-8 continuation bytes take none. */
static size_t shown_width (const char *s)
{
    size_t width = 0;

    for (; *s; s++)
        width += ((unsigned char)*s & 0xc0) != 0x80;
    return width;
}

static bool is_number (const char *s)
{
    s += *s == '-';
    return (*s >= '0' && *s <= '9') || *s == '.';
}

static void add_blanks (struct strbuf *out, size_t n)
{
    while (n-- > 0)
        strbuf_add_char (out, ' ');
}

static void format_row (const struct text_table *table,
                        size_t row,
                        const size_t *widths,
                        struct strbuf *out)
{
    for (size_t c = 0; c < table->columns; c++) {
        size_t i = row * table->columns + c;
        const char *cell = i < table->cells.n ? table->cells.v[i] : "";
        size_t pad = widths[c] - shown_width (cell);

        if (is_number (cell))
            add_blanks (out, pad);
        strbuf_add_str (out, cell);
        if (!is_number (cell))
            add_blanks (out, pad);
        if (c + 1 < table->columns)
            strbuf_add_str (out, "  ");
    }
    while (out->len > 0 && out->buf[out->len - 1] == ' ')
        strbuf_truncate (out, out->len - 1);
    strbuf_add_char (out, '\n');
}

void text_table_format (const struct text_table *table, struct strbuf *out)
{
    size_t *widths = xcalloc (table->columns, sizeof (*widths));
    size_t rows = (table->cells.n + table->columns - 1) / table->columns;

    for (size_t i = 0; i < table->cells.n; i++) {
        size_t width = shown_width (table->cells.v[i]);
        size_t c = i % table->columns;

        if (width > widths[c])
            widths[c] = width;
    }
    for (size_t row = 0; row < rows; row++)
        format_row (table, row, widths, out);
    free (widths);
}
