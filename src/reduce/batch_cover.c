/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_cover.c - a batch that stands for all candidates */
#include "base/base.h"

#include "reduce/batch_pick.h"
#include "reduce/batch_rows.h"
#include "reduce/exchange.h"
#include "reduce/selection_input.h"
#include "selection/batch/cover.h"

/* The rows of all candidates, on all ranks.  Caller frees. */
static float *share_all_rows (const struct batch_rows *batch)
{
    float *all = xcalloc (batch->n * batch->width, sizeof (*all));
    size_t end;

    memcpy (all + batch->begin * batch->width, batch->rows,
            (batch->end - batch->begin) * batch->width * sizeof (*all));
    for (size_t i = 0; i < batch->n; i = end) {
        int owner = batch_rows_owner (batch, i);

        for (end = i + 1;
             end < batch->n && batch_rows_owner (batch, end) == owner;)
            end++;
        exchange_row (owner, all + i * batch->width, (end - i) * batch->width);
    }
    return all;
}

static void meet (const float *row, void *cover)
{
    cover_meet (cover, row);
}

int batch_pick_cover (struct batch_rows *batch, size_t quota, size_t *picked,
                      size_t *n, struct error *err)
{
    _cleanup_ (cover_release) struct cover cover = { 0 };
    _cleanup_free_ float *rows = NULL;

    *n = 0;
    if (batch->n > COVER_CANDIDATES_MOST)
        return error_set (err,
                          "pick: how: cover compares all pairs of candidates: "
                          "%zu are too many, there may be %d; write a number "
                          "for pool",
                          batch->n, COVER_CANDIDATES_MOST);
    rows = share_all_rows (batch);
    cover_init (&cover, rows, batch->n, batch->width, batch->begin, batch->end,
                batch->input->rules.batch.radius);
    if (exchange_rc (batch_rows_each_labelled (batch, meet, &cover, err), err)
        < 0)
        return -1;
    exchange_sum (cover.covered, batch->n);
    while (*n < quota && *n < batch->n) {
        size_t best;
        double value = (double)cover_best (&cover, &best);

        best -= batch->begin;
        if (batch_best (batch, value, &best) <= 0)
            break;
        cover_take (&cover, best);
        picked[(*n)++] = best;
    }
    return 0;
}
