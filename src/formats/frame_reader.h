/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_reader.h - frames, one after the other, out of any file that programs
 * write
 *
 * Which format a file has shows in its first bytes or in its name
 * (formats/frame_source.h has the table); files may be compressed.  Streams:
 * memory is a block or a frame.
 */
#ifndef FORMATS_FRAME_READER_H
#define FORMATS_FRAME_READER_H

#include "formats/extxyz/extxyz_labels.h"

struct frame;

/* Everything is lent. */
struct frame_options {
    const char *format;    /* NULL: it shows */
    char *const *elements; /* what atoms of type 1, 2 ... are */
    size_t n_elements;
    const char *columns;         /* of binary dumps that name none, or NULL */
    const char *units;           /* LAMMPS's; NULL: "metal" */
    struct extxyz_labels labels; /* which keys of extended XYZ are labels */
};

#define FRAME_OPTIONS_INIT                                                     \
    {                                                                          \
        .labels = EXTXYZ_LABELS_OF_ANYBODY                                     \
    }

struct frame_reader;

/* NULL with 'err' when there is no such file, its format is unknown, or what is
 * needed to read it was not said.
 */
struct frame_reader *frame_reader_open (const char *path,
                                        const struct frame_options *options,
                                        struct error *err);
void frame_reader_close (struct frame_reader *reader); /* NULL is legal */

/* The next frame, which replaces 'frame': 1, 0 at the end, or -1 when the file
 * is malformed or ends within a frame; 'err' names the file, the frame (from 0)
 * and the line.
 */
int frame_reader_next (struct frame_reader *reader, struct frame *frame,
                       struct error *err);

/* The name of the format. */
const char *frame_reader_format (const struct frame_reader *reader);

/* What people should know of what was read so far, a sentence each, without the
 * name of the file.
 */
const struct strvec *frame_reader_notes (const struct frame_reader *reader);

/* Add a sentence to notes, once, and no more than a few dozen in all. */
void frame_note (struct strvec *notes, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* Append "extxyz, lammps-dump ...": the formats that are read. */
void frame_reader_formats (struct strbuf *out);

#endif /* !FORMATS_FRAME_READER_H */
