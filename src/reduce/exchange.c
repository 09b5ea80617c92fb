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
#include "selection/draw.h"

enum { PIECE = 1 << 26 }; /* elements of one MPI call */

/* A drawn frame as it travels. */
enum { KEY, TASK, STEP, PLACE, DEVIATION, DRAWN_WORDS };

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
    words[STEP] = (uint64_t)frame->step;
    words[PLACE] = frame->place;
    memcpy (&words[DEVIATION], &frame->deviation, sizeof (frame->deviation));
}

static void unpack (const uint64_t words[DRAWN_WORDS], struct drawn *frame)
{
    frame->key = words[KEY];
    frame->task = (int64_t)words[TASK];
    frame->step = (int64_t)words[STEP];
    frame->place = words[PLACE];
    memcpy (&frame->deviation, &words[DEVIATION], sizeof (frame->deviation));
}

static void send_draw (int to, const struct draw *draw)
{
    uint64_t n = draw->n;
    size_t n_words = draw->n * DRAWN_WORDS;
    uint64_t *words = xcalloc (n_words, sizeof (*words));

    for (size_t i = 0; i < draw->n; i++)
        pack (&draw->frames[i], words + i * DRAWN_WORDS);
    MPI_Send (&n, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
    for (size_t done = 0; done < n_words; done += PIECE)
        MPI_Send (words + done, piece_of (n_words - done), MPI_UINT64_T, to, 0,
                  MPI_COMM_WORLD);
    free (words);
}

static void merge_draw (int from, struct draw *draw)
{
    uint64_t n, *words;
    size_t n_words;

    MPI_Recv (&n, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    n_words = n * DRAWN_WORDS;
    words = xcalloc (n_words, sizeof (*words));
    for (size_t done = 0; done < n_words; done += PIECE)
        MPI_Recv (words + done, piece_of (n_words - done), MPI_UINT64_T, from,
                  0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (size_t i = 0; i < n; i++) {
        struct drawn frame;

        unpack (words + i * DRAWN_WORDS, &frame);
        draw_merge (draw, &frame, 1);
    }
    free (words);
}

/* A binomial tree: in the round of distance d the ranks that are odd multiples
 * of d send theirs d down, and are done.
 */
void exchange_draw (struct draw *draw)
{
    int rank = exchange_rank (), ranks = exchange_ranks ();

    for (int distance = 1; distance < ranks; distance *= 2) {
        if (rank % (2 * distance) == distance) {
            send_draw (rank - distance, draw);
            return;
        }
        if (rank + distance < ranks)
            merge_draw (rank + distance, draw);
    }
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
    *err = ours;
    return -1;
}
