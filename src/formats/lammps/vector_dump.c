/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_dump.c - positions or forces out of LAMMPS dumps, text and binary */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/atom_vectors.h"
#include "formats/lammps/dump_steps.h"
#include "formats/lammps/lammps_binary.h"
#include "formats/lammps/lammps_dump.h"
#include "formats/vector_reader.h"
#include "formats/vector_source.h"

/* One of both. */
struct dump_source {
    struct dump_reader *text;
    struct binary_dump *binary;
    const struct vector_options *options;
    struct dump_frame frame;
    struct atom_vectors atoms;
};

/* Dumps hold nothing but what atoms have. */
static int check_options (const char *path,
                          const struct vector_options *options,
                          struct error *err)
{
    if (!options->energy && !options->virial)
        return 0;
    errno = EINVAL;
    return error_set (err,
                      "%s: there are levels for the %s, which a LAMMPS dump "
                      "does not hold; give extended XYZ or npy files",
                      path, options->virial ? "virial" : "energy");
}

static struct dump_source *new_source (const struct vector_options *options)
{
    struct dump_source *source = xcalloc (1, sizeof (*source));

    source->options = options;
    source->frame = (struct dump_frame)DUMP_FRAME_INIT;
    return source;
}

static void close_source (void *self)
{
    struct dump_source *source = self;

    dump_reader_close (source->text);
    binary_dump_close (source->binary);
    dump_frame_release (&source->frame);
    atom_vectors_release (&source->atoms);
    free (source);
}

static struct dump_source *open_source (const char *path,
                                        const struct vector_options *options,
                                        bool binary,
                                        struct error *err)
{
    struct dump_source *source;
    int saved;

    if (check_options (path, options, err) < 0)
        return NULL;
    source = new_source (options);
    if (binary)
        source->binary = binary_dump_open (path, options->columns, err);
    else
        source->text = dump_reader_open (path, err);
    if (source->text || source->binary)
        return source;
    saved = errno;
    close_source (source);
    errno = saved;
    return NULL;
}

static void *open_text (const char *path,
                        const struct vector_options *options,
                        struct error *err)
{
    return open_source (path, options, false, err);
}

static void *open_binary (const char *path,
                          const struct vector_options *options,
                          struct error *err)
{
    return open_source (path, options, true, err);
}

static int next (void *self, struct vector_frame *frame, struct error *err)
{
    struct dump_source *source = self;
    const char *const *names = vector_columns (source->options);
    int rc;

    if (source->text)
        rc = dump_reader_next_vectors (source->text, names, &source->frame,
                                       &source->atoms, err);
    else
        rc = binary_dump_next_vectors (source->binary, names, &source->frame,
                                       &source->atoms, err);
    if (rc != 1)
        return rc;
    frame->has_step = true;
    frame->step = source->frame.step;
    frame->place = source->frame.offset;
    frame->n_atoms = source->atoms.n;
    frame->ids = source->atoms.has_ids ? source->atoms.ids : NULL;
    frame->ids_version = source->atoms.ids_version;
    frame->vectors = source->atoms.vectors;
    return 1;
}

static bool truncated (const void *self)
{
    const struct dump_source *source = self;

    return source->text ? dump_reader_truncated (source->text)
                        : binary_dump_truncated (source->binary);
}

static int go_to (void *self, uint64_t place, struct error *err)
{
    struct dump_source *source = self;

    return source->text ? dump_reader_go_to (source->text, place, err)
                        : binary_dump_go_to (source->binary, place, err);
}

const struct vector_source vector_text_dump = {
    open_text, close_source, next, truncated, go_to, dump_find_frame,
};

const struct vector_source vector_binary_dump = {
    open_binary, close_source, next, truncated, go_to, binary_dump_find_frame,
};
