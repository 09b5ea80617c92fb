/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_cp2k_out.c - what CP2K printed */
#include "base/base.h"

#include "formats/cp2k/cp2k_out.h"
#include "formats/frame.h"
#include "fuzz.h"

static void look_at_frame (const struct frame *frame, bool converged)
{
    must_hold (frame->n_atoms > 0, "a frame has atoms");
    must_hold (frame->has_energy == converged
                   && (frame->forces != NULL) == converged
                   && (converged || !frame->has_virial),
               "only what converged has labels");
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        must_hold (isfinite (frame->positions[i])
                       && (!converged || isfinite (frame->forces[i])),
                   "numbers are finite");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;
    bool converged = false;

    if (cp2k_out_parse ((const char *)data, size, "a.out", &frame, &converged,
                        &err)
        == 0)
        look_at_frame (&frame, converged);
    else
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    frame_release (&frame);
    return 0;
}
