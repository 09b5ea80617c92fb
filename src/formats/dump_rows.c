/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows.c - some columns of a LAMMPS dump's rows, fast */
#include "config.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/compiler.h"
#include "formats/dump_rows.h"
#include "formats/number.h"

enum {
    WINDOW_BYTES = 64,
    NUMBER_WINDOW_BYTES = 16, /* a number is looked at with what is before it */
};

static const uint64_t ones = 0x0101010101010101;

/* Bit i is set when byte i is no printable ASCII: a separator, if all is well.
 */
#ifdef __SSE2__

INLINED uint64_t find_separators (const char *at)
{
    uint64_t mask = 0;

    for (int i = 0; i < WINDOW_BYTES; i += 16) {
        __m128i bytes = _mm_loadu_si128 ((const __m128i *)(at + i));
        int found =
            _mm_movemask_epi8 (_mm_cmplt_epi8 (bytes, _mm_set1_epi8 (' ' + 1)));

        mask |= (uint64_t)(uint32_t)found << i;
    }
    return mask;
}

#else

INLINED uint64_t find_separators (const char *at)
{
    uint64_t mask = 0, bytes;

    for (int i = 0; i < WINDOW_BYTES; i += 8) {
        memcpy (&bytes, at + i, sizeof (bytes));
        bytes = le64toh (bytes);
        bytes = ~(((bytes & ones * 0x7f) + ones * (0x7f - ' ')) & ~bytes)
                & ones * 0x80;
        mask |= ((bytes >> 7) * 0x0102040810204080 >> 56) << i;
    }
    return mask;
}

#endif

/* The separators of a row. */
struct scan {
    const char *at; /* the window */
    uint64_t ahead; /* its separators that were not passed */
};

/* The next separator; NULL when it is too close to the end of what is in
 * memory.
 */
INLINED const char *next_separator (struct scan *scan, const char *stop)
{
    const char *found;

    while (scan->ahead == 0) {
        scan->at += WINDOW_BYTES;
        if (stop - scan->at < WINDOW_BYTES)
            return NULL;
        scan->ahead = find_separators (scan->at);
    }
    found = scan->at + __builtin_ctzll (scan->ahead);
    scan->ahead &= scan->ahead - 1;
    return found;
}

/* --- numbers --- */

INLINED uint64_t load (const char *at)
{
    uint64_t bytes;

    memcpy (&bytes, at, sizeof (bytes));
    return le64toh (bytes);
}

#define LAST(n) ((n) == 0 ? 0 : ~(uint64_t)0 << (64 - 8 * ((n) == 0 ? 8 : (n))))

/* The last n of eight bytes, and of the eight before them. */
static const struct {
    uint64_t high;
    uint64_t low;
} last_bytes[NUMBER_WINDOW_BYTES + 1] = {
    { LAST (0), 0 },        { LAST (1), 0 },        { LAST (2), 0 },
    { LAST (3), 0 },        { LAST (4), 0 },        { LAST (5), 0 },
    { LAST (6), 0 },        { LAST (7), 0 },        { LAST (8), 0 },
    { LAST (8), LAST (1) }, { LAST (8), LAST (2) }, { LAST (8), LAST (3) },
    { LAST (8), LAST (4) }, { LAST (8), LAST (5) }, { LAST (8), LAST (6) },
    { LAST (8), LAST (7) }, { LAST (8), LAST (8) },
};

/* Around a point, which is byte 0 to 7. */
static const struct {
    uint64_t before;
    uint64_t behind;
    double power; /* of ten, as many as digits behind it */
} around[8] = {
    { ~LAST (8), LAST (7), 1e7 }, { ~LAST (7), LAST (6), 1e6 },
    { ~LAST (6), LAST (5), 1e5 }, { ~LAST (5), LAST (4), 1e4 },
    { ~LAST (4), LAST (3), 1e3 }, { ~LAST (3), LAST (2), 1e2 },
    { ~LAST (2), LAST (1), 1e1 }, { ~LAST (1), LAST (0), 1e0 },
};

/* Eight digits as values 0 to 9, the first in the lowest byte. */
INLINED uint64_t join_digits (uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000ff000000ff) * (100 + (1000000ULL << 32))
            + (digits >> 16 & 0x000000ff000000ff) * (1 + (10000ULL << 32)))
           >> 32;
}

INLINED bool are_digits (uint64_t bytes)
{
    return ((bytes | (bytes + ones * 6)) & ones * 0xf0) == 0;
}

/* A sign, digits and a point with at most seven digits behind it, of which
 * eight count: "-1.83861", "0.0123456".  One division of exact doubles rounds
 * once.
 */
INLINED bool take_decimal (const char *at, const char *end, double *value)
{
    uint64_t sign = *at == '-', high, low, points;
    size_t n = (size_t)(end - at) - sign;
    unsigned int point;
    double made;

    if (n - 2 > NUMBER_WINDOW_BYTES - 2)
        return false;
    high = (load (end - 8) ^ ones * '0') & last_bytes[n].high;
    low = (load (end - 16) ^ ones * '0') & last_bytes[n].low;
    points = high ^ ones * ('.' ^ '0');
    points = (points - ones) & ~points & ones * 0x80; /* the first is one */
    if (points == 0 || low << 8 != 0)
        return false;
    point = (unsigned int)__builtin_ctzll (points) / 8;
    high = (high & around[point].behind) | (high & around[point].before) << 8
           | low >> 56;
    if (!are_digits (high))
        return false;
    made = (double)(int64_t)join_digits (high) / around[point].power;
    *value = sign ? -made : made;
    return true;
}

/* A whole number of up to eight digits. */
INLINED bool take_whole (const char *at, const char *end, double *value)
{
    size_t n = (size_t)(end - at);
    uint64_t digits;

    if (n - 1 > 7)
        return false;
    digits = (load (end - 8) ^ ones * '0') & last_bytes[n].high;
    if (!are_digits (digits))
        return false;
    *value = (double)(int64_t)join_digits (digits);
    return true;
}

/* In any form; rarely called. */
__attribute__ ((noinline)) static bool take_any (const char *at,
                                                 const char *end,
                                                 double *value)
{
    return number_read (at, end, value) == end;
}

/* --- rows --- */

/* Is the separator of the last column the end of the row?  LAMMPS used to print
 * a space before it.
 */
INLINED const char *row_end (struct scan *scan,
                             const char *separator,
                             const char *stop)
{
    if (separator && *separator == ' ')
        separator =
            next_separator (scan, stop) == separator + 1 ? separator + 1 : NULL;
    return separator && *separator == '\n' ? separator + 1 : NULL;
}

/* Returns where the next row starts; NULL when this one is left to the caller.
 */
INLINED const char *take_row (const struct dump_rows *rows,
                              size_t row,
                              const char *at,
                              const char *stop)
{
    struct scan scan = { at, 0 };
    const char *end = NULL;
    size_t wanted = 0;

    if (stop - at < WINDOW_BYTES)
        return NULL;
    scan.ahead = find_separators (at);
    for (size_t i = 0; i < rows->n_columns; i++, at = end + 1) {
        end = next_separator (&scan, stop);
        if (!end || (i + 1 < rows->n_columns && *end != ' '))
            return NULL;
        if (wanted < rows->n_wanted && rows->column[wanted] == i) {
            double *out = rows->out[wanted] + row * rows->stride[wanted];
            bool ok = rows->whole[wanted] ? take_whole (at, end, out)
                                          : take_decimal (at, end, out);

            if (!ok && !take_any (at, end, out))
                return NULL;
            wanted++;
        } else if (end == at) {
            return NULL;
        }
    }
    return row_end (&scan, end, stop);
}

FASTEST_HERE
size_t dump_rows_read (const struct dump_rows *rows,
                       size_t first,
                       size_t end,
                       const char *begin,
                       const char *at,
                       const char *stop,
                       const char **next)
{
    size_t row = first;

    if (at - begin >= NUMBER_WINDOW_BYTES) {
        for (const char *after; row < end; row++, at = after) {
            after = take_row (rows, row, at, stop);
            if (!after)
                break;
        }
    }
    *next = at;
    return row;
}
