/* SPDX-License-Identifier: BSD-3-Clause */
/* text_table.c - aligned columns for people */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "report/text_table.h"

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

static void format_row (char *const *cells, const size_t *widths,
                        size_t columns, struct strbuf *out)
{
    for (size_t c = 0; c < columns; c++) {
        int pad = (int)(widths[c] - shown_width (cells[c]));
        int before = is_number (cells[c]) ? pad : 0;

        strbuf_addf (out, "%*s%s%*s", before, "", cells[c], pad - before + 2,
                     "");
    }
    while (out->len > 0 && out->buf[out->len - 1] == ' ')
        strbuf_truncate (out, out->len - 1);
    strbuf_add_char (out, '\n');
}

void text_table (const struct strvec *cells, size_t columns, struct strbuf *out)
{
    size_t *widths = xcalloc (columns, sizeof (*widths));

    for (size_t i = 0; i < cells->n; i++) {
        size_t width = shown_width (cells->v[i]);

        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    for (size_t i = 0; i + columns <= cells->n; i += columns)
        format_row (cells->v + i, widths, columns, out);
    free (widths);
}
