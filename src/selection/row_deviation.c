/* SPDX-License-Identifier: BSD-3-Clause */
/* row_deviation.c - deviations of forces that stay in the rows of their file
 *
 * A vector is loaded with what stands behind it, which is computed along and
 * then left out.  The last one is copied: nothing may stand behind it.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "formats/vector_reader.h"
#include "selection/deviation.h"
#include "selection/deviation_pack.h"

/* Atoms that are looked at at once. */
enum { PIECE_ATOMS = 64, VECTOR_BYTES = 3 * sizeof (double) };

INLINED void load (pack *vector, const struct vector_rows *rows, size_t atom)
{
    memcpy (vector, rows->at + atom * rows->row_bytes, sizeof (*vector));
}

INLINED void load_last (pack *vector,
                        const struct vector_rows *rows,
                        size_t atom)
{
    *vector = (pack){ 0 };
    memcpy (vector, rows->at + atom * rows->row_bytes, VECTOR_BYTES);
}

/* How a vector is loaded, and the squared deviation of an atom found. */
typedef void loader (pack *vector, const struct vector_rows *rows, size_t atom);
typedef double measure (const struct vector_rows *forces,
                        size_t n_models,
                        size_t atom,
                        loader *load_one);

/* As deviation.c has it: the mean first. */
INLINED double square_of_any (const struct vector_rows *forces,
                              size_t n_models,
                              size_t atom,
                              loader *load_one)
{
    const struct divisor models = divisor_of (n_models);
    pack middle, sum = { 0 }, value;

    load_one (&middle, &forces[0], atom);
    for (size_t k = 1; k < n_models; k++) {
        load_one (&value, &forces[k], atom);
        middle += value;
    }
    divide_pack (&middle, &models);
    for (size_t k = 0; k < n_models; k++) {
        load_one (&value, &forces[k], atom);
        value -= middle;
        sum += value * value;
    }
    divide_pack (&sum, &models);
    return sum[0] + sum[1] + sum[2];
}

/* The same of four models, each loaded once. */
INLINED double square_of_four (const struct vector_rows *forces,
                               size_t n_models,
                               size_t atom,
                               loader *load_one)
{
    pack a, b, c, d, middle, sum;

    (void)n_models;
    load_one (&a, &forces[0], atom);
    load_one (&b, &forces[1], atom);
    load_one (&c, &forces[2], atom);
    load_one (&d, &forces[3], atom);
    middle = (a + b + c + d) * 0.25;
    a -= middle;
    b -= middle;
    c -= middle;
    d -= middle;
    sum = (a * a + b * b + c * c + d * d) * 0.25;
    return sum[0] + sum[1] + sum[2];
}

INLINED double find_largest (const struct vector_rows *forces,
                             size_t n_models,
                             size_t n_atoms,
                             measure *square_of)
{
    double squares[PIECE_ATOMS], largest = 0;

    for (size_t at = 0; at < n_atoms; at += PIECE_ATOMS) {
        size_t n = n_atoms - at < PIECE_ATOMS ? n_atoms - at : PIECE_ATOMS;
        size_t before = at + n < n_atoms ? n : n - 1;
        double found;

        for (size_t i = 0; i < before; i++)
            squares[i] = square_of (forces, n_models, at + i, load);
        if (before < n)
            squares[before] =
                square_of (forces, n_models, at + before, load_last);
        found = largest_of (squares, n);
        if (!isfinite (found))
            return NAN;
        largest = found > largest ? found : largest;
    }
    return sqrt (largest);
}

/* The number of models is nearly always 4. */
FASTEST_HERE
double max_row_deviation (const struct vector_rows *forces,
                          size_t n_models,
                          size_t n_atoms)
{
    return n_models == 4
               ? find_largest (forces, 4, n_atoms, square_of_four)
               : find_largest (forces, n_models, n_atoms, square_of_any);
}

FASTEST_HERE
bool rows_finite (const struct vector_rows *rows, size_t n_atoms)
{
    pack bad = { 0 }, vector;

    for (size_t i = 0; i + 1 < n_atoms; i++) {
        load (&vector, rows, i);
        bad += vector - vector; /* 0, or NaN */
    }
    if (n_atoms > 0) {
        load_last (&vector, rows, n_atoms - 1);
        bad += vector - vector;
    }
    return bad[0] + bad[1] + bad[2] == 0;
}
