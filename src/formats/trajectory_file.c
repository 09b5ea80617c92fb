/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory_file.c - chosen frames of a trajectory, whatever its format */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "formats/deepmd/deepmd_frames.h"
#include "formats/lammps/dump_steps.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/lammps/lammps_binary.h"
#include "formats/lammps/lammps_dump.h"
#include "formats/lammps/lammps_dump_reader.h"
#include "formats/trajectory_file.h"
#include "formats/vector_reader.h"
#include "formats/vector_source.h"

/* One of them is open. */
struct trajectory_file {
    struct dump_reader *text;
    struct binary_dump *binary;
    struct extxyz_reader *extxyz;
    struct deepmd_frames *deepmd;
};

struct trajectory_file *trajectory_file_open (const char *path,
                                              const char *columns,
                                              struct error *err)
{
    const struct vector_source *source = vector_source_of (path, err);
    struct trajectory_file *file;
    int saved;

    if (!source)
        return NULL;
    file = xcalloc (1, sizeof (*file));
    if (source == &vector_npy)
        file->deepmd = deepmd_frames_open (path, err);
    else if (source == &vector_extxyz)
        file->extxyz = extxyz_reader_open (path, err);
    else if (source == &vector_binary_dump)
        file->binary = binary_dump_open (path, columns, err);
    else
        file->text = dump_reader_open (path, err);
    if (file->text || file->binary || file->extxyz || file->deepmd)
        return file;
    saved = errno;
    free (file);
    errno = saved;
    return NULL;
}

void trajectory_file_close (struct trajectory_file *file)
{
    if (!file)
        return;
    dump_reader_close (file->text);
    binary_dump_close (file->binary);
    extxyz_reader_close (file->extxyz);
    deepmd_frames_close (file->deepmd);
    free (file);
}

/* Columns element x y z out of a frame of extended XYZ. */
static int take_frame (const struct frame *from,
                       struct dump_frame *to,
                       struct error *err)
{
    static const char heading[] = "element x y z";

    to->n_atoms = from->n_atoms;
    dump_frame_set_columns (to, heading, sizeof (heading) - 1);
    if (dump_frame_resize (to, true, err) < 0)
        return -1;
    for (size_t i = 0; i < from->n_atoms; i++) {
        memcpy (to->elements[i], from->symbols[i], SYMBOL_SIZE);
        to->values[4 * i] = NAN;
        memcpy (to->values + 4 * i + 1, from->positions + 3 * i,
                3 * sizeof (double));
    }
    memcpy (to->cell, from->cell, sizeof (to->cell));
    memcpy (to->periodic, from->periodic, sizeof (to->periodic));
    memset (to->origin, 0, sizeof (to->origin));
    return 0;
}

static int read_extxyz (struct extxyz_reader *reader,
                        uint64_t place,
                        int64_t step,
                        struct dump_frame *frame,
                        struct error *err)
{
    struct frame found = FRAME_INIT;
    int rc = extxyz_reader_go_to (reader, place, err);

    if (rc == 0)
        rc = extxyz_reader_next (reader, &found, &frame->offset, err);
    if (rc == 1) {
        frame->step = step;
        frame_step (&found, &frame->step);
        if (take_frame (&found, frame, err) < 0)
            rc = -1;
    }
    frame_release (&found);
    return rc;
}

int trajectory_file_read (struct trajectory_file *file,
                          uint64_t place,
                          int64_t step,
                          struct dump_frame *frame,
                          struct error *err)
{
    if (file->extxyz)
        return read_extxyz (file->extxyz, place, step, frame, err);
    if (file->deepmd)
        return deepmd_frames_read (file->deepmd, place, frame, err);
    if (file->binary)
        return binary_dump_go_to (file->binary, place, err) < 0
                   ? -1
                   : binary_dump_next (file->binary, frame, err);
    return dump_reader_go_to (file->text, place, err) < 0
               ? -1
               : dump_reader_next (file->text, frame, err);
}

static int compare_steps (const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Look at all frames. */
static int find_by_reading (const char *path,
                            const char *columns,
                            const int64_t *steps,
                            size_t n,
                            uint64_t *places,
                            struct error *err)
{
    const struct vector_options options = { .kind = VECTOR_POSITIONS,
                                            .columns = columns };
    struct vector_reader *reader = vector_reader_open (path, &options, err);
    struct vector_frame frame;
    int rc;

    if (!reader)
        return -1;
    for (size_t i = 0; i < n; i++)
        places[i] = UINT64_MAX;
    while ((rc = vector_reader_next (reader, &frame, err)) == 1) {
        const int64_t *found =
            bsearch (&frame.step, steps, n, sizeof (*steps), compare_steps);

        if (found)
            places[found - steps] = frame.place;
    }
    vector_reader_close (reader);
    errno = 0;
    return rc;
}

int trajectory_find_steps (const char *path,
                           const char *columns,
                           const int64_t *steps,
                           size_t n,
                           uint64_t *places,
                           struct error *err)
{
    const struct vector_source *source = vector_source_of (path, err);

    if (!source)
        return -1;
    if (source == &vector_text_dump)
        return dump_find_steps (path, steps, n, places, err);
    return find_by_reading (path, columns, steps, n, places, err);
}
