/* SPDX-License-Identifier: BSD-3-Clause */
/* train.h - DeePMD-kit's dp, and the operator deepmd.train */
#ifndef OPERATORS_DEEPMD_TRAIN_H
#define OPERATORS_DEEPMD_TRAIN_H

#include "operators/code_trial.h"
#include "operators/kit.h"
#include "operators/train/train_kit.h"

struct deepmd_backend;

extern const struct code dp_code;
extern const struct train_kit deepmd_train;
extern const struct code_trial deepmd_train_trial;

/* Its ports, and DP-GEN's names of the inputs. */
extern const struct port deepmd_train_inputs[];
extern const struct port deepmd_train_outputs[];
extern const struct other_name deepmd_train_other_names[];

/* Inputs that name directories with models to begin with, and the option of `dp
 * train` that takes one; the last has no input.
 */
struct deepmd_start {
    const char *input;
    const char *option;
};
extern const struct deepmd_start deepmd_starts[];

/* The model in 'dir' that this input means.  Caller frees; NULL with 'err'. */
char *deepmd_start_model (const struct deepmd_backend *backend,
                          const char *input, const char *dir,
                          struct error *err);

/* `dp [FLAG] WORDS...` of the task's backend; 'run' is train_program or
 * train_program_alone.
 */
typedef enum step_status deepmd_runner (const struct training *t,
                                        const char *const *arguments,
                                        struct error *err);
enum step_status deepmd_run (const struct training *t, deepmd_runner *run,
                             const struct strvec *words, struct error *err);

/* Make the output `parity` of the frozen 'model' where input.json has systems
 * of held-out frames and `dp test` reads them.
 */
void deepmd_make_parity (const struct training *t, const char *model);

#endif /* !OPERATORS_DEEPMD_TRAIN_H */
