/* SPDX-License-Identifier: BSD-3-Clause */
/* labelled_frame.h - what every frame holds that a code's results were read as
 */
#ifndef TESTS_LABELLED_FRAME_H
#define TESTS_LABELLED_FRAME_H

#include "formats/element.h"
#include "formats/frame.h"
#include "fuzz.h"

static inline void must_be_labelled (const struct frame *frame)
{
    must_hold (frame->n_atoms > 0 && frame->has_energy && frame->forces
                   && isfinite (frame->energy),
               "a frame has labels");
    for (size_t i = 0; i < frame->n_atoms; i++)
        must_hold (element_mass (frame->symbols[i]) > 0, "atoms are elements");
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        must_hold (isfinite (frame->forces[i]), "forces are numbers");
}

#endif /* !TESTS_LABELLED_FRAME_H */
