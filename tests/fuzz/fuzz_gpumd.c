/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_gpumd.c - active.out and loss.out of GPUMD's programs */
#include "base/base.h"

#include "base/json.h"
#include "formats/gpumd/active_out.h"
#include "formats/gpumd/loss_out.h"
#include "formats/lines.h"
#include "fuzz.h"

static void read_active (const char *text, size_t size)
{
    struct lines lines = LINES_INIT;
    struct active_row row;
    struct error err = ERROR_INIT;
    int rc;

    lines_of_text (&lines, text, size, "active.out", 1);
    while ((rc = active_out_next (&lines, &row, &err)) == 1)
        must_hold (row.time_fs >= 0 && !(row.deviation < 0),
                   "a row is a time and a deviation");
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    lines_close (&lines);
}

static void read_loss (const char *text, size_t size)
{
    struct loss_curve curve = { .diverged_at = -1 };
    struct lines lines = LINES_INIT;
    struct error err = ERROR_INIT;
    int rc;

    lines_of_text (&lines, text, size, "loss.out", 1);
    rc = loss_out_read (&lines, &curve, &err);
    must_hold (rc == 0
                   ? json_as_int (json_get (curve.last, "step")) == curve.step
                   : err.text[0] && !curve.last,
               "a last row or a complaint");
    json_unref (curve.last);
    lines_close (&lines);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    read_active ((const char *)data, size);
    read_loss ((const char *)data, size);
    return 0;
}
