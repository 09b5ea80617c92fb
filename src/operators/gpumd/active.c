/* SPDX-License-Identifier: BSD-3-Clause */
/* active.c - what GPUMD's keyword `active` leaves, as a trajectory with steps
 * and a file of deviations
 *
 * active.out has a row for every step that was looked at, active.xyz a frame
 * where the deviation was above the threshold, with the same time in fs.
 */
#include "base/base.h"

#include "base/file.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/gpumd/active_out.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "operators/gpumd/gpumd.h"

/* Farther out no cell is. */
static const double farthest_A = 1e6;

struct taking {
    size_t n_atoms;
    struct lines frames; /* active.xyz, where it is there */
    bool has_frames;
    struct frame frame; /* the next one that no row has had yet */
    bool has_frame;
    double frame_time_fs;
    FILE *trajectory;
    struct gpumd_active *found;
};

static int read_time (const struct frame *frame, double *time_fs,
                      struct error *err)
{
    const char *value;
    size_t len;

    if (frame_info_value (frame, "Time", &value, &len)
        && number_read (value, value + len, time_fs) == value + len)
        return 0;
    return error_set (err, "active.xyz: a frame does not tell its Time");
}

/* The next frame; one that was cut short is none. */
static int next_frame (struct taking *t, struct error *err)
{
    bool truncated = false;
    uint64_t offset;
    int rc;

    t->has_frame = false;
    if (!t->has_frames)
        return 0;
    rc = extxyz_next (&t->frames, &t->frame, &offset, &truncated, err);
    if (rc <= 0)
        return rc;
    t->has_frame = true;
    return read_time (&t->frame, &t->frame_time_fs, err);
}

/* Both are printed, one with eleven digits, the other with eight decimals. */
static bool is_at (const struct taking *t, double time_fs)
{
    return t->has_frame
           && fabs (t->frame_time_fs - time_fs) <= 1e-7 + 1e-9 * time_fs;
}

static bool is_configuration (const struct frame *frame, size_t n_atoms)
{
    bool is = frame->n_atoms == n_atoms && fabs (frame_volume (frame)) > 0;

    for (size_t i = 0; is && i < 3 * n_atoms; i++)
        is = fabs (frame->positions[i]) < farthest_A; /* false for NaN too */
    return is;
}

/* Energies and forces of one member are no labels. */
static void write_frame (struct taking *t, int64_t step)
{
    struct strbuf text = STRBUF_INIT;
    struct frame bare = t->frame;

    bare.has_energy = false;
    bare.has_virial = false;
    bare.forces = NULL;
    bare.info = xasprintf ("step=%" PRId64, step);
    extxyz_format (&bare, &text);
    fwrite (text.buf, 1, text.len, t->trajectory);
    strbuf_release (&text);
    free (bare.info);
}

static int take_row (struct taking *t, const struct active_row *row,
                     int64_t step, FILE *deviations, struct error *err)
{
    bool has_frame = is_at (t, row->time_fs);
    bool is_whole = !has_frame || is_configuration (&t->frame, t->n_atoms);
    double deviation = is_whole ? row->deviation : (double)NAN;

    fprintf (deviations, "%12" PRId64 " %18.10e\n", step, deviation);
    t->found->bad += isnan (deviation) || isinf (deviation);
    if (!has_frame)
        return 0;
    if (is_whole) {
        write_frame (t, step);
        t->found->frames++;
    }
    return next_frame (t, err);
}

static int take_rows (struct taking *t, struct lines *rows, int64_t every,
                      FILE *deviations, struct error *err)
{
    struct active_row row;
    int rc;

    fprintf (deviations, "#       step         max_devi_f\n");
    while ((rc = active_out_next (rows, &row, err)) == 1) {
        t->found->rows++;
        if (take_row (t, &row, t->found->rows * every, deviations, err) < 0)
            return -1;
    }
    if (rc == 0 && t->has_frame)
        rc = error_set (err,
                        "active.xyz has a frame at %g fs, and active.out no "
                        "row in that place; let the input have one run, from "
                        "step 0",
                        t->frame_time_fs);
    return rc;
}

static int open_both (struct taking *t, struct lines *rows, struct error *err)
{
    if (lines_open (rows, "active.out", 0, err) < 0)
        return -1;
    t->has_frames = file_exists ("active.xyz");
    if (t->has_frames && lines_open (&t->frames, "active.xyz", 0, err) < 0)
        return -1;
    return next_frame (t, err);
}

static int close_written (FILE *stream, const char *path, int rc,
                          struct error *err)
{
    if (stream && (ferror (stream) | fclose (stream)) && rc == 0)
        return error_errno (err, "cannot write '%s'", path);
    return rc;
}

int gpumd_take_active (int64_t every, size_t n_atoms, const char *deviations,
                       const char *trajectory, struct gpumd_active *active,
                       struct error *err)
{
    struct gpumd_active found = { 0 };
    struct taking t = { .n_atoms = n_atoms,
                        .frames = LINES_INIT,
                        .frame = FRAME_INIT,
                        .found = &found };
    struct lines rows = LINES_INIT;
    FILE *to = NULL;
    int rc = -1;

    if (open_both (&t, &rows, err) < 0)
        goto done;
    t.trajectory = fopen (trajectory, "we");
    to = fopen (deviations, "we");
    if (t.trajectory && to)
        rc = take_rows (&t, &rows, every, to, err);
    else
        error_errno (err, "cannot write '%s'",
                     t.trajectory ? deviations : trajectory);
done:
    rc = close_written (to, deviations, rc, err);
    rc = close_written (t.trajectory, trajectory, rc, err);
    lines_close (&rows);
    lines_close (&t.frames);
    frame_release (&t.frame);
    if (rc == 0)
        *active = found;
    return rc;
}
