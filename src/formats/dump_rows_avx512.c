/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_rows_avx512.c - rows of a LAMMPS dump, two rows at once
 *
 * As dump_rows_avx2.c does it, but all four numbers of a row stand in one
 * register, and the processor's masks, a bit for each byte, say where signs and
 * points are: nothing is looked up for a single number.
 */
#include "config.h"

#include "base/compiler.h"
#include "formats/dump_words.h"

#if defined __GNUC__ && defined __x86_64__

#include <immintrin.h>

/* What the functions below are compiled for; part of each other.  Processors
 * with VBMI2 (Intel since 2019, AMD since 2022) have the others.
 */
#define AVX512                                                                 \
    __attribute__ ((target ("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,"     \
                            "avx512vbmi,avx512vbmi2,avx512vpopcntdq,"          \
                            "bmi,popcnt")))
#define AVX512_INLINED AVX512 INLINED

enum {
    LANES = 4,
    LANE_BYTES = 16,
    HALF_WORDS = 32,  /* 16 bits each, of a register */
    COLUMNS_MAX = 16, /* words of a row that are looked at */
};

/* --- words --- */

/* Append what follows each byte that is marked; more may be written. */
AVX512_INLINED size_t append (uint16_t *out,
                              size_t n,
                              uint64_t marks,
                              size_t offset)
{
    const __m512i counted = _mm512_set_epi8 (
        64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47,
        46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29,
        28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11,
        10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
    const __m512i start = _mm512_set1_epi16 ((short)offset);
    __m512i places = _mm512_maskz_compress_epi8 (marks, counted);
    size_t made = (size_t)_mm_popcnt_u64 (marks);
    __m512i wide = _mm512_cvtepu8_epi16 (_mm512_castsi512_si256 (places));

    _mm512_storeu_si512 (out + n, _mm512_add_epi16 (wide, start));
    if (made > HALF_WORDS) {
        wide = _mm512_cvtepu8_epi16 (_mm512_extracti64x4_epi64 (places, 1));
        _mm512_storeu_si512 (out + n + HALF_WORDS,
                             _mm512_add_epi16 (wide, start));
    }
    return n + made;
}

AVX512 static void find_words (const char *at,
                               const char *stop,
                               struct dump_words *words)
{
    uint64_t before = 1, empty = 0; /* a line starts like after a separator */
    size_t n = 0, n_lines = 0;

    words->text = at;
    words->word[0] = words->line[0] = 0;
    for (size_t i = 0; i < DUMP_BLOCK_BYTES
                       && stop - at >= (ptrdiff_t)(i + DUMP_WINDOW_BYTES);
         i += DUMP_WINDOW_BYTES) {
        __m512i bytes = _mm512_loadu_si512 (at + i);
        uint64_t ends =
            _mm512_cmplt_epi8_mask (bytes, _mm512_set1_epi8 (' ' + 1));
        uint64_t spaces =
            _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 (' '));
        uint64_t breaks =
            _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 ('\n'));

        if (ends != (spaces | breaks))
            break;
        empty |= ends & (ends << 1 | before);
        before = ends >> 63;
        n = append (words->word + 1, n, ends, i);
        n_lines = append (words->line + 1, n_lines, breaks, i);
    }
    words->n = n;
    words->n_lines = n_lines;
    words->any_empty = empty != 0;
}

/* --- numbers --- */

/* Times 16 bits: those of every lane. */
static const uint64_t ALL_LANES = 0x0001000100010001;

/* Where the wanted numbers come from and go to, for all rows. */
struct places {
    size_t column[LANES];
    __m512i lengths; /* where each lane's is among those of a row's words */
    uint16_t wanted; /* a bit for each such column */
    __m512i order;   /* of two rows' numbers: vectors, vectors, id, id */
    double *vectors;
    double *ids; /* NULL: there are none */

    /* Kept in memory, from where they are taken for nothing; made anew they
     * cost as much as what is done with them.
     */
    __m512i minus, point, zero, nine;
    __m512i reach; /* one more than the bytes of a number that reaches there */
};

/* The bytes of a lane, as 16 of them; of all lanes. */
AVX512_INLINED __m512i in_lanes (__m128i bytes)
{
    return _mm512_broadcast_i32x4 (bytes);
}

/* Which lane holds component i of the vectors; the id's is the one that is
 * left.  False when the numbers go elsewhere than to ids and vectors.
 */
AVX512_INLINED bool find_vectors (const struct dump_rows *rows,
                                  size_t lane[3],
                                  size_t *id)
{
    bool has_ids = rows->n_wanted == 4;
    double *first = NULL;
    size_t n = 0;

    if (rows->n_wanted < 3)
        return false;
    *id = LANES;
    for (size_t k = 0; k < rows->n_wanted; k++) {
        if (rows->stride[k] == 1)
            *id = k;
        else if (rows->stride[k] == 3 && (!first || rows->out[k] < first))
            first = rows->out[k];
    }
    for (size_t k = 0; k < rows->n_wanted; k++) {
        if (k == *id || rows->stride[k] != 3 || rows->out[k] - first > 2)
            continue;
        lane[rows->out[k] - first] = k;
        n |= (size_t)1 << (rows->out[k] - first);
    }
    return n == 7 && has_ids == (*id < LANES);
}

AVX512 __attribute__ ((noinline)) static bool find_places (
    const struct dump_rows *rows,
    size_t row,
    struct places *places)
{
    size_t lane[3] = { 0 }, id;
    uint8_t length[LANES * LANE_BYTES];

    if (!find_vectors (rows, lane, &id))
        return false;
    places->wanted = 0;
    for (size_t k = 0; k < LANES; k++) { /* the last fills up */
        size_t column = rows->column[k < rows->n_wanted ? k : 2];

        if (column >= COLUMNS_MAX)
            return false;
        places->column[k] = column;
        places->wanted |= (uint16_t)(1 << column);
        for (size_t i = 0; i < LANE_BYTES; i++)
            length[k * LANE_BYTES + i] = (uint8_t)(2 * column);
    }
    places->minus = _mm512_set1_epi8 ('-');
    places->point = _mm512_set1_epi8 ('.');
    places->zero = _mm512_set1_epi8 ('0');
    places->nine = _mm512_set1_epi8 (9);
    places->reach = in_lanes (
        _mm_setr_epi8 (17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2));
    places->lengths = _mm512_loadu_si512 (length);
    places->vectors = rows->out[lane[0]] + 3 * row;
    places->ids = id < LANES ? rows->out[id] + row : NULL;
    id = id < LANES ? id : 0;
    places->order = _mm512_set_epi64 (
        (long long)(2 * id + 1), (long long)(2 * id),
        (long long)(2 * lane[2] + 1), (long long)(2 * lane[1] + 1),
        (long long)(2 * lane[0] + 1), (long long)(2 * lane[2]),
        (long long)(2 * lane[1]), (long long)(2 * lane[0]));
    return true;
}

/* A row's numbers, each at the end of its lane. */
struct lanes {
    __m512i digits;  /* 0 to 9, and all else before them is 0 */
    __m256i lengths; /* of all words of the row, with a separator each */
    uint64_t marks;  /* signs and points */
    uint64_t bad;    /* not 0: something is wrong with one of them */
};

AVX512_INLINED __m512i load_lanes (const char *text,
                                   const uint16_t *word,
                                   const struct places *places)
{
    const char *end = text - 1 - LANE_BYTES;
    __m512i bytes;

#define LANE(k)                                                                \
    _mm_loadu_si128 ((const __m128i *)(end + word[places->column[k] + 1]))
    bytes = _mm512_castsi128_si512 (LANE (0));
    bytes = _mm512_mask_broadcast_i32x4 (bytes, 0x00f0, LANE (1));
    bytes = _mm512_mask_broadcast_i32x4 (bytes, 0x0f00, LANE (2));
    bytes = _mm512_mask_broadcast_i32x4 (bytes, 0xf000, LANE (3));
#undef LANE
    return bytes;
}

/* Where the bytes up to the point are in each lane that has one, when it is one
 * and not the last byte.
 */
AVX512_INLINED uint64_t up_to_points (uint64_t points)
{
    uint64_t lanes = (points + 0x7fff * ALL_LANES) & 0x8000 * ALL_LANES;

    return (points << 1) - (lanes >> 15);
}

/* What is wrong with signs and points: one is last, or there is a sign but no
 * point (which is rare, and in the way).
 */
AVX512_INLINED uint64_t bad_marks (uint64_t points, uint64_t signs)
{
    const uint64_t last = 0x8000 * ALL_LANES;

    return (points | signs | ~((points | last) - signs)) & last;
}

AVX512_INLINED struct lanes load_row (const char *text,
                                      const uint16_t *word,
                                      const struct places *places)
{
    __m512i bytes = load_lanes (text, word, places), length;
    __mmask64 number, minus, point;
    struct lanes lanes;

    lanes.lengths =
        _mm256_sub_epi16 (_mm256_loadu_si256 ((const __m256i *)(word + 1)),
                          _mm256_loadu_si256 ((const __m256i *)word));
    length = _mm512_permutexvar_epi8 (places->lengths,
                                      _mm512_castsi256_si512 (lanes.lengths));
    number = _mm512_cmpge_epu8_mask (length, places->reach);
    minus = _mm512_mask_cmpeq_epi8_mask (
        _mm512_cmpeq_epi8_mask (length, places->reach), bytes, places->minus);
    point = _mm512_mask_cmpeq_epi8_mask (number, bytes, places->point);
    bytes = _mm512_maskz_sub_epi8 (number & ~minus, bytes, places->zero);
    lanes.digits = _mm512_mask_blend_epi8 (up_to_points (point), bytes,
                                           _mm512_bslli_epi128 (bytes, 1));
    lanes.marks = minus | point;
    lanes.bad = bad_marks (point, minus);
    return lanes;
}

/* Marks of two rows' lanes: those of lane k are numbers 2 k and 2 k + 1. */
AVX512_INLINED __m512i mix_marks (uint64_t a, uint64_t b)
{
    return _mm512_cvtepu16_epi64 (_mm_unpacklo_epi16 (
        _mm_cvtsi64_si128 ((long long)a), _mm_cvtsi64_si128 ((long long)b)));
}

/* Numbers of up to 16 digits, in the order of mix_marks. */
AVX512_INLINED __m512d join_digits (__m512i a, __m512i b)
{
    const __m512i tens = _mm512_set1_epi16 (1 << 8 | 10);
    const __m512i hundreds = _mm512_set1_epi32 (1 << 16 | 100);
    const __m512i weights = _mm512_set1_epi32 (1 << 16 | 10000);
    __m512i eights;

    a = _mm512_madd_epi16 (_mm512_maddubs_epi16 (a, tens), hundreds);
    b = _mm512_madd_epi16 (_mm512_maddubs_epi16 (b, tens), hundreds);
    eights = _mm512_madd_epi16 (_mm512_packus_epi32 (a, b), weights);
    return _mm512_cvtepi64_pd (_mm512_add_epi64 (
        _mm512_mul_epu32 (eights, _mm512_set1_epi64 (100000000)),
        _mm512_srli_epi64 (eights, 32)));
}

/* Ten to the power of the low four bits of each. */
AVX512_INLINED __m512d powers_of_ten (__m512i exponents)
{
    const __m512d low = _mm512_setr_pd (1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7);
    const __m512d high =
        _mm512_setr_pd (1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15);

    return _mm512_permutex2var_pd (low, exponents, high);
}

/* Convert the numbers of two rows; false when one is not of 1 to 15 bytes, of
 * which the last is a digit, one may be a point and the first a minus.
 */
AVX512_INLINED bool convert_two (const char *text,
                                 const uint16_t *word_a,
                                 const uint16_t *word_b,
                                 const struct places *places,
                                 __m512d *values)
{
    struct lanes a = load_row (text, word_a, places);
    struct lanes b = load_row (text, word_b, places);
    __m512i marks = mix_marks (a.marks, b.marks);
    __m512i minus = _mm512_slli_epi64 (_mm512_popcnt_epi64 (marks), 62);
    __m512d made = _mm512_div_pd (join_digits (a.digits, b.digits),
                                  powers_of_ten (_mm512_lzcnt_epi64 (marks)));
    uint64_t bad = a.bad | b.bad;

    bad |= _mm512_cmpgt_epu8_mask (_mm512_max_epu8 (a.digits, b.digits),
                                   places->nine);
    bad |= _mm256_mask_cmpgt_epu16_mask (
        places->wanted, _mm256_max_epu16 (a.lengths, b.lengths),
        _mm256_set1_epi16 (LANE_BYTES));
    *values = _mm512_castsi512_pd (_mm512_ternarylogic_epi64 (
        _mm512_castpd_si512 (made), minus,
        _mm512_castpd_si512 (_mm512_set1_pd (-0.0)), 0x78)); /* a ^ (b & c) */
    return bad == 0;
}

/* Numbers of rows i and i + 1. */
AVX512_INLINED void store (const struct places *places,
                           __m512d values,
                           size_t i)
{
    values = _mm512_permutexvar_pd (places->order, values);
    _mm512_mask_storeu_pd (places->vectors + 3 * i, 0x3f, values);
    if (places->ids)
        _mm_storeu_pd (places->ids + i, _mm512_extractf64x2_pd (values, 3));
}

/* Rows [i, end), number by number, from the words of row i on; where the first
 * is that is none.
 */
__attribute__ ((noinline)) static size_t convert_any (
    const struct dump_rows *rows,
    const struct dump_words *words,
    size_t stride,
    size_t row,
    size_t i,
    size_t end)
{
    for (; i < end; i++) {
        const uint16_t *word = words->word + i * stride;

        if (word[stride] != words->line[i + 1]
            || !dump_rows_convert_any (rows, words->text, word, row + i))
            break;
    }
    return i;
}

AVX512 static size_t convert (const struct dump_rows *rows,
                              const struct dump_words *words,
                              size_t stride,
                              size_t row,
                              size_t n)
{
    struct places places;

    if (n < 2)
        return convert_any (rows, words, stride, row, 0, n);
    if (!find_places (rows, row, &places))
        return dump_rows_avx2 ()->convert (rows, words, stride, row, n);
    for (size_t i = 0; i < n; i += 2) {
        const uint16_t *word, *line = words->line + i;
        __m512d values;

        if (i + 1 == n) { /* once more with the row before */
            i--;
            line--;
        }
        word = words->word + i * stride;
        if (word[stride] == line[1] && word[2 * stride] == line[2]
            && convert_two (words->text, word, word + stride, &places,
                            &values)) {
            store (&places, values, i);
        } else {
            size_t done = convert_any (rows, words, stride, row, i, i + 2);

            if (done < i + 2)
                return done;
        }
    }
    return n;
}

const struct dump_rows_way *dump_rows_avx512 (void)
{
    static const struct dump_rows_way way = { find_words, convert };

    return dump_rows_avx2 () && __builtin_cpu_supports ("avx512bw")
                   && __builtin_cpu_supports ("avx512cd")
                   && __builtin_cpu_supports ("avx512dq")
                   && __builtin_cpu_supports ("avx512vl")
                   && __builtin_cpu_supports ("avx512vbmi")
                   && __builtin_cpu_supports ("avx512vbmi2")
                   && __builtin_cpu_supports ("avx512vpopcntdq")
               ? &way
               : NULL;
}

#else

const struct dump_rows_way *dump_rows_avx512 (void)
{
    return NULL;
}

#endif
