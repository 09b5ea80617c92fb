/* SPDX-License-Identifier: BSD-3-Clause */
/* pass.c - one pass of all ranks over all files */
#include "base/base.h"

#include <sys/stat.h>

#include "formats/deviations/deviation_file.h"
#include "reduce/exchange.h"
#include "reduce/lists.h"
#include "reduce/pass.h"
#include "reduce/selection_input.h"
#include "reduce/scan.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/likeness.h"
#include "selection/statistics/frame_stats.h"

static uint64_t file_bytes (const char *path)
{
    struct stat st;

    return path && stat (path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* What will be read for the trajectory; what is absent has no bytes. */
static uint64_t trajectory_bytes (const struct selection_input *input,
                                  const struct trajectory *trajectory)
{
    uint64_t bytes;

    if (trajectory->deviations)
        return file_bytes (trajectory->deviations);
    bytes = file_bytes (trajectory->path);
    for (size_t k = 0; k < input->n_models; k++)
        bytes += file_bytes (trajectory->forces[k]);
    return bytes;
}

/* Frames are skipped from the start of a file on, so that a piece from its
 * middle would not know what to do; and whoever reads a file reads the forces
 * of the whole trajectory, if they are needed.
 */
static bool can_split (size_t file, void *arg)
{
    const struct selection_input *input = arg;
    const struct trajectory *trajectory = &input->trajectories[file];

    if (input->rules.skip_frames > 0 || input->rules.avg_relative)
        return false;
    return trajectory->deviations
               ? deviation_file_is_divisible (trajectory->deviations)
               : committee_is_divisible (trajectory->path, trajectory->forces,
                                         input->n_models);
}

void layout_keep_files_whole (const struct selection_input *input,
                              struct layout *layout)
{
    share_bytes (layout->bytes, input->n_trajectories, exchange_ranks (), NULL,
                 NULL, layout->cuts);
}

void layout_find (const struct selection_input *input, struct layout *layout)
{
    size_t n = input->n_trajectories;
    int ranks = exchange_ranks ();
    size_t n_cuts = (size_t)ranks + 1;

    layout->bytes = xcalloc (n, sizeof (*layout->bytes));
    layout->trajectory_bytes = xcalloc (n, sizeof (*layout->trajectory_bytes));
    layout->cuts = xcalloc (n_cuts, sizeof (*layout->cuts));
    layout->likeness = xmalloc (sizeof (*layout->likeness));
    likeness_init (layout->likeness, input->n_models);
    layout->found =
        input->health.any ? xcalloc (n, sizeof (*layout->found)) : NULL;
    layout->rms =
        input->rules.avg_relative ? xcalloc (n, sizeof (*layout->rms)) : NULL;
    if (exchange_rank () == 0) {
        for (size_t i = 0; i < n; i++) {
            const struct trajectory *trajectory = &input->trajectories[i];

            layout->bytes[i] = ranks == 1 && trajectory->deviations
                                   ? UINT64_MAX
                                   : trajectory_bytes (input, trajectory);
            if (!trajectory->deviations)
                layout->trajectory_bytes[i] = file_bytes (trajectory->path);
        }
        share_bytes (layout->bytes, n, ranks, can_split, (void *)input,
                     layout->cuts);
    }
    exchange_share (layout->bytes, n);
    exchange_share (layout->trajectory_bytes, n);
    exchange_share (&layout->cuts[0].file,
                    n_cuts * sizeof (*layout->cuts) / sizeof (uint64_t));
}

void layout_release (struct layout *layout)
{
    free (layout->bytes);
    free (layout->trajectory_bytes);
    free (layout->found);
    free (layout->rms);
    free (layout->cuts);
    likeness_release (layout->likeness);
    free (layout->likeness);
}

/* --- pieces of files that ranks share --- */

enum { FILE_NUMBER, WENT_BACK, N_FRAMES, FIRST_STEP, LAST_STEP, PIECE_WORDS };
enum { OWN_WORDS = SCAN_PIECES * PIECE_WORDS };

static void pack_piece (const struct scan_piece *piece, uint64_t *words)
{
    words[FILE_NUMBER] = piece->file + 1; /* 0: there is none */
    words[WENT_BACK] = piece->went_back;
    words[N_FRAMES] = piece->n_frames;
    words[FIRST_STEP] = (uint64_t)piece->first_step;
    words[LAST_STEP] = (uint64_t)piece->last_step;
}

/* The pieces of 'file' among those of all ranks, in order.  Caller frees. */
static struct scan_piece *pieces_of (const uint64_t *words, size_t n_words,
                                     size_t file, size_t *n)
{
    struct scan_piece *pieces =
        xcalloc (n_words / PIECE_WORDS, sizeof (*pieces));

    *n = 0;
    for (size_t i = 0; i < n_words; i += PIECE_WORDS) {
        if (words[i + FILE_NUMBER] != file + 1)
            continue;
        pieces[(*n)++] = (struct scan_piece){
            .file = file,
            .went_back = words[i + WENT_BACK],
            .n_frames = words[i + N_FRAMES],
            .first_step = (int64_t)words[i + FIRST_STEP],
            .last_step = (int64_t)words[i + LAST_STEP],
        };
    }
    return pieces;
}

static int settle_piece (struct scan *scan, const struct scan_piece *own,
                         const uint64_t *words, size_t n_words,
                         struct error *err)
{
    size_t n;
    _cleanup_free_ struct scan_piece *pieces =
        pieces_of (words, n_words, own->file, &n);
    uint64_t n_frames = 0;
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        n_frames += pieces[i].n_frames;
    if (scan_pieces_fit (pieces, n))
        scan_take_piece (scan, own, n_frames);
    else if (own->first)
        rc = scan_file (scan, own->file, err);
    return rc;
}

/* Compare the pieces of all ranks and take ours over. */
static int settle_pieces (struct scan *scan, int64_t *failure,
                          struct error *err)
{
    size_t n_words = (size_t)exchange_ranks () * OWN_WORDS;
    uint64_t own[OWN_WORDS] = { 0 };
    _cleanup_free_ uint64_t *all = xcalloc (n_words, sizeof (*all));
    int rc = 0;

    for (size_t i = 0; i < scan->n_pieces; i++)
        pack_piece (&scan->pieces[i], own + i * PIECE_WORDS);
    exchange_all (own, OWN_WORDS, all);
    for (size_t i = 0; rc == 0 && i < scan->n_pieces; i++) {
        rc = settle_piece (scan, &scan->pieces[i], all, n_words, err);
        if (rc < 0)
            *failure = (int64_t)scan->pieces[i].file;
    }
    return rc;
}

/* --- one pass --- */

int pass_read (const struct selection_input *input, const struct layout *layout,
               struct frame_stats *stats, struct lists *lists,
               uint64_t counts[SCAN_COUNTS], struct error *err)
{
    int64_t failure = INT64_MAX; /* none */
    struct scan scan;
    size_t file = 0;
    int rc;

    scan_init (&scan, input, stats, layout->bytes, layout->trajectory_bytes);
    likeness_reset (layout->likeness);
    scan.rms = layout->rms;
    scan.found = layout->found;
    if (layout->found)
        memset (layout->found, 0,
                input->n_trajectories * sizeof (*layout->found));
    scan.likeness = layout->likeness;
    scan.lists = lists;
    scan.part->listener = lists ? &lists->listener : NULL;
    if (scan_share (&scan, layout->cuts + exchange_rank (), &file, err) < 0)
        failure = (int64_t)file;
    rc = exchange_failure (failure, err);
    if (rc == 0) {
        settle_pieces (&scan, &failure, err);
        rc = exchange_failure (failure, err);
    }
    if (rc == 0) {
        memcpy (counts, scan.counts, sizeof (scan.counts));
        exchange_sum (counts, SCAN_COUNTS);
        exchange_stats (stats);
        exchange_sum (layout->likeness->words, layout->likeness->n_words);
        if (layout->found)
            exchange_sum (layout->found, input->n_trajectories);
    }
    scan_release (&scan);
    return rc;
}
