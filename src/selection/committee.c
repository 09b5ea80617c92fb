/* SPDX-License-Identifier: BSD-3-Clause */
/* committee.c - rows of deviations out of a trajectory and a committee's forces
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/deviation_file.h"
#include "formats/vector_reader.h"
#include "selection/committee.h"
#include "selection/committee_rules.h"
#include "selection/deviation.h"
#include "selection/rules.h"

/* A file and the frame it stands at. */
struct member {
    struct vector_reader *reader; /* NULL: there is no such file */
    struct vector_frame frame;
    int64_t number; /* of the frame in the file, from 0; -1: none was read */
    bool at_frame;  /* 'frame' was read and not matched yet */
};

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

/* A file that is not there is counted, not an error. */
static int open_member (struct member *member,
                        const char *path,
                        const struct vector_options *options,
                        uint64_t *absent,
                        struct error *err)
{
    *member = (struct member){ .number = -1 };
    member->reader = vector_reader_open (path, options, err);
    if (member->reader)
        return 0;
    if (errno != ENOENT)
        return -1;
    ++*absent;
    return 0;
}

static void close_member (struct member *member,
                          struct committee_losses *losses)
{
    if (member->reader && vector_reader_truncated (member->reader))
        losses->cut_files++;
    vector_reader_close (member->reader);
}

static int next_frame (struct member *member, struct error *err)
{
    int rc = vector_reader_next (member->reader, &member->frame, err);

    member->at_frame = rc == 1;
    member->number += rc == 1;
    return rc;
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
static int seek_frame (struct member *member,
                       const struct member *trajectory,
                       struct error *err)
{
    while (member->reader
           && (!member->at_frame || compare_frames (member, trajectory) < 0)) {
        int rc = next_frame (member, err);

        if (rc != 1)
            return rc;
    }
    if (!member->reader || compare_frames (member, trajectory) != 0)
        return 0;
    member->at_frame = false;
    return 1;
}

/* As many atoms, and of the same ids as far as both files hold ids. */
static bool same_atoms (const struct vector_frame *a,
                        const struct vector_frame *b)
{
    bool same = true;

    if (a->n_atoms != b->n_atoms)
        return false;
    for (size_t i = 0; a->ids && b->ids && i < a->n_atoms; i++)
        same &= a->ids[i] == b->ids[i];
    return same;
}

/* Take what every model says of the trajectory's frame: 1, 0 when one says
 * nothing, or -1.
 */
static int take_labels (struct committee *committee, struct error *err)
{
    const struct member *trajectory = &committee->trajectory;
    int usable = 1;

    for (size_t k = 0; k < committee->files->n_models; k++) {
        struct member *model = &committee->models[k];
        int rc = seek_frame (model, trajectory, err);

        if (rc < 0)
            return -1;
        usable =
            usable && rc == 1 && same_atoms (&trajectory->frame, &model->frame);
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
            virial_deviation (committee->virials, n, frame->n_atoms,
                              level_of (files, DEVIATION_VIRIAL))
                .max;
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
        rc = next_frame (trajectory, err);
        if (rc != 1)
            break;
        if (trajectory->frame.step < rules->skip_steps)
            continue;
        if (add_row (committee, rows, places, err) < 0)
            return -1;
    }
    return rc < 0 ? -1 : rows->n > 0;
}

/* What is read of the files. */
static void set_options (struct committee *committee)
{
    const struct rules *rules = committee->files->rules;

    committee->positions = (struct vector_options){
        .kind = VECTOR_POSITIONS,
        .columns = committee->files->making->position_columns
    };
    committee->labels =
        (struct vector_options){ .kind = VECTOR_FORCES,
                                 .columns =
                                     committee->files->making->force_columns };
    if (rules->n_systems > 0) {
        committee->labels.energy = rules->criteria[0].has[DEVIATION_ENERGY];
        committee->labels.virial = rules->criteria[0].has[DEVIATION_VIRIAL];
    }
}

struct committee *committee_open (const struct committee_files *files,
                                  struct committee_losses *losses,
                                  struct error *err)
{
    struct committee *committee = xcalloc (1, sizeof (*committee));
    size_t n = files->n_models;
    int rc;

    committee->files = files;
    committee->models = xcalloc (n, sizeof (*committee->models));
    committee->forces = xcalloc (n, sizeof (*committee->forces));
    committee->virials = xcalloc (n, sizeof (*committee->virials));
    committee->energies = xcalloc (n, sizeof (*committee->energies));
    set_options (committee);
    rc = open_member (&committee->trajectory, files->trajectory,
                      &committee->positions, &losses->absent_trajectories, err);
    for (size_t k = 0; rc == 0 && k < n; k++) {
        if (committee->trajectory.reader)
            rc = open_member (&committee->models[k], files->forces[k],
                              &committee->labels, &losses->absent_forces, err);
    }
    if (rc == 0)
        return committee;
    committee_close (committee, losses);
    return NULL;
}

void committee_close (struct committee *committee,
                      struct committee_losses *losses)
{
    if (!committee)
        return;
    close_member (&committee->trajectory, losses);
    for (size_t k = 0; k < committee->files->n_models; k++)
        close_member (&committee->models[k], losses);
    free (committee->models);
    free (committee->forces);
    free (committee->virials);
    free (committee->energies);
    free (committee->atoms);
    free (committee);
}
