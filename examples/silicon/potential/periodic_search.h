/* SPDX-License-Identifier: BSD-3-Clause */
/* periodic_search.h - neighbours of an atom in a periodic cell of any shape */
#ifndef PERIODIC_SEARCH_H
#define PERIODIC_SEARCH_H

#include "extxyz_frames.h"
#include "neighbourhood.h"

/* A frame made ready: how many copies of the cell the cutoff reaches. */
struct periodic_search {
    const struct frame *frame; /* borrowed */
    double cutoff_A;
    double inverse[3][3]; /* of the cell: fraction = inverse . vector */
    int reach[3];
};

/* 0, or -1 when the cell is so thin that the cutoff spans dozens of it; the
 * problem starts with the frame's "path:line: ", here and below.
 */
int periodic_search_init (struct periodic_search *search,
                          const struct frame *frame, double cutoff_A,
                          struct problem *problem);

/* Replace the content of 'around' by the neighbours of atom i, images of
 * itself included.  0, or -1 when two atoms coincide or memory ran out.
 */
int periodic_search_run (const struct periodic_search *search, size_t i,
                         struct neighbourhood *around, struct problem *problem);

#endif /* !PERIODIC_SEARCH_H */
