/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_layout.c - rows of a model_devi.out that look like the one before
 */
#include "config.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "formats/deviation_lanes.h"
#include "formats/deviation_layout.h"
#include "formats/number.h"

enum {
    NUMBER_BYTES = 12, /* 1.767406e-02 */
    VECTOR_BYTES = 32,
};

/* GCC's vectors: compares 32 bytes in a few instructions. */
typedef uint8_t vector __attribute__ ((vector_size (VECTOR_BYTES)));

void deviation_layout_release (struct deviation_layout *layout)
{
    free (layout->low);
    free (layout->range);
    free (layout->clear);
    *layout = (struct deviation_layout)DEVIATION_LAYOUT_INIT;
}

static bool is_digit (char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Does "1.767406e-02" stand at 'at'? */
static bool is_number (const char *at)
{
    static const char pattern[] = "0.000000e+00";

    for (size_t i = 0; i < NUMBER_BYTES; i++) {
        bool ok = at[i] == pattern[i];

        if (pattern[i] == '0')
            ok = is_digit (at[i]);
        else if (pattern[i] == '+')
            ok = at[i] == '+' || at[i] == '-';
        if (!ok)
            return false;
    }
    return true;
}

/* The end of the column that starts, with spaces, at 'at'; NULL when it is no
 * number of that form.
 */
static const char *number_end (const char *at, const char *end)
{
    const char *start = at;

    while (at < end && *at == ' ')
        at++;
    if (at == start || end - at < NUMBER_BYTES || !is_number (at))
        return NULL;
    at += NUMBER_BYTES;
    return at == end || *at == ' ' ? at : NULL;
}

static const char *step_end (const char *at, const char *end)
{
    const char *digits;

    while (at < end && *at == ' ')
        at++;
    for (digits = at; at < end && is_digit (*at);)
        at++;
    return at > digits ? at : NULL;
}

static void know (struct deviation_layout *layout,
                  char low,
                  uint8_t range,
                  uint8_t clear)
{
    layout->clear[layout->n_known] = clear;
    layout->low[layout->n_known] = (uint8_t)low;
    layout->range[layout->n_known] = range;
    layout->n_known++;
}

/* A column of 'bytes', spaces and then a number; a sign is '+' or the second
 * character from there on, '-'.
 */
static void know_number (struct deviation_layout *layout, size_t bytes)
{
    static const char pattern[] = "0.000000e+00";

    for (size_t i = NUMBER_BYTES; i < bytes; i++)
        know (layout, ' ', 0, 0);
    for (size_t i = 0; i < NUMBER_BYTES; i++) {
        if (pattern[i] == '+')
            know (layout, '+', '-' - '+', 1);
        else
            know (layout, pattern[i], pattern[i] == '0' ? 9 : 0, 0);
    }
}

/* Room to know 'bytes' of a row. */
static void make_room (struct deviation_layout *layout, size_t bytes)
{
    if (bytes <= layout->alloc)
        return;
    layout->alloc = 2 * bytes;
    layout->low = xrealloc (layout->low, layout->alloc);
    layout->range = xrealloc (layout->range, layout->alloc);
    layout->clear = xrealloc (layout->clear, layout->alloc);
}

/* Know rows of 'bytes': there may be more atoms than ever before. */
static void know_row (struct deviation_layout *layout, size_t bytes)
{
    make_room (layout, bytes);
    while (layout->n_known < bytes)
        know_number (layout, layout->atom_bytes);
}

bool deviation_layout_learn (struct deviation_layout *layout,
                             const char *at,
                             size_t len,
                             size_t n_named,
                             bool atoms,
                             const int value[DEVIATION_QUANTITIES])
{
    const char *start = at, *end = at + len, *next = step_end (at, end);

    layout->row_bytes = layout->n_known = layout->atom_bytes = 0;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        layout->value_at[q] = SIZE_MAX;
    if (!next)
        return false;
    make_room (layout, len);
    layout->step_bytes = (size_t)(next - start);
    while (at < next) {
        know (layout, ' ', '9' - ' ', 0);
        at++;
    }
    for (size_t column = 1; column < n_named; column++) {
        next = number_end (at, end);
        if (!next)
            return false;
        know_number (layout, (size_t)(next - at));
        at = next;
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            if (value[q] == (int)column)
                layout->value_at[q] = (size_t)(at - start) - NUMBER_BYTES;
        }
    }
    layout->named_bytes = (size_t)(at - start);
    while (at < end) {
        next = atoms ? number_end (at, end) : NULL;
        if (!next)
            return false;
        if (layout->atom_bytes == 0)
            layout->atom_bytes = (size_t)(next - at);
        if ((size_t)(next - at) != layout->atom_bytes)
            return false;
        know_number (layout, layout->atom_bytes);
        at = next;
    }
    if (len < VECTOR_BYTES)
        return false;
    layout->row_bytes = len;
    return true;
}

/* Which of the bytes from 'i' on are out of their ranges. */
INLINED void add_misfits (const struct deviation_layout *layout,
                          const char *row,
                          size_t i,
                          vector *bad)
{
    vector bytes, low, range, clear;

    memcpy (&bytes, row + i, sizeof (bytes));
    memcpy (&low, layout->low + i, sizeof (low));
    memcpy (&range, layout->range + i, sizeof (range));
    memcpy (&clear, layout->clear + i, sizeof (clear));
    bytes -= low;
    *bad |= (vector)(bytes > range) | (bytes & clear);
}

/* Are the bytes of 'row' all in their ranges?  The last vector may look again
 * at what the one before has seen.
 */
INLINED bool fits (const struct deviation_layout *layout,
                   const char *row,
                   size_t row_bytes)
{
    uint64_t words[VECTOR_BYTES / sizeof (uint64_t)];
    vector bad = { 0 };

    add_misfits (layout, row, row_bytes - VECTOR_BYTES, &bad);
    for (size_t i = 0; i + VECTOR_BYTES < row_bytes; i += VECTOR_BYTES)
        add_misfits (layout, row, i, &bad);
    memcpy (words, &bad, sizeof (words));
    return (words[0] | words[1] | words[2] | words[3]) == 0;
}

/* Look for the end of a row of another number of atoms. */
static size_t find_end (struct deviation_layout *layout,
                        const char *at,
                        size_t left)
{
    const char *line_break = memchr (at, '\n', left);
    size_t bytes;

    if (!line_break || layout->atom_bytes == 0)
        return 0;
    bytes = (size_t)(line_break - at);
    if (bytes < layout->named_bytes
        || (bytes - layout->named_bytes) % layout->atom_bytes != 0)
        return 0;
    know_row (layout, bytes);
    return bytes;
}

/* Bytes of the row at 'at', line break included, when it fits; 0 otherwise. */
INLINED size_t fit_row (struct deviation_layout *layout,
                        const char *at,
                        size_t left)
{
    size_t bytes = layout->row_bytes;

    if (bytes == 0)
        return 0;
    if (left <= bytes || at[bytes] != '\n')
        bytes = find_end (layout, at, left);
    if (bytes == 0 || !fits (layout, at, bytes))
        return 0;
    layout->row_bytes = bytes;
    return bytes + 1;
}

/* Eight digits, leading zeros included, as a number: neighbours are joined into
 * pairs, pairs into fours, fours into the whole.
 */
INLINED uint64_t eight_digits (uint64_t bytes)
{
    bytes -= 0x3030303030303030;
    bytes = bytes * 10 + (bytes >> 8);
    return ((bytes & 0x000000ff000000ff) * (100 + (1000000ULL << 32))
            + (bytes >> 16 & 0x000000ff000000ff) * (1 + (10000ULL << 32)))
           >> 32;
}

/* Eight bytes, spaces and then digits (at least one)?  A digit has the bit 0x10
 * and a space has not; with it a space is '0'.
 */
INLINED bool are_spaced_digits (uint64_t bytes)
{
    uint64_t ones = 0x0101010101010101, high = ones * 0xf0;
    uint64_t digits = bytes >> 4 & ones, first = digits & -digits;
    uint64_t filled = bytes | ones * 0x10;

    return first != 0 && digits == (ones & -first)
           && ((bytes ^ ones * 0x20) & (ones ^ digits) * 0xff) == 0
           && (filled & high) == ones * 0x30
           && ((filled + ones * 6) & high) == ones * 0x30;
}

/* The step of a row that fits; false when it is none or has a sign. */
INLINED bool take_step (const struct deviation_layout *layout,
                        const char *row,
                        int64_t *step)
{
    const char *end = row + layout->step_bytes, *at = row;
    uint64_t bytes;
    uint32_t before;

    if (layout->step_bytes == 12) {
        memcpy (&before, row, sizeof (before));
        memcpy (&bytes, row + 4, sizeof (bytes));
        bytes = le64toh (bytes);
        if (before == 0x20202020 && are_spaced_digits (bytes)) {
            *step = (int64_t)eight_digits (bytes | 0x1010101010101010);
            return true;
        }
    }
    while (at < end && *at == ' ')
        at++;
    return at < end && is_digit (*at) && integer_read (at, end, step) == end;
}

/* Seven digits and a power of ten up to 22 are exact doubles, so that one
 * operation rounds once.
 */
INLINED double take_number (const char *at)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                     1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
                                     1e18, 1e19, 1e20, 1e21, 1e22 };
    int exponent = 10 * (at[10] - '0') + (at[11] - '0');
    uint64_t bytes, digits;
    double value = 0;

    memcpy (&bytes, at, sizeof (bytes));
    bytes = le64toh (bytes);
    digits = eight_digits ((bytes & ~0xffffULL) | (bytes & 0xff) << 8 | '0');
    exponent = (at[9] == '-' ? -exponent : exponent) - 6;
    if (exponent <= 0 && exponent >= -22)
        return (double)digits / powers[-exponent];
    if (exponent > 0 && exponent <= 22)
        return (double)digits * powers[exponent];
    number_read (at, at + NUMBER_BYTES, &value);
    return value;
}

double deviation_layout_number (const char *at)
{
    return take_number (at);
}

/* Row by row, which may have other numbers of atoms than the one before; at
 * least one if there is one.
 */
FASTEST_HERE
static size_t read_rows (struct deviation_layout *layout,
                         const char *at,
                         const char *limit,
                         const char *stop,
                         const struct deviation_columns *columns,
                         size_t n,
                         size_t max,
                         const char **next)
{
    size_t bytes;

    for (; n < max && at < limit; n++, at += bytes) {
        bytes = fit_row (layout, at, (size_t)(stop - at));
        if (bytes == 0 || !take_step (layout, at, &columns->step[n]))
            break;
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            if (columns->value[q])
                columns->value[q][n] = take_number (at + layout->value_at[q]);
        }
    }
    *next = at;
    return n;
}

/* How many rows of the last one's width start before 'limit' and are complete;
 * at most 'max'.
 */
static size_t rows_alike (const struct deviation_layout *layout,
                          const char *at,
                          const char *limit,
                          const char *stop,
                          size_t max)
{
    size_t width = layout->row_bytes + 1;
    size_t n = (size_t)(stop - at) / width;
    size_t started = ((size_t)(limit - at) + width - 1) / width;

    if (started < n)
        n = started;
    return n < max ? n : max;
}

size_t deviation_layout_rows (struct deviation_layout *layout,
                              const char *at,
                              const char *limit,
                              const char *stop,
                              const struct deviation_columns *columns,
                              size_t max,
                              const char **next)
{
    enum { AT_LEAST = 4 };
    bool plain = layout->means == DEVIATION_MEANS_PLAIN;
    size_t n = 0, before;

    *next = at;
    do {
        before = n;
        if (!plain && layout->row_bytes > 0 && at < limit) {
            n += deviation_lanes_read (
                layout, at, rows_alike (layout, at, limit, stop, max - n),
                columns, n);
            at += (n - before) * (layout->row_bytes + 1);
        }
        n = read_rows (layout, at, limit, stop, columns, n,
                       !plain && max - n > AT_LEAST ? n + AT_LEAST : max, &at);
    } while (n > before && n < max);
    *next = at;
    return n;
}
