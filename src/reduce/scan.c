/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - one rank's pass over its share of the files */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/deviations/deviation_file.h"
#include "reduce/lists.h"
#include "reduce/selection_input.h"
#include "reduce/scan.h"
#include "reduce/share.h"
#include "selection/deviations/committee_stats.h"
#include "selection/deviations/deviation_stats.h"
#include "selection/deviations/rms_force.h"
#include "selection/statistics/frame_stats.h"

void scan_init (struct scan *scan,
                const struct selection_input *input,
                struct frame_stats *stats,
                uint64_t *bytes,
                const uint64_t *trajectory_bytes)
{
    *scan = (struct scan){ .input = input,
                           .stats = stats,
                           .bytes = bytes,
                           .trajectory_bytes = trajectory_bytes,
                           .dedup = STEP_DEDUP_INIT };
    scan->reader = deviation_reader_for (&input->rules);
    scan->part = frame_stats_part_new (stats);
    for (size_t i = 0; i < SCAN_PIECES; i++)
        scan->pieces[i].part = frame_stats_part_new (stats);
}

void scan_release (struct scan *scan)
{
    for (size_t i = 0; i < SCAN_PIECES; i++)
        frame_stats_part_free (scan->pieces[i].part);
    frame_stats_part_free (scan->part);
    step_dedup_release (&scan->dedup);
    deviation_reader_free (scan->reader);
}

static void count_lost (struct scan *scan, size_t file, uint64_t n_frames)
{
    uint64_t expected = scan->input->trajectories[file].expected_frames;

    if (expected > n_frames)
        scan->counts[COUNT_LOST] += expected - n_frames;
}

static int take_part (struct scan *scan, size_t file)
{
    frame_stats_merge (scan->stats, scan->part);
    scan->counts[COUNT_REPEATED_STEPS] += scan->dedup.repeated;
    count_lost (scan, file, scan->dedup.n_frames);
    return scan->lists ? lists_keep (scan->lists) : 0;
}

/* A file that is not there, 'counts[absent]': what was expected is lost. */
static int take_absence (struct scan *scan, size_t file, int absent)
{
    scan->counts[absent]++;
    count_lost (scan, file, 0);
    return 0;
}

/* --- forces of a committee --- */

/* What a committee's files, or a piece of them, add up to. */
static int add_committee (struct scan *scan,
                          size_t file,
                          const struct committee_piece *piece,
                          struct frame_stats_part *part,
                          struct committee_losses *losses,
                          struct error *err)
{
    const struct trajectory *trajectory = &scan->input->trajectories[file];
    const struct committee_source source = {
        .files = { .rules = &scan->input->rules,
                   .making = &scan->input->committee,
                   .trajectory = trajectory->path,
                   .forces = trajectory->forces,
                   .n_models = scan->input->n_models,
                   .piece = piece },
        .task = trajectory->task,
        .system = trajectory->system,
    };

    return committee_stats (scan->stats, &source, &scan->dedup, part, losses,
                            err);
}

static void count_losses (struct scan *scan,
                          const struct committee_losses *losses)
{
    scan->counts[COUNT_ABSENT_TRAJECTORIES] += losses->absent_trajectories;
    scan->counts[COUNT_ABSENT_FORCES] += losses->absent_forces;
    scan->counts[COUNT_CUT_FILES] += losses->cut_files;
}

static int scan_committee (struct scan *scan, size_t file, struct error *err)
{
    struct committee_losses losses;

    if (add_committee (scan, file, NULL, scan->part, &losses, err) < 0)
        return -1;
    count_losses (scan, &losses);
    return take_part (scan, file);
}

/* --- deviations --- */

static struct deviation_source source_of (const struct scan *scan,
                                          size_t file,
                                          uint64_t begin,
                                          uint64_t end)
{
    const struct trajectory *trajectory = &scan->input->trajectories[file];

    return (struct deviation_source){
        .path = trajectory->deviations,
        .task = trajectory->task,
        .system = trajectory->system,
        .begin = begin,
        .end = end,
        .file_bytes = scan->bytes[file],
        .rms_force = scan->rms ? scan->rms[file] : 0,
    };
}

/* What the file's deviations are relative to, once for all passes. */
static int find_rms (struct scan *scan, size_t file, struct error *err)
{
    const char *path = scan->input->trajectories[file].path;

    if (!scan->rms)
        return 0;
    if (scan->rms[file] == 0 && rms_force (path, &scan->rms[file], err) < 0)
        return -1;
    if (scan->rms[file] == 0) /* forces of zeros: as if there were none */
        scan->rms[file] = NAN;
    scan->counts[COUNT_ABSENT_TRAJECTORIES] +=
        !strchr (path, '*') && !file_exists (path);
    return 0;
}

/* A pass that comes later sees the same rows. */
static void note_bytes (struct scan *scan, size_t file, uint64_t bytes)
{
    if (scan->bytes[file] == UINT64_MAX)
        scan->bytes[file] = bytes;
}

static int scan_deviations (struct scan *scan, size_t file, struct error *err)
{
    struct deviation_source source;
    struct error why = ERROR_INIT;
    uint64_t cut;

    if (find_rms (scan, file, err) < 0)
        return -1;
    source = source_of (scan, file, 0, scan->bytes[file]);
    if (deviation_stats (scan->stats, &source, scan->reader, &scan->dedup,
                         scan->part, &cut, &why)
        < 0) {
        if (!error_is_absence (&why))
            return error_copy (err, &why);
        note_bytes (scan, file, 0);
        return take_absence (scan, file, COUNT_ABSENT_DEVIATIONS);
    }
    note_bytes (scan, file, deviation_reader_bytes (scan->reader));
    scan->counts[COUNT_CUT_ROWS] += cut;
    return take_part (scan, file);
}

/* What the ranks have to know of the piece that was just read. */
static void note_piece (struct scan *scan, size_t file, uint64_t begin)
{
    struct scan_piece *piece = &scan->pieces[scan->n_pieces++];

    piece->file = file;
    piece->first = begin == 0;
    piece->went_back = scan->dedup.went_back;
    piece->n_frames = scan->dedup.n_frames;
    piece->first_step = scan->dedup.first;
    piece->last_step = scan->dedup.last;
    piece->repeated = scan->dedup.repeated;
}

static int scan_piece (struct scan *scan,
                       size_t file,
                       uint64_t begin,
                       uint64_t end,
                       struct error *err)
{
    struct deviation_source source = source_of (scan, file, begin, end);
    struct scan_piece *piece = &scan->pieces[scan->n_pieces];

    if (deviation_stats (scan->stats, &source, scan->reader, &scan->dedup,
                         piece->part, &piece->cut, err)
        < 0)
        return -1;
    note_piece (scan, file, begin);
    return 0;
}

/* The same of a committee's files. */
static int scan_committee_piece (struct scan *scan,
                                 size_t file,
                                 uint64_t begin,
                                 uint64_t end,
                                 struct error *err)
{
    const struct committee_piece range = { begin, end, scan->bytes[file],
                                           scan->trajectory_bytes[file] };
    struct committee_losses losses;

    if (add_committee (scan, file, &range, scan->pieces[scan->n_pieces].part,
                       &losses, err)
        < 0)
        return -1;
    count_losses (scan, &losses);
    note_piece (scan, file, begin);
    return 0;
}

int scan_share (struct scan *scan,
                const struct share_cut cuts[2],
                size_t *file,
                struct error *err)
{
    size_t n = scan->input->n_trajectories;
    int rc = 0;

    for (size_t i = cuts[0].file; rc == 0 && i < n && i <= cuts[1].file; i++) {
        uint64_t begin = i == cuts[0].file ? cuts[0].byte : 0;
        uint64_t end = i == cuts[1].file ? cuts[1].byte : scan->bytes[i];

        *file = i;
        if (i == cuts[1].file && end == 0)
            break;
        if (begin == 0 && end == scan->bytes[i])
            rc = scan->input->trajectories[i].deviations
                     ? scan_deviations (scan, i, err)
                     : scan_committee (scan, i, err);
        else
            rc = scan->input->trajectories[i].deviations
                     ? scan_piece (scan, i, begin, end, err)
                     : scan_committee_piece (scan, i, begin, end, err);
    }
    return rc;
}

/* --- pieces --- */

bool scan_pieces_fit (const struct scan_piece *pieces, size_t n)
{
    bool any = false;
    int64_t last = 0;

    for (size_t i = 0; i < n; i++) {
        if (pieces[i].went_back)
            return false;
        if (pieces[i].n_frames == 0)
            continue;
        if (any && pieces[i].first_step <= last)
            return false;
        any = true;
        last = pieces[i].last_step;
    }
    return true;
}

void scan_take_piece (struct scan *scan,
                      const struct scan_piece *own,
                      uint64_t n_frames)
{
    frame_stats_merge (scan->stats, own->part);
    scan->counts[COUNT_REPEATED_STEPS] += own->repeated;
    scan->counts[COUNT_CUT_ROWS] += own->cut;
    if (own->first)
        count_lost (scan, own->file, n_frames);
}

int scan_file_sorted (struct scan *scan, size_t file, struct error *err)
{
    struct deviation_source source =
        source_of (scan, file, 0, scan->bytes[file]);
    struct committee_losses losses; /* were counted the first time */
    uint64_t cut;

    if (!scan->input->trajectories[file].deviations)
        return add_committee (scan, file, NULL, scan->part, &losses, err) < 0
                   ? -1
                   : take_part (scan, file);
    if (deviation_stats_sorted (scan->stats, &source, scan->reader,
                                &scan->dedup, scan->part, &cut, err)
        < 0)
        return -1;
    scan->counts[COUNT_CUT_ROWS] += cut;
    return take_part (scan, file);
}
