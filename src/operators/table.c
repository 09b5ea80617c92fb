/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - the built-in operators and the steps they run inside a task */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "operators/table.h"

static const struct operator_spec *const operators[] = {
    &command_operator,
    &lammps_explore_operator,
    &model_devi_select_operator,
    &qe_label_operator,
    NULL,
};

static const struct operator_step steps[] = {
    { "lammps.explore", "prepare", lammps_explore_prepare },
    { "lammps.explore", "run", lammps_explore_run },
    { "qe.label", "collect", qe_label_collect },
    { "qe.label", "run", qe_label_run },
};

const struct operator_spec *const *builtin_operators (void)
{
    return operators;
}

const struct operator_step *operator_step_find (const char *operator_name,
                                                const char *step)
{
    for (size_t i = 0; i < ARRAY_SIZE (steps); i++) {
        if (strcmp (steps[i].operator_name, operator_name) == 0
            && strcmp (steps[i].name, step) == 0)
            return &steps[i];
    }
    return NULL;
}
