/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.c - the operator lammps.explore: its signature, and what its inputs
 * must satisfy
 */
#include "base/base.h"

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

/* What is often written; others may be of a package or plugin. */
static const char styles[] =
    "kim deepmd sw tersoff tersoff/mod eam eam/alloy eam/fs meam airebo rebo "
    "reaxff reax/c snap mliap pace quip table lj/cut lj/cut/coul/long buck "
    "buck/coul/long comb comb3 bop adp edip vashishta polymorphic hybrid "
    "hybrid/overlay nequip allegro mace hdnnp nep mtp morse zbl born";

static int check_style (const char *line, struct error *err)
{
    _cleanup_free_ char *style = xstrndup (line, strcspn (line, " "));
    _cleanup_free_ char *meant = template_meant (style, styles, 4, 1);

    if (meant)
        error_set (err, "LAMMPS has no pair style '%s'; did you mean '%s'?",
                   style, meant);
    return meant ? -1 : 0;
}

int lammps_check_pair (const struct known_input *input, struct error *err)
{
    const char *line = json_as_string (input->value);
    size_t len = strlen (input->name);

    if (strncmp (line, input->name, len) == 0 && line[len] == ' ')
        return error_set (err,
                          "%s: it begins with the command itself, which "
                          "Fanfold writes; write what follows it",
                          input->name);
    if (strcmp (input->name, "pair_style") == 0 && check_style (line, err) < 0)
        return error_prefix (err, "%s", input->name);
    return lammps_check_line (line, "potential", err) < 0
               ? error_prefix (err, "%s", input->name)
               : 0;
}

/* Without {potential} every member is the first one. */
int lammps_check_pair_coeff (const struct known_input *input, struct error *err)
{
    const struct json *style = json_get (input->others, "pair_style");
    const struct json *members = json_get (input->others, "potentials");

    if (lammps_check_pair (input, err) < 0)
        return -1;
    if (lammps_check_types (json_as_string (input->value),
                            json_get (input->others, "elements"), "{elements}",
                            err)
        < 0)
        return error_prefix (err, "pair_coeff");
    if (!style || strstr (json_as_string (style), "{potential}")
        || strstr (json_as_string (input->value), "{potential}")
        || (members && json_count (members) < 2)
        || step_allows_identical (input->others))
        return 0;
    return error_set (err, "pair_coeff: {potential} is neither in it nor in "
                           "pair_style, so every member of the committee "
                           "would be the same; write it where the file of a "
                           "member is to stand, or identical_members: allow");
}

EXPLORE_CHECKS (lammps_rerun_kit)

/* --- the operator --- */

static const struct port inputs[] = {
    EXPLORE_INPUTS,
    { "potentials", LIST_OF (PATH), .from = "train.potential" },
    { "elements", ONE (LIST), .from = "elements" },
    { "pair_style", ONE (STRING), .default_json = "\"kim {potential}\"",
      .check = lammps_check_pair },
    { "pair_coeff", ONE (STRING), .default_json = "\"* * {elements}\"",
      .check = lammps_check_pair_coeff },
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

const struct operator_spec lammps_explore_operator = {
    EXPLORE_OPERATOR ("lammps.explore", "lammps", inputs, other_names, outputs,
                      "prepare", "run", lammps_input_files),
    .version_line = "LAMMPS (",
    .chosen_by = "committee",
    .variants = committees,
};
