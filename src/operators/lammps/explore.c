/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.c - the operator lammps.explore: its signature, and what its tasks
 * are
 */
#include "config.h"

#include "base/error.h"
#include "base/json.h"
#include "operators/builtin.h"
#include "operators/lammps/rules.h"
#include "operators/lammps/slices.h"
#include "operators/step_task.h"
#include "signature/operator.h"

static const struct port inputs[] = {
    { .name = "input",
      .type = { .kind = TYPE_FILE },
      .doc = "LAMMPS lines of the MD, from after the potential and the dump "
             "were set to `run ${steps}`; ${seed} and the variables of "
             "for_each are set" },
    { .name = "systems",
      .type = { .kind = TYPE_MAP },
      .doc = "{name: LAMMPS data file, atom_style atomic}; atom type t is the "
             "t-th of the elements" },
    { .name = "for_each",
      .type = { .kind = TYPE_MAP },
      .default_json = "{}",
      .doc = "{LAMMPS variable: [numbers]}; all combinations are explored; "
             "`scale` also scales cell and positions" },
    { .name = "replicas",
      .type = { .kind = TYPE_INT },
      .default_json = "1",
      .doc = "repeats of each combination, with seeds of their own" },
    { .name = "steps",
      .type = { .kind = TYPE_INT },
      .doc = "MD steps; the input's `run ${steps}`" },
    { .name = "dump_every",
      .type = { .kind = TYPE_INT },
      .doc = "steps between two frames of the trajectory" },
    { .name = "potentials",
      .type = { .kind = TYPE_DIR, .depth = 1 },
      .from = "train.potential",
      .doc = "the committee; its first member drives the MD" },
    { .name = "elements",
      .type = { .kind = TYPE_LIST },
      .from = "elements",
      .doc = "element symbols in the order of atom types" },
    { .name = "pair_style",
      .type = { .kind = TYPE_STRING },
      .default_json = "\"kim {potential}\"",
      .doc = "arguments of pair_style; {potential} is the directory a member "
             "is linked under" },
    { .name = "pair_coeff",
      .type = { .kind = TYPE_STRING },
      .default_json = "\"* * {elements}\"",
      .doc = "arguments of pair_coeff; {potential} and {elements} are "
             "replaced" },
    { .name = "committee",
      .type = { .kind = TYPE_STRING },
      .default_json = "\"rerun\"",
      .doc = "how the members' forces are computed: `rerun`, along the "
             "finished trajectory" },
    { .name = "lammps",
      .type = { .kind = TYPE_LIST },
      .default_json = "[\"lmp\"]",
      .doc = "the LAMMPS program and its first arguments" },
    { .name = NULL },
};

static const struct port slices[] = {
    { .name = "system",
      .type = { .kind = TYPE_STRING },
      .doc = "which of the systems" },
    { .name = "variables",
      .type = { .kind = TYPE_MAP },
      .doc = "the values of the for_each variables" },
    { .name = NULL },
};

static const struct port outputs[] = {
    { .name = "trajectory",
      .type = { .kind = TYPE_FILE },
      .path = "trajectory.dump",
      .doc = "LAMMPS dump, columns id type x y z (angstrom), the start "
             "included; ends early where the MD blew up" },
    { .name = "forces",
      .type = { .kind = TYPE_FILE, .depth = 1 },
      .doc = "one LAMMPS dump per member, columns id type fx fy fz "
             "(eV/angstrom), frames of the trajectory" },
    { .name = "system",
      .type = { .kind = TYPE_STRING },
      .doc = "which of the systems" },
    { .name = "frames_expected",
      .type = { .kind = TYPE_INT },
      .doc = "frames after the start that a full MD has" },
    { .name = "frames",
      .type = { .kind = TYPE_INT },
      .doc = "frames of the trajectory, the start included" },
    { .name = "blown_up",
      .type = { .kind = TYPE_BOOL },
      .doc = "the MD ended in an explosion; that is data, not a failure" },
    { .name = NULL },
};

static const char *const prepare[] = { "{fanfold}", "operator",
                                       "lammps.explore", "prepare", NULL };
static const char *const run[] = { "{fanfold}", "operator", "lammps.explore",
                                   "run", NULL };
static const char *const *const commands[] = { run, NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

const struct operator_spec lammps_explore_operator = {
    .name = "lammps.explore",
    .code = "lammps",
    .doc = "Molecular dynamics with LAMMPS, and the forces of a committee of "
           "potentials along it.",
    .inputs = inputs,
    .outputs = outputs,
    .slices = slices,
    .prepare = prepare,
    .commands = commands,
    .fatal_exits = fatal_exits,
    .rules = lammps_explore_rules,
};

/* --- the step `prepare` --- */

static int make_slices (const struct step_task *task, struct error *err)
{
    const struct known_inputs known = { .values = task->inputs,
                                        .dir = task->campaign_dir };
    struct json *systems, *for_each, *potentials, *made;
    int64_t replicas;

    if (operator_check_rules (&lammps_explore_operator, &known, err) < 0)
        return -1;
    if (step_count (task->inputs, "replicas", 1, &replicas, err) < 0)
        return -1;
    if (json_want_object (task->inputs, "systems", &systems, err) < 0
        || json_want_object (task->inputs, "for_each", &for_each, err) < 0
        || json_want_array (task->inputs, "potentials", &potentials, err) < 0)
        return error_prefix (err, "inputs");
    if (json_count (potentials) == 0)
        return error_set (err, "potentials: the committee has no member");
    made = lammps_slices (systems, for_each, replicas, err);
    return made ? step_write_slices (made, err) : -1;
}

enum step_status lammps_explore_prepare (struct error *err)
{
    struct step_task task = STEP_TASK_INIT;
    enum step_status status = STEP_FATAL;

    if (step_task_read ("task.json", &task, err) == 0
        && make_slices (&task, err) == 0)
        status = STEP_OK;
    step_task_release (&task);
    return status;
}
