/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_lcurve.c - learning curves of DeePMD-kit: what is read can be told */
#include "base/base.h"

#include "formats/deepmd/lcurve.h"
#include "formats/lines.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct lines lines = LINES_INIT;
    struct lcurve curve = LCURVE_INIT;
    struct error err = ERROR_INIT;

    lines_of_text (&lines, (const char *)data, size, "curve", 1);
    if (lcurve_read (&lines, &curve, &err) == 0) {
        must_hold (curve.n_rows > 0, "there is a row");
        must_hold (json_get_int (curve.last, "step") == curve.step,
                   "the last row is that of its step");
        must_hold (curve.diverged_at <= INT64_MAX && curve.diverged_at >= -1,
                   "a step");
        must_survive_writing (curve.last);
    } else {
        must_hold (!curve.last && err.text[0] != '\0', "nothing but a reason");
    }
    lcurve_release (&curve);
    lines_close (&lines);
    return 0;
}
