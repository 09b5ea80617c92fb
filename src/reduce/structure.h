/* SPDX-License-Identifier: BSD-3-Clause */
/* structure.h - the structure that a drawn frame, or atom of one, stands for */
#ifndef REDUCE_STRUCTURE_H
#define REDUCE_STRUCTURE_H

#include <stdint.h>

struct dump_frame;
struct error;
struct frame;
struct selection_input;

/* Fill 'frame', which must be initialised, with the atoms of a dump's frame;
 * or, when 'atom' is not 0, with the cluster around that one, by the rules'
 * clusters, in the cell of the whole.  -1: the dump does not tell elements, or
 * has no such atom.
 */
int structure_make (const struct selection_input *input,
                    const struct dump_frame *dump,
                    int64_t atom,
                    struct frame *frame,
                    struct error *err);

#endif /* !REDUCE_STRUCTURE_H */
