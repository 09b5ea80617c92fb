/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_row.c - a row of a screen that is being put together */
#include "base/base.h"

#include "base/harmless.h"
#include "report/screen_row.h"

/* SGR (ECMA-48); "": as the terminal has it. */
static const char *const inks[] = {
    [INK_PLAIN] = "",    [INK_TITLE] = "1",    [INK_FAINT] = "2",
    [INK_OK] = "32",     [INK_RUNNING] = "36", [INK_QUEUED] = "33",
    [INK_FAILED] = "31",
};

void screen_row_begin (struct screen_row *row, const struct screen_look *look)
{
    *row = (struct screen_row){ .look = look, .text = STRBUF_INIT };
}

void screen_row_release (struct screen_row *row)
{
    strbuf_release (&row->text);
}

static bool begins_character (char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

int screen_columns (const char *text)
{
    int columns = 0;

    for (; *text; text++)
        columns += begins_character (*text);
    return columns;
}

/* How many bytes of 'text' fit into 'columns'. */
static size_t bytes_that_fit (const char *text, int columns)
{
    size_t n = 0;

    while (text[n] && (columns > 0 || !begins_character (text[n])))
        columns -= begins_character (text[n++]);
    return n;
}

void screen_row_add (struct screen_row *row, enum ink ink, const char *text)
{
    _cleanup_ (strbuf_release) struct strbuf plain = STRBUF_INIT;
    bool coloured = row->look->colour && inks[ink][0];
    size_t n;

    harmless_add (text, strlen (text), &plain);
    text_made_plain (plain.buf);
    n = bytes_that_fit (plain.buf, row->look->width - row->used);
    if (n == 0)
        return;
    strbuf_truncate (&plain, n);
    if (coloured)
        strbuf_addf (&row->text, "\033[%sm", inks[ink]);
    strbuf_add_str (&row->text, plain.buf);
    if (coloured)
        strbuf_add_str (&row->text, "\033[0m");
    row->used += screen_columns (plain.buf);
}

void screen_row_addf (struct screen_row *row, enum ink ink, const char *fmt,
                      ...)
{
    _cleanup_free_ char *text = NULL;
    va_list ap;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    screen_row_add (row, ink, text);
}

void screen_row_pad (struct screen_row *row, int column)
{
    if (column > row->used)
        screen_row_addf (row, INK_PLAIN, "%*s", column - row->used, "");
}

/* --- bars --- */

/* The part that has most cells, of those that may give one. */
static int largest (const int cells[BAR_PARTS])
{
    int best = 0;

    for (int i = 1; i < BAR_PARTS; i++) {
        if (cells[i] > cells[best])
            best = i;
    }
    return best;
}

void bar_cells (const int64_t n[BAR_PARTS], int64_t all, int width,
                int cells[BAR_PARTS])
{
    int64_t parts = 0;
    int used = 0, whole;

    for (int i = 0; i < BAR_PARTS; i++) {
        double part = all > 0 ? (double)n[i] / (double)all * width : 0;

        parts += n[i];
        cells[i] = n[i] > 0 ? (int)fmax (part, 1) : 0;
        used += cells[i];
    }
    whole = parts >= all ? width : width - 1;
    for (; used > (parts > 0 ? whole : 0) && cells[largest (cells)] > 0; used--)
        cells[largest (cells)]--;
    for (; parts >= all && parts > 0 && used < width; used++)
        cells[largest (cells)]++;
}

void screen_row_bar (struct screen_row *row, const int64_t n[BAR_PARTS],
                     int64_t all, int width)
{
    static const struct {
        enum ink ink;
        const char *utf8, *ascii;
    } looks[] = { [BAR_OK] = { INK_OK, "█", "#" },
                  [BAR_RUNNING] = { INK_RUNNING, "▒", ">" },
                  [BAR_QUEUED] = { INK_QUEUED, "░", "." },
                  [BAR_FAILED] = { INK_FAILED, "×", "x" } };
    int cells[BAR_PARTS];
    int end = row->used + width;

    bar_cells (n, all, width - 2, cells);
    screen_row_add (row, INK_PLAIN, "[");
    for (int i = 0; i < BAR_PARTS; i++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

        for (int c = 0; c < cells[i]; c++)
            strbuf_add_str (&text,
                            row->look->utf8 ? looks[i].utf8 : looks[i].ascii);
        screen_row_add (row, looks[i].ink, text.buf);
    }
    screen_row_pad (row, end - 1);
    screen_row_add (row, INK_PLAIN, "]");
}

void screen_row_spark (struct screen_row *row, const double *values, int n)
{
    static const char *const blocks[] = {
        "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"
    };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (int i = 0; i < n; i++) {
        double v = fmin (fmax (values[i], 0), 1);

        if (!isfinite (values[i]))
            strbuf_add_char (&text, '-');
        else if (row->look->utf8)
            strbuf_add_str (&text, blocks[(int)fmin (v * 8, 7)]);
        else
            strbuf_addf (&text, "%d", (int)fmin (v * 10, 9));
    }
    screen_row_add (row, INK_PLAIN, text.buf);
}

void screen_row_end (struct screen_row *row, struct strvec *lines)
{
    while (row->text.len > 0 && row->text.buf[row->text.len - 1] == ' ')
        strbuf_truncate (&row->text, row->text.len - 1);
    strvec_push (lines, row->text.buf);
    strbuf_reset (&row->text);
    row->used = 0;
}
