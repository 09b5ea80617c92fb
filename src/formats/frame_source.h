/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_source.h - what a file format does for frame_reader
 *
 * A format that is read is a row of the table in frame_sources.c, in the order
 * in which they are tried.
 */
#ifndef FORMATS_FRAME_SOURCE_H
#define FORMATS_FRAME_SOURCE_H

struct frame;
struct frame_options;

/* What a file or directory looks like from outside. */
struct frame_look {
    const char *path;
    const char *name; /* the last part of the path */
    bool is_dir;
    const char *bytes; /* the first ones, unpacked; a NUL follows them */
    size_t n;
};

/* Members of a format that is read frame by frame ('open', 'next', 'close') or,
 * where a file holds one frame, of its whole text ('parse').
 */
struct frame_source {
    const char *name; /* "lammps-dump", as people say it */
    const char *what; /* "a LAMMPS dump", for messages */
    bool has_types;   /* of atoms, not symbols: elements must be said */
    bool (*is_one) (const struct frame_look *look);

    /* NULL with 'err'; the options are lent until it is closed. */
    void *(*open) (const char *path, const struct frame_options *options,
                   struct error *err);

    /* The next frame, which replaces 'frame': 1, 0 at the end, or -1; also
     * when the file ends within a frame.  What people should know of the file
     * goes to 'notes' (frame_note).
     */
    int (*next) (void *source, struct frame *frame, struct strvec *notes,
                 struct error *err);
    void (*close) (void *source);

    /* The one frame of a text.  One that is not converged has no energy and no
     * forces.
     */
    int (*parse) (const char *text, size_t len, const char *name,
                  const struct frame_options *options, struct frame *frame,
                  bool *converged, struct error *err);
};

/* All of them; the last has no name. */
extern const struct frame_source frame_sources[];

#endif /* !FORMATS_FRAME_SOURCE_H */
