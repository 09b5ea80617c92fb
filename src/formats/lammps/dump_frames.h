/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frames.h - whole frames out of LAMMPS dumps, text and binary
 *
 * Positions in any of the forms that `dump` has (x, xu, xs, xsu ...), forces
 * where they were dumped, the step in frame->info.  Elements are the column
 * `element` or what types are said to be.
 */
#ifndef FORMATS_DUMP_FRAMES_H
#define FORMATS_DUMP_FRAMES_H

struct frame;
struct frame_options;

/* As struct frame_source (formats/frame_source.h) has it. */
void *dump_frames_open (const char *path, const struct frame_options *options,
                        struct error *err);
int dump_frames_next (void *source, struct frame *frame, struct strvec *notes,
                      struct error *err);
void dump_frames_close (void *source);

#endif /* !FORMATS_DUMP_FRAMES_H */
