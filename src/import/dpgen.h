/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen.h - param.json and machine.json of DP-GEN as a campaign of Fanfold
 *
 * An iteration of DP-GEN trains, explores and labels; one of Fanfold labels
 * what the one before selected, trains, explores and selects.  So each entry of
 * model_devi_jobs becomes a phase of one iteration, and a last phase labels and
 * trains, as DP-GEN's last iteration trains only: the same calculations in the
 * same order.
 */
#ifndef IMPORT_DPGEN_H
#define IMPORT_DPGEN_H

#include "import/recipe.h"

/* Where a DP-GEN run stands (import/run_dir.h); of one that is to begin all is
 * 0 and NULL.
 */
struct dpgen_progress {
    int64_t first_job;       /* the entry of model_devi_jobs that comes next */
    struct json *data;       /* [path]: what it labelled */
    struct json *models;     /* [directory]: a checkpoint of each member, that
                                training can begin with; NULL: none */
    struct json *potentials; /* [path]: the newest models; NULL: none */
    bool trained;            /* has this iteration trained already? */
};

/* What all parts of the translation look at. */
struct dpgen {
    struct recipe recipe;
    struct section param;
    const struct dpgen_progress *progress;
    struct section *jobs; /* of model_devi_jobs */
    size_t n_jobs;
    struct json *start; /* what iteration 0 begins with; NULL: nothing */
    const char *start_port;
    struct json *checkpoints; /* what a training that goes on from the one
                                 before has where there is none; NULL: none */
};

/* Fill 'draft', which must be initialised, from param.json and what
 * machine_translate made of the machine file, which is taken over ('stages' is
 * empty then).  -1 with 'err', which begins with the key that is refused
 * ("fp_style: ...; what to do").
 */
int dpgen_translate (const struct json *param,
                     struct stage_machine stages[IMPORT_STAGES],
                     const struct dpgen_progress *progress, struct draft *draft,
                     struct error *err);

/* --- its parts --- */

/* The stage train: data, input.json, what it begins with. */
int dpgen_add_training (struct dpgen *dpgen, struct error *err);

/* Does the phase of job 'i' train?  Of the last training 'i' is how many jobs
 * there are.
 */
bool dpgen_trains (const struct dpgen *dpgen, size_t i);

/* What job 'i' changes of the training, as the phase's {"with": ...} and so on;
 * NULL: nothing.
 */
struct json *dpgen_training_of_job (struct dpgen *dpgen, size_t i);

/* The inputs of lammps.explore for job 'i', {"systems": ..., "steps": ...}.
 * NULL with 'err'.
 */
struct json *dpgen_exploration (struct dpgen *dpgen, size_t i,
                                struct error *err);

/* The inputs of model_devi.select for job 'i'. */
struct json *dpgen_selection (struct dpgen *dpgen, size_t i, struct error *err);

/* The stage label, by fp_style. */
int dpgen_add_labelling (struct dpgen *dpgen, struct error *err);

/* The numbers of the systems of job 'i'.  NULL with 'err'. */
struct json *dpgen_system_numbers (const struct dpgen *dpgen, size_t i,
                                   struct error *err);

#endif /* !IMPORT_DPGEN_H */
