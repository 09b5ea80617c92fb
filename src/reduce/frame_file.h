/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_file.h - the files that drawn frames are in */
#ifndef REDUCE_FRAME_FILE_H
#define REDUCE_FRAME_FILE_H

#include <stdint.h>

struct sampled;
struct dump_frame;
struct error;
struct selection_input;
struct trajectory;
struct trajectory_file;

/* The file that was read from last, which the next frame may be in too. */
struct frame_file {
    char *path;
    struct trajectory_file *file;
};

#define FRAME_FILE_INIT                                                        \
    {                                                                          \
        0                                                                      \
    }
void frame_file_close (struct frame_file *file); /* legal twice */

/* Read the frame at drawn->place of the trajectory: 1, 0 when no whole frame is
 * there, or -1.  file->path is then the name of its file.
 */
int frame_file_read (struct frame_file *file,
                     const struct selection_input *input,
                     const struct trajectory *trajectory,
                     const struct sampled *sampled,
                     struct dump_frame *frame,
                     struct error *err);

/* The file that the frame of 'step' is in: the trajectory's path, with the step
 * in place of a '*'.  Caller frees.
 */
char *frame_file_path (const struct trajectory *trajectory, int64_t step);

#endif /* !REDUCE_FRAME_FILE_H */
