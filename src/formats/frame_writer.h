/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_writer.h - frames, one after the other, into a file or directory that
 * programs read
 *
 * What is written appears whole: it is made beside its place, synced and
 * renamed.  Streams: memory is a frame (deepmd_writer.h has its own).
 */
#ifndef FORMATS_FRAME_WRITER_H
#define FORMATS_FRAME_WRITER_H

#include "formats/extxyz/extxyz.h"

struct frame;

/* Everything is lent. */
struct frame_writing {
    const char *format;    /* NULL: the name of the file tells */
    char *const *elements; /* types 1, 2 ..., the type map, or NULL */
    size_t n_elements;
    struct extxyz_names names; /* of labels, in extended XYZ */
    bool float32;              /* DeePMD's arrays */
    size_t set_size;           /* of them; 0: one set */
    bool for_training;         /* frames have to have energy and forces */
};

#define FRAME_WRITING_INIT                                                     \
    {                                                                          \
        .names = EXTXYZ_NAMES_OURS                                             \
    }

/* A program that is trained on data, and how it takes them. */
struct frame_consumer {
    const char *name;   /* "mace"; NULL after the last */
    const char *format; /* that it reads */
    struct extxyz_names names;
    bool needs_cell;
};
extern const struct frame_consumer frame_consumers[];

/* NULL: there is none of this name. */
const struct frame_consumer *frame_consumer_find (const char *name);

/* The format a path's name says: NULL when it says none. */
const char *frame_format_of_name (const char *path);

struct frame_writer;

/* NULL with 'err' when the format is unknown, or what is needed to write it was
 * not said.  Nothing is at 'path', which has no slash at its end, before
 * frame_writer_commit.
 */
struct frame_writer *frame_writer_open (const char *path,
                                        const struct frame_writing *writing,
                                        struct error *err);

/* -1 when a number is not finite, the format cannot hold the frame, or what is
 * not of it cannot be written; errors are without the number of the frame.
 */
int frame_writer_add (struct frame_writer *writer, const struct frame *frame,
                      struct error *err);

/* Put it in its place, and what is there away. */
int frame_writer_commit (struct frame_writer *writer, struct error *err);

/* In any case; what was not committed is removed.  NULL is legal. */
void frame_writer_close (struct frame_writer *writer);

/* Append "extxyz, lammps-data ...": the formats that are written. */
void frame_writer_formats (struct strbuf *out);

#endif /* !FORMATS_FRAME_WRITER_H */
