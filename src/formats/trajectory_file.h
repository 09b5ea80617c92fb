/* SPDX-License-Identifier: BSD-3-Clause */
/* trajectory_file.h - chosen frames of a trajectory, whatever its format
 *
 * What vector_reader.h reads is read here too, whole frames at their places.
 * Of a DeePMD set (coord.npy) the cell is box.npy beside it, and the elements
 * are type.raw and type_map.raw in the directory above; `nopbc` there says
 * that it is not periodic.
 */
#ifndef FORMATS_TRAJECTORY_FILE_H
#define FORMATS_TRAJECTORY_FILE_H

#include <stddef.h>
#include <stdint.h>

struct dump_frame;
struct error;

struct trajectory_file;

/* Open 'path'; 'columns' (lent) are those of a binary dump that names none, or
 * NULL.  NULL with an absence (base/error.h) when there is no such file.
 */
struct trajectory_file *trajectory_file_open (const char *path,
                                              const char *columns,
                                              struct error *err);
void trajectory_file_close (struct trajectory_file *file); /* NULL is legal */

/* Read the frame at 'place'.  'step' is what it is known as: a file without
 * steps says the same of it.  1, 0 when no whole frame is there, or -1.  Going
 * forward through the file is cheap, going back in a compressed one is not.
 */
int trajectory_file_read (struct trajectory_file *file,
                          uint64_t place,
                          int64_t step,
                          struct dump_frame *frame,
                          struct error *err);

/* Set places[i] to where the last frame of steps[i] is, or to UINT64_MAX when
 * there is none; steps[0..n-1] rise.  A frame that was cut may be found, too.
 * -1 when the file cannot be read, with an absence when it is not there.
 */
int trajectory_find_steps (const char *path,
                           const char *columns,
                           const int64_t *steps,
                           size_t n,
                           uint64_t *places,
                           struct error *err);

#endif /* !FORMATS_TRAJECTORY_FILE_H */
