/* SPDX-License-Identifier: BSD-3-Clause */
/* committee.c - rows of deviations out of a trajectory and a committee's forces
 */
#include "base/base.h"

#include "formats/deviations/deviation_file.h"
#include "formats/npy/npy_rows.h"
#include "formats/vector_reader.h"
#include "formats/frame.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/committee_rules.h"
#include "selection/deviations/deviation.h"
#include "selection/deviations/likeness.h"
#include "selection/statistics/frame_stats.h"

/* --- one of the files --- */

/* A file and the frame it stands at. */
struct member {
    struct vector_reader *reader; /* NULL: there is no such file */
    struct vector_frame frame;
    int64_t number;   /* of the frame in the file, from 0; -1: none was read */
    bool at_frame;    /* 'frame' was read and not matched yet */
    bool ended;       /* the file, or the piece */
    uint64_t end;     /* frames from this place on are another piece's */
    bool any;         /* a frame was read, */
    int64_t last;     /* of this step */
    bool needs_steps; /* its piece was found by them */
    bool went_back;   /* a step was not larger than the one before, or one that
                         was needed is not there */
};

/* Open 'path'; 'options' is lent.  A file that is not there is counted in
 * *absent, and has no frames.
 */
static int member_open (struct member *member, const char *path,
                        const struct vector_options *options, uint64_t *absent,
                        struct error *err)
{
    struct error why = ERROR_INIT;

    *member = (struct member){ .number = -1, .end = UINT64_MAX };
    member->reader = vector_reader_open (path, options, &why);
    if (member->reader)
        return 0;
    if (!error_is_absence (&why))
        return error_copy (err, &why);
    ++*absent;
    return 0;
}

/* Close; a file that ends within a frame is counted, by whose piece comes to
 * its end.
 */
static void member_close (struct member *member, uint64_t *counts)
{
    if (member->end == UINT64_MAX && member->reader
        && vector_reader_truncated (member->reader))
        counts[COUNT_CUT_FILES]++;
    vector_reader_close (member->reader);
}

/* Read the next frame of the file or the piece, which must be there: 1, 0 at
 * the end, or -1.
 */
static int member_next (struct member *member, struct error *err)
{
    int rc = member->ended
                 ? 0
                 : vector_reader_next (member->reader, &member->frame, err);

    if (rc == 1 && member->frame.place >= member->end)
        rc = 0;
    member->at_frame = rc == 1;
    member->ended = rc == 0;
    if (rc != 1)
        return rc;
    member->went_back |= (member->any && member->frame.step <= member->last)
                         || (member->needs_steps && !member->frame.has_step);
    member->any = true;
    member->last = member->frame.step;
    member->number++;
    return 1;
}

/* Is the member's frame before (-1), at (0) or behind (1) that of the
 * trajectory?  Where one of the files has no steps, frames are counted.
 */
static int compare_frames (const struct member *member,
                           const struct member *trajectory)
{
    int64_t a = member->frame.step, b = trajectory->frame.step;

    if (!member->frame.has_step || !trajectory->frame.has_step) {
        a = member->number;
        b = trajectory->number;
    }
    return (a > b) - (a < b);
}

/* Go on to the frame of the trajectory: 1, 0 when it is not there, or -1.
 * Steps may start again (a restarted run); the file then has to do the same.
 */
static int member_seek (struct member *member, const struct member *trajectory,
                        struct error *err)
{
    while (member->reader
           && (!member->at_frame || compare_frames (member, trajectory) < 0)) {
        int rc = member_next (member, err);

        if (rc != 1)
            return rc;
    }
    if (!member->reader || compare_frames (member, trajectory) != 0)
        return 0;
    member->at_frame = false;
    return 1;
}

/* As many atoms, and of the same ids as far as both files hold ids? */
static bool member_has_atoms_of (const struct member *model,
                                 const struct member *trajectory)
{
    const struct vector_frame *a = &model->frame, *b = &trajectory->frame;
    bool same = a->n_atoms == b->n_atoms;

    for (size_t i = 0; same && a->ids && b->ids && i < a->n_atoms; i++)
        same = a->ids[i] == b->ids[i];
    return same;
}

/* Go to where the member's piece begins; UINT64_MAX: behind the last frame. */
static int member_begin_at (struct member *member, uint64_t place,
                            struct error *err)
{
    if (!member->reader)
        return 0;
    if (place == UINT64_MAX)
        member->end = 0;                 /* there is nothing to read */
    member->number = (int64_t)place - 1; /* that of an array's frames */
    return place == UINT64_MAX
               ? 0
               : vector_reader_go_to (member->reader, place, err);
}

/* --- where the files are cut for several ranks --- */

bool committee_is_divisible (const char *trajectory, const char *const *forces,
                             size_t n_models)
{
    enum vector_division first = vector_division (trajectory);

    for (size_t k = 0; k < n_models; k++) {
        if (vector_division (forces[k]) != first)
            return false;
    }
    return first != VECTOR_WHOLE;
}

/* value * part / whole, whose product may not fit 64 bits. */
static uint64_t scale (uint64_t value, uint64_t part, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)value * part / whole);
}

/* Where each file is cut; the end of it is UINT64_MAX. */
struct cut {
    uint64_t trajectory;
    uint64_t *models;
};

/* By steps: at the first frame behind a byte of the trajectory, and the first
 * frames of the models that are not before it.
 */
static int cut_by_step (const struct committee_files *files, uint64_t byte,
                        struct cut *cut, struct error *err)
{
    int64_t step = 0;
    int rc = vector_find_from (files->trajectory, byte, &cut->trajectory, &step,
                               err);

    if (rc == 0)
        cut->trajectory = UINT64_MAX;
    for (size_t k = 0; rc >= 0 && k < files->n_models; k++) {
        int found = 0;

        if (rc == 1)
            found = vector_find_rising (files->forces[k], step, &cut->models[k],
                                        err);
        if (found < 0)
            return -1;
        if (found != 1)
            cut->models[k] = UINT64_MAX;
    }
    return rc < 0 ? -1 : 0;
}

/* By numbers: at the same row of all arrays. */
static int cut_by_number (const struct committee_files *files, uint64_t at,
                          struct cut *cut, struct error *err)
{
    struct npy_rows *rows = npy_rows_open (files->trajectory, err);

    if (!rows)
        return -1;
    cut->trajectory = scale (npy_rows_count (rows), at, files->piece->bytes);
    for (size_t k = 0; k < files->n_models; k++)
        cut->models[k] = cut->trajectory;
    npy_rows_close (rows);
    return 0;
}

static int find_cut (const struct committee_files *files, uint64_t at,
                     struct cut *cut, struct error *err)
{
    if (vector_division (files->trajectory) == VECTOR_BY_NUMBER)
        return cut_by_number (files, at, cut, err);
    return cut_by_step (
        files, scale (files->piece->trajectory_bytes, at, files->piece->bytes),
        cut, err);
}

/* Restrict the files, which are open, to files->piece. */
static int take_piece (const struct committee_files *files,
                       struct member *trajectory, struct member *models,
                       struct error *err)
{
    struct cut cut = { 0, xcalloc (files->n_models, sizeof (uint64_t)) };
    bool by_step = vector_division (files->trajectory) == VECTOR_BY_STEP;
    int rc = 0;

    trajectory->needs_steps = by_step;
    for (size_t k = 0; k < files->n_models; k++)
        models[k].needs_steps = by_step;
    if (files->piece->end < files->piece->bytes) {
        rc = find_cut (files, files->piece->end, &cut, err);
        trajectory->end = cut.trajectory;
        for (size_t k = 0; k < files->n_models; k++)
            models[k].end = cut.models[k];
    }
    if (rc == 0 && files->piece->begin > 0) {
        rc = find_cut (files, files->piece->begin, &cut, err);
        if (rc == 0)
            rc = member_begin_at (trajectory, cut.trajectory, err);
        for (size_t k = 0; rc == 0 && k < files->n_models; k++)
            rc = member_begin_at (&models[k], cut.models[k], err);
    }
    free (cut.models);
    return rc;
}

/* --- all of them --- */

struct committee {
    const struct committee_files *files;
    struct vector_options positions;
    struct vector_options labels;
    struct member trajectory;
    struct member *models; /* files->n_models */

    /* Of the models, for the frame at hand: */
    const double **forces;
    const double **virials;
    double *energies;

    double *atoms; /* the deviation of each, for clusters */
    size_t atoms_alloc;
};

/* Take what every model says of the trajectory's frame: 1, 0 when one says
 * nothing, or -1.
 */
static int take_labels (struct committee *committee, struct error *err)
{
    const struct member *trajectory = &committee->trajectory;
    int usable = 1;

    for (size_t k = 0; k < committee->files->n_models; k++) {
        struct member *model = &committee->models[k];
        int rc = member_seek (model, trajectory, err);

        if (rc < 0)
            return -1;
        usable = usable && rc == 1 && member_has_atoms_of (model, trajectory);
        committee->forces[k] = model->frame.vectors;
        committee->virials[k] = model->frame.virial;
        committee->energies[k] = model->frame.energy;
    }
    return usable;
}

static const double *level_of (const struct committee_files *files,
                               int quantity)
{
    return files->making->is_relative[quantity]
               ? &files->making->level[quantity]
               : NULL;
}

/* The deviations of the trajectory's frame; NaN when it is invalid. */
static int score_frame (struct committee *committee,
                        double value[DEVIATION_QUANTITIES], struct error *err)
{
    const struct committee_files *files = committee->files;
    const struct vector_frame *frame = &committee->trajectory.frame;
    size_t n = files->n_models;
    int rc = take_labels (committee, err);

    if (rc < 0)
        return -1;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        value[q] = NAN;
    if (rc == 0 || frame->n_atoms == 0
        || !all_finite (frame->vectors, 3 * frame->n_atoms))
        return 0;
    value[DEVIATION_FORCE] =
        max_force_deviation (committee->forces, n, frame->n_atoms,
                             level_of (files, DEVIATION_FORCE));
    if (files->likeness && isfinite (value[DEVIATION_FORCE]))
        likeness_add (files->likeness, committee->forces, 3 * frame->n_atoms);
    if (files->listener && isfinite (value[DEVIATION_FORCE]))
        files->listener->frame (frame->step, committee->forces, n,
                                frame->n_atoms, files->listener->arg);
    if (committee->labels.virial)
        value[DEVIATION_VIRIAL] =
            max_virial_deviation (committee->virials, n, frame->n_atoms,
                                  level_of (files, DEVIATION_VIRIAL));
    if (committee->labels.energy)
        value[DEVIATION_ENERGY] =
            energy_deviation (committee->energies, n, frame->n_atoms);
    return 0;
}

/* The deviations of a frame's atoms, none of which is valid when the frame is
 * not.
 */
static void score_atoms (struct committee *committee, bool valid,
                         struct deviation_rows *rows)
{
    const struct committee_files *files = committee->files;
    size_t n_atoms = committee->trajectory.frame.n_atoms;

    if (n_atoms > committee->atoms_alloc) {
        committee->atoms =
            xreallocarray (committee->atoms, n_atoms, sizeof (double));
        committee->atoms_alloc = n_atoms;
    }
    if (valid)
        atom_deviations (committee->forces, files->n_models, n_atoms,
                         level_of (files, DEVIATION_FORCE), committee->atoms);
    for (size_t i = 0; !valid && i < n_atoms; i++)
        committee->atoms[i] = NAN;
    rows->atoms = committee->atoms;
    rows->n_atoms = n_atoms;
}

/* Add the trajectory's frame to the rows. */
static int add_row (struct committee *committee, struct deviation_rows *rows,
                    uint64_t *places, struct error *err)
{
    const struct vector_frame *frame = &committee->trajectory.frame;
    double value[DEVIATION_QUANTITIES];
    size_t i = rows->n;

    if (score_frame (committee, value, err) < 0)
        return -1;
    rows->step[i] = frame->step;
    places[i] = frame->place;
    for (int q = 0; q < DEVIATION_QUANTITIES; q++)
        rows->value[q][i] = value[q];
    if (committee->files->rules->clusters.any)
        score_atoms (committee, isfinite (value[DEVIATION_FORCE]), rows);
    rows->n++;
    return 0;
}

/* All files are read to the end, also when the trajectory ends before: only
 * where the steps rise in all of a file was the right frame found in the
 * middle, and what is wrong with a file is found by any number of ranks.
 */
static int drain (struct committee *committee, struct error *err)
{
    int rc = 0;

    for (size_t k = 0; k < committee->files->n_models; k++) {
        while (committee->models[k].reader
               && (rc = member_next (&committee->models[k], err)) == 1)
            ;
        if (rc < 0)
            return -1;
    }
    return 0;
}

int committee_next (struct committee *committee, struct deviation_rows *rows,
                    uint64_t *places, struct error *err)
{
    const struct rules *rules = committee->files->rules;
    struct member *trajectory = &committee->trajectory;
    size_t max = rules->clusters.any ? 1 : DEVIATION_ROWS_MAX;
    int rc = 0;

    rows->n = 0;
    rows->section = 0;
    rows->atoms = NULL;
    rows->n_atoms = 0;
    while (trajectory->reader && rows->n < max) {
        rc = member_next (trajectory, err);
        if (rc != 1)
            break;
        if (trajectory->frame.step < rules->skip_steps)
            continue;
        if (add_row (committee, rows, places, err) < 0)
            return -1;
    }
    if (rc == 0 && rows->n == 0 && drain (committee, err) < 0)
        return -1;
    return rc < 0 ? -1 : rows->n > 0;
}

bool committee_went_back (const struct committee *committee)
{
    bool went_back = committee->trajectory.went_back;

    for (size_t k = 0; k < committee->files->n_models; k++)
        went_back |= committee->models[k].went_back;
    return went_back;
}

/* What is read of the files. */
static void set_options (struct committee *committee)
{
    const struct rules *rules = committee->files->rules;

    committee->positions = (struct vector_options){
        .kind = VECTOR_POSITIONS,
        .columns = committee->files->making->position_columns
    };
    committee->labels = (struct vector_options){
        .kind = VECTOR_FORCES,
        .columns = committee->files->making->force_columns,
    };
    if (rules->n_systems > 0) {
        committee->labels.energy = rules->criteria[0].has[DEVIATION_ENERGY];
        committee->labels.virial = rules->criteria[0].has[DEVIATION_VIRIAL];
    }
}

static int open_files (struct committee *committee, uint64_t *absent,
                       struct error *err)
{
    const struct committee_files *files = committee->files;
    int rc = member_open (&committee->trajectory, files->trajectory,
                          &committee->positions,
                          &absent[COUNT_ABSENT_TRAJECTORIES], err);

    for (size_t k = 0; rc == 0 && k < files->n_models; k++) {
        if (committee->trajectory.reader)
            rc = member_open (&committee->models[k], files->forces[k],
                              &committee->labels, &absent[COUNT_ABSENT_FORCES],
                              err);
    }
    return rc;
}

struct committee *committee_open (const struct committee_files *files,
                                  uint64_t *counts, struct error *err)
{
    struct committee *committee = xcalloc (1, sizeof (*committee));
    uint64_t absent[SCAN_COUNTS] = { 0 };
    size_t n = files->n_models;
    int rc;

    committee->files = files;
    committee->models = xcalloc (n, sizeof (*committee->models));
    committee->forces = xcalloc (n, sizeof (*committee->forces));
    committee->virials = xcalloc (n, sizeof (*committee->virials));
    committee->energies = xcalloc (n, sizeof (*committee->energies));
    set_options (committee);
    rc = open_files (committee, absent, err);
    if (rc == 0 && files->piece && committee->trajectory.reader)
        rc = take_piece (files, &committee->trajectory, committee->models, err);
    for (int i = 0; i < SCAN_COUNTS; i++)
        counts[i] += files->piece && files->piece->begin > 0 ? 0 : absent[i];
    if (rc == 0)
        return committee;
    committee_close (committee, counts);
    return NULL;
}

void committee_close (struct committee *committee, uint64_t *counts)
{
    if (!committee)
        return;
    member_close (&committee->trajectory, counts);
    for (size_t k = 0; k < committee->files->n_models; k++)
        member_close (&committee->models[k], counts);
    free (committee->models);
    free (committee->forces);
    free (committee->virials);
    free (committee->energies);
    free (committee->atoms);
    free (committee);
}
