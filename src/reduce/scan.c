/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - one rank's pass over its share of the files */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/deviation_file.h"
#include "reduce/lists.h"
#include "reduce/plan_file.h"
#include "reduce/scan.h"
#include "reduce/share.h"
#include "selection/committee_survey.h"
#include "selection/deviation_survey.h"
#include "selection/rms_force.h"
#include "selection/survey.h"

void scan_init (struct scan *scan,
                const struct plan *plan,
                struct survey *survey,
                uint64_t *bytes,
                const uint64_t *trajectory_bytes)
{
    *scan = (struct scan){ .plan = plan,
                           .survey = survey,
                           .bytes = bytes,
                           .trajectory_bytes = trajectory_bytes,
                           .once = ONCE_INIT };
    scan->reader = deviation_reader_for (&plan->rules);
    scan->part = survey_part_new (survey);
    for (size_t i = 0; i < SCAN_PIECES; i++)
        scan->pieces[i].part = survey_part_new (survey);
}

void scan_release (struct scan *scan)
{
    for (size_t i = 0; i < SCAN_PIECES; i++)
        survey_part_free (scan->pieces[i].part);
    survey_part_free (scan->part);
    once_release (&scan->once);
    deviation_reader_free (scan->reader);
}

static void count_lost (struct scan *scan, size_t file, uint64_t n_frames)
{
    uint64_t expected = scan->plan->trajectories[file].expected_frames;

    if (expected > n_frames)
        scan->counts[COUNT_LOST] += expected - n_frames;
}

static int take_part (struct scan *scan, size_t file)
{
    survey_merge (scan->survey, scan->part);
    scan->counts[COUNT_REPEATED_STEPS] += scan->once.repeated;
    count_lost (scan, file, scan->once.n_frames);
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
static int survey_committee (struct scan *scan,
                             size_t file,
                             const struct committee_piece *piece,
                             struct survey_part *part,
                             struct committee_losses *losses,
                             struct error *err)
{
    const struct trajectory *trajectory = &scan->plan->trajectories[file];
    const struct committee_source source = {
        .files = { .rules = &scan->plan->rules,
                   .making = &scan->plan->committee,
                   .trajectory = trajectory->path,
                   .forces = trajectory->forces,
                   .n_models = scan->plan->n_models,
                   .piece = piece },
        .task = trajectory->task,
        .part = trajectory->part,
        .system = trajectory->system,
    };

    return committee_survey (scan->survey, &source, &scan->once, part, losses,
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

    if (survey_committee (scan, file, NULL, scan->part, &losses, err) < 0)
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
    const struct trajectory *trajectory = &scan->plan->trajectories[file];

    return (struct deviation_source){
        .path = trajectory->deviations,
        .task = trajectory->task,
        .part = trajectory->part,
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
    const char *path = scan->plan->trajectories[file].path;

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
    if (deviation_survey (scan->survey, &source, scan->reader, &scan->once,
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
    piece->went_back = scan->once.went_back;
    piece->n_frames = scan->once.n_frames;
    piece->first_step = scan->once.first;
    piece->last_step = scan->once.last;
    piece->repeated = scan->once.repeated;
}

static int scan_piece (struct scan *scan,
                       size_t file,
                       uint64_t begin,
                       uint64_t end,
                       struct error *err)
{
    struct deviation_source source = source_of (scan, file, begin, end);
    struct scan_piece *piece = &scan->pieces[scan->n_pieces];
    uint64_t cut;

    if (deviation_survey (scan->survey, &source, scan->reader, &scan->once,
                          piece->part, &cut, err)
        < 0)
        return -1;
    scan->counts[COUNT_CUT_ROWS] += cut;
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

    if (survey_committee (scan, file, &range, scan->pieces[scan->n_pieces].part,
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
    size_t n = scan->plan->n_trajectories;
    int rc = 0;

    for (size_t i = cuts[0].file; rc == 0 && i < n && i <= cuts[1].file; i++) {
        uint64_t begin = i == cuts[0].file ? cuts[0].byte : 0;
        uint64_t end = i == cuts[1].file ? cuts[1].byte : scan->bytes[i];

        *file = i;
        if (i == cuts[1].file && end == 0)
            break;
        if (begin == 0 && end == scan->bytes[i])
            rc = scan->plan->trajectories[i].deviations
                     ? scan_deviations (scan, i, err)
                     : scan_committee (scan, i, err);
        else
            rc = scan->plan->trajectories[i].deviations
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
    survey_merge (scan->survey, own->part);
    scan->counts[COUNT_REPEATED_STEPS] += own->repeated;
    if (own->first)
        count_lost (scan, own->file, n_frames);
}

int scan_file_sorted (struct scan *scan, size_t file, struct error *err)
{
    struct deviation_source source =
        source_of (scan, file, 0, scan->bytes[file]);
    struct committee_losses losses; /* these, and cut rows, were counted the */
    uint64_t cut;                   /* first time */

    if (!scan->plan->trajectories[file].deviations)
        return survey_committee (scan, file, NULL, scan->part, &losses, err) < 0
                   ? -1
                   : take_part (scan, file);
    if (deviation_survey_sorted (scan->survey, &source, scan->reader,
                                 &scan->once, scan->part, &cut, err)
        < 0)
        return -1;
    return take_part (scan, file);
}
