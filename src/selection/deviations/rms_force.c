/* SPDX-License-Identifier: BSD-3-Clause */
/* rms_force.c - how large the forces of a trajectory are */
#include "base/base.h"

#include "formats/vector_reader.h"
#include "selection/deviations/rms_force.h"
#include "selection/deviations/step_files.h"

/* Over the frames so far. */
struct mean {
    double squares;
    uint64_t n_atoms;
};

static void add_frame (const struct vector_frame *frame, struct mean *mean)
{
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        mean->squares += frame->vectors[i] * frame->vectors[i];
    mean->n_atoms += frame->n_atoms;
}

static int add_file (const char *path, struct mean *mean, struct error *err)
{
    static const struct vector_options forces = { .kind = VECTOR_FORCES };
    struct error why = ERROR_INIT;
    struct vector_reader *reader = vector_reader_open (path, &forces, &why);
    struct vector_frame frame;
    int rc;

    if (!reader)
        return error_is_absence (&why) ? 0 : error_copy (err, &why);
    while ((rc = vector_reader_next (reader, &frame, err)) == 1)
        add_frame (&frame, mean);
    vector_reader_close (reader);
    if (rc < 0)
        error_prefix (err, "deviations are taken relative to forces");
    return rc;
}

/* A file for each frame, in the order of steps. */
static int add_files (const char *path, struct mean *mean, struct error *err)
{
    _cleanup_free_ int64_t *steps = NULL;
    size_t n = 0;
    int rc = step_files_list (path, &steps, &n, err);

    for (size_t i = 0; rc == 0 && i < n; i++) {
        _cleanup_free_ char *file = step_file_path (path, steps[i]);

        rc = add_file (file, mean, err);
    }
    return rc;
}

int rms_force (const char *path, double *rms, struct error *err)
{
    struct mean mean = { 0, 0 };
    int rc = strchr (path, '*') ? add_files (path, &mean, err)
                                : add_file (path, &mean, err);

    if (rc < 0)
        return -1;
    *rms = mean.n_atoms > 0 ? sqrt (mean.squares / (double)mean.n_atoms) : NAN;
    return 0;
}
