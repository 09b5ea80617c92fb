/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - what the ranks tell each other */
#include "base/base.h"

#include <mpi.h>

#include "reduce/exchange.h"
#include "selection/statistics/frame_stats.h"

enum { PIECE = 1 << 26 }; /* elements of one MPI call */

/* A drawn frame travels as it is: seven words of 64 bits. */
enum { SAMPLED_WORDS = sizeof (struct sampled) / sizeof (uint64_t) };

int exchange_rank (void)
{
    int rank;

    MPI_Comm_rank (MPI_COMM_WORLD, &rank);
    return rank;
}

int exchange_ranks (void)
{
    int size;

    MPI_Comm_size (MPI_COMM_WORLD, &size);
    return size;
}

/* How many of the 'left' elements the next call takes. */
static int piece_of (size_t left)
{
    return left < PIECE ? (int)left : PIECE;
}

static void share_from (int rank, void *data, size_t n, MPI_Datatype type)
{
    size_t size = type == MPI_CHAR ? 1 : sizeof (uint64_t);

    for (size_t done = 0; done < n; done += PIECE)
        MPI_Bcast ((char *)data + done * size, piece_of (n - done), type, rank,
                   MPI_COMM_WORLD);
}

void exchange_share (uint64_t *words, size_t n)
{
    share_from (0, words, n, MPI_UINT64_T);
}

void exchange_share_text (struct strbuf *text)
{
    uint64_t len = text->len;

    exchange_share (&len, 1);
    if (exchange_rank () != 0) {
        strbuf_reset (text);
        strbuf_reserve (text, len);
        memset (text->buf, ' ', len);
        text->len = len;
        text->buf[len] = '\0';
    }
    share_from (0, text->buf, len, MPI_CHAR);
}

void exchange_sum (uint64_t *words, size_t n)
{
    for (size_t done = 0; done < n; done += PIECE)
        MPI_Allreduce (MPI_IN_PLACE, words + done, piece_of (n - done),
                       MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void exchange_max (double *values, size_t n)
{
    for (size_t done = 0; done < n; done += PIECE)
        MPI_Allreduce (MPI_IN_PLACE, values + done, piece_of (n - done),
                       MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

void exchange_best (double *value, uint64_t *place)
{
    struct {
        double value;
        int place;
    } best = { *value, (int)*place };

    MPI_Allreduce (MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC,
                   MPI_COMM_WORLD);
    *value = best.value;
    *place = (uint64_t)best.place;
}

void exchange_row (int owner, float *row, size_t n)
{
    MPI_Bcast (row, (int)n, MPI_FLOAT, owner, MPI_COMM_WORLD);
}

static void send_words (int to, const uint64_t *words, size_t n)
{
    for (size_t done = 0; done < n; done += PIECE)
        MPI_Send (words + done, piece_of (n - done), MPI_UINT64_T, to, 0,
                  MPI_COMM_WORLD);
}

static void receive_words (int from, uint64_t *words, size_t n)
{
    for (size_t done = 0; done < n; done += PIECE)
        MPI_Recv (words + done, piece_of (n - done), MPI_UINT64_T, from, 0,
                  MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* How many frames each of n samples holds, then all frames. */
static void send_samples (int to, const struct top_k *samples, size_t n)
{
    _cleanup_free_ uint64_t *counts = xcalloc (n, sizeof (*counts));

    for (size_t i = 0; i < n; i++)
        counts[i] = samples[i].n;
    send_words (to, counts, n);
    for (size_t i = 0; i < n; i++)
        send_words (to, (const uint64_t *)samples[i].frames,
                    samples[i].n * SAMPLED_WORDS);
}

static void merge_samples (int from, struct top_k *samples, size_t n)
{
    _cleanup_free_ uint64_t *counts = xcalloc (n, sizeof (*counts));

    receive_words (from, counts, n);
    for (size_t i = 0; i < n; i++) {
        _cleanup_free_ struct sampled *frames =
            xcalloc (counts[i], sizeof (*frames));

        receive_words (from, (uint64_t *)frames, counts[i] * SAMPLED_WORDS);
        top_k_offer (&samples[i], frames, counts[i]);
    }
}

/* A binomial tree: in the round of distance d the ranks that are odd multiples
 * of d send theirs d down, and are done.
 */
static void exchange_samples (struct top_k *samples, size_t n)
{
    int rank = exchange_rank (), ranks = exchange_ranks ();

    for (int distance = 1; distance < ranks; distance *= 2) {
        if (rank % (2 * distance) == distance) {
            send_samples (rank - distance, samples, n);
            return;
        }
        if (rank + distance < ranks)
            merge_samples (rank + distance, samples, n);
    }
}

static void exchange_histogram (struct histogram *histogram)
{
    exchange_sum (histogram->frames, FRAME_CLASSES);
    exchange_sum (histogram->bins, HISTOGRAM_BINS);
    exchange_max (&histogram->max_deviation, 1);
}

/* Scores are not negative, so a range without frames does not matter. */
static void exchange_scores (struct score_range *ranges, size_t n)
{
    _cleanup_free_ uint64_t *frames = xcalloc (n, sizeof (*frames));
    _cleanup_free_ double *largest = xcalloc (n, sizeof (*largest));

    for (size_t i = 0; i < n; i++) {
        frames[i] = ranges[i].frames;
        largest[i] = ranges[i].largest;
    }
    exchange_sum (frames, n);
    exchange_max (largest, n);
    for (size_t i = 0; i < n; i++)
        ranges[i] = (struct score_range){ frames[i], largest[i] };
}

void exchange_stats (struct frame_stats *stats)
{
    struct group_stats *found = &stats->found;

    if (stats->pass == PASS_CLASSES) {
        for (size_t i = 0; i < stats->rules->n_systems; i++)
            exchange_histogram (&stats->histograms[i]);
        exchange_sum (found->population, found->n_samples);
        exchange_samples (found->samples, found->n_samples);
    } else if (stats->pass == PASS_RANGES) {
        exchange_sum (found->eligible, found->n_groups);
        exchange_sum (found->ranges[0][0],
                      found->n_groups * DEVIATION_QUANTITIES * RANGE_BINS);
    } else if (stats->pass == PASS_SCORES) {
        exchange_scores (stats->scores,
                         stats->rules->n_systems * (stats->n_bounds + 1));
    } else {
        exchange_samples (found->largest[0],
                          found->n_groups * DEVIATION_QUANTITIES);
    }
}

void exchange_levels (struct frame_stats *stats)
{
    share_from (0, stats->lower, stats->found.n_groups * sizeof (*stats->lower),
                MPI_CHAR);
}

void exchange_all (const uint64_t *words, size_t n, uint64_t *all)
{
    MPI_Allgather (words, (int)n, MPI_UINT64_T, all, (int)n, MPI_UINT64_T,
                   MPI_COMM_WORLD);
}

/* Signed, because MPICH 4.0.2 compares unsigned words as if they had a sign (as
 * Open MPI 4.1.4 does with MPI_UNSIGNED_LONG).
 */
int exchange_failure (int64_t place, struct error *err)
{
    struct error ours = *err;
    int64_t first = place;
    int owner;

    MPI_Allreduce (MPI_IN_PLACE, &first, 1, MPI_INT64_T, MPI_MIN,
                   MPI_COMM_WORLD);
    if (first == INT64_MAX)
        return 0;
    owner = first == place ? exchange_rank () : exchange_ranks ();
    MPI_Allreduce (MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    share_from (owner, ours.text, sizeof (ours.text), MPI_CHAR);
    share_from (owner, &ours.number, 1, MPI_INT);
    *err = ours;
    return -1;
}

int exchange_rc (int rc, struct error *err)
{
    return exchange_failure (rc < 0 ? exchange_rank () : INT64_MAX, err);
}
