/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.c - the operator lammps.explore: its signature, and what its inputs
 * must satisfy
 */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "operators/lammps/lammps.h"
#include "signature/operator.h"

/* --- rules --- */

static const struct operator_variant committees[] = {
    { "rerun", &lammps_explore_operator },
    { "deepmd", &lammps_explore_deepmd_operator },
    { NULL, NULL },
};

/* Where the value is not written in with:, tasks would be another committee's
 * than the ports of the stage.
 */
static int check_committee (const struct known_input *input, struct error *err)
{
    const char *committee = json_as_string (input->value);

    if (strcmp (committee, "rerun") == 0)
        return 0;
    if (operator_variant_for (&lammps_explore_operator, committee)
        != &lammps_explore_operator)
        return error_set (err,
                          "committee: '%s' has other outputs; write it in "
                          "with: of the stage itself",
                          committee);
    return error_set (err, "committee: '%s' is not known; use rerun or deepmd",
                      committee);
}

static int check_pair (const struct known_input *input, struct error *err)
{
    int rc =
        lammps_check_line (json_as_string (input->value), "potential", err);

    return rc < 0 ? error_prefix (err, "%s", input->name) : 0;
}

EXPLORE_CHECKS (lammps_rerun_kit)

/* --- the operator --- */

static const struct port inputs[] = {
    EXPLORE_INPUTS,
    { "potentials", LIST_OF (PATH), .from = "train.potential" },
    { "elements", ONE (LIST), .from = "elements" },
    { "pair_style", ONE (STRING), .default_json = "\"kim {potential}\"",
      .check = check_pair },
    { "pair_coeff", ONE (STRING), .default_json = "\"* * {elements}\"",
      .check = check_pair },
    { "committee", ONE (STRING), .default_json = "\"rerun\"",
      .check = check_committee },
    { "lammps", ONE (LIST), .default_json = "[\"lmp\"]", .program = true,
      .check = step_check_program },
    { 0 },
};

/* What only the other committee has. */
static const struct other_name other_names[] = {
    { "relative", "committee: deepmd, or levels: {relative: {force: LEVEL}} of "
                  "model_devi.select" },
    { "atomic", "committee: deepmd; by a rerun model_devi.select has the "
                "deviation of every atom without it" },
    EXPLORE_OTHER_NAMES,
    { NULL, NULL },
};

static const struct port outputs[] = {
    { "trajectory", .type = ONE (FILE), .path = "trajectory.dump" },
    { "forces", .type = LIST_OF (FILE), .each_of = "potentials" },
    EXPLORE_PARAMETERS,
    { 0 },
};

static const char *const prepare[] = { "{fanfold}", "operator",
                                       "lammps.explore", "prepare", NULL };
static const char *const run[] = { "{fanfold}", "operator", "lammps.explore",
                                   "run", NULL };
static const char *const *const commands[] = { run, NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

static const char *const reads[] = { "seed", NULL };

const struct operator_spec lammps_explore_operator = {
    .name = "lammps.explore",
    .code = "lammps",
    .version = 1,
    .inputs = inputs,
    .other_names = other_names,
    .outputs = outputs,
    .slices = explore_slices,
    .prepare = prepare,
    .count_tasks = explore_count_tasks,
    .commands = commands,
    .fatal_exits = fatal_exits,
    .reads = reads,
    .chosen_by = "committee",
    .variants = committees,
};

enum step_status lammps_explore_prepare (struct error *err)
{
    return explore_prepare_step (&lammps_rerun_kit, err);
}

enum step_status lammps_explore_run (struct error *err)
{
    return explore_run_step (&lammps_rerun_kit, err);
}
