/* SPDX-License-Identifier: BSD-3-Clause */
/* committee.c - rows of deviations out of a trajectory and a committee's forces
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/deviations/deviation_file.h"
#include "formats/vector_reader.h"
#include "selection/deviations/committee.h"
#include "selection/deviations/committee_member.h"
#include "selection/deviations/committee_rules.h"
#include "selection/deviations/deviation.h"
#include "selection/statistics/frame_stats.h"

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
                        double value[DEVIATION_QUANTITIES],
                        struct error *err)
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
static void score_atoms (struct committee *committee,
                         bool valid,
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
static int add_row (struct committee *committee,
                    struct deviation_rows *rows,
                    uint64_t *places,
                    struct error *err)
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

int committee_next (struct committee *committee,
                    struct deviation_rows *rows,
                    uint64_t *places,
                    struct error *err)
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

static int open_files (struct committee *committee,
                       uint64_t *absent,
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
                                  uint64_t *counts,
                                  struct error *err)
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
        rc = committee_take_piece (files, &committee->trajectory,
                                   committee->models, err);
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
