/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - one pass through a trajectory and its committee's forces */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/lammps_dump.h"
#include "reduce/plan_file.h"
#include "reduce/scan.h"
#include "selection/deviation.h"
#include "selection/draw.h"

/* A dump and the frame it stands at. */
struct dump_file {
    const char *path;
    struct dump_reader *reader; /* NULL: there is no such file */
    struct dump_frame frame;
    bool at_frame; /* 'frame' was read and not matched yet */
};

/* What is known of one frame when its trajectory has been read. */
struct scored {
    int64_t step;
    size_t index; /* in the file */
    uint64_t offset;
    double deviation; /* NaN: invalid */
};

struct scan {
    const struct plan *plan;
    struct scan_result *result;
    struct dump_file trajectory;
    struct dump_file *forces; /* plan->n_models */
    double **vectors;         /* the forces of each, 3 numbers an atom */
    size_t atoms_alloc;       /* that 'vectors' have room for */
    struct scored *scored;
    size_t n_scored;
    size_t scored_alloc;
};

/* A file that is not there is counted, not an error. */
static int open_dump (struct scan *scan,
                      struct dump_file *file,
                      const char *path,
                      int absent,
                      struct error *err)
{
    *file = (struct dump_file){ .path = path, .frame = DUMP_FRAME_INIT };
    file->reader = dump_reader_open (path, err);
    if (file->reader)
        return 0;
    if (errno != ENOENT)
        return -1;
    scan->result->counts[absent]++;
    return 0;
}

static void close_dump (struct scan *scan, struct dump_file *file)
{
    if (file->reader && dump_reader_truncated (file->reader))
        scan->result->counts[COUNT_CUT_FILES]++;
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

static void make_room (struct scan *scan, size_t n_atoms)
{
    if (n_atoms <= scan->atoms_alloc)
        return;
    for (size_t k = 0; k < scan->plan->n_models; k++)
        scan->vectors[k] =
            xreallocarray (scan->vectors[k], n_atoms, 3 * sizeof (double));
    scan->atoms_alloc = n_atoms;
}

/* Are the positions of the trajectory's frame numbers?  -1: there are none. */
static int check_positions (struct scan *scan, struct error *err)
{
    static const char *const names[] = { "x", "y", "z" };
    size_t columns[3];

    if (find_vector (&scan->trajectory, names, columns, err) < 0)
        return -1;
    return copy_vectors (&scan->trajectory.frame, columns, scan->vectors[0]);
}

/* Take the forces of model k for the trajectory's frame: 1, 0 when they cannot
 * be used, or -1.
 */
static int take_forces (struct scan *scan, size_t k, struct error *err)
{
    static const char *const names[] = { "fx", "fy", "fz" };
    struct dump_file *file = &scan->forces[k];
    size_t columns[3];
    int rc = seek_step (file, scan->trajectory.frame.step, err);

    if (rc != 1)
        return rc;
    if (find_vector (file, names, columns, err) < 0)
        return -1;
    return same_atoms (&scan->trajectory.frame, &file->frame)
           && copy_vectors (&file->frame, columns, scan->vectors[k]);
}

/* The deviation of the trajectory's frame; NaN when it is invalid. */
static int score_frame (struct scan *scan, double *deviation, struct error *err)
{
    const struct dump_frame *frame = &scan->trajectory.frame;
    size_t n_models = scan->plan->n_models;
    bool valid;
    int rc;

    make_room (scan, frame->n_atoms);
    if ((rc = check_positions (scan, err)) < 0)
        return -1;
    valid = rc == 1 && frame->n_atoms > 0;
    for (size_t k = 0; k < n_models; k++) {
        if ((rc = take_forces (scan, k, err)) < 0)
            return -1;
        valid = valid && rc == 1;
    }
    *deviation = NAN;
    if (valid)
        *deviation = force_deviation ((const double *const *)scan->vectors,
                                      n_models, frame->n_atoms)
                         .max;
    return 0;
}

static int score_frames (struct scan *scan, struct error *err)
{
    struct dump_file *file = &scan->trajectory;
    int rc;

    while ((rc = dump_reader_next (file->reader, &file->frame, err)) == 1) {
        struct scored *scored;

        if (file->frame.step < scan->plan->skip_steps)
            continue;
        scan->scored = grow_array (scan->scored, scan->n_scored,
                                   &scan->scored_alloc, sizeof (*scored));
        scored = &scan->scored[scan->n_scored];
        *scored = (struct scored){ .step = file->frame.step,
                                   .index = scan->n_scored,
                                   .offset = file->frame.offset };
        if (score_frame (scan, &scored->deviation, err) < 0)
            return -1;
        scan->n_scored++;
    }
    return rc;
}

static int compare_scored (const void *a, const void *b)
{
    const struct scored *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Of each step only the last frame counts. */
static void count_frames (struct scan *scan,
                          const struct trajectory *trajectory,
                          struct draw *draw)
{
    struct scan_result *result = scan->result;
    uint64_t n = 0;

    if (scan->n_scored > 1)
        qsort (scan->scored, scan->n_scored, sizeof (*scan->scored),
               compare_scored);
    for (size_t i = 0; i < scan->n_scored; i++) {
        const struct scored *scored = &scan->scored[i];
        enum frame_class class;

        if (i + 1 < scan->n_scored && scored[1].step == scored->step) {
            result->counts[COUNT_REPEATED_STEPS]++;
            continue;
        }
        class = classify_frame (&scan->plan->criteria, scored->deviation, 0);
        tally_add (&result->tally, class, scored->deviation);
        n++;
        if (class == FRAME_CANDIDATE)
            draw_offer (draw, (struct drawn){ .task = trajectory->task,
                                              .step = scored->step,
                                              .place = scored->offset,
                                              .deviation = scored->deviation });
    }
    if (trajectory->expected_frames > n)
        result->counts[COUNT_LOST] += trajectory->expected_frames - n;
}

static int open_files (struct scan *scan,
                       const struct trajectory *trajectory,
                       struct error *err)
{
    if (open_dump (scan, &scan->trajectory, trajectory->path,
                   COUNT_ABSENT_TRAJECTORIES, err)
        < 0)
        return -1;
    for (size_t k = 0; scan->trajectory.reader && k < scan->plan->n_models;
         k++) {
        if (open_dump (scan, &scan->forces[k], trajectory->forces[k],
                       COUNT_ABSENT_FORCES, err)
            < 0)
            return -1;
    }
    return 0;
}

static void scan_release (struct scan *scan)
{
    close_dump (scan, &scan->trajectory);
    for (size_t k = 0; k < scan->plan->n_models; k++) {
        close_dump (scan, &scan->forces[k]);
        free (scan->vectors[k]);
    }
    free (scan->forces);
    free (scan->vectors);
    free (scan->scored);
}

int scan_trajectory (const struct plan *plan,
                     const struct trajectory *trajectory,
                     struct scan_result *result,
                     struct draw *draw,
                     struct error *err)
{
    struct scan scan = { .plan = plan, .result = result };
    int rc;

    scan.forces = xcalloc (plan->n_models, sizeof (*scan.forces));
    scan.vectors = xcalloc (plan->n_models, sizeof (*scan.vectors));
    rc = open_files (&scan, trajectory, err);
    if (rc == 0 && scan.trajectory.reader)
        rc = score_frames (&scan, err);
    if (rc == 0)
        count_frames (&scan, trajectory, draw);
    scan_release (&scan);
    return rc;
}
