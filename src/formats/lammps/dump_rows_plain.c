/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows_plain.c - rows of a LAMMPS dump in plain C, eight bytes at once */
#include "config.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "formats/lammps/dump_words.h"
#include "formats/number.h"

static const uint64_t ones = 0x0101010101010101;

/* --- words, in plain C --- */

INLINED uint64_t load (const char *at)
{
    uint64_t bytes;

    memcpy (&bytes, at, sizeof (bytes));
    return le64toh (bytes);
}

/* The high bit of each of eight bytes that is no printable ASCII. */
INLINED uint64_t separators (uint64_t bytes)
{
    return ~(((bytes & ones * 0x7f) + ones * (0x7f - ' ')) & ~bytes)
           & ones * 0x80;
}

/* Append the words that end in eight bytes; false when one ends in something
 * else than a space or a line break.
 */
INLINED bool find_in (struct dump_words *words, size_t offset)
{
    uint64_t marks = separators (load (words->text + offset));

    for (; marks != 0; marks &= marks - 1) {
        size_t at = offset + (size_t)__builtin_ctzll (marks) / 8;
        char separator = words->text[at];

        if (separator != ' ' && separator != '\n')
            return false;
        words->any_empty |= words->word[words->n] == at;
        words->word[++words->n] = (uint16_t)(at + 1);
        if (separator == '\n')
            words->line[++words->n_lines] = (uint16_t)(at + 1);
    }
    return true;
}

static void find_words (const char *at,
                        const char *stop,
                        struct dump_words *words)
{
    size_t most = (size_t)(stop - at);

    words->text = at;
    words->n = words->n_lines = 0;
    words->word[0] = words->line[0] = 0;
    words->any_empty = false;
    for (size_t i = 0; i < DUMP_BLOCK_BYTES && most - i >= 8; i += 8) {
        if (!find_in (words, i))
            break;
    }
}

/* --- numbers, in plain C --- */

#define LAST(n) ((n) == 0 ? 0 : ~(uint64_t)0 << (64 - 8 * ((n) == 0 ? 8 : (n))))

/* The last n of eight bytes, and of the eight before them. */
static const struct {
    uint64_t high;
    uint64_t low;
} last_bytes[DUMP_NUMBER_BYTES + 1] = {
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
    uint64_t bits;
    double made;

    if (n - 2 > DUMP_NUMBER_BYTES - 2)
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
    memcpy (&bits, &made,
            sizeof (bits)); /* no branch on a sign: half of them differ */
    bits |= sign << 63;
    memcpy (value, &bits, sizeof (bits));
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

/* In any form; rarely called, and kept out of the loop. */
__attribute__ ((noinline)) static bool take_any (const char *at,
                                                 const char *end,
                                                 double *value)
{
    return number_read (at, end, value) == end;
}

bool dump_rows_convert_any (const struct dump_rows *rows,
                            const char *text,
                            const uint16_t *word,
                            size_t row)
{
    for (size_t i = 0; i < rows->n_wanted; i++) {
        const uint16_t *at = word + rows->column[i];

        if (!take_any (text + at[0], text + at[1] - 1,
                       rows->out[i] + row * rows->stride[i]))
            return false;
    }
    return true;
}

static size_t convert (const struct dump_rows *rows,
                       const struct dump_words *words,
                       size_t stride,
                       size_t row,
                       size_t n)
{
    const uint16_t *word = words->word;

    for (size_t i = 0; i < n; i++, word += stride) {
        if (word[stride] != words->line[i + 1])
            return i;
        for (size_t k = 0; k < rows->n_wanted; k++) {
            const uint16_t *at = word + rows->column[k];
            const char *begin = words->text + at[0];
            const char *end = words->text + at[1] - 1;
            double *out = rows->out[k] + (row + i) * rows->stride[k];

            if (!(rows->whole[k] ? take_whole : take_decimal) (begin, end, out)
                && !take_any (begin, end, out))
                return i;
        }
    }
    return n;
}

const struct dump_rows_way dump_rows_plain = { find_words, convert };
