/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_search.h - frames in the middle of an extended XYZ file */
#ifndef FORMATS_EXTXYZ_SEARCH_H
#define FORMATS_EXTXYZ_SEARCH_H

#include <stdint.h>

struct error;
struct packed_file;

/* The first frame that starts at byte 'from' or later and tells its step: 1, 0
 * when there is none, or -1.  Its first line is a number alone, which no atom's
 * is, and the second tells a step, which no number does.
 */
int extxyz_find_frame (struct packed_file *file,
                       uint64_t from,
                       uint64_t *place,
                       int64_t *step,
                       struct error *err);

#endif /* !FORMATS_EXTXYZ_SEARCH_H */
