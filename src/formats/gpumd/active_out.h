/* SPDX-License-Identifier: BSD-3-Clause */
/* active_out.h - active.out of GPUMD: what its committee disagreed by
 *
 * A row for every step that the keyword `active` looked at, "%20.10e%20.10e":
 * the time in fs, and the largest deviation of the force on an atom in eV/A,
 * as DeePMD-kit's max_devi_f (src/measure/active.cu: sum over M members by M).
 * A deviation of -1 is that of forces of which none was a number.
 */
#ifndef FORMATS_ACTIVE_OUT_H
#define FORMATS_ACTIVE_OUT_H

struct lines;

struct active_row {
    double time_fs;
    double deviation; /* NaN in place of -1, 0 in place of rounding */
};

/* The next row: 1; 0 at the end, to which a last row belongs that was cut
 * short; or -1 when the file cannot be read or a row is none.
 */
int active_out_next (struct lines *lines, struct active_row *row,
                     struct error *err);

#endif /* !FORMATS_ACTIVE_OUT_H */
