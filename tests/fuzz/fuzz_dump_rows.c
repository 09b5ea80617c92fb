/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_dump_rows.c - rows of dumps, read many at once in every way there is
 *
 * The first line says which columns are wanted, one digit for each; the rows
 * follow.  Whatever is taken for a row is one, word by word.
 */
#include "base/base.h"

#include "formats/lammps/dump_rows.h"
#include "formats/number.h"
#include "fuzz.h"

enum { ROWS = 256, MARGIN = 64 };

static double ids[ROWS], vectors[ROWS][3];

/* The columns that the line's digits, which rise, say; rows have one more than
 * those when there are as many digits as make an odd number.  False when the
 * line says none.
 */
static bool choose_columns (const char *line, size_t len,
                            struct dump_rows *rows)
{
    *rows = (struct dump_rows){ .n_columns = 1 };
    for (size_t i = 0; i < len && rows->n_wanted < DUMP_ROWS_WANTED; i++) {
        size_t k = rows->n_wanted, column = (size_t)(line[i] - '0');

        if (column > 9 || (k > 0 && column <= rows->column[k - 1]))
            return false;
        rows->column[k] = column;
        rows->out[k] = k == 0 ? ids : &vectors[0][k - 1];
        rows->stride[k] = k == 0 ? 1 : 3;
        rows->n_wanted++;
        rows->n_columns = column + 1 + len % 2;
    }
    return rows->n_wanted > 0;
}

/* Row 'row' in [at, end), which was read. */
static void check_row (const struct dump_rows *rows, size_t row, const char *at,
                       const char *end)
{
    size_t k = 0, column = 0;
    double value;

    for (; at < end; column++) {
        const char *stop = memchr (at, ' ', (size_t)(end - at));

        stop = stop ? stop : end;
        must_hold (stop > at, "no word is empty");
        if (k < rows->n_wanted && column == rows->column[k]) {
            const double *got = rows->out[k] + row * rows->stride[k];

            must_hold (number_read (at, stop, &value) == stop,
                       "what is wanted is a number");
            must_hold (memcmp (got, &value, sizeof (value)) == 0,
                       "it is the number");
            k++;
        }
        at = stop < end ? stop + 1 : end;
    }
    must_hold (column == rows->n_columns, "a row has all columns");
}

static void check_rows (const struct dump_rows *rows, const char *begin,
                        const char *at, const char *stop)
{
    const char *next, *end;
    size_t n = dump_rows_read (rows, 0, ROWS, begin, at, stop, &next);

    for (size_t i = 0; i < n; i++, at = end + 1) {
        end = memchr (at, '\n', (size_t)(stop - at));
        must_hold (end, "a row ends in memory");
        check_row (rows, i, at, end);
    }
    must_hold (next == at, "the next row starts behind");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const char *line = (const char *)data;
    const char *end = size > 0 ? memchr (line, '\n', size) : NULL;
    struct strbuf text = STRBUF_INIT;
    struct dump_rows rows;

    if (!end || !choose_columns (line, (size_t)(end - line), &rows))
        return 0;
    for (int i = 0; i < MARGIN; i++) /* a line before, and another behind */
        strbuf_add_char (&text, i + 1 < MARGIN ? 'x' : '\n');
    strbuf_add (&text, end + 1, size - (size_t)(end + 1 - line));
    for (int i = 0; i < MARGIN; i++)
        strbuf_add_char (&text, 'x');
    for (int plain = 0; plain < 2; plain++) {
        rows.plain = plain;
        check_rows (&rows, text.buf, text.buf + MARGIN, text.buf + text.len);
    }
    strbuf_release (&text);
    return 0;
}
