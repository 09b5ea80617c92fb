/* SPDX-License-Identifier: BSD-3-Clause */
/* code_trial.h - can the program of a stage do what the stage asks of it?
 *
 * It is run without any work, so that what it lacks (a backend, a pair_style)
 * is told before jobs wait for it.  The doctor asks in the campaign, runs the
 * program on a node, and judges there what it printed.
 */
#ifndef OPERATORS_CODE_TRIAL_H
#define OPERATORS_CODE_TRIAL_H

#include "base/findings.h"

/* In the directory where the program runs. */
#define CODE_TRIAL_FILE "fanfold-trial.in"

struct code_trial {
    const char *program; /* the input that is its argv */

    /* {"arguments": [of the program], "file": text of CODE_TRIAL_FILE}, and
     * what 'judge' reads of the inputs; without "file" there is none.  Caller
     * unrefs.
     */
    struct json *(*ask) (const struct json *inputs);

    /* Append how it is, "what", or "what; what to do" where that is not good.
     */
    enum grade (*judge) (const struct json *question, const char *printed,
                         struct strbuf *says);
};

/* For the program of that input of the operator; NULL: whether it is there is
 * all that is known of it.
 */
const struct code_trial *code_trial_find (const char *operator_name,
                                          const char *input);

#endif /* !OPERATORS_CODE_TRIAL_H */
