/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_outcar.c - what VASP prints, damaged */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/vasp/outcar.h"
#include "fuzz.h"
#include "labelled_frame.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct outcar outcar = OUTCAR_INIT;
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;
    struct lines lines;
    bool truncated = false;
    int rc;

    lines_of_text (&lines, (const char *)data, size, "OUTCAR", 1);
    while ((rc = outcar_next (&outcar, &lines, &frame, &truncated, &err)) == 1)
        must_be_labelled (&frame);
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    frame_release (&frame);
    outcar_release (&outcar);
    lines_close (&lines);
    return 0;
}
