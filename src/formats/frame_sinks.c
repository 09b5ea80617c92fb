/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_sinks.c - the formats that frames are written in */
#include "base/base.h"

#include "formats/deepmd/deepmd_writer.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/frame_sink.h"
#include "formats/frame_writer.h"
#include "formats/lammps/dump_format.h"
#include "formats/lammps/lammps_axes.h"
#include "formats/lammps/lammps_data.h"
#include "formats/vasp/poscar.h"

static int format_extxyz (const struct frame *frame,
                          const struct frame_writing *writing,
                          struct strbuf *out, struct error *err)
{
    if (writing->names.stress && frame->has_virial && frame_volume (frame) == 0)
        return error_set (err, "a stress needs a cell with a volume");
    extxyz_format_as (frame, &writing->names, out);
    return 0;
}

typedef int format_lammps (const struct frame *frame, char *const *elements,
                           size_t n_elements, struct strbuf *out,
                           struct error *err);

static double *copy_vectors (const double *vectors, size_t n)
{
    double *copy = vectors ? xcalloc (3 * n, sizeof (*copy)) : NULL;

    if (copy)
        memcpy (copy, vectors, 3 * n * sizeof (*copy));
    return copy;
}

/* In the axes of LAMMPS, in which most frames are. */
static int format_turned (const struct frame *frame,
                          const struct frame_writing *writing,
                          struct strbuf *out, format_lammps *format,
                          struct error *err)
{
    struct frame turned = *frame;
    double axes[9];
    int rc;

    if (lammps_cell_check (frame->cell, NULL) == 0)
        return format (frame, writing->elements, writing->n_elements, out, err);
    if (lammps_axes_of (frame->cell, axes, err) < 0)
        return -1;
    turned.positions = copy_vectors (frame->positions, frame->n_atoms);
    turned.forces = copy_vectors (frame->forces, frame->n_atoms);
    lammps_axes_turn (axes, turned.positions, frame->n_atoms);
    if (turned.forces)
        lammps_axes_turn (axes, turned.forces, frame->n_atoms);
    lammps_axes_turn_cell (axes, turned.cell);
    rc = format (&turned, writing->elements, writing->n_elements, out, err);
    free (turned.positions);
    free (turned.forces);
    return rc;
}

static int format_data (const struct frame *frame,
                        const struct frame_writing *writing, struct strbuf *out,
                        struct error *err)
{
    return format_turned (frame, writing, out, lammps_data_format, err);
}

static int format_dump (const struct frame *frame,
                        const struct frame_writing *writing, struct strbuf *out,
                        struct error *err)
{
    return format_turned (frame, writing, out, dump_format, err);
}

static int format_poscar (const struct frame *frame,
                          const struct frame_writing *writing,
                          struct strbuf *out, struct error *err)
{
    (void)writing;
    if (poscar_check (frame, err) < 0)
        return -1;
    poscar_format (frame, out);
    return 0;
}

/* --- DeePMD systems --- */

struct deepmd_sink {
    struct deepmd_writing writing;
    struct deepmd_writer *writer;
    bool for_training;
};

static void close_deepmd (void *at)
{
    _cleanup_free_ struct deepmd_sink *sink = at;

    deepmd_writer_destroy (sink->writer);
}

static void *open_deepmd (enum deepmd_form form, const char *path,
                          const struct frame_writing *writing,
                          struct error *err)
{
    struct deepmd_sink *sink = xcalloc (1, sizeof (*sink));

    sink->writing = (struct deepmd_writing){ .form = form,
                                             .elements = writing->elements,
                                             .n_elements = writing->n_elements,
                                             .float32 = writing->float32,
                                             .set_size = writing->set_size };
    sink->for_training = writing->for_training;
    sink->writer = deepmd_writer_create (path, &sink->writing, err);
    if (sink->writer)
        return sink;
    close_deepmd (sink);
    return NULL;
}

static void *open_npy (const char *path, const struct frame_writing *writing,
                       struct error *err)
{
    return open_deepmd (DEEPMD_NPY, path, writing, err);
}

static void *open_mixed (const char *path, const struct frame_writing *writing,
                         struct error *err)
{
    return open_deepmd (DEEPMD_MIXED, path, writing, err);
}

static void *open_raw (const char *path, const struct frame_writing *writing,
                       struct error *err)
{
    return open_deepmd (DEEPMD_RAW, path, writing, err);
}

static int add_deepmd (void *at, const struct frame *frame, struct error *err)
{
    struct deepmd_sink *sink = at;

    if (deepmd_frame_check (frame, &sink->writing, sink->for_training, err) < 0)
        return -1;
    return deepmd_writer_add (sink->writer, frame, err);
}

static int finish_deepmd (void *at, struct error *err)
{
    struct deepmd_sink *sink = at;

    return deepmd_writer_finish (sink->writer, err);
}

#define DEEPMD_SINK(form)                                                      \
    .needs_elements = true, .open = form, .add = add_deepmd,                   \
    .finish = finish_deepmd, .close = close_deepmd

const struct frame_sink frame_sinks[] = {
    { .name = "extxyz", .endings = ".xyz .extxyz", .format = format_extxyz },
    { .name = "lammps-data",
      .endings = ".data .lmp",
      .needs_elements = true,
      .holds_one = true,
      .has_no_labels = true,
      .format = format_data },
    { .name = "lammps-dump",
      .endings = ".lammpstrj .dump",
      .needs_elements = true,
      .has_no_labels = true,
      .format = format_dump },
    { .name = "poscar",
      .endings = "POSCAR .vasp .poscar",
      .holds_one = true,
      .has_no_labels = true,
      .format = format_poscar },
    { .name = "deepmd", .has_sets = true, DEEPMD_SINK (open_npy) },
    { .name = "deepmd-mixed", .has_sets = true, DEEPMD_SINK (open_mixed) },
    { .name = "deepmd-raw", DEEPMD_SINK (open_raw) },
    { 0 },
};
