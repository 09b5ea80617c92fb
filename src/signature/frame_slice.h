/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_slice.h - one frame of a file as the input of a task
 *
 *   {"path": P, "frame": 7, "offset": 4711, "bytes": 600}
 *
 * 'offset' and 'bytes' say where the frame's text lies in the file, so that
 * whoever needs one frame reads no other.  This is the one place that knows the
 * form and what a file of frames is (extended XYZ).
 */
#ifndef SIGNATURE_FRAME_SLICE_H
#define SIGNATURE_FRAME_SLICE_H

#include "formats/extxyz/extxyz.h"

/* Where the frames of one file lie: a frame's slice is made when it is wanted.
 */
struct frame_file {
    const char *path; /* lent */
    struct extxyz_index index;
};

/* 'path' is relative to 'dir'. */
int frame_file_open (struct frame_file *file, const char *path, const char *dir,
                     struct error *err);
void frame_file_release (struct frame_file *file);

/* The slice of frame 'frame' (below file->index.n); the caller unrefs. */
struct json *frame_slice (const struct frame_file *file, size_t frame);

/* Are the frame, offset and bytes of a slice there and possible? */
int frame_slice_check (const struct json *slice, struct error *err);

enum frame_cut {
    FRAME_CUT_OK,
    FRAME_CUT_BAD_SOURCE, /* the file cannot be read, or is shorter now */
    FRAME_CUT_FAILED,     /* 'target' cannot be written */
};

/* Copy the text of the slice, whose path is relative to 'dir', to the new file
 * 'target', which is read-only.  Anything but FRAME_CUT_OK sets 'err'.
 */
enum frame_cut frame_slice_cut (const struct json *slice, const char *dir,
                                const char *target, struct error *err);

#endif /* !SIGNATURE_FRAME_SLICE_H */
