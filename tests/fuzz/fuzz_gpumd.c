/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_gpumd.c - active.out of GPUMD */
#include "config.h"

#include "base/error.h"
#include "formats/gpumd/active_out.h"
#include "formats/lines.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct lines lines = LINES_INIT;
    struct active_row row;
    struct error err = ERROR_INIT;
    int rc;

    lines_of_text (&lines, (const char *)data, size, "active.out", 1);
    while ((rc = active_out_next (&lines, &row, &err)) == 1)
        must_hold (row.time_fs >= 0 && !(row.deviation < 0),
                   "a row is a time and a deviation");
    must_hold (rc == 0 || err.text[0], "an end or a complaint");
    lines_close (&lines);
    return 0;
}
