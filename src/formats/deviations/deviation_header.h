/* SPDX-License-Identifier: BSD-3-Clause */
/* deviation_header.h - which column of a model_devi.out is what */
#ifndef FORMATS_DEVIATION_HEADER_H
#define FORMATS_DEVIATION_HEADER_H

#include "formats/deviations/row_shape.h"

struct deviation_header {
    size_t n_named; /* columns, the step's included, without atoms' */
    bool atoms;     /* columns of atoms may follow */
    int largest[DEVIATION_QUANTITIES]; /* column of the maximum; -1: none */
    int least[DEVIATION_QUANTITIES];   /* that of the minimum */
    int first[DEVIATION_QUANTITIES];   /* all columns of the quantity: */
    int last[DEVIATION_QUANTITIES];    /* [first, last] */
};

/* Step, virial, force, then atoms: what LAMMPS writes. */
void deviation_header_default (struct deviation_header *header);

/* Read a line that starts with '#', without its end and '\r': false when it
 * names no columns (it then names a system, or is a comment); 'header' is
 * untouched.
 */
bool deviation_header_parse (const char *line, size_t len,
                             struct deviation_header *header);

#endif /* !FORMATS_DEVIATION_HEADER_H */
