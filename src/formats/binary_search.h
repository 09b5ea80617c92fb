/* SPDX-License-Identifier: BSD-3-Clause */
/* binary_search.h - frames in the middle of a LAMMPS binary dump */
#ifndef FORMATS_BINARY_SEARCH_H
#define FORMATS_BINARY_SEARCH_H

#include <stdint.h>

struct error;
struct packed_file;

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

#endif /* !FORMATS_BINARY_SEARCH_H */
