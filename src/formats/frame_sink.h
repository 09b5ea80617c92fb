/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_sink.h - what a file format does for frame_writer
 *
 * A format that is written is a row of the table in frame_sinks.c.
 */
#ifndef FORMATS_FRAME_SINK_H
#define FORMATS_FRAME_SINK_H

struct frame;
struct frame_writing;

struct frame_sink {
    const char *name;    /* as people say it */
    const char *endings; /* of file names, ".xyz .extxyz"; NULL: none tells */
    bool needs_elements; /* their order is in the file, so it must be said */
    bool holds_one;      /* frame */
    bool has_sets;       /* of arrays: float32 and set_size are for these */
    bool has_no_labels;  /* no place for energy and virial */

    /* Of a text: append the frame; -1 when it cannot be written. */
    int (*format) (const struct frame *frame,
                   const struct frame_writing *writing, struct strbuf *out,
                   struct error *err);

    /* Of a directory: make it at 'path', add frames, write and sync the rest.
     */
    void *(*open) (const char *path, const struct frame_writing *writing,
                   struct error *err);
    int (*add) (void *sink, const struct frame *frame, struct error *err);
    int (*finish) (void *sink, struct error *err);
    void (*close) (void *sink);
};

/* All of them; the last has no name. */
extern const struct frame_sink frame_sinks[];

/* NULL: there is none of this name, or name is NULL. */
const struct frame_sink *frame_sink_find (const char *name);

#endif /* !FORMATS_FRAME_SINK_H */
