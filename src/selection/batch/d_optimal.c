/* SPDX-License-Identifier: BSD-3-Clause */
/* d_optimal.c - a batch that differs: the largest determinant */
#include "base/base.h"

#include "selection/batch/d_optimal.h"
#include "selection/batch/row_distance.h"

void d_optimal_init (struct d_optimal *design, const float *rows, size_t n,
                     size_t width, double ridge)
{
    size_t m = width + 1;

    *design = (struct d_optimal){ .rows = rows, .n = n, .width = width };
    design->inverse = xcalloc (m * m, sizeof (*design->inverse));
    design->product = xcalloc (m, sizeof (*design->product));
    design->values = xcalloc (n, sizeof (*design->values));
    design->out = xcalloc (n, sizeof (*design->out));
    design->before = xcalloc (m * m + n, sizeof (*design->before));
    for (size_t i = 0; i < m; i++)
        design->inverse[i * m + i] = 1 / ridge;
}

void d_optimal_release (struct d_optimal *design)
{
    free (design->inverse);
    free (design->product);
    free (design->values);
    free (design->out);
    free (design->before);
    *design = (struct d_optimal){ 0 };
}

/* (1, x) times a vector of width + 1 numbers, in four sums. */
static double times (const struct d_optimal *design, const float *row,
                     const double *vector)
{
    double sums[4] = { vector[0], 0, 0, 0 };
    size_t i = 0;

    for (vector++; i + 4 <= design->width; i += 4) {
        for (size_t k = 0; k < 4; k++)
            sums[k] += (double)row[i + k] * vector[i + k];
    }
    for (; i < design->width; i++)
        sums[i % 4] += (double)row[i] * vector[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* The product of M and (1, x), and x'Mx. */
static double multiply (struct d_optimal *design, const float *row)
{
    size_t m = design->width + 1;

    for (size_t i = 0; i < m; i++)
        design->product[i] = times (design, row, design->inverse + i * m);
    return times (design, row, design->product);
}

/* M less 'factor' times the product with itself; symmetric to the bit. */
static void update_inverse (struct d_optimal *design, double factor)
{
    size_t m = design->width + 1;

    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) {
            double *at = design->inverse + i * m + j;

            *at -= factor * design->product[i] * design->product[j];
            design->inverse[j * m + i] = *at;
        }
    }
}

static void update_values (struct d_optimal *design, double factor)
{
    for (size_t i = 0; i < design->n; i++) {
        double overlap =
            times (design, design->rows + i * design->width, design->product);

        design->values[i] -= factor * overlap * overlap;
    }
}

/* What equals a row that is met. */
static void leave_out (struct d_optimal *design, const float *row)
{
    for (size_t i = 0; i < design->n; i++) {
        const float *own = design->rows + i * design->width;

        if (design->width == 0
            || (own[0] == row[0]
                && row_distance (own, row, design->width) == 0))
            design->out[i] = true;
    }
}

void d_optimal_meet (struct d_optimal *design, const float *row)
{
    double value = multiply (design, row);

    update_inverse (design, 1 / (1 + value));
    leave_out (design, row);
}

void d_optimal_start (struct d_optimal *design)
{
    for (size_t i = 0; i < design->n; i++)
        design->values[i] = multiply (design, design->rows + i * design->width);
}

double d_optimal_best (const struct d_optimal *design, size_t *best)
{
    double largest = -1;

    *best = 0;
    for (size_t i = 0; i < design->n; i++) {
        if (!design->out[i] && design->values[i] > largest) {
            largest = design->values[i];
            *best = i;
        }
    }
    return largest;
}

double d_optimal_pick (struct d_optimal *design, const float *row)
{
    double value = multiply (design, row);

    update_inverse (design, 1 / (1 + value));
    update_values (design, 1 / (1 + value));
    leave_out (design, row);
    return value;
}

double d_optimal_give_up (struct d_optimal *design, const float *row)
{
    size_t m = design->width + 1;
    double value = multiply (design, row);

    memcpy (design->before, design->inverse, m * m * sizeof (double));
    memcpy (design->before + m * m, design->values,
            design->n * sizeof (double));
    update_inverse (design, -1 / (1 - value));
    update_values (design, -1 / (1 - value));
    return value / (1 - value);
}

void d_optimal_take_back (struct d_optimal *design)
{
    size_t m = design->width + 1;

    memcpy (design->inverse, design->before, m * m * sizeof (double));
    memcpy (design->values, design->before + m * m,
            design->n * sizeof (double));
}

void d_optimal_set_out (struct d_optimal *design, size_t i, bool out)
{
    design->out[i] = out;
}
