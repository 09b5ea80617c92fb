/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_lanes.c - rows of a model_devi.out, four at once
 *
 * Each row has a lane of 16 bytes.  Its digits are joined into pairs, fours and
 * eights; seven digits and a power of ten up to 22 are exact doubles, so that
 * the division rounds once.
 */
#include "config.h"

#include "base/compiler.h"
#include "formats/deviation_lanes.h"

#if defined __GNUC__ && defined __x86_64__

#include <immintrin.h>

/* What the functions below are compiled for; part of each other. */
#define AVX2 __attribute__ ((target ("avx2")))
#define AVX2_INLINED AVX2 INLINED

enum {
    ROWS = 4,
    ROWS_AT_ONCE = 64,
    LANE_BYTES = 16,
    VECTOR_BYTES = 32,
    NUMBER_BYTES = 12
};

AVX2_INLINED __m256i load (const void *at)
{
    return _mm256_loadu_si256 (at);
}

/* Two rows. */
AVX2_INLINED __m256i two_lanes (const char *at, size_t next)
{
    return _mm256_inserti128_si256 (
        _mm256_castsi128_si256 (_mm_loadu_si128 ((const void *)at)),
        _mm_loadu_si128 ((const void *)(at + next)), 1);
}

/* --- does the row fit? --- */

/* Bits for the bytes from 'i' on that are out of their ranges. */
AVX2_INLINED __m256i misfits (const struct deviation_layout *layout,
                              const char *row,
                              size_t i)
{
    __m256i above = _mm256_sub_epi8 (load (row + i), load (layout->low + i));

    return _mm256_or_si256 (_mm256_subs_epu8 (above, load (layout->range + i)),
                            _mm256_and_si256 (above, load (layout->clear + i)));
}

/* The last vector may look again at what the one before has seen. */
AVX2_INLINED __m256i row_misfits (const struct deviation_layout *layout,
                                  const char *row)
{
    size_t bytes = layout->row_bytes;
    __m256i bad = misfits (layout, row, bytes - VECTOR_BYTES);

    for (size_t i = 0; i + VECTOR_BYTES < bytes; i += VECTOR_BYTES)
        bad = _mm256_or_si256 (bad, misfits (layout, row, i));
    return bad;
}

/* The same as below of rows of 97 to 128 bytes, LAMMPS's: what is known of
 * their bytes stays in registers.
 */
AVX2_INLINED size_t count_fitting_four (const struct deviation_layout *layout,
                                        const char *at,
                                        size_t n)
{
    enum { VECTORS = 4 };
    size_t bytes = layout->row_bytes;
    const size_t place[VECTORS] = { 0, VECTOR_BYTES, 2 * VECTOR_BYTES,
                                    bytes - VECTOR_BYTES };
    __m256i low[VECTORS], range[VECTORS], clear[VECTORS];

    for (int v = 0; v < VECTORS; v++) {
        low[v] = load (layout->low + place[v]);
        range[v] = load (layout->range + place[v]);
        clear[v] = load (layout->clear + place[v]);
    }
    for (size_t i = 0; i < n; i++, at += bytes + 1) {
        __m256i bad = _mm256_setzero_si256 ();

#pragma GCC unroll 4
        for (int v = 0; v < VECTORS; v++) {
            __m256i above = _mm256_sub_epi8 (load (at + place[v]), low[v]);

            bad = _mm256_or_si256 (
                bad, _mm256_or_si256 (_mm256_subs_epu8 (above, range[v]),
                                      _mm256_and_si256 (above, clear[v])));
        }
        if (at[bytes] != '\n' || !_mm256_testz_si256 (bad, bad))
            return i;
    }
    return n;
}

/* How many of n rows fit and are followed by a line break. */
AVX2_INLINED size_t count_fitting (const struct deviation_layout *layout,
                                   const char *at,
                                   size_t n)
{
    size_t bytes = layout->row_bytes;

    if (bytes > 3 * VECTOR_BYTES && bytes <= 4 * VECTOR_BYTES)
        return count_fitting_four (layout, at, n);
    for (size_t i = 0; i < n; i++, at += bytes + 1) {
        __m256i bad = row_misfits (layout, at);

        if (at[bytes] != '\n' || !_mm256_testz_si256 (bad, bad))
            return i;
    }
    return n;
}

/* --- numbers --- */

/* Eights of digits, two in each lane: of rows 0 and 1 from 'first', of rows 2
 * and 3 from 'second'.  In order they are 0 2 | 1 3.
 */
AVX2_INLINED __m256i join_digits (__m256i first, __m256i second)
{
    const __m256i tens = _mm256_set1_epi16 (1 << 8 | 10);
    const __m256i hundreds = _mm256_set1_epi32 (1 << 16 | 100);
    const __m256i myriads = _mm256_set1_epi32 (1 << 16 | 10000);

    first = _mm256_madd_epi16 (_mm256_maddubs_epi16 (first, tens), hundreds);
    second = _mm256_madd_epi16 (_mm256_maddubs_epi16 (second, tens), hundreds);
    return _mm256_madd_epi16 (_mm256_packus_epi32 (first, second), myriads);
}

/* A step of two rows: spaces and then digits, at the end of the lane.  Gives
 * the digits, and bits in *bad when there is anything else.
 */
AVX2_INLINED __m256i step_digits (const char *at,
                                  size_t next,
                                  __m256i order,
                                  __m256i padding,
                                  __m256i *bad)
{
    const __m256i all = _mm256_set1_epi8 (-1);
    const int64_t last_byte = -(INT64_C (1) << 56);
    const __m256i last = _mm256_set_epi64x (last_byte, 0, last_byte, 0);
    __m256i bytes = _mm256_or_si256 (
        _mm256_shuffle_epi8 (two_lanes (at, next), order), padding);
    __m256i digits = _mm256_cmpgt_epi8 (bytes, _mm256_set1_epi8 ('0' - 1));
    __m256i spaces = _mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 (' '));
    /* Behind a digit is one, and the last is one. */
    __m256i follow = _mm256_or_si256 (_mm256_bsrli_epi128 (digits, 1), last);
    __m256i wrong = _mm256_or_si256 (_mm256_andnot_si256 (follow, digits),
                                     _mm256_andnot_si256 (digits, last));

    wrong = _mm256_or_si256 (
        wrong, _mm256_andnot_si256 (_mm256_or_si256 (digits, spaces), all));
    *bad = _mm256_or_si256 (*bad, wrong);
    return _mm256_and_si256 (_mm256_and_si256 (bytes, digits),
                             _mm256_set1_epi8 (0x0f));
}

/* False when one is no step. */
AVX2_INLINED bool read_steps (const struct deviation_layout *layout,
                              const char *at,
                              int64_t *out)
{
    const __m256i count =
        _mm256_setr_epi8 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                          0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    size_t width = layout->row_bytes + 1;
    /* Lower what is beyond, so that the shuffle makes zeros of it. */
    __m256i order = _mm256_sub_epi8 (
        count, _mm256_set1_epi8 ((char)(LANE_BYTES - layout->step_bytes)));
    __m256i padding =
        _mm256_and_si256 (_mm256_cmpgt_epi8 (_mm256_setzero_si256 (), order),
                          _mm256_set1_epi8 (' '));
    __m256i bad = _mm256_setzero_si256 (), eights;

    eights =
        join_digits (step_digits (at, width, order, padding, &bad),
                     step_digits (at + 2 * width, width, order, padding, &bad));
    eights = _mm256_add_epi64 (
        _mm256_mul_epu32 (eights, _mm256_set1_epi64x (100000000)),
        _mm256_srli_epi64 (eights, 32));
    _mm256_storeu_si256 ((void *)out, _mm256_permute4x64_epi64 (eights, 0xd8));
    return _mm256_testz_si256 (bad, bad);
}

/* A number like 1.767406e-02 of two rows, 4 bytes behind 'at': seven digits in
 * one half of the lane; the sign ('+' is 0x2b, '-' is 0x2d) and two digits of
 * the exponent in the other.
 */
AVX2_INLINED __m256i number_digits (const char *at, size_t next)
{
    const __m256i order = _mm256_setr_epi8 (
        -1, 4, 6, 7, 8, 9, 10, 11, -1, 13, -1, -1, -1, -1, 14, 15, -1, 4, 6, 7,
        8, 9, 10, 11, -1, 13, -1, -1, -1, -1, 14, 15);

    return _mm256_and_si256 (_mm256_shuffle_epi8 (two_lanes (at, next), order),
                             _mm256_set1_epi8 (0x0f));
}

/* False when a power of ten is not one of those that divide. */
AVX2_INLINED bool read_numbers (const char *at, size_t width, double *out)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                     1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
                                     1e18, 1e19, 1e20, 1e21, 1e22 };
    const __m128i plus = _mm_set1_epi32 (0x0b * 1000000);
    const __m128i minus = _mm_set1_epi32 (0x0d * 1000000);
    const __m128i most = _mm_set1_epi32 (ARRAY_SIZE (powers) - 1);
    __m256i eights = join_digits (number_digits (at, width),
                                  number_digits (at + 2 * width, width));
    __m128i exponent, negative, power;

    eights = _mm256_permutevar8x32_epi32 (
        eights, _mm256_setr_epi32 (0, 4, 2, 6, 1, 5, 3, 7));
    exponent = _mm256_extracti128_si256 (eights, 1);
    negative =
        _mm_cmpgt_epi32 (exponent, _mm_sub_epi32 (minus, _mm_set1_epi32 (1)));
    exponent =
        _mm_sub_epi32 (exponent, _mm_blendv_epi8 (plus, minus, negative));
    power = _mm_add_epi32 (
        _mm_set1_epi32 (6),
        _mm_blendv_epi8 (_mm_sub_epi32 (_mm_setzero_si128 (), exponent),
                         exponent, negative));
    exponent = _mm_xor_si128 (_mm_min_epu32 (power, most), power);
    power = _mm_min_epu32 (power, most);
    _mm256_storeu_pd (
        out,
        _mm256_div_pd (_mm256_cvtepi32_pd (_mm256_castsi256_si128 (eights)),
                       _mm256_setr_pd (powers[_mm_extract_epi32 (power, 0)],
                                       powers[_mm_extract_epi32 (power, 1)],
                                       powers[_mm_extract_epi32 (power, 2)],
                                       powers[_mm_extract_epi32 (power, 3)])));
    return _mm_testz_si128 (exponent, exponent);
}

/* --- rows --- */

/* A lane must not begin before the row. */
static bool is_common (const struct deviation_layout *layout)
{
    bool common =
        layout->row_bytes >= VECTOR_BYTES && layout->step_bytes <= LANE_BYTES;

    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        common &= layout->value_at[q] >= LANE_BYTES - NUMBER_BYTES;
    return common;
}

/* Rows that fit: how many were read, a multiple of four. */
AVX2_INLINED size_t read_fitting (const struct deviation_layout *layout,
                                  const char *at,
                                  size_t n,
                                  const struct deviation_columns *columns,
                                  size_t from)
{
    size_t width = layout->row_bytes + 1, row = 0;

    for (; row + ROWS <= n; row += ROWS, at += ROWS * width) {
        bool ok = read_steps (layout, at, columns->step + from + row);

        for (int q = 0; q < DEVIATION_QUANTITIES; q++) {
            if (columns->value[q])
                ok &= read_numbers (at + layout->value_at[q]
                                        - (LANE_BYTES - NUMBER_BYTES),
                                    width, columns->value[q] + from + row);
        }
        if (!ok)
            break;
    }
    return row;
}

/* Some rows at a time, which are looked at twice, and are in the fastest cache
 * the second time.
 */
AVX2 static size_t read_rows (const struct deviation_layout *layout,
                              const char *at,
                              size_t n,
                              const struct deviation_columns *columns,
                              size_t from)
{
    size_t width = layout->row_bytes + 1, row = 0, some, read;

    do {
        some = n - row < ROWS_AT_ONCE ? n - row : ROWS_AT_ONCE;
        read = read_fitting (layout, at + row * width,
                             count_fitting (layout, at + row * width, some),
                             columns, from + row);
        row += read;
    } while (read == ROWS_AT_ONCE && row < n);
    return row;
}

size_t deviation_lanes_read (const struct deviation_layout *layout,
                             const char *at,
                             size_t n,
                             const struct deviation_columns *columns,
                             size_t from)
{
    size_t done = 0;

    if (n < ROWS || !is_common (layout) || !__builtin_cpu_supports ("avx2"))
        return 0;
    if (layout->means == DEVIATION_MEANS_ALL)
        done = deviation_lanes_avx512 (layout, at, n, columns, from);
    if (n - done < ROWS)
        return done;
    return done
           + read_rows (layout, at + done * (layout->row_bytes + 1), n - done,
                        columns, from + done);
}

#else

size_t deviation_lanes_read (const struct deviation_layout *layout,
                             const char *at,
                             size_t n,
                             const struct deviation_columns *columns,
                             size_t from)
{
    (void)layout;
    (void)at;
    (void)n;
    (void)columns;
    (void)from;
    return 0;
}

#endif
