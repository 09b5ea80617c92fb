/* SPDX-License-Identifier: BSD-3-Clause */
/* lcurve.h - the learning curve that `dp train` writes, lcurve.out
 *
 *   #  step      rmse_val    rmse_trn    rmse_e_val  rmse_e_trn   lr
 *         1      2.55e+01    2.61e+01      6.00e-01    6.19e-01   1.0e-03
 *
 * A line of comment names the columns (deepmd-kit, print_header of the
 * backends): which there are depends on the loss, and without validation data
 * there is no `_val`.  DeePMD-kit 1 says batch, l2, l2_e and _tst for step,
 * rmse, rmse_e and _val; here they have the later names.  A quantity without
 * reference data is nan.  A training that was killed leaves a row that is cut;
 * one that goes on appends, from the step of its checkpoint on, with or without
 * naming the columns again.
 */
#ifndef FORMATS_LCURVE_H
#define FORMATS_LCURVE_H

struct lines;
struct strvec;

struct lcurve {
    struct json *last;   /* {COLUMN: number, or null where it is none}: the
                            last row; owned */
    int64_t step;        /* of that row */
    int64_t diverged_at; /* the first step since which the total error (rmse,
                            rmse_trn or rmse_val) of every row is no number; -1:
                            that of the last row is one */
    size_t n_rows;       /* that are whole */
    size_t n_broken;     /* lines that are no row: cut, or of other columns */
};

#define LCURVE_INIT                                                            \
    {                                                                          \
        .diverged_at = -1                                                      \
    }

/* Read to the end.  A last line without a line break is still being written:
 * it does not count.  -1 with 'err' when no line names columns, or there is no
 * row.
 */
int lcurve_read (struct lines *lines, struct lcurve *curve, struct error *err);
int lcurve_read_file (const char *path, struct lcurve *curve,
                      struct error *err);
void lcurve_release (struct lcurve *curve);

/* Call 'each' for every row in the order of the file: columns and as many
 * numbers, the first is the step; both lent.
 */
int lcurve_each_row (const char *path,
                     void (*each) (const struct strvec *columns,
                                   const double *row, void *arg),
                     void *arg, struct error *err);

#endif /* !FORMATS_LCURVE_H */
