/* SPDX-License-Identifier: BSD-3-Clause */
/* loss_out.h - the learning curve that GPUMD's nep writes, loss.out
 *
 * A row every `output_interval` generations, without a header
 * (src/main_nep/fitness.cu, report_error): the generation "%-8d", then numbers
 * "%-11.5f" or "%-9.5f" and wider, of which those that fill their column touch
 * the next.  By their count they are
 *
 *   10  loss, L1, L2, energy, force, virial, and these three of the test set
 *   14  the same with charge and Born charge behind each virial
 *    6  loss, L1, L2, what is trained in place of a potential, and of the test
 *
 * Errors are root mean squares in eV/atom and eV/A.  A training that goes on
 * from nep.restart appends, and counts generations from 1 again.  A line that
 * begins with # is a comment.
 */
#ifndef FORMATS_LOSS_OUT_H
#define FORMATS_LOSS_OUT_H

struct lines;

struct loss_curve {
    struct json *last; /* {"step": of all trainings, "loss": .., "loss_l1",
                          "loss_l2", "rmse_e", "rmse_f", "rmse_v", "rmse_e_val"
                          ...: number, or null where it is none}; owned */
    int64_t step;
    int64_t diverged_at; /* the first step since which the loss of every row is
                            no number; -1: that of the last row is one */
};

/* Read to the end; a last line without a line break, or one that is cut, does
 * not count.  -1 with 'err' when a line is no row, or there is none.
 */
int loss_out_read (struct lines *lines, struct loss_curve *curve,
                   struct error *err);
int loss_out_read_file (const char *path, struct loss_curve *curve,
                        struct error *err);

#endif /* !FORMATS_LOSS_OUT_H */
