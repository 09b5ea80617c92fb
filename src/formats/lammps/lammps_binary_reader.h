/* SPDX-License-Identifier: BSD-3-Clause */
/* lammps_binary_reader.h - what those who read LAMMPS binary dumps have in
 * common
 */
#ifndef FORMATS_LAMMPS_BINARY_READER_H
#define FORMATS_LAMMPS_BINARY_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "formats/lammps/dump_frame.h"
#include "formats/packed/packed_file.h"

struct error;

struct binary_dump {
    struct packed_file file;
    const char *columns; /* where the file names none */
    bool swapped;        /* the other byte order */
    bool truncated;
};

/* What stands before the atoms, as far as 'frame' has no place for it. */
struct binary_head {
    bool has_magic;
    int32_t revision;
    int32_t n_columns;
    int32_t n_pieces;
};

/* Say what is wrong at this byte.  Returns -1. */
int binary_malformed (const struct binary_dump *dump,
                      struct error *err,
                      const char *fmt,
                      ...) PRINTF_LIKE (3, 4);

/* n bytes that must be there: 1, 0 when the file was cut before, or -1. */
int binary_need (struct binary_dump *dump, size_t n, struct error *err);

/* Take n numbers in this machine's byte order; as binary_need. */
int binary_take_32 (struct binary_dump *dump,
                    int32_t *out,
                    size_t n,
                    struct error *err);

/* Read up to the pieces of rows: 1, 0 at the end or when the file was cut, or
 * -1.
 */
int binary_read_head (struct binary_dump *dump,
                      struct binary_head *head,
                      struct dump_frame *frame,
                      struct error *err);

#endif /* !FORMATS_LAMMPS_BINARY_READER_H */
