/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2.h - the input of DPGEN2 as a campaign of Fanfold
 *
 * A stage of its exploration is repeated until it has converged: so it becomes
 * a phase with `until: select.converged`, and its task groups are `runs`.
 */
#ifndef IMPORT_DPGEN2_H
#define IMPORT_DPGEN2_H

#include "import/recipe.h"

/* Mappings of the input whose keys are read. */
enum dpgen2_part {
    DPGEN2_TOP,
    DPGEN2_INPUTS,
    DPGEN2_TRAIN,
    DPGEN2_CONFIG, /* train.config */
    DPGEN2_EXPLORE,
    DPGEN2_CONVERGENCE, /* explore.convergence */
    DPGEN2_FP,
    DPGEN2_FP_INPUTS, /* fp.inputs_config */
    DPGEN2_STEP,      /* default_step_config */
    DPGEN2_PARTS
};

/* What all parts of the translation look at. */
struct dpgen2 {
    struct recipe recipe;
    struct section parts[DPGEN2_PARTS];
    struct json *first_models; /* [directory] the first training begins with; */
    const char *first_port;    /* the input that takes them, */
    struct json *first_options; /* and further options of `dp train` */
};

/* Fill 'draft', which must be initialised.  -1 with 'err', which begins with
 * the key that is refused.
 */
int dpgen2_translate (const struct json *input, struct draft *draft,
                      struct error *err);

/* --- its parts --- */

/* The stage label, by fp.type. */
int dpgen2_add_labelling (struct dpgen2 *dpgen2, struct error *err);

/* The inputs of lammps.explore for stage 'i', {"runs": [...]}.  NULL with
 * 'err'.
 */
struct json *dpgen2_exploration (struct dpgen2 *dpgen2, size_t i,
                                 struct error *err);

/* Tell of the keys of explore.configurations. */
void dpgen2_tell_configurations (const struct dpgen2 *dpgen2);

/* The inputs of model_devi.select.  NULL with 'err'. */
struct json *dpgen2_selection (struct dpgen2 *dpgen2, struct error *err);

#endif /* !IMPORT_DPGEN2_H */
