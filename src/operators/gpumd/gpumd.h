/* SPDX-License-Identifier: BSD-3-Clause */
/* gpumd.h - GPUMD: committees of NEP models, trained by nep, and molecular
 * dynamics with them
 */
#ifndef OPERATORS_GPUMD_H
#define OPERATORS_GPUMD_H

#include "operators/explore/explore.h"
#include "operators/train/train_kit.h"

extern const struct code gpumd_code;
extern const struct code nep_code;
extern const struct train_kit gpumd_train;
extern const struct explore_kit gpumd_explore_kit;
extern const struct operator_spec gpumd_explore_operator;

/* --- run.in --- */

/* Append the user's lines with a number in place of every ${NAME}, of
 * 'variables'; 'name' is for messages.  -1: there is another name.
 */
int gpumd_fill_lines (const char *lines, size_t len, const char *name,
                      const struct json *variables, struct strbuf *out,
                      struct error *err);

/* Of the whole template: are its variables those of 'for_each', seed and steps,
 * and is there one run?
 */
int gpumd_check_template (const char *text, size_t len, const char *name,
                          const struct json *for_each, struct error *err);
/* Append what looks wrong with run.in, a line each. */
void gpumd_doubt_template (const char *text, const char *name,
                           const struct json *for_each,
                           const char *const *elements, struct strbuf *says);

/* --- what `active` leaves --- */

struct gpumd_active {
    int64_t rows;   /* steps that were looked at */
    int64_t frames; /* those that were written, and are configurations */
    int64_t bad;    /* those of which something is no number */
};

/* Make of active.out and active.xyz, of which the first is there, the files
 * that model_devi.select reads: 'deviations' in the form of a model_devi.out,
 * and 'trajectory' as extended XYZ in which every frame tells its step.  Rows
 * are 'every' steps apart, frames have 'n_atoms'.
 */
int gpumd_take_active (int64_t every, size_t n_atoms, const char *deviations,
                       const char *trajectory, struct gpumd_active *active,
                       struct error *err);

#endif /* !OPERATORS_GPUMD_H */
