/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary.h - LAMMPS binary dumps (vector_binary_dump), frame by frame
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

#include "formats/lammps/dump_frame.h"
#include "formats/packed/packed_file.h"
#include "formats/vector_source.h"

/* Enough bytes to tell a binary dump from text. */
enum { BINARY_DUMP_MAGIC_BYTES = 8 };
bool binary_dump_is_one (const char *bytes, size_t n);

struct binary_dump {
    struct vector_reader reader;
    struct packed_file file;
    const char *columns; /* where the file names none; NULL: that is an error */
    bool swapped;        /* the other byte order */
    struct dump_frame frame;
};

/* What stands before the atoms, as far as the frame has no place for it. */
struct binary_head {
    bool has_magic;
    int32_t revision;
    int32_t n_columns;
    int32_t n_pieces;
};

/* Say what is wrong at this byte.  Returns -1. */
int binary_malformed (const struct binary_dump *dump, struct error *err,
                      const char *fmt, ...) PRINTF_LIKE (3, 4);

/* n bytes that must be there: 1, 0 when the file was cut before, or -1. */
int binary_need (struct binary_dump *dump, size_t n, struct error *err);

/* Take n numbers of 4 or 8 bytes in this machine's byte order; as binary_need.
 */
int binary_take (struct binary_dump *dump, void *out, size_t n,
                 size_t word_bytes, struct error *err);

/* Read up to the pieces of rows: 1, 0 at the end or when the file was cut, or
 * -1.
 */
int binary_read_head (struct binary_dump *dump, struct binary_head *head,
                      struct error *err);

#endif /* !FORMATS_LAMMPS_BINARY_H */
