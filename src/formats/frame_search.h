/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_search.h - frames in the middle of a file, found by their steps
 *
 * For files whose vector_division is VECTOR_BY_STEP: text dumps, binary dumps
 * that begin with a magic, extended XYZ whose frames tell their steps.
 */
#ifndef FORMATS_FRAME_SEARCH_H
#define FORMATS_FRAME_SEARCH_H

#include <stdint.h>

struct error;

/* The first frame that starts at byte 'from' or later: 1, 0 when there is none,
 * or -1.  Frames whose step was cut, or that have none, do not count.
 */
int frame_search_byte (const char *path,
                       uint64_t from,
                       uint64_t *place,
                       int64_t *step,
                       struct error *err);

/* The first frame of 'step' or a later one in a file whose steps only rise, by
 * halves: 1, 0 when there is none, or -1.  Where steps do not rise it is some
 * frame.
 */
int frame_search_step (const char *path,
                       int64_t step,
                       uint64_t *place,
                       struct error *err);

#endif /* !FORMATS_FRAME_SEARCH_H */
