/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_reader.h - frames out of whatever people keep their data in
 *
 *   a file         extended XYZ (formats/extxyz/extxyz.h)
 *   a directory    DeePMD systems (formats/deepmd/deepmd_frames.h)
 */
#ifndef FORMATS_DATASET_READER_H
#define FORMATS_DATASET_READER_H

struct frame;
struct heartbeat;

/* Call 'each' for every frame of 'path', in order; its -1 stops, and is
 * returned, with 'err' as it left it.  'elements' are what types are that have
 * no names.  What labels a frame has is in the frame.
 */
int dataset_read (const char *path, char *const *elements, size_t n_elements,
                  int (*each) (const struct frame *frame, void *arg,
                               struct error *err),
                  void *arg, const struct heartbeat *heartbeat,
                  struct error *err);

/* Write all of them to the extended XYZ file 'to'.  Frames after frames: memory
 * is one of them.
 */
int dataset_convert (const char *path, char *const *elements, size_t n_elements,
                     const char *to, const struct heartbeat *heartbeat,
                     struct error *err);

#endif /* !FORMATS_DATASET_READER_H */
