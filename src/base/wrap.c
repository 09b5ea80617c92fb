/* SPDX-License-Identifier: BSD-3-Clause */
/* wrap.c - text in lines that are no longer than a terminal is wide */
#include "base/base.h"

#include "base/wrap.h"

/* Below this lines are too short for a deep indent. */
enum { NARROW = 60 };

/* Characters: UTF-8 continuation bytes take no column. */
static int columns_of (const char *bytes, size_t n)
{
    int columns = 0;

    for (size_t i = 0; i < n; i++)
        columns += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    return columns;
}

static void add_blanks (int n, struct strbuf *out)
{
    strbuf_addf (out, "%*s", n, "");
}

static void add_word (struct wrap *wrap, const char *word, size_t n, int width,
                      struct strbuf *out)
{
    int columns = columns_of (word, n);
    int hanging = wrap->indent + (width < NARROW ? 2 : 4);

    if (!wrap->words)
        wrap->indent = wrap->blanks;
    if (wrap->words && wrap->blanks > 0 && width > 0
        && wrap->column + wrap->blanks + columns > width
        && wrap->column > hanging) {
        strbuf_add_char (out, '\n');
        wrap->column = 0;
        wrap->blanks = hanging;
    }
    add_blanks (wrap->blanks, out);
    strbuf_add (out, word, n);
    wrap->column += wrap->blanks + columns;
    wrap->blanks = 0;
    wrap->words = true;
}

void wrap_add (struct wrap *wrap, const char *bytes, size_t n, int width,
               struct strbuf *out)
{
    size_t end;

    for (size_t at = 0; at < n; at = end) {
        end = at + 1;
        if (bytes[at] == '\n') {
            strbuf_add_char (out, '\n');
            *wrap = (struct wrap){ .words = false };
        } else if (bytes[at] == ' ') {
            wrap->blanks++;
        } else {
            while (end < n && bytes[end] != ' ' && bytes[end] != '\n')
                end++;
            add_word (wrap, bytes + at, end - at, width, out);
        }
    }
}

void wrap_text (const char *text, int width, struct strbuf *out)
{
    struct wrap wrap = { .words = false };

    wrap_add (&wrap, text, strlen (text), width, out);
}
