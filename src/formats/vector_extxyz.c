/* SPDX-License-Identifier: BSD-3-Clause */
/* vector_extxyz.c - positions or forces out of extended XYZ */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/extxyz.h"
#include "formats/extxyz_search.h"
#include "formats/frame.h"
#include "formats/vector_reader.h"
#include "formats/vector_source.h"

struct extxyz_source {
    char *path; /* for messages */
    struct extxyz_reader *reader;
    const struct vector_options *options;
    struct frame frame;
    int64_t number; /* of the next frame */
};

static void close_source (void *self)
{
    struct extxyz_source *source = self;

    extxyz_reader_close (source->reader);
    frame_release (&source->frame);
    free (source->path);
    free (source);
}

static void *open_source (const char *path,
                          const struct vector_options *options,
                          struct error *err)
{
    struct extxyz_reader *reader = extxyz_reader_open (path, err);
    struct extxyz_source *source;

    if (!reader)
        return NULL;
    source = xcalloc (1, sizeof (*source));
    source->path = xstrdup (path);
    source->reader = reader;
    source->options = options;
    return source;
}

/* What is asked for has to be there. */
static int check_labels (const struct extxyz_source *source,
                         uint64_t place,
                         struct error *err)
{
    const struct vector_options *options = source->options;
    const struct frame *frame = &source->frame;
    const char *lacking = NULL;

    if (options->kind == VECTOR_FORCES && frame->n_atoms > 0 && !frame->forces)
        lacking = "forces";
    else if (options->energy && !frame->has_energy)
        lacking = "energy";
    else if (options->virial && !frame->has_virial)
        lacking = "virial";
    if (!lacking)
        return 0;
    return error_set (err, "%s: the frame at byte %llu has no %s", source->path,
                      (unsigned long long)place, lacking);
}

static int next (void *self, struct vector_frame *frame, struct error *err)
{
    struct extxyz_source *source = self;
    const struct frame *found = &source->frame;
    int rc =
        extxyz_reader_next (source->reader, &source->frame, &frame->place, err);

    if (rc != 1)
        return rc;
    if (check_labels (source, frame->place, err) < 0)
        return -1;
    frame->step = source->number++;
    frame->has_step = frame_step (found, &frame->step);
    frame->n_atoms = found->n_atoms;
    frame->ids = NULL;
    frame->vectors = source->options->kind == VECTOR_FORCES ? found->forces
                                                            : found->positions;
    frame->energy = found->energy;
    memcpy (frame->virial, found->virial, sizeof (frame->virial));
    return 1;
}

static bool truncated (const void *self)
{
    const struct extxyz_source *source = self;

    return extxyz_reader_truncated (source->reader);
}

static int go_to (void *self, uint64_t place, struct error *err)
{
    struct extxyz_source *source = self;

    return extxyz_reader_go_to (source->reader, place, err);
}

const struct vector_source vector_extxyz = {
    open_source, close_source, next, truncated, go_to, extxyz_find_frame,
};
