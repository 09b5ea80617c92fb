/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_d_optimal.c - a batch by determinants, of all ranks' candidates */
#include "base/base.h"

#include "reduce/batch_pick.h"
#include "reduce/batch_rows.h"
#include "reduce/exchange.h"
#include "selection/batch/d_optimal.h"

/* Of the mean square of a feature: what is known before anything is labelled.
 */
static const double ridge = 1e-3;

static const double least_gain = 1e-9; /* of the determinant */

enum { SWEEPS = 50 };

struct picks {
    const struct batch_rows *batch;
    struct d_optimal *design;
    size_t *picked;
    size_t n;
    float *rows; /* of those that are picked, on all ranks */
};

static double square_of (const struct batch_rows *batch, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k < batch->width; k++) {
        double x = (double)batch->rows[i * batch->width + k];

        sum += x * x;
    }
    return sum;
}

/* Over all candidates, in fractions of the largest: whole numbers, whose sum is
 * the same for any ranks.
 */
static double mean_square (const struct batch_rows *batch)
{
    size_t n = batch->end - batch->begin;
    double largest = 0;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax (largest, square_of (batch, i));
    exchange_max (&largest, 1);
    if (!(largest > 0))
        return 1;
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)(square_of (batch, i) / largest * 0x1p32);
    exchange_sum (&sum, 1);
    return (double)sum * 0x1p-32 * largest / (double)(batch->n * batch->width);
}

static void meet (const float *row, void *design)
{
    d_optimal_meet (design, row);
}

static void set_out (const struct picks *picks, size_t i, bool out)
{
    if (batch_is_own (picks->batch, i))
        d_optimal_set_out (picks->design, i - picks->batch->begin, out);
}

static void pick_one_by_one (struct picks *picks, size_t quota)
{
    const struct batch_rows *batch = picks->batch;

    for (size_t k = 0; k < quota && k < batch->n; k++) {
        float *row = picks->rows + k * batch->width;
        size_t i;
        double value = d_optimal_best (picks->design, &i);

        if (batch_best (batch, value, &i) < 0)
            return;
        batch_share_row (batch, i, row);
        d_optimal_pick (picks->design, row);
        picks->picked[picks->n++] = i;
    }
}

/* Give pick k up for the best of the others, if the determinant gains. */
static bool exchange_one (struct picks *picks, size_t k)
{
    const struct batch_rows *batch = picks->batch;
    float *row = picks->rows + k * batch->width;
    double kept = d_optimal_give_up (picks->design, row), value;
    size_t i;

    value = d_optimal_best (picks->design, &i);
    value = batch_best (batch, value, &i);
    if (1 + value <= (1 + kept) * (1 + least_gain)) {
        d_optimal_take_back (picks->design);
        return false;
    }
    batch_share_row (batch, i, row);
    set_out (picks, picks->picked[k], false);
    picks->picked[k] = i;
    d_optimal_pick (picks->design, row);
    return true;
}

static void exchange_picks (struct picks *picks)
{
    bool gained = true;

    for (int sweep = 0; gained && sweep < SWEEPS; sweep++) {
        gained = false;
        for (size_t k = 0; k < picks->n; k++)
            gained |= exchange_one (picks, k);
    }
}

int batch_pick_d_optimal (struct batch_rows *batch, size_t quota,
                          size_t *picked, size_t *n, struct error *err)
{
    size_t most = quota < batch->n ? quota : batch->n;
    _cleanup_free_ float *rows = xcalloc (most * batch->width, sizeof (*rows));
    _cleanup_ (d_optimal_release) struct d_optimal design = { 0 };
    struct picks picks = { batch, &design, picked, 0, rows };

    d_optimal_init (&design, batch->rows, batch->end - batch->begin,
                    batch->width, ridge * mean_square (batch));
    if (exchange_rc (batch_rows_each_labelled (batch, meet, &design, err), err)
        < 0)
        return -1;
    d_optimal_start (&design);
    pick_one_by_one (&picks, quota);
    exchange_picks (&picks);
    *n = picks.n;
    return 0;
}
