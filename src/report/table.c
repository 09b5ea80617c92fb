/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - text in columns */
#include "base/base.h"

#include "report/table.h"

struct column {
    size_t width;
    size_t fraction; /* of that, what is right of the decimal points */
    bool right;      /* numbers */
    bool blank;      /* nothing but its head */
};

/* Columns on the screen: UTF-8 continuation bytes take none. */
static size_t shown_width (const char *s)
{
    size_t width = 0;

    for (; *s; s++)
        width += ((unsigned char)*s & 0xc0) != 0x80;
    return width;
}

static bool is_digit (char c)
{
    return c >= '0' && c <= '9';
}

static bool is_number (const char *s)
{
    if (*s == '\0' || strcmp (s, "-") == 0)
        return true;
    s += *s == '-' || *s == '<';
    return (is_digit (*s) || (*s == '.' && is_digit (s[1])))
           && !strchr (s, ' ');
}

/* What follows the decimal point of a plain number, and the point. */
static size_t fraction_width (const char *s)
{
    const char *point = strchr (s, '.');

    return point && strspn (s, "-+<.0123456789e") == strlen (s) ? strlen (point)
                                                                : 0;
}

/* Blanks behind a number, so that decimal points stand below each other. */
static size_t behind (const struct column *column, const char *cell)
{
    bool is_plain = strspn (cell, "-+<.0123456789e") == strlen (cell);

    return column->right && is_plain && *cell
               ? column->fraction - fraction_width (cell)
               : 0;
}

static void measure (const struct strvec *cells, size_t n,
                     struct column *columns)
{
    for (size_t c = 0; c < n; c++)
        columns[c] = (struct column){ .right = true, .blank = true };
    for (size_t i = n; i < cells->n; i++) {
        struct column *column = &columns[i % n];
        size_t fraction = fraction_width (cells->v[i]);

        column->right = column->right && is_number (cells->v[i]);
        column->blank = column->blank && *cells->v[i] == '\0';
        column->fraction =
            fraction > column->fraction ? fraction : column->fraction;
    }
    for (size_t i = 0; i < cells->n; i++) {
        struct column *column = &columns[i % n];
        size_t width = shown_width (cells->v[i])
                       + (i >= n ? behind (column, cells->v[i]) : 0);

        column->width = width > column->width ? width : column->width;
    }
}

static void format_row (char *const *cells, const struct column *columns,
                        size_t n, bool is_head, struct strbuf *out)
{
    size_t line = out->len;

    for (size_t c = 0; c < n; c++) {
        int pad = (int)(columns[c].width - shown_width (cells[c]));
        int after = columns[c].right && !is_head
                        ? (int)behind (&columns[c], cells[c])
                        : 0;
        int before = columns[c].right ? pad - after : 0;

        if (columns[c].blank)
            continue;
        strbuf_addf (out, "%*s%s%*s", before, "", cells[c], pad - before + 2,
                     "");
    }
    while (out->len > line && out->buf[out->len - 1] == ' ')
        strbuf_truncate (out, out->len - 1);
    text_made_plain (out->buf + line);
    strbuf_add_char (out, '\n');
}

void table_text (const struct strvec *cells, size_t columns, struct strbuf *out)
{
    _cleanup_free_ struct column *shapes = NULL;

    if (cells->n <= columns) /* heads of nothing */
        return;
    shapes = xcalloc (columns, sizeof (*shapes));
    measure (cells, columns, shapes);
    for (size_t i = 0; i + columns <= cells->n; i += columns)
        format_row (cells->v + i, shapes, columns, i == 0, out);
}
