/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_vasprun.c - vasprun.xml, damaged */
#include "base/base.h"

#include "formats/vasp/vasprun.h"
#include "fuzz.h"
#include "labelled_frame.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct vasprun *run = vasprun_of_text ((const char *)data, size, "xml");
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;
    bool truncated = false;
    int rc;

    while ((rc = vasprun_next (run, &frame, &truncated, &err)) == 1)
        must_be_labelled (&frame);
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    frame_release (&frame);
    vasprun_close (run);
    return 0;
}
