/* SPDX-License-Identifier: BSD-3-Clause */
/* active_out.c - active.out of GPUMD */
#include "base/base.h"

#include "formats/gpumd/active_out.h"
#include "formats/lines.h"

/* In eV/A.  GPUMD takes the mean square minus the square of the mean: of M
 * equal forces F in double precision it leaves up to F sqrt (3 (M + 2) 2^-53),
 * which is 5e-7 for four members and 10 eV/A.
 */
static const double rounding = 1e-6;

static double deviation_of (double told)
{
    if (told < 0)
        return (double)NAN;
    return told < rounding ? 0 : told;
}

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
    row->deviation = deviation_of (values[1]);
    return 1;
}
