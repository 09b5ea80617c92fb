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
#include "formats/lammps_dump.h"
#include "reduce/committee.h"
#include "reduce/plan_file.h"
#include "selection/deviation.h"

/* A dump and the frame it stands at. */
struct dump_file {
    const char *path;
    struct dump_reader *reader; /* NULL: there is no such file */
    struct dump_frame frame;
    bool at_frame; /* 'frame' was read and not matched yet */
};

struct committee {
    const struct plan *plan;
    struct dump_file trajectory;
    struct dump_file *forces; /* plan->n_models */
    double **vectors;         /* the forces of each, 3 numbers an atom */
    double *atoms;            /* the deviation of each, for clusters */
    size_t atoms_alloc;       /* that these have room for */
};

/* A file that is not there is counted, not an error. */
static int open_dump (struct dump_file *file,
                      const char *path,
                      uint64_t *absent,
                      struct error *err)
{
    *file = (struct dump_file){ .path = path, .frame = DUMP_FRAME_INIT };
    file->reader = dump_reader_open (path, err);
    if (file->reader)
        return 0;
    if (errno != ENOENT)
        return -1;
    ++*absent;
    return 0;
}

static void close_dump (struct dump_file *file, uint64_t counts[SCAN_COUNTS])
{
    if (file->reader && dump_reader_truncated (file->reader))
        counts[COUNT_CUT_FILES]++;
    dump_reader_close (file->reader);
    dump_frame_release (&file->frame);
}

/* Go on to the frame of 'step': 1, 0 when it is not there, or -1.  Steps may
 * start again (a restarted run); the file then has to do the same.
 */
static int seek_step (struct dump_file *file, int64_t step, struct error *err)
{
    while (file->reader && (!file->at_frame || file->frame.step < step)) {
        int rc = dump_reader_next (file->reader, &file->frame, err);

        file->at_frame = rc == 1;
        if (rc != 1)
            return rc;
    }
    if (!file->reader || file->frame.step != step)
        return 0;
    file->at_frame = false;
    return 1;
}

/* The columns of a vector; all three must be there. */
static int find_vector (const struct dump_file *file,
                        const char *const names[3],
                        size_t columns[3],
                        struct error *err)
{
    for (int i = 0; i < 3; i++) {
        int column = dump_frame_column (&file->frame, names[i]);

        if (column < 0)
            return error_set (
                err, "%s: no column '%s'; dump the columns %s %s %s",
                file->path, names[i], names[0], names[1], names[2]);
        columns[i] = (size_t)column;
    }
    return 0;
}

/* Copy a vector of each atom; false when one is not finite. */
static bool copy_vectors (const struct dump_frame *frame,
                          const size_t columns[3],
                          double *out)
{
    const double *row = frame->values;
    bool finite = true;

    for (size_t i = 0; i < frame->n_atoms; i++, row += frame->columns.n) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = row[columns[j]];
            finite = finite && isfinite (row[columns[j]]);
        }
    }
    return finite;
}

/* As many atoms, and of the same ids as far as both dumps hold ids. */
static bool same_atoms (const struct dump_frame *a, const struct dump_frame *b)
{
    int id_a = dump_frame_column (a, "id"), id_b = dump_frame_column (b, "id");

    if (a->n_atoms != b->n_atoms)
        return false;
    for (size_t i = 0; id_a >= 0 && id_b >= 0 && i < a->n_atoms; i++) {
        if (a->values[i * a->columns.n + (size_t)id_a]
            != b->values[i * b->columns.n + (size_t)id_b])
            return false;
    }
    return true;
}

static void make_room (struct committee *committee, size_t n_atoms)
{
    if (n_atoms <= committee->atoms_alloc)
        return;
    for (size_t k = 0; k < committee->plan->n_models; k++)
        committee->vectors[k] =
            xreallocarray (committee->vectors[k], n_atoms, 3 * sizeof (double));
    committee->atoms =
        xreallocarray (committee->atoms, n_atoms, sizeof (double));
    committee->atoms_alloc = n_atoms;
}

/* Are the positions of the trajectory's frame numbers?  -1: there are none. */
static int check_positions (struct committee *committee, struct error *err)
{
    static const char *const names[] = { "x", "y", "z" };
    size_t columns[3];

    if (find_vector (&committee->trajectory, names, columns, err) < 0)
        return -1;
    return copy_vectors (&committee->trajectory.frame, columns,
                         committee->vectors[0]);
}

/* Take the forces of model k for the trajectory's frame: 1, 0 when they cannot
 * be used, or -1.
 */
static int take_forces (struct committee *committee,
                        size_t k,
                        struct error *err)
{
    static const char *const names[] = { "fx", "fy", "fz" };
    struct dump_file *file = &committee->forces[k];
    size_t columns[3];
    int rc = seek_step (file, committee->trajectory.frame.step, err);

    if (rc != 1)
        return rc;
    if (find_vector (file, names, columns, err) < 0)
        return -1;
    return same_atoms (&committee->trajectory.frame, &file->frame)
           && copy_vectors (&file->frame, columns, committee->vectors[k]);
}

/* The deviations of a frame's atoms, none of which is valid when the frame is
 * not.
 */
static void score_atoms (struct committee *committee,
                         bool valid,
                         struct deviation_rows *rows)
{
    size_t n_atoms = committee->trajectory.frame.n_atoms;

    if (valid)
        atom_deviations ((const double *const *)committee->vectors,
                         committee->plan->n_models, n_atoms, committee->atoms);
    for (size_t i = 0; !valid && i < n_atoms; i++)
        committee->atoms[i] = NAN;
    rows->atoms = committee->atoms;
    rows->n_atoms = n_atoms;
}

/* The deviation of the trajectory's frame; NaN when it is invalid. */
static int score_frame (struct committee *committee,
                        double *deviation,
                        struct error *err)
{
    const struct dump_frame *frame = &committee->trajectory.frame;
    size_t n_models = committee->plan->n_models;
    bool valid;
    int rc;

    make_room (committee, frame->n_atoms);
    if ((rc = check_positions (committee, err)) < 0)
        return -1;
    valid = rc == 1 && frame->n_atoms > 0;
    for (size_t k = 0; k < n_models; k++) {
        if ((rc = take_forces (committee, k, err)) < 0)
            return -1;
        valid = valid && rc == 1;
    }
    *deviation = NAN;
    if (valid)
        *deviation = force_deviation ((const double *const *)committee->vectors,
                                      n_models, frame->n_atoms)
                         .max;
    return 0;
}

int committee_next (struct committee *committee,
                    struct deviation_rows *rows,
                    uint64_t *places,
                    struct error *err)
{
    struct dump_file *file = &committee->trajectory;
    bool clusters = committee->plan->rules.clusters.any;
    int rc = 0;

    rows->n = 0;
    rows->section = 0;
    rows->atoms = NULL;
    rows->n_atoms = 0;
    while (file->reader && rows->n < (clusters ? 1 : DEVIATION_ROWS_MAX)) {
        size_t i = rows->n;

        rc = dump_reader_next (file->reader, &file->frame, err);
        if (rc != 1)
            break;
        if (file->frame.step < committee->plan->rules.skip_steps)
            continue;
        rows->step[i] = file->frame.step;
        places[i] = file->frame.offset;
        if (score_frame (committee, &rows->value[DEVIATION_FORCE][i], err) < 0)
            return -1;
        if (clusters)
            score_atoms (committee,
                         isfinite (rows->value[DEVIATION_FORCE][i]), rows);
        rows->n++;
    }
    return rc < 0 ? -1 : rows->n > 0;
}

struct committee *committee_open (const struct plan *plan,
                                  const struct trajectory *trajectory,
                                  uint64_t counts[SCAN_COUNTS],
                                  struct error *err)
{
    struct committee *committee = xcalloc (1, sizeof (*committee));
    int rc;

    committee->plan = plan;
    committee->forces = xcalloc (plan->n_models, sizeof (*committee->forces));
    committee->vectors = xcalloc (plan->n_models, sizeof (double *));
    rc = open_dump (&committee->trajectory, trajectory->path,
                    &counts[COUNT_ABSENT_TRAJECTORIES], err);
    for (size_t k = 0; rc == 0 && k < plan->n_models; k++) {
        if (committee->trajectory.reader)
            rc = open_dump (&committee->forces[k], trajectory->forces[k],
                            &counts[COUNT_ABSENT_FORCES], err);
    }
    if (rc == 0)
        return committee;
    committee_close (committee, counts);
    return NULL;
}

void committee_close (struct committee *committee, uint64_t counts[SCAN_COUNTS])
{
    if (!committee)
        return;
    close_dump (&committee->trajectory, counts);
    for (size_t k = 0; k < committee->plan->n_models; k++) {
        close_dump (&committee->forces[k], counts);
        free (committee->vectors[k]);
    }
    free (committee->forces);
    free (committee->vectors);
    free (committee->atoms);
    free (committee);
}
