/* SPDX-License-Identifier: BSD-3-Clause */
/* deepmd_frames.h - the structures of a DeePMD set
 *
 *   DIR/type.raw, type_map.raw, nopbc   (deepmd-kit/doc/data/system.md)
 *   DIR/set.000/coord.npy, box.npy
 */
#ifndef FORMATS_DEEPMD_FRAMES_H
#define FORMATS_DEEPMD_FRAMES_H

#include <stdint.h>

struct dump_frame;
struct error;

struct deepmd_frames;

/* Open a set by its coord.npy.  NULL with 'err', which names the file that is
 * missing or does not fit.
 */
struct deepmd_frames *deepmd_frames_open (const char *path, struct error *err);
void deepmd_frames_close (struct deepmd_frames *frames); /* NULL is legal */

/* Read frame 'number' (from 0), with columns element (type, when there is no
 * type_map.raw) x y z; its step is its number.  1, 0 when there is no such
 * frame, or -1.
 */
int deepmd_frames_read (struct deepmd_frames *frames,
                        uint64_t number,
                        struct dump_frame *frame,
                        struct error *err);

#endif /* !FORMATS_DEEPMD_FRAMES_H */
