/* SPDX-License-Identifier: BSD-3-Clause */
/* feature_places.c - which rows of features are those of drawn frames */
#include "base/base.h"

#include "formats/vector_reader.h"
#include "reduce/feature_places.h"
#include "reduce/selection_input.h"

/* A frame that is looked for. */
struct wanted {
    uint64_t start;
    size_t i; /* of those asked for */
};

static int compare_starts (const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* By start; beads may share a frame.  Caller frees. */
static struct wanted *sort_starts (const uint64_t *starts, size_t n)
{
    struct wanted *wanted = xcalloc (n, sizeof (*wanted));

    for (size_t i = 0; i < n; i++)
        wanted[i] = (struct wanted){ starts[i], i };
    if (n > 1)
        qsort (wanted, n, sizeof (*wanted), compare_starts);
    return wanted;
}

static double rms_of (const struct vector_frame *frame)
{
    double sum = 0;

    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        sum += frame->forces[i] * frame->forces[i];
    return frame->n_atoms > 0 ? sqrt (sum / (double)frame->n_atoms) : 0;
}

/* Of one frame, whoever looks for it. */
static int note_frame (const struct vector_frame *frame,
                       const struct feature_place *place,
                       const struct wanted *wanted, size_t n, size_t *at,
                       struct feature_place *found, double *forces,
                       struct error *err)
{
    for (; *at < n && wanted[*at].start == frame->place; (*at)++) {
        if (forces && !frame->forces)
            return error_set (err, "no forces, of which pick: weight: force "
                                   "is; dump fx fy fz too");
        if (forces)
            forces[wanted[*at].i] = rms_of (frame);
        if (forces && !isfinite (forces[wanted[*at].i]))
            return error_set (err,
                              "frame %llu (from 0): its forces are not "
                              "finite numbers",
                              (unsigned long long)place->frame);
        found[wanted[*at].i] = *place;
    }
    return 0;
}

int feature_places_find (const struct selection_input *input,
                         const struct trajectory *trajectory,
                         const uint64_t *starts, size_t n,
                         struct feature_place *found, double *forces,
                         struct feature_place *all, struct error *err)
{
    const struct vector_options options = {
        .kind = VECTOR_POSITIONS,
        .structure = true, /* so that any columns of positions will do */
        .with_forces = forces != NULL,
        .columns = input->committee.position_columns,
    };
    _cleanup_free_ struct wanted *wanted = sort_starts (starts, n);
    struct vector_reader *reader;
    struct vector_frame frame = { 0 };
    size_t at = 0;
    int rc;

    *all = (struct feature_place){ 0 };
    if (strchr (trajectory->path, '*'))
        return error_set (err,
                          "%s: features, and weight: force, are of frames in "
                          "one file, not of a file for each",
                          trajectory->path);
    reader = vector_reader_open (trajectory->path, &options, err);
    if (!reader)
        return -1;
    while ((rc = vector_reader_next (reader, &frame, err)) == 1) {
        all->n_atoms = frame.n_atoms;
        if (note_frame (&frame, all, wanted, n, &at, found, forces, err) < 0) {
            rc = error_prefix (err, "%s", trajectory->path);
            break;
        }
        all->frame++;
        all->atom += frame.n_atoms;
    }
    vector_reader_close (reader);
    if (rc == 0 && at < n)
        rc = error_set (err, "%s: changed while it was being read",
                        trajectory->path);
    return rc;
}
