/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_pick.c - which candidates of one group make a batch: farthest points */
#include "base/base.h"

#include "reduce/batch_pick.h"
#include "reduce/batch_rows.h"
#include "reduce/candidate_pool.h"
#include "reduce/exchange.h"
#include "reduce/selection_input.h"
#include "selection/batch/farthest.h"

bool batch_is_own (const struct batch_rows *batch, size_t i)
{
    return i >= batch->begin && i < batch->end;
}

void batch_share_row (const struct batch_rows *batch, size_t i, float *row)
{
    if (batch_is_own (batch, i))
        memcpy (row, batch->rows + (i - batch->begin) * batch->width,
                batch->width * sizeof (*row));
    exchange_row (batch_rows_owner (batch, i), row, batch->width);
}

double batch_best (const struct batch_rows *batch, double value, size_t *i)
{
    uint64_t place = batch->begin + *i;

    exchange_best (&value, &place);
    *i = (size_t)place;
    return value;
}

/* --- farthest points --- */

/* What to multiply the distance of each of ours by; NULL: nothing.  Caller
 * frees.
 */
static double *weights_of (const struct batch_rows *batch)
{
    const struct batch_rules *rules = &batch->input->rules.batch;
    double *weights = NULL;

    if (rules->weight == WEIGHT_NONE)
        return NULL;
    weights = xcalloc (batch->end - batch->begin, sizeof (*weights));
    for (size_t i = 0; i < batch->end - batch->begin; i++) {
        double size =
            rules->weight == WEIGHT_FORCE
                ? batch->forces[i]
                : batch->pool->frames[batch->members[batch->begin + i]]
                      .deviation;

        weights[i] = pow (size, rules->power);
    }
    return weights;
}

/* Where nothing is labelled any candidate may be the first: that with the best
 * key.
 */
static size_t best_key (const struct batch_rows *batch)
{
    const struct sampled *frames = batch->pool->frames;
    size_t best = 0;

    for (size_t i = 1; i < batch->n; i++) {
        if (sampled_wins (&frames[batch->members[i]],
                          &frames[batch->members[best]]))
            best = i;
    }
    return best;
}

static void meet (const float *row, void *farthest)
{
    farthest_meet (farthest, row);
}

/* The next of all ranks' candidates; false: none differs. */
static bool next_farthest (const struct batch_rows *batch,
                           const struct farthest *farthest, bool first,
                           size_t *next)
{
    double value;

    if (first && batch->n_labelled == 0) {
        *next = best_key (batch);
        return true;
    }
    value = farthest_best (farthest, next);
    return batch_best (batch, value, next) > 0;
}

int batch_pick_farthest (struct batch_rows *batch, size_t quota, size_t *picked,
                         size_t *n, struct error *err)
{
    _cleanup_free_ double *weights = weights_of (batch);
    _cleanup_free_ float *row = xcalloc (batch->width, sizeof (*row));
    _cleanup_ (farthest_release) struct farthest farthest = { 0 };
    size_t next;

    *n = 0;
    farthest_init (&farthest, batch->rows, batch->end - batch->begin,
                   batch->width, weights);
    if (exchange_rc (batch_rows_each_labelled (batch, meet, &farthest, err),
                     err)
        < 0)
        return -1;
    while (*n < quota && *n < batch->n
           && next_farthest (batch, &farthest, *n == 0, &next)) {
        batch_share_row (batch, next, row);
        farthest_meet (&farthest, row);
        if (batch_is_own (batch, next))
            farthest_take (&farthest, next - batch->begin);
        picked[(*n)++] = next;
    }
    return 0;
}
