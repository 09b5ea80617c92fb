/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - one rank's pass over its share of the files */
#include "base/base.h"

#include "base/file.h"
#include "formats/deviations/deviation_file.h"
#include "reduce/lists.h"
#include "reduce/selection_input.h"
#include "reduce/scan.h"
#include "reduce/share.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/rms_force.h"
#include "selection/statistics/frame_stats.h"

void scan_init (struct scan *scan, const struct selection_input *input,
                struct frame_stats *stats, uint64_t *bytes,
                const uint64_t *trajectory_bytes)
{
    *scan = (struct scan){ .input = input,
                           .stats = stats,
                           .bytes = bytes,
                           .trajectory_bytes = trajectory_bytes };
    scan->reader = deviation_reader_new (rules_quantities (&input->rules),
                                         input->rules.clusters.any);
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

static void add_counts (struct scan *scan, const uint64_t counts[SCAN_COUNTS])
{
    for (int i = 0; i < SCAN_COUNTS; i++)
        scan->counts[i] += counts[i];
}

static void count_lost (struct scan *scan, size_t file, uint64_t n_frames)
{
    uint64_t expected = scan->input->trajectories[file].expected_frames;

    if (scan->found)
        scan->found[file] = n_frames;
    if (expected > n_frames)
        scan->counts[COUNT_LOST] += expected - n_frames;
}

/* --- the rows of a file, or of a piece of it --- */

static int read_deviations (struct scan *scan, size_t file,
                            const struct committee_piece *piece,
                            uint64_t counts[SCAN_COUNTS], struct error *err)
{
    const char *path = scan->input->trajectories[file].deviations;
    double rms = scan->rms ? scan->rms[file] : 0;
    struct deviation_rows rows;
    int rc;

    if (deviation_reader_open (scan->reader, path, piece->begin, piece->end,
                               piece->bytes, err)
        < 0)
        return -1;
    while ((rc = deviation_reader_next (scan->reader, &rows, err)) == 1) {
        if (rows.atoms && rows.n_atoms == 0)
            return error_set (err,
                              "%s: step %lld: no deviations of atoms, which "
                              "clusters need; LAMMPS writes them with 'atomic'",
                              path, (long long)rows.step[0]);
        for (size_t i = 0; rms != 0 && i < rows.n; i++)
            rows.value[DEVIATION_FORCE][i] /= rms;
        step_dedup_add (&scan->dedup, &rows, NULL);
    }
    counts[COUNT_CUT_ROWS] = deviation_reader_cut (scan->reader);
    return rc;
}

/* *went_back: a step of a file did not rise. */
static int read_committee (struct scan *scan, size_t file,
                           const struct committee_piece *piece,
                           uint64_t counts[SCAN_COUNTS], bool *went_back,
                           struct error *err)
{
    const struct trajectory *trajectory = &scan->input->trajectories[file];
    const struct committee_files files = { .rules = &scan->input->rules,
                                           .making = &scan->input->committee,
                                           .trajectory = trajectory->path,
                                           .forces = trajectory->forces,
                                           .n_models = scan->input->n_models,
                                           .piece = piece,
                                           .likeness = scan->likeness };
    struct committee *committee = committee_open (&files, counts, err);
    uint64_t places[DEVIATION_ROWS_MAX];
    struct deviation_rows rows;
    int rc;

    if (!committee)
        return -1;
    while ((rc = committee_next (committee, &rows, places, err)) == 1)
        step_dedup_add (&scan->dedup, &rows, places);
    *went_back = committee_went_back (committee);
    committee_close (committee, counts);
    return rc;
}

/* One time through, into 'part'; steps of which some come again are kept from
 * 'keep_from' on.  When scan->dedup.went_back is left true 'part' is worth
 * nothing: of a piece also when what it was found by may be wrong.
 */
static int read_once (struct scan *scan, size_t file,
                      const struct committee_piece *piece, int64_t keep_from,
                      struct frame_stats_part *part,
                      uint64_t counts[SCAN_COUNTS], struct error *err)
{
    const struct trajectory *trajectory = &scan->input->trajectories[file];
    bool whole = piece->begin == 0 && piece->end == piece->bytes;
    bool unsure = false;
    int rc;

    memset (counts, 0, SCAN_COUNTS * sizeof (*counts));
    frame_stats_part_reset (scan->stats, part, trajectory->system);
    step_dedup_start (&scan->dedup, scan->stats, part, trajectory->task, 0,
                      keep_from);
    if (trajectory->deviations) {
        rc = read_deviations (scan, file, piece, counts, err);
        unsure = !deviation_reader_is_uniform (scan->reader);
    } else {
        rc = read_committee (scan, file, whole ? NULL : piece, counts, &unsure,
                             err);
    }
    if (rc < 0)
        return -1;
    step_dedup_end (&scan->dedup);
    counts[COUNT_REPEATED_STEPS] = scan->dedup.repeated;
    scan->dedup.went_back |= !whole && unsure;
    return 0;
}

/* --- whole files --- */

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

/* A file of deviations that is not there: what was expected is lost. */
static int take_absence (struct scan *scan, size_t file)
{
    note_bytes (scan, file, 0);
    scan->counts[COUNT_ABSENT_DEVIATIONS]++;
    count_lost (scan, file, 0);
    return 0;
}

int scan_file (struct scan *scan, size_t file, struct error *err)
{
    bool deviations = scan->input->trajectories[file].deviations;
    struct committee_piece all = { 0, scan->bytes[file], scan->bytes[file], 0 };
    uint64_t counts[SCAN_COUNTS];
    struct error why = ERROR_INIT;
    int rc = find_rms (scan, file, err);

    if (rc < 0)
        return -1;
    rc = read_once (scan, file, &all, INT64_MAX, scan->part, counts, &why);
    if (rc < 0 && deviations && error_is_absence (&why))
        return take_absence (scan, file);
    if (deviations)
        all.end = all.bytes = deviation_reader_bytes (scan->reader);
    if (rc == 0 && scan->dedup.went_back)
        rc = read_once (scan, file, &all, scan->dedup.lowest, scan->part,
                        counts, &why);
    if (rc < 0)
        return error_copy (err, &why);
    if (deviations)
        note_bytes (scan, file, all.bytes);
    frame_stats_merge (scan->stats, scan->part);
    add_counts (scan, counts);
    count_lost (scan, file, scan->dedup.n_frames);
    return scan->lists ? lists_keep (scan->lists) : 0;
}

/* --- pieces --- */

static int scan_piece (struct scan *scan, size_t file, uint64_t begin,
                       uint64_t end, struct error *err)
{
    const struct committee_piece range = { begin, end, scan->bytes[file],
                                           scan->trajectory_bytes
                                               ? scan->trajectory_bytes[file]
                                               : 0 };
    struct scan_piece *piece = &scan->pieces[scan->n_pieces++];

    if (read_once (scan, file, &range, INT64_MAX, piece->part, piece->counts,
                   err)
        < 0)
        return -1;
    piece->file = file;
    piece->first = begin == 0;
    piece->went_back = scan->dedup.went_back;
    piece->n_frames = scan->dedup.n_frames;
    piece->first_step = scan->dedup.first;
    piece->last_step = scan->dedup.last;
    return 0;
}

int scan_share (struct scan *scan, const struct share_cut cuts[2], size_t *file,
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
        rc = begin == 0 && end == scan->bytes[i]
                 ? scan_file (scan, i, err)
                 : scan_piece (scan, i, begin, end, err);
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

void scan_take_piece (struct scan *scan, const struct scan_piece *own,
                      uint64_t n_frames)
{
    frame_stats_merge (scan->stats, own->part);
    add_counts (scan, own->counts);
    if (own->first)
        count_lost (scan, own->file, n_frames);
}
