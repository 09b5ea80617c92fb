/* SPDX-License-Identifier: BSD-3-Clause */
/* vasp_frames.h - whole frames out of OUTCAR and vasprun.xml
 *
 * Steps that are no frames are left out and noted: unconverged ones, those
 * without forces, what a force field predicted, and the last one when the file
 * ends within it, as that of a run that was cut short does.
 */
#ifndef FORMATS_VASP_FRAMES_H
#define FORMATS_VASP_FRAMES_H

struct frame;
struct frame_options;

/* As struct frame_source (formats/frame_source.h) has it. */
void *outcar_frames_open (const char *path, const struct frame_options *options,
                          struct error *err);
int outcar_frames_next (void *source, struct frame *frame, struct strvec *notes,
                        struct error *err);
void outcar_frames_close (void *source);

void *vasprun_frames_open (const char *path,
                           const struct frame_options *options,
                           struct error *err);
int vasprun_frames_next (void *source, struct frame *frame,
                         struct strvec *notes, struct error *err);
void vasprun_frames_close (void *source);

#endif /* !FORMATS_VASP_FRAMES_H */
