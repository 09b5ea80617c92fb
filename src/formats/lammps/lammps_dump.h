/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_dump.h - LAMMPS text dumps, frame by frame
 *
 * Streams: memory is one frame.  Rows may be in any order (sorted by id when
 * an id column is there).  A last frame that was cut short (a run that died)
 * ends the reading without error and sets 'truncated'.  Orthogonal and
 * triclinic boxes (bounding-box form, LAMMPS manual, "dump").
 */
#ifndef FORMATS_LAMMPS_DUMP_H
#define FORMATS_LAMMPS_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/lammps/dump_frame.h"

struct atom_vectors;
struct error;

struct dump_reader;

/* Open at byte 0.  NULL with 'err'; errno is ENOENT when there is no such
 * file.
 */
struct dump_reader *dump_reader_open (const char *path, struct error *err);

/* Open where a frame begins (its 'offset'). */
struct dump_reader *dump_reader_open_at (const char *path,
                                         uint64_t offset,
                                         struct error *err);

/* Read 'text', which must stay; 'name' is for messages. */
struct dump_reader *dump_reader_of_text (const char *text,
                                         size_t len,
                                         const char *name);
void dump_reader_close (struct dump_reader *reader); /* NULL is legal */

/* Read the next frame into 'frame' (reusing its memory).  1: got one, 0: end
 * (see dump_reader_truncated), -1: malformed, 'err' says file and line.  What
 * 'frame' holds after 0 or -1 is unspecified.
 */
int dump_reader_next (struct dump_reader *reader,
                      struct dump_frame *frame,
                      struct error *err);
/* Go to where a frame begins (its 'offset'). */
int dump_reader_go_to (struct dump_reader *reader,
                       uint64_t offset,
                       struct error *err);

/* As dump_reader_next, but of the rows only the ids and the columns 'names' are
 * read (a frame without one of those is an error), to 'atoms'; 'frame' gets no
 * values and elements.  Much faster.
 */
int dump_reader_next_vectors (struct dump_reader *reader,
                              const char *const names[3],
                              struct dump_frame *frame,
                              struct atom_vectors *atoms,
                              struct error *err);

bool dump_reader_truncated (const struct dump_reader *reader);

#endif /* !FORMATS_LAMMPS_DUMP_H */
