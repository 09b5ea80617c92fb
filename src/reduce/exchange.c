/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - what the ranks tell each other */
#include "config.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "reduce/exchange.h"
#include "selection/survey.h"

enum { PIECE = 1 << 26 }; /* elements of one MPI call */

/* A drawn frame as it travels. */
enum { KEY, TASK, PART, STEP, ATOM, PLACE, DEVIATION, DRAWN_WORDS };

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

void exchange_max (double *value)
{
    MPI_Allreduce (MPI_IN_PLACE, value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void pack (const struct drawn *frame, uint64_t words[DRAWN_WORDS])
{
    words[KEY] = frame->key;
    words[TASK] = (uint64_t)frame->task;
    words[PART] = (uint64_t)frame->part;
    words[STEP] = (uint64_t)frame->step;
    words[ATOM] = (uint64_t)frame->atom;
    words[PLACE] = frame->place;
    memcpy (&words[DEVIATION], &frame->deviation, sizeof (frame->deviation));
}

static void unpack (const uint64_t words[DRAWN_WORDS], struct drawn *frame)
{
    frame->key = words[KEY];
    frame->task = (int64_t)words[TASK];
    frame->part = (int64_t)words[PART];
    frame->step = (int64_t)words[STEP];
    frame->atom = (int64_t)words[ATOM];
    frame->place = words[PLACE];
    memcpy (&frame->deviation, &words[DEVIATION], sizeof (frame->deviation));
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

/* How many frames each of n draws holds, then all frames. */
static void send_draws (int to, const struct draw *draws, size_t n)
{
    uint64_t *counts = xcalloc (n, sizeof (*counts)), *words;
    size_t n_frames = 0, at = 0;

    for (size_t i = 0; i < n; i++) {
        counts[i] = draws[i].n;
        n_frames += draws[i].n;
    }
    words = xcalloc (n_frames * DRAWN_WORDS, sizeof (*words));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < draws[i].n; j++, at += DRAWN_WORDS)
            pack (&draws[i].frames[j], words + at);
    }
    send_words (to, counts, n);
    send_words (to, words, at);
    free (words);
    free (counts);
}

static void merge_draws (int from, struct draw *draws, size_t n)
{
    uint64_t *counts = xcalloc (n, sizeof (*counts)), *words;
    size_t n_frames = 0, at = 0;

    receive_words (from, counts, n);
    for (size_t i = 0; i < n; i++)
        n_frames += counts[i];
    words = xcalloc (n_frames * DRAWN_WORDS, sizeof (*words));
    receive_words (from, words, n_frames * DRAWN_WORDS);
    for (size_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < counts[i]; j++, at += DRAWN_WORDS) {
            struct drawn frame;

            unpack (words + at, &frame);
            draw_offer (&draws[i], &frame, 1);
        }
    }
    free (words);
    free (counts);
}

/* A binomial tree: in the round of distance d the ranks that are odd multiples
 * of d send theirs d down, and are done.
 */
static void exchange_draws (struct draw *draws, size_t n)
{
    int rank = exchange_rank (), ranks = exchange_ranks ();

    for (int distance = 1; distance < ranks; distance *= 2) {
        if (rank % (2 * distance) == distance) {
            send_draws (rank - distance, draws, n);
            return;
        }
        if (rank + distance < ranks)
            merge_draws (rank + distance, draws, n);
    }
}

static void exchange_tally (struct tally *tally)
{
    exchange_sum (tally->frames, FRAME_CLASSES);
    exchange_sum (tally->bins, TALLY_BINS);
    tally->octaves = UINT64_MAX;
    exchange_max (&tally->max_deviation);
}

void exchange_survey (struct survey *survey)
{
    size_t n_groups = survey->n_groups;
    size_t n_draws = n_groups * survey->rules->n_bins;
    size_t n_tops = n_groups * DEVIATION_QUANTITIES;

    if (survey->pass == SURVEY_CLASSES) {
        for (size_t i = 0; i < survey->rules->n_systems; i++)
            exchange_tally (&survey->tallies[i]);
        exchange_sum (survey->population, n_draws);
        exchange_draws (survey->draws, n_draws);
    } else if (survey->pass == SURVEY_RANGES) {
        exchange_sum (survey->pools, n_groups);
        exchange_sum (survey->ranges, n_tops * RANGE_BINS);
    } else {
        exchange_draws (survey->tops, n_tops);
    }
}

void exchange_levels (struct survey *survey)
{
    share_from (0, survey->lower,
                survey->n_groups * DEVIATION_QUANTITIES
                    * sizeof (*survey->lower),
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
