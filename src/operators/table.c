/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - the built-in operators and the steps they run inside a task */
#include "base/base.h"

#include "operators/abacus/label.h"
#include "operators/code_trial.h"
#include "operators/cp2k/label.h"
#include "operators/deepmd/train.h"
#include "operators/gpumd/gpumd.h"
#include "operators/lammps/lammps.h"
#include "operators/qe/qe.h"
#include "operators/structures/make.h"
#include "operators/table.h"
#include "operators/vasp/vasp.h"
#include "operators/xtb/label.h"
#include "signature/operator.h"

const int step_fatal_exits[] = { STEP_FATAL, 0 };
const int step_broken_exits[] = { STEP_BROKEN, 0 };

static const struct operator_spec *const operators[] = {
    &abacus_label.spec,
    &command_operator,
    &cp2k_label.spec,
    &deepmd_train.spec,
    &gpumd_explore_operator,
    &gpumd_train.spec,
    &lammps_explore_operator,
    &lammps_label.spec,
    &lammps_properties_operator,
    &model_devi_probe_operator,
    &model_devi_select_operator,
    &qe_label.spec,
    &structures_make_operator,
    &vasp_label.spec,
    &xtb_label.spec,
    NULL,
};

/* Those that are made of a kit have the steps of their kind. */
static const struct label_kit *const label_kits[] = {
    &abacus_label, &cp2k_label, &lammps_label,
    &qe_label,     &vasp_label, &xtb_label,
};

static const struct explore_kit *const explore_kits[] = {
    &gpumd_explore_kit,
    &lammps_rerun_kit,
    &lammps_deepmd_kit,
};

static const struct train_kit *const train_kits[] = {
    &deepmd_train,
    &gpumd_train,
};

const struct operator_spec *const *builtin_operators (void)
{
    return operators;
}

/* --- trials --- */

const struct code_trial *code_trial_find (const char *operator_name,
                                          const char *input)
{
    static const struct {
        const struct operator_spec *op;
        const struct code_trial *trial;
    } trials[] = {
        { &deepmd_train.spec, &deepmd_train_trial },
        { &lammps_explore_operator, &lammps_trial },
        { &lammps_label.spec, &lammps_trial },
        { &lammps_properties_operator, &lammps_trial },
    };

    for (size_t i = 0; i < ARRAY_SIZE (trials); i++) {
        if (strcmp (trials[i].op->name, operator_name) == 0
            && strcmp (trials[i].trial->program, input) == 0)
            return trials[i].trial;
    }
    return NULL;
}

/* --- steps --- */

/* How a step is run; at most one of them is set. */
struct step {
    enum step_status (*plain) (struct error *err);
    enum step_status (*label) (const struct label_kit *kit, struct error *err);
    enum step_status (*explore) (const struct explore_kit *kit,
                                 struct error *err);
    const struct label_kit *label_kit;
    const struct explore_kit *explore_kit;
    enum step_status (*train) (const struct train_kit *kit, struct error *err);
    const struct train_kit *train_kit;
};

static void find_label (const char *operator_name, const char *name,
                        struct step *step)
{
    for (size_t i = 0; i < ARRAY_SIZE (label_kits); i++) {
        if (strcmp (label_kits[i]->spec.name, operator_name) != 0)
            continue;
        step->label_kit = label_kits[i];
        if (strcmp (name, "run") == 0)
            step->label = label_run;
        else if (strcmp (name, "collect") == 0)
            step->plain = label_collect;
    }
}

static void find_explore (const char *operator_name, const char *name,
                          struct step *step)
{
    for (size_t i = 0; i < ARRAY_SIZE (explore_kits) && !step->explore; i++) {
        const struct explore_kit *kit = explore_kits[i];

        if (strcmp (kit->op->name, operator_name) != 0)
            continue;
        step->explore_kit = kit;
        if (strcmp (name, kit->prepare) == 0)
            step->explore = explore_prepare_step;
        else if (strcmp (name, kit->run) == 0)
            step->explore = explore_run_step;
    }
}

static void find_train (const char *operator_name, const char *name,
                        struct step *step)
{
    for (size_t i = 0; i < ARRAY_SIZE (train_kits); i++) {
        if (strcmp (train_kits[i]->spec.name, operator_name) != 0)
            continue;
        step->train_kit = train_kits[i];
        if (strcmp (name, "run") == 0)
            step->train = train_run;
        else if (strcmp (name, "report") == 0)
            step->train = train_report;
    }
}

/* Of an operator without a kit. */
static void find_plain (const char *operator_name, const char *name,
                        struct step *step)
{
    static const struct {
        const struct operator_spec *op;
        const char *name;
        enum step_status (*run) (struct error *err);
    } steps[] = {
        { &lammps_properties_operator, "prepare", lammps_properties_prepare },
        { &lammps_properties_operator, "run", lammps_properties_run },
        { &lammps_properties_operator, "collect", lammps_properties_collect },
        { &structures_make_operator, "prepare", structures_prepare },
        { &structures_make_operator, "make", structures_make },
    };

    for (size_t i = 0; i < ARRAY_SIZE (steps); i++) {
        if (strcmp (steps[i].op->name, operator_name) == 0
            && strcmp (steps[i].name, name) == 0)
            step->plain = steps[i].run;
    }
}

static struct step find_step (const char *operator_name, const char *name)
{
    struct step step = { 0 };

    find_plain (operator_name, name, &step);

    find_explore (operator_name, name, &step);
    find_label (operator_name, name, &step);
    find_train (operator_name, name, &step);
    return step;
}

bool operator_has_step (const char *operator_name, const char *name)
{
    struct step step = find_step (operator_name, name);

    return step.plain || step.label || step.explore || step.train;
}

enum step_status operator_step_run (const char *operator_name, const char *name,
                                    struct error *err)
{
    struct step step = find_step (operator_name, name);

    if (step.label)
        return step.label (step.label_kit, err);
    if (step.explore)
        return step.explore (step.explore_kit, err);
    if (step.train)
        return step.train (step.train_kit, err);
    if (step.plain)
        return step.plain (err);
    error_set (err, "operator %s has no step '%s'", operator_name, name);
    return STEP_FATAL;
}
