/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange_alone.c - what a program without MPI tells itself: nothing
 *
 * The only rank there is has everything already.  fanfold-reduce has the
 * functions of exchange.c in their place.
 */
#include "base/base.h"

#include "reduce/exchange.h"

int exchange_rank (void)
{
    return 0;
}

int exchange_ranks (void)
{
    return 1;
}

void exchange_share (uint64_t *words, size_t n)
{
    (void)words;
    (void)n;
}

void exchange_share_text (struct strbuf *text)
{
    (void)text;
}

void exchange_sum (uint64_t *words, size_t n)
{
    (void)words;
    (void)n;
}

void exchange_max (double *values, size_t n)
{
    (void)values;
    (void)n;
}

void exchange_best (double *value, uint64_t *place)
{
    (void)value;
    (void)place;
}

void exchange_row (int owner, float *row, size_t n)
{
    (void)owner;
    (void)row;
    (void)n;
}

void exchange_stats (struct frame_stats *stats)
{
    (void)stats;
}

void exchange_levels (struct frame_stats *stats)
{
    (void)stats;
}

void exchange_all (const uint64_t *words, size_t n, uint64_t *all)
{
    memcpy (all, words, n * sizeof (*words));
}

int exchange_failure (int64_t place, struct error *err)
{
    (void)err;
    return place == INT64_MAX ? 0 : -1;
}

int exchange_rc (int rc, struct error *err)
{
    (void)err;
    return rc < 0 ? -1 : 0;
}
