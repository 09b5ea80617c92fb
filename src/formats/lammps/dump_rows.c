/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows.c - some columns of a LAMMPS dump's rows, fast
 *
 * With AVX2 first where the words of a row start, 64 bytes at a time, then its
 * numbers.  Four stand in four lanes of 16 bytes, each at the end of its lane:
 * what is before it becomes zeros, the point is shifted out, neighbours are
 * joined into pairs, fours and eights of digits, and the whole divided by a
 * power of ten. Up to 15 digits and the power are exact doubles, so that the
 * division rounds once (W. D. Clinger, "How to read floating point numbers
 * accurately", 1990).
 */
#include "base/base.h"

#include "formats/lammps/dump_rows.h"
#include "formats/number.h"

/* Read the row at 'at', word by word: where the next one starts, or NULL when
 * it is none or does not end before 'stop'.
 */
static const char *read_row (const struct dump_rows *rows, size_t row,
                             const char *at, const char *stop)
{
    size_t k = 0;

    for (size_t i = 0; i < rows->n_columns; i++, at++) {
        const char *end = at;

        if (k == rows->n_wanted || rows->column[k] != i) {
            while (end < stop && (signed char)*end > ' ')
                end++;
        }
        for (; end && k < rows->n_wanted && rows->column[k] == i; k++)
            end = number_read (at, stop, rows->out[k] + row * rows->stride[k]);
        if (!end || end == at || end == stop
            || (*end != ' ' && (*end != '\n' || i + 1 < rows->n_columns)))
            return NULL;
        at = end;
    }
    /* LAMMPS used to print a space before the line break */
    at += at[-1] == ' ' && at < stop && *at == '\n';
    return at[-1] == '\n' ? at : NULL;
}

static size_t read_plain (const struct dump_rows *rows, size_t row, size_t end,
                          const char *at, const char *stop, const char **next)
{
    *next = at;
    while (row < end && (at = read_row (rows, row, at, stop))) {
        *next = at;
        row++;
    }
    return row;
}

#if defined __GNUC__ && defined __x86_64__

#include <immintrin.h>

enum {
    WINDOW_BYTES = 64, /* are looked at together */
    NUMBER_BYTES = 16, /* of a number are looked at, up to its end */
    LANES = 4,         /* numbers at once */
    WORDS_MAX = 256,   /* of a row */
    ROW_MAX_BYTES = 1 << 15,
};

/* What the functions below are compiled for; part of each other. */
#define AVX2 __attribute__ ((target ("avx2,bmi,popcnt")))
#define AVX2_INLINED AVX2 INLINED

/* --- words --- */

/* Where 64 bytes are equal to c, or below it. */
AVX2_INLINED uint64_t marks_of (const char *at, char c, bool below)
{
    __m256i low = _mm256_loadu_si256 ((const __m256i *)at);
    __m256i high = _mm256_loadu_si256 ((const __m256i *)(at + 32));
    __m256i all = _mm256_set1_epi8 (c);

    low = below ? _mm256_cmpgt_epi8 (all, low) : _mm256_cmpeq_epi8 (all, low);
    high =
        below ? _mm256_cmpgt_epi8 (all, high) : _mm256_cmpeq_epi8 (all, high);
    return (uint64_t)(uint32_t)_mm256_movemask_epi8 (high) << 32
           | (uint32_t)_mm256_movemask_epi8 (low);
}

/* Where the n words of the row at 'at' start, and what follows the last: how
 * many bytes the row has, or 0 when it has other words, is separated by
 * something else than one space each, or comes too close to 'stop'.
 */
AVX2_INLINED size_t find_words (const char *at, const char *stop, size_t n,
                                uint16_t word[WORDS_MAX + 2])
{
    uint64_t before = 1; /* a row starts like after a separator */
    size_t found = 0;

    word[0] = 0;
    for (size_t i = 0;
         i < ROW_MAX_BYTES && stop - at >= (ptrdiff_t)(i + WINDOW_BYTES);
         i += WINDOW_BYTES) {
        uint64_t ends = marks_of (at + i, ' ' + 1, true);
        uint64_t breaks = marks_of (at + i, '\n', false);
        uint64_t row = breaks ^ (breaks - 1); /* up to the first */

        if (breaks != 0)
            ends &= row;
        if ((ends & ~breaks
             & ((ends << 1 | before) | ~marks_of (at + i, ' ', false)))
                != 0
            || found + (size_t)_mm_popcnt_u64 (ends) > n + 1)
            return 0;
        before = ends >> 63;
        for (; ends != 0; ends = _blsr_u64 (ends))
            word[++found] = (uint16_t)(i + _tzcnt_u64 (ends) + 1);
        if (breaks == 0)
            continue;
        /* LAMMPS used to print a space before the line break */
        return found >= n && (found > n) == (word[found - 1] + 1 == word[found])
                   ? word[found]
                   : 0;
    }
    return 0;
}

/* --- numbers --- */

/* Loaded from last_bytes + n: the last n of 16 bytes. */
static const int8_t last_bytes[32] = {
    [16] = -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
};

#define FROM(p, i) ((i) > (p) ? (i) : (i)-1)
#define WITHOUT(p)                                                             \
    {                                                                          \
        FROM (p, 0), FROM (p, 1), FROM (p, 2), FROM (p, 3), FROM (p, 4),       \
            FROM (p, 5), FROM (p, 6), FROM (p, 7), FROM (p, 8), FROM (p, 9),   \
            FROM (p, 10), FROM (p, 11), FROM (p, 12), FROM (p, 13),            \
            FROM (p, 14), FROM (p, 15)                                         \
    }

/* Where 16 bytes come from when the point goes; at 16: there is none. */
static const int8_t without_point[17][16] = {
    WITHOUT (0),  WITHOUT (1),  WITHOUT (2),  WITHOUT (3),  WITHOUT (4),
    WITHOUT (5),  WITHOUT (6),  WITHOUT (7),  WITHOUT (8),  WITHOUT (9),
    WITHOUT (10), WITHOUT (11), WITHOUT (12), WITHOUT (13), WITHOUT (14),
    WITHOUT (15), WITHOUT (-1),
};

/* What the digits are divided by when the point was there: [1] of negative
 * numbers.
 */
#define SIGNS(power)                                                           \
    {                                                                          \
        power, -power                                                          \
    }
static const double divisors[17][2] = {
    SIGNS (1e15), SIGNS (1e14), SIGNS (1e13), SIGNS (1e12), SIGNS (1e11),
    SIGNS (1e10), SIGNS (1e9),  SIGNS (1e8),  SIGNS (1e7),  SIGNS (1e6),
    SIGNS (1e5),  SIGNS (1e4),  SIGNS (1e3),  SIGNS (1e2),  SIGNS (1e1),
    SIGNS (1e0),  SIGNS (1e0),
};

/* A number's text, without its sign. */
struct digits {
    const char *end;
    size_t n;
    size_t negative;
    unsigned int point; /* in the lane */
};

AVX2_INLINED struct digits word_digits (const char *text, const uint16_t *word)
{
    struct digits digits = { .end = text + word[1] - 1 };

    digits.negative = text[word[0]] == '-';
    digits.n = (size_t)word[1] - 1 - word[0] - digits.negative;
    return digits;
}

AVX2_INLINED __m256i two_lanes (const void *a, const void *b)
{
    return _mm256_inserti128_si256 (
        _mm256_castsi128_si256 (_mm_loadu_si128 (a)), _mm_loadu_si128 (b), 1);
}

/* Two numbers as fours of digits, 32 bits each.  Where they are no digits *bad
 * gets bits, and where a point is *all_points: one that is last has the highest
 * bit of either half.
 */
AVX2_INLINED __m256i join_fours (struct digits *a, struct digits *b,
                                 __m256i *bad, unsigned int *all_points)
{
    const __m256i tens = _mm256_set1_epi16 (1 << 8 | 10);
    const __m256i hundreds = _mm256_set1_epi32 (1 << 16 | 100);
    __m256i bytes = two_lanes (a->end - NUMBER_BYTES, b->end - NUMBER_BYTES);
    __m256i mask = two_lanes (last_bytes + a->n, last_bytes + b->n);
    __m256i points = _mm256_and_si256 (
        mask, _mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('.')));
    unsigned int marks = (unsigned int)_mm256_movemask_epi8 (points);

    *all_points |= marks;
    a->point = _tzcnt_u32 (marks | 1 << 16);
    b->point = _tzcnt_u32 (marks >> 16 | 1 << 16);
    bytes = _mm256_and_si256 (mask,
                              _mm256_sub_epi8 (bytes, _mm256_set1_epi8 ('0')));
    bytes = _mm256_shuffle_epi8 (
        bytes, two_lanes (without_point[a->point], without_point[b->point]));
    *bad =
        _mm256_or_si256 (*bad, _mm256_subs_epu8 (bytes, _mm256_set1_epi8 (9)));
    return _mm256_madd_epi16 (_mm256_maddubs_epi16 (bytes, tens), hundreds);
}

/* Numbers 0 and 1 in the lanes of 'first', 2 and 3 in those of 'second'. */
AVX2_INLINED __m256d join_eights (__m256i first, __m256i second)
{
    const __m256i weights = _mm256_set1_epi32 (1 << 16 | 10000);
    const __m256i order = _mm256_setr_epi32 (0, 4, 2, 6, 1, 5, 3, 7);
    __m256i eights =
        _mm256_madd_epi16 (_mm256_packus_epi32 (first, second), weights);
    __m256d high, low;

    eights = _mm256_permutevar8x32_epi32 (eights, order);
    high = _mm256_cvtepi32_pd (_mm256_castsi256_si128 (eights));
    low = _mm256_cvtepi32_pd (_mm256_extracti128_si256 (eights, 1));
    return _mm256_add_pd (_mm256_mul_pd (high, _mm256_set1_pd (1e8)), low);
}

AVX2_INLINED double divisor_of (const struct digits *digits)
{
    return divisors[digits->point][digits->negative];
}

/* Convert four words of a row; false when one is not of 1 to 16 digits and a
 * point that does not stand alone or last.
 */
AVX2_INLINED bool convert_four (const char *text, const uint16_t *const word[4],
                                __m256d *values)
{
    struct digits a = word_digits (text, word[0]);
    struct digits b = word_digits (text, word[1]);
    struct digits c = word_digits (text, word[2]);
    struct digits d = word_digits (text, word[3]);
    __m256i bad = _mm256_setzero_si256 (), first, second;
    size_t lengths = (a.n - 1) | (b.n - 1) | (c.n - 1) | (d.n - 1);
    unsigned int points = 0;

    if (lengths >= NUMBER_BYTES)
        return false;
    first = join_fours (&a, &b, &bad, &points);
    second = join_fours (&c, &d, &bad, &points);
    *values = _mm256_div_pd (join_eights (first, second),
                             _mm256_setr_pd (divisor_of (&a), divisor_of (&b),
                                             divisor_of (&c), divisor_of (&d)));
    return (points & 0x80008000) == 0 && _mm256_testz_si256 (bad, bad);
}

/* The same for n words, the lists of which are filled up to whole lanes. */
AVX2_INLINED bool convert_words (const char *text,
                                 const uint16_t *const word[DUMP_ROWS_WANTED],
                                 size_t n, double values[DUMP_ROWS_WANTED])
{
    for (size_t k = 0; k < n; k += LANES) {
        __m256d four;

        if (!convert_four (text, word + k, &four))
            return false;
        _mm256_storeu_pd (values + k, four);
    }
    return true;
}

/* As dump_rows_read; rows that are not as they mostly are, word by word. */
AVX2 static size_t read_lanes (const struct dump_rows *rows, size_t row,
                               size_t end, const char *at, const char *stop,
                               const char **next)
{
    uint16_t word[WORDS_MAX + 2];
    const uint16_t *wanted[DUMP_ROWS_WANTED];

    for (size_t k = 0; k < DUMP_ROWS_WANTED; k++) /* the last fills up */
        wanted[k] =
            word + rows->column[k < rows->n_wanted ? k : rows->n_wanted - 1];
    for (*next = at; row < end; row++, *next = at) {
        double values[DUMP_ROWS_WANTED];
        size_t bytes = find_words (at, stop, rows->n_columns, word);

        if (bytes > 0 && convert_words (at, wanted, rows->n_wanted, values)) {
            for (size_t k = 0; k < rows->n_wanted; k++)
                rows->out[k][row * rows->stride[k]] = values[k];
            at += bytes;
        } else if (!(at = read_row (rows, row, at, stop))) {
            break;
        }
    }
    return row;
}

static bool has_avx2 (void)
{
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi")
           && __builtin_cpu_supports ("popcnt");
}

#endif

size_t dump_rows_read (const struct dump_rows *rows, size_t first, size_t end,
                       const char *begin, const char *at, const char *stop,
                       const char **next)
{
#if defined __GNUC__ && defined __x86_64__
    if (!rows->plain && rows->n_columns <= WORDS_MAX
        && at - begin >= NUMBER_BYTES && has_avx2 ())
        return read_lanes (rows, first, end, at, stop, next);
#endif
    (void)begin;
    return read_plain (rows, first, end, at, stop, next);
}
