/* SPDX-License-Identifier: BSD-3-Clause */
/* active_out.c - active.out of GPUMD */
#include "base/base.h"

#include "formats/gpumd/active_out.h"
#include "formats/lines.h"

int active_out_next (struct lines *lines, struct active_row *row,
                     struct error *err)
{
    double values[2];
    int rc = lines_next (lines, err);

    if (rc != 1 || !lines->complete)
        return rc < 0 ? -1 : 0;
    if (!lines_take_numbers (lines, values, 2))
        return lines_error (lines, err,
                            "expected a time and a deviation, two numbers");
    if (!(values[0] >= 0) || isinf (values[0]))
        return lines_error (lines, err, "the time is %g", values[0]);
    row->time_fs = values[0];
    row->deviation = values[1] < 0 ? (double)NAN : values[1];
    return 1;
}
