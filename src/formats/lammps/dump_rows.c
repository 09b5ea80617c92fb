/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows.c - some columns of a LAMMPS dump's rows, fast
 *
 * With AVX2 first where the words and lines of a block start, then the numbers
 * in them: neither waits for the other, nor one number for the one before. Four
 * numbers stand in four lanes of 16 bytes, each at the end of its lane: what is
 * before it becomes zeros, the point is shifted out, neighbours are joined into
 * pairs, fours and eights of digits, and the whole divided by a power of ten.
 * Up to 15 digits and the power are exact doubles, so that the division rounds
 * once (W. D. Clinger, "How to read floating point numbers accurately", 1990).
 */
#include "config.h"

#include <stdint.h>

#include "base/compiler.h"
#include "formats/lammps/dump_rows.h"
#include "formats/number.h"

/* Read the row at 'at', word by word: where the next one starts, or NULL when
 * it is none or does not end before 'stop'.
 */
static const char *read_row (const struct dump_rows *rows,
                             size_t row,
                             const char *at,
                             const char *stop)
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

static size_t read_plain (const struct dump_rows *rows,
                          size_t row,
                          size_t end,
                          const char *at,
                          const char *stop,
                          const char **next)
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
    WINDOW_BYTES = 64,  /* are looked at together */
    BLOCK_BYTES = 4096, /* windows of a block */
    NUMBER_BYTES = 16,  /* of a number are looked at, up to its end */
    LANES = 4,          /* numbers at once */
};

/* Words are separated by one space or line break each; two in a row have an
 * empty word between them.  Offsets count from the start of the block.
 */
struct words {
    const char *text;
    size_t n;
    size_t n_lines;
    bool any_empty;
    /* Where each word and each line starts, and what would follow the last;
     * the arrays are longer, since more may be written at once than there are.
     */
    uint16_t word[BLOCK_BYTES + WINDOW_BYTES];
    uint16_t line[BLOCK_BYTES + WINDOW_BYTES];
};

/* What the functions below are compiled for; part of each other. */
#define AVX2 __attribute__ ((target ("avx2,bmi,popcnt")))
#define AVX2_INLINED AVX2 INLINED

/* --- words --- */

/* Append what follows each byte that is marked, so many at once as there mostly
 * are, because a branch that is predicted wrongly costs more than they do; more
 * may be written.
 */
AVX2_INLINED size_t
append (uint16_t *out, size_t n, uint64_t marks, size_t offset, int at_once)
{
    size_t end = n + (size_t)_mm_popcnt_u64 (marks);

    for (; n < end; n += (size_t)at_once) {
        for (int i = 0; i < at_once; i++) {
            out[n + (size_t)i] = (uint16_t)(offset + _tzcnt_u64 (marks) + 1);
            marks = _blsr_u64 (marks);
        }
    }
    return end;
}

AVX2_INLINED uint64_t mask_of (__m256i low, __m256i high)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8 (high) << 32
           | (uint32_t)_mm256_movemask_epi8 (low);
}

AVX2 static void find_words (const char *at,
                             const char *stop,
                             struct words *words)
{
    const __m256i space = _mm256_set1_epi8 (' ');
    const __m256i line_break = _mm256_set1_epi8 ('\n');
    const __m256i printable = _mm256_set1_epi8 (' ' + 1);
    uint64_t before = 1, empty = 0; /* a line starts like after a separator */
    size_t n = 0, n_lines = 0;

    words->text = at;
    words->word[0] = words->line[0] = 0;
    for (size_t i = 0;
         i < BLOCK_BYTES && stop - at >= (ptrdiff_t)(i + WINDOW_BYTES);
         i += WINDOW_BYTES) {
        __m256i low = _mm256_loadu_si256 ((const __m256i *)(at + i));
        __m256i high = _mm256_loadu_si256 ((const __m256i *)(at + i + 32));
        uint64_t ends = mask_of (_mm256_cmpgt_epi8 (printable, low),
                                 _mm256_cmpgt_epi8 (printable, high));
        uint64_t spaces = mask_of (_mm256_cmpeq_epi8 (low, space),
                                   _mm256_cmpeq_epi8 (high, space));
        uint64_t breaks = mask_of (_mm256_cmpeq_epi8 (low, line_break),
                                   _mm256_cmpeq_epi8 (high, line_break));

        if (ends != (spaces | breaks))
            break;
        empty |= ends & (ends << 1 | before);
        before = ends >> 63;
        n = append (words->word + 1, n, ends, i, 6);
        n_lines = append (words->line + 1, n_lines, breaks, i, 4);
    }
    words->n = n;
    words->n_lines = n_lines;
    words->any_empty = empty != 0;
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
AVX2_INLINED __m256i join_fours (struct digits *a,
                                 struct digits *b,
                                 __m256i *bad,
                                 unsigned int *all_points)
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
AVX2_INLINED bool convert_four (const char *text,
                                const uint16_t *const word[4],
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

AVX2 static size_t convert (const struct dump_rows *rows,
                            const struct words *words,
                            size_t stride,
                            size_t row,
                            size_t n)
{
    const uint16_t *word = words->word;
    size_t column[LANES];
    double *out[LANES];
    size_t step[LANES];

    for (size_t i = 0; i < LANES; i++) { /* the last fills up */
        size_t k = i < rows->n_wanted ? i : rows->n_wanted - 1;

        column[i] = rows->column[k];
        step[i] = rows->stride[k];
        out[i] = rows->out[k] + row * step[i];
    }
    for (size_t i = 0; i < n; i++, word += stride) {
        const uint16_t *const wanted[LANES] = { word + column[0],
                                                word + column[1],
                                                word + column[2],
                                                word + column[3] };
        __m256d values;
        __m128d high;

        if (word[stride] != words->line[i + 1])
            return i;
        if (convert_four (words->text, wanted, &values)) {
            high = _mm256_extractf128_pd (values, 1);
            _mm_storel_pd (out[0], _mm256_castpd256_pd128 (values));
            _mm_storeh_pd (out[1], _mm256_castpd256_pd128 (values));
            _mm_storel_pd (out[2], high);
            _mm_storeh_pd (out[3], high);
        } else if (!read_row (rows, row + i, words->text + word[0],
                              words->text + word[stride])) {
            return i;
        }
        for (size_t k = 0; k < LANES; k++)
            out[k] += step[k];
    }
    return n;
}

/* How many words a row is likely to have: the first line tells.  LAMMPS used
 * to print a space before its end, which makes one more, without a letter; what
 * else there is becomes apparent when rows are converted.
 */
static size_t row_words (const struct dump_rows *rows,
                         const struct words *words)
{
    size_t n = rows->n_columns;

    return words->any_empty && words->n > n && words->word[n] != words->line[1]
               ? n + 1
               : n;
}

/* How many of n rows have a letter in each word, but none behind the last
 * column.
 */
static size_t count_full (const struct dump_rows *rows,
                          const struct words *words,
                          size_t stride,
                          size_t n)
{
    const uint16_t *word = words->word;

    for (size_t i = 0; words->any_empty && i < n; i++, word += stride) {
        for (size_t k = 0; k < stride; k++) {
            if ((word[k] + 1 == word[k + 1]) != (k == rows->n_columns))
                return i;
        }
    }
    return n;
}

/* The end of the bytes that rows [row, end) likely take, at 'at', when rows
 * [first, row) took those from 'start' on.
 */
static const char *likely_end (const char *start,
                               const char *at,
                               const char *stop,
                               size_t first,
                               size_t row,
                               size_t end)
{
    size_t left = (size_t)(stop - at), likely = left;

    if (row > first)
        likely = (end - row) * ((size_t)(at - start) / (row - first) + 1)
                 + 2 * WINDOW_BYTES;
    return likely < left ? at + likely : stop;
}

static bool has_avx2 (void)
{
    return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi")
           && __builtin_cpu_supports ("popcnt");
}

size_t dump_rows_read (const struct dump_rows *rows,
                       size_t first,
                       size_t end,
                       const char *begin,
                       const char *at,
                       const char *stop,
                       const char **next)
{
    struct words words;
    const char *start = at;
    size_t row = first;

    if (rows->plain || rows->n_wanted > LANES || !has_avx2 ())
        return read_plain (rows, first, end, at, stop, next);
    while (row < end && at - begin >= NUMBER_BYTES) {
        size_t stride, n, made;

        find_words (at, likely_end (start, at, stop, first, row, end), &words);
        stride = row_words (rows, &words);
        n = words.n / stride;
        if (n > end - row)
            n = end - row;
        if (n > words.n_lines)
            n = words.n_lines;
        made = convert (rows, &words, stride, row,
                        count_full (rows, &words, stride, n));
        at += words.word[made * stride];
        row += made;
        if (made < n || n == 0)
            break;
    }
    *next = at;
    return row;
}

#else

size_t dump_rows_read (const struct dump_rows *rows,
                       size_t first,
                       size_t end,
                       const char *begin,
                       const char *at,
                       const char *stop,
                       const char **next)
{
    (void)begin;
    return read_plain (rows, first, end, at, stop, next);
}

#endif
