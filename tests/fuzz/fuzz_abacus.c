/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_abacus.c - what ABACUS printed, and its structures */
#include "base/base.h"

#include "formats/abacus/running_log.h"
#include "formats/abacus/stru.h"
#include "formats/frame.h"
#include "fuzz.h"

static void try_log (const char *text, size_t len)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;
    bool converged = false;

    if (abacus_log_parse (text, len, "a.log", &frame, &converged, &err) == 0) {
        must_hold (frame.n_atoms > 0, "a frame has atoms");
        must_hold (frame.has_energy == converged
                       && (frame.forces != NULL) == converged
                       && (converged || !frame.has_virial),
                   "only what converged has labels");
        for (size_t i = 0; converged && i < 3 * frame.n_atoms; i++)
            must_hold (isfinite (frame.forces[i]), "forces are finite");
    } else {
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    }
    frame_release (&frame);
}

static void try_stru (const char *text, size_t len)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    if (stru_parse (text, len, "STRU", &frame, &err) == 0)
        must_hold (frame.n_atoms > 0 && !frame.has_energy, "a structure");
    else
        must_hold (err.text[0] && frame.n_atoms == 0, "only a complaint");
    frame_release (&frame);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    try_log ((const char *)data, size);
    try_stru ((const char *)data, size);
    return 0;
}
