/* SPDX-License-Identifier: BSD-3-Clause */
/* row_shape.c - rows of a model_devi.out that look like the one before
 */
#include "base/base.h"

#include <endian.h>

#include "formats/deviations/row_shape.h"
#include "formats/number.h"

enum {
    NUMBER_BYTES = 12, /* 1.767406e-02 */
    VECTOR_BYTES = 32,
};

/* GCC's vectors: compares 32 bytes in a few instructions. */
typedef uint8_t vector __attribute__ ((vector_size (VECTOR_BYTES)));

void row_shape_release (struct row_shape *shape)
{
    free (shape->low);
    free (shape->range);
    free (shape->clear);
    *shape = (struct row_shape){ 0 };
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

static void allow_byte (struct row_shape *shape, size_t i, char low,
                        uint8_t range, uint8_t clear)
{
    shape->low[i] = (uint8_t)low;
    shape->range[i] = range;
    shape->clear[i] = clear;
}

/* Bytes [from, to): spaces and then a number.  A sign is '+' or the second
 * character from there on, '-'.
 */
static void allow_number (struct row_shape *shape, size_t from, size_t to)
{
    static const char pattern[] = "0.000000e+00";

    for (; from < to - NUMBER_BYTES; from++)
        allow_byte (shape, from, ' ', 0, 0);
    for (size_t i = 0; i < NUMBER_BYTES; i++) {
        if (pattern[i] == '+')
            allow_byte (shape, from + i, '+', '-' - '+', 1);
        else
            allow_byte (shape, from + i, pattern[i], pattern[i] == '0' ? 9 : 0,
                        0);
    }
}

static void reserve_bytes (struct row_shape *shape, size_t bytes)
{
    if (bytes <= shape->alloc)
        return;
    shape->alloc = 2 * bytes;
    shape->low = xrealloc (shape->low, shape->alloc);
    shape->range = xrealloc (shape->range, shape->alloc);
    shape->clear = xrealloc (shape->clear, shape->alloc);
}

bool row_shape_learn (struct row_shape *shape, const char *at, size_t len,
                      size_t n_columns, const int value[DEVIATION_QUANTITIES],
                      const int least[DEVIATION_QUANTITIES])
{
    const char *start = at, *end = at + len, *next = step_end (at, end);

    shape->row_bytes = 0;
    if (!next || len < VECTOR_BYTES)
        return false;
    reserve_bytes (shape, len);
    shape->step_bytes = (size_t)(next - start);
    for (size_t i = 0; i < shape->step_bytes; i++)
        allow_byte (shape, i, ' ', '9' - ' ', 0);
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        shape->value_at[q] = shape->least_at[q] = SIZE_MAX;
    for (size_t column = 1; column < n_columns; column++) {
        at = next;
        next = number_end (at, end);
        if (!next)
            return false;
        allow_number (shape, (size_t)(at - start), (size_t)(next - start));
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            if (value[q] == (int)column)
                shape->value_at[q] = (size_t)(next - start) - NUMBER_BYTES;
            if (least[q] == (int)column)
                shape->least_at[q] = (size_t)(next - start) - NUMBER_BYTES;
        }
    }
    if (next != end)
        return false;
    shape->row_bytes = len;
    return true;
}

/* Which of the bytes from 'i' on are out of their ranges. */
INLINED void add_misfits (const struct row_shape *shape, const char *row,
                          size_t i, vector *bad)
{
    vector bytes, low, range, clear;

    memcpy (&bytes, row + i, sizeof (bytes));
    memcpy (&low, shape->low + i, sizeof (low));
    memcpy (&range, shape->range + i, sizeof (range));
    memcpy (&clear, shape->clear + i, sizeof (clear));
    bytes -= low;
    *bad |= (vector)(bytes > range) | (bytes & clear);
}

/* Are the bytes of 'row' all in their ranges?  The last vector may look again
 * at what the one before has seen.
 */
INLINED bool row_fits (const struct row_shape *shape, const char *row)
{
    uint64_t words[VECTOR_BYTES / sizeof (uint64_t)];
    size_t row_bytes = shape->row_bytes;
    vector bad = { 0 };

    add_misfits (shape, row, row_bytes - VECTOR_BYTES, &bad);
    for (size_t i = 0; i + VECTOR_BYTES < row_bytes; i += VECTOR_BYTES)
        add_misfits (shape, row, i, &bad);
    memcpy (words, &bad, sizeof (words));
    return (words[0] | words[1] | words[2] | words[3]) == 0;
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
INLINED bool take_step (const struct row_shape *shape, const char *row,
                        int64_t *step)
{
    const char *end = row + shape->step_bytes, *at = row;
    uint64_t bytes;
    uint32_t before;

    if (shape->step_bytes == 12) {
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

/* A minimum above the maximum is that of no atoms. */
INLINED double take_value (const struct row_shape *shape, const char *at, int q)
{
    double value = take_number (at + shape->value_at[q]);

    if (shape->least_at[q] == SIZE_MAX
        || take_number (at + shape->least_at[q]) <= value)
        return value;
    return (double)NAN;
}

FASTEST_HERE
size_t row_shape_rows (const struct row_shape *shape, const char *at,
                       const char *limit, const char *stop,
                       const struct deviation_columns *columns, size_t max,
                       const char **next)
{
    size_t row_bytes = shape->row_bytes, n;

    for (n = 0; n < max && at < limit; n++, at += row_bytes + 1) {
        if (row_bytes == 0 || (size_t)(stop - at) <= row_bytes
            || at[row_bytes] != '\n' || !row_fits (shape, at)
            || !take_step (shape, at, &columns->step[n]))
            break;
        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            if (columns->value[q])
                columns->value[q][n] = take_value (shape, at, q);
        }
    }
    *next = at;
    return n;
}
