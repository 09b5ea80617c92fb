/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_lanes.h - rows of a model_devi.out, four at once
 *
 * What deviation_layout.c does row by row, for processors with AVX2.
 */
#ifndef FORMATS_DEVIATION_LANES_H
#define FORMATS_DEVIATION_LANES_H

#include <stddef.h>

#include "formats/deviation_layout.h"

/* At most n rows of layout->row_bytes each and a line break, which stand behind
 * each other at 'at', to columns [from, from + n).  Returns how many were read
 * before one that does not fit, or is none of the commonest (a step of more
 * than 16 bytes, a power of ten beyond -16 to 6); a multiple of four, and 0
 * without AVX2.  Eight are read at once where that can be done.
 */
size_t deviation_lanes_read (const struct deviation_layout *layout,
                             const char *at,
                             size_t n,
                             const struct deviation_columns *columns,
                             size_t from);

/* The same, eight at once, by processors with AVX-512 (bw, dq, vl): only rows
 * of 64 bytes and more, and powers of ten from -9 to 6; a multiple of eight.
 */
size_t deviation_lanes_avx512 (const struct deviation_layout *layout,
                               const char *at,
                               size_t n,
                               const struct deviation_columns *columns,
                               size_t from);

#endif /* !FORMATS_DEVIATION_LANES_H */
