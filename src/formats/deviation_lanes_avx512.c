/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_lanes_avx512.c - rows of a model_devi.out, eight at once
 *
 * As deviation_lanes.c does it with four: a lane of 16 bytes for each row, two
 * registers of four lanes each.  The processor's masks, a bit for each byte,
 * say what does not fit.
 */
#include "config.h"

#include "base/compiler.h"
#include "formats/deviation_lanes.h"

#if defined __GNUC__ && defined __x86_64__

#include <immintrin.h>

/* What the functions below are compiled for; part of each other. */
#define AVX512 __attribute__ ((target ("avx512f,avx512bw,avx512dq,avx512vl")))
#define AVX512_INLINED AVX512 INLINED

enum {
    ROWS = 8,
    ROWS_AT_ONCE = 64,
    LANES = 4,
    LANE_BYTES = 16,
    VECTOR_BYTES = 64,
    NUMBER_BYTES = 12,
};

/* Four rows. */
AVX512_INLINED __m512i four_lanes (const char *at, size_t next)
{
    __m512i lanes = _mm512_castsi128_si512 (_mm_loadu_si128 ((const void *)at));

    lanes = _mm512_inserti32x4 (lanes,
                                _mm_loadu_si128 ((const void *)(at + next)), 1);
    lanes = _mm512_inserti32x4 (
        lanes, _mm_loadu_si128 ((const void *)(at + 2 * next)), 2);
    return _mm512_inserti32x4 (
        lanes, _mm_loadu_si128 ((const void *)(at + 3 * next)), 3);
}

/* --- does the row fit? --- */

/* What is known of 64 bytes of a row. */
struct known {
    size_t at;
    __m512i low;
    __m512i range;
    __m512i clear;
};

AVX512_INLINED struct known known_at (const struct deviation_layout *layout,
                                      size_t at)
{
    return (struct known){
        at,
        _mm512_loadu_si512 (layout->low + at),
        _mm512_loadu_si512 (layout->range + at),
        _mm512_loadu_si512 (layout->clear + at),
    };
}

/* Bits for the bytes that are out of their ranges. */
AVX512_INLINED __m512i misfits (const struct known *known, const char *row)
{
    enum { A_OR_B_AND_C = 0xf8 };
    __m512i above =
        _mm512_sub_epi8 (_mm512_loadu_si512 (row + known->at), known->low);

    return _mm512_ternarylogic_epi64 (_mm512_subs_epu8 (above, known->range),
                                      above, known->clear, A_OR_B_AND_C);
}

/* How many of n rows fit and are followed by a line break.  The last vector may
 * look again at what the one before has seen; of LAMMPS's rows, two are enough.
 */
AVX512_INLINED size_t count_fitting (const struct deviation_layout *layout,
                                     const char *at,
                                     size_t n)
{
    size_t bytes = layout->row_bytes;
    const struct known first = known_at (layout, 0);
    const struct known last = known_at (layout, bytes - VECTOR_BYTES);

    for (size_t i = 0; i < n; i++, at += bytes + 1) {
        __m512i bad =
            _mm512_or_si512 (misfits (&first, at), misfits (&last, at));

        for (size_t j = VECTOR_BYTES; j + VECTOR_BYTES < bytes;
             j += VECTOR_BYTES) {
            const struct known between = known_at (layout, j);

            bad = _mm512_or_si512 (bad, misfits (&between, at));
        }
        if (at[bytes] != '\n' || _mm512_test_epi64_mask (bad, bad) != 0)
            return i;
    }
    return n;
}

/* --- numbers --- */

/* Eights of digits, two in each lane, of rows 0 to 3 from 'first' and of rows 4
 * to 7 from 'second'.  In order they are 0 4 | 1 5 | 2 6 | 3 7.
 */
AVX512_INLINED __m512i join_digits (__m512i first, __m512i second)
{
    const __m512i tens = _mm512_set1_epi16 (1 << 8 | 10);
    const __m512i hundreds = _mm512_set1_epi32 (1 << 16 | 100);
    const __m512i myriads = _mm512_set1_epi32 (1 << 16 | 10000);

    first = _mm512_madd_epi16 (_mm512_maddubs_epi16 (first, tens), hundreds);
    second = _mm512_madd_epi16 (_mm512_maddubs_epi16 (second, tens), hundreds);
    return _mm512_madd_epi16 (_mm512_packus_epi32 (first, second), myriads);
}

/* A step of four rows: spaces and then digits, at the end of the lane.  Gives
 * the digits, and bits in *bad when there is anything else; that there is
 * nothing above '9' is known.
 */
AVX512_INLINED __m512i step_digits (const char *at,
                                    size_t next,
                                    __m512i order,
                                    uint64_t beyond,
                                    uint64_t *bad)
{
    const uint64_t last = UINT64_C (0x8000800080008000);
    const __m512i blank = _mm512_set1_epi8 (' ');
    __m512i bytes = _mm512_mask_blend_epi8 (
        beyond, _mm512_shuffle_epi8 (four_lanes (at, next), order), blank);
    uint64_t digits =
        _mm512_cmpgt_epi8_mask (bytes, _mm512_set1_epi8 ('0' - 1));
    uint64_t spaces = _mm512_cmpeq_epi8_mask (bytes, blank);

    /* Behind a digit is one, and the last is one. */
    *bad |= (digits & ~(digits >> 1 | last)) | (last & ~digits)
            | ~(digits | spaces);
    return _mm512_and_si512 (_mm512_maskz_mov_epi8 (digits, bytes),
                             _mm512_set1_epi8 (0x0f));
}

/* False when one is no step. */
AVX512_INLINED bool read_steps (const struct deviation_layout *layout,
                                const char *at,
                                int64_t *out)
{
    const __m512i count = _mm512_broadcast_i32x4 (
        _mm_setr_epi8 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m512i rows = _mm512_setr_epi64 (0, 2, 4, 6, 1, 3, 5, 7);
    size_t width = layout->row_bytes + 1;
    __m512i order = _mm512_sub_epi8 (
        count, _mm512_set1_epi8 ((char)(LANE_BYTES - layout->step_bytes)));
    uint64_t beyond = (uint64_t)_mm512_movepi8_mask (order), bad = 0;
    __m512i eights = join_digits (
        step_digits (at, width, order, beyond, &bad),
        step_digits (at + LANES * width, width, order, beyond, &bad));

    eights = _mm512_add_epi64 (
        _mm512_mul_epu32 (eights, _mm512_set1_epi64 (100000000)),
        _mm512_srli_epi64 (eights, 32));
    _mm512_storeu_si512 (out, _mm512_permutexvar_epi64 (rows, eights));
    return bad == 0;
}

/* A number like 1.767406e-02 of four rows, 4 bytes behind 'at': seven digits in
 * one half of the lane; the sign ('+' is 0x2b, '-' is 0x2d) and two digits of
 * the exponent in the other.
 */
AVX512_INLINED __m512i number_digits (const char *at, size_t next)
{
    const __m512i order = _mm512_broadcast_i32x4 (_mm_setr_epi8 (
        -1, 4, 6, 7, 8, 9, 10, 11, -1, 13, -1, -1, -1, -1, 14, 15));

    return _mm512_and_si512 (_mm512_shuffle_epi8 (four_lanes (at, next), order),
                             _mm512_set1_epi8 (0x0f));
}

/* False when a power of ten is not one of those that divide. */
AVX512_INLINED bool read_numbers (const char *at, size_t width, double *out)
{
    const __m512d powers[] = {
        _mm512_setr_pd (1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7),
        _mm512_setr_pd (1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15)
    };
    const __m512i parts = _mm512_setr_epi32 (0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9,
                                             13, 3, 7, 11, 15);
    const __m256i plus = _mm256_set1_epi32 (0x0b * 1000000);
    const __m256i minus = _mm256_set1_epi32 (0x0d * 1000000);
    __m512i eights = _mm512_permutexvar_epi32 (
        parts, join_digits (number_digits (at, width),
                            number_digits (at + LANES * width, width)));
    __m256i exponent = _mm512_extracti64x4_epi64 (eights, 1), power;
    __mmask8 negative = _mm256_cmpge_epi32_mask (exponent, minus);
    __m512d divisor;

    exponent = _mm256_sub_epi32 (
        exponent, _mm256_mask_blend_epi32 (negative, plus, minus));
    power = _mm256_mask_sub_epi32 (exponent, (__mmask8)~negative,
                                   _mm256_setzero_si256 (), exponent);
    power = _mm256_add_epi32 (power, _mm256_set1_epi32 (6));
    divisor = _mm512_permutex2var_pd (powers[0], _mm512_cvtepi32_epi64 (power),
                                      powers[1]);
    _mm512_storeu_pd (out, _mm512_div_pd (_mm512_cvtepi32_pd (
                                              _mm512_castsi512_si256 (eights)),
                                          divisor));
    return _mm256_cmpgt_epu32_mask (power, _mm256_set1_epi32 (15)) == 0;
}

/* --- rows --- */

/* Rows that fit: how many were read, a multiple of eight. */
AVX512_INLINED size_t read_fitting (const struct deviation_layout *layout,
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

AVX512 static size_t read_rows (const struct deviation_layout *layout,
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

size_t deviation_lanes_avx512 (const struct deviation_layout *layout,
                               const char *at,
                               size_t n,
                               const struct deviation_columns *columns,
                               size_t from)
{
    if (n < ROWS || layout->row_bytes < VECTOR_BYTES
        || !__builtin_cpu_supports ("avx512bw")
        || !__builtin_cpu_supports ("avx512dq")
        || !__builtin_cpu_supports ("avx512vl"))
        return 0;
    return read_rows (layout, at, n, columns, from);
}

#else

size_t deviation_lanes_avx512 (const struct deviation_layout *layout,
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
