/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary.h - LAMMPS binary dumps, frame by frame
 *
 * As `dump atom` and `dump custom` write them (LAMMPS, src/dump_custom.cpp and
 * tools/binary2txt.cpp), of either byte order:
 *
 *   -len, magic "DUMPCUSTOM", 1 (tells the byte order), revision
 *   step, atoms (64 bits), triclinic, boundary[6] (32 bits), box, columns
 *   from revision 2 on: units, time, names of the columns
 *   pieces (one for each process that wrote): numbers in it, numbers
 *
 * LAMMPS before 2020 writes neither magic nor names; the caller has to know
 * what the columns are.  What is said of text dumps (lammps_dump.h) holds here.
 */
#ifndef FORMATS_LAMMPS_BINARY_H
#define FORMATS_LAMMPS_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atom_vectors;
struct dump_frame;
struct error;
struct packed_file;

struct binary_dump;

/* Enough bytes to tell a binary dump from text. */
enum { BINARY_DUMP_MAGIC_BYTES = 8 };
bool binary_dump_is_one (const char *bytes, size_t n);

/* 'columns' are the names of columns where the file has none, separated by
 * spaces; NULL: such a file is an error.  Kept (lent).  NULL with errno ENOENT
 * when there is no such file.
 */
struct binary_dump *binary_dump_open (const char *path,
                                      const char *columns,
                                      struct error *err);
void binary_dump_close (struct binary_dump *dump); /* NULL is legal */

/* As dump_reader_next, _next_vectors, _go_to and _truncated. */
int binary_dump_next (struct binary_dump *dump,
                      struct dump_frame *frame,
                      struct error *err);
int binary_dump_next_vectors (struct binary_dump *dump,
                              const char *const names[3],
                              struct dump_frame *frame,
                              struct atom_vectors *atoms,
                              struct error *err);
int binary_dump_go_to (struct binary_dump *dump,
                       uint64_t offset,
                       struct error *err);
bool binary_dump_truncated (const struct binary_dump *dump);

/* Go behind the next frame without looking at its atoms; 'frame' gets what
 * stands before them.
 */
int binary_dump_skip (struct binary_dump *dump,
                      struct dump_frame *frame,
                      struct error *err);

/* The first frame that starts at byte 'from' or later: 1, 0 when there is none,
 * or -1.  Frames are known by the magic in front of them, which LAMMPS writes
 * since 2020 (its length negated, its letters, the byte order): as an atom's
 * numbers it would be a NaN and one of 1e98.  Older files have no frame for us.
 */
int binary_dump_find_frame (struct packed_file *file,
                            uint64_t from,
                            uint64_t *place,
                            int64_t *step,
                            struct error *err);

#endif /* !FORMATS_LAMMPS_BINARY_H */
