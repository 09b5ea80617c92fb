/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - the operator model_devi.select, which fanfold-reduce is */
#include "config.h"

#include "base/error.h"
#include "base/json.h"
#include "operators/table.h"
#include "operators/step_task.h"
#include "selection/deviations/committee_rules.h"
#include "selection/rules/rules.h"
#include "signature/operator.h"

/* --- rules --- */

/* What says how to select. */
static int check_rule (const struct known_input *input, struct error *err)
{
    return rules_check_key (input->others, input->name, err);
}

static int check_duplicates (const struct known_input *input, struct error *err)
{
    const struct json *labelled = json_get (input->others, "labelled");

    if (json_kind (labelled) == JSON_KIND_ARRAY && json_count (labelled) == 0)
        return error_set (err, "duplicates: of what? bind labelled to "
                               "all.STAGE.dataset of the stage that labels");
    return rules_check_key (input->others, "duplicates", err);
}

static int check_iterations (const struct known_input *input, struct error *err)
{
    return rules_check_iterations (input->others, err);
}

/* Levels of one selection alone never drift. */
static int check_convergence (const struct known_input *input,
                              struct error *err)
{
    const struct json *earlier = json_get (input->others, "earlier");

    if (rules_check_key (input->others, "convergence", err) < 0)
        return -1;
    if (json_get (input->value, "drift")
        && json_kind (earlier) == JSON_KIND_ARRAY && json_count (earlier) == 0)
        return error_set (err, "convergence: drift needs earlier; bind it to "
                               "all.STAGE.levels of this stage");
    return 0;
}

static int check_committee (const struct known_input *input, struct error *err)
{
    struct committee_rules committee;

    return committee_rules_from_json (input->others, &committee, err);
}

static int check_skip_steps (const struct known_input *input, struct error *err)
{
    const struct json *every = json_get (input->others, "dump_every");
    int64_t skip;

    if (step_count (input->others, "skip_steps", 0, &skip, err) < 0)
        return -1;
    if (skip > 1 && every && json_is_null (every)) /* it is not bound */
        return error_set (err, "skip_steps: %lld needs dump_every; bind it too",
                          (long long)skip);
    return 0;
}

/* --- the operator --- */

static const struct port inputs[] = {
    { "trajectories", LIST_OF (FILE),
      .doc = "LAMMPS dumps (text or binary) with columns id type x y z "
             "(angstrom), extended XYZ, or coord.npy of DeePMD sets; may be "
             "compressed",
      .from = "explore.trajectory", .holes = true },
    { "forces", LISTS_OF (FILE),
      .doc = "for each trajectory one file per member of the committee, two "
             "members at least: LAMMPS dumps with columns id fx fy fz "
             "(eV/angstrom), extended XYZ or force.npy; [] when there are "
             "deviations",
      .from = "explore.forces", .holes = true },
    { "deviations", LIST_OF (FILE),
      .doc = "for each trajectory the model_devi.out that the engine wrote",
      .default_json = "[]", .holes = true },
    { "frames_expected", LIST_OF (INT),
      .doc = "frames after step 0 that each trajectory would have had; those "
             "that are not there count as invalid",
      .from = "explore.frames_expected", .holes = true },
    { "system", LIST_OF (STRING), .doc = "the system each trajectory is of",
      .from = "explore.system", .holes = true },
    { "elements", ONE (LIST),
      .doc = "element symbols in the order of atom types", .from = "elements" },
    { "semantics", ONE (STRING),
      .doc = "whose rules to go by: dpgen, dpgen2 or simplify",
      .default_json = "\"dpgen\"", .check = check_rule },
    { "force", ONE (MAP),
      .doc = "{low, high} in eV/angstrom: a frame is accurate below, a "
             "candidate from low on, failed from high on; a level is a "
             "number, or a list or map of one for each system",
      .optional = true, .check = check_rule },
    { "virial", ONE (MAP),
      .doc = "{low, high} in eV/atom; needs deviations, or files that hold "
             "each member's virials",
      .optional = true, .check = check_rule },
    { "energy", ONE (MAP),
      .doc = "{low, high} in eV/atom; needs deviations, or files that hold "
             "each member's energies",
      .optional = true, .check = check_rule },
    { "relative", ONE (MAP),
      .doc = "{force, virial} in eV/angstrom and eV/atom: deviations are "
             "divided by the mean of the members and that",
      .optional = true, .check = check_committee },
    { "columns", ONE (MAP),
      .doc = "{trajectory, forces}: \"id type x y z\", of binary dumps that do "
             "not name theirs (LAMMPS before 2020)",
      .optional = true, .check = check_committee },
    { "avg_relative", ONE (BOOL),
      .doc = "divide deviations of forces by the root mean square of the "
             "trajectory's forces (fx fy fz); levels are numbers then",
      .optional = true, .check = check_rule },
    { "distance", ONE (FLOAT),
      .doc = "frames with atoms closer than that (angstrom) failed; needs "
             "deviations that say it",
      .optional = true, .check = check_rule },
    { "adaptive", ONE (MAP),
      .doc = "{force: {count, fraction}, virial: ...}: instead of low levels, "
             "how many of the largest deviations are candidates",
      .optional = true, .check = check_rule },
    { "quota", ONE (INT), .doc = "at most so many candidates are selected",
      .check = check_rule },
    { "quota_per", ONE (STRING), .doc = "iteration or system: who has a quota",
      .default_json = "\"iteration\"", .check = check_rule },
    { "minimum", ONE (INT), .doc = "where fewer would be selected, none is",
      .default_json = "0", .check = check_rule },
    { "soft", ONE (FLOAT),
      .doc = "fraction of accurate frames from which the quota falls",
      .optional = true, .check = check_rule },
    { "hard", ONE (FLOAT),
      .doc = "fraction of accurate frames from which nothing is selected",
      .default_json = "1.0", .check = check_rule },
    { "pick", ONE (STRING),
      .doc = "which candidates: random, max, stratified, inverse_population "
             "or diverse",
      .default_json = "\"random\"", .check = check_rule },
    { "bins", ONE (INT), .doc = "of stratified and inverse_population",
      .default_json = "10", .check = check_rule },
    { "pool", ONE (INT),
      .doc = "of diverse: so many times the quota are looked at",
      .default_json = "20", .check = check_rule },
    { "filters", ONE (MAP),
      .doc = "{closest, safe_ratio, vacuum, length_ratio, height_ratio, "
             "wrap_ratio, tilt_ratio, side_ratio, skew_angle}: structures that "
             "are refused, and replaced by other candidates",
      .optional = true, .check = check_rule },
    { "duplicates", ONE (FLOAT),
      .doc = "angstrom: candidates that are among labelled, to that tolerance, "
             "are refused",
      .optional = true, .check = check_duplicates },
    { "labelled", LIST_OF (FRAMES),
      .doc = "what has a label already: all.STAGE.dataset of the stage that "
             "labels",
      .default_json = "[]" },
    { "clusters", ONE (MAP),
      .doc = "{cutoff, hard} in angstrom: atoms are judged instead of frames, "
             "and their surroundings selected",
      .optional = true, .check = check_rule },
    { "convergence", ONE (MAP),
      .doc = "{accurate, drift, steps}: the output converged is true when the "
             "fraction of accurate frames is at least that, and adaptive low "
             "levels moved by less than drift in so many selections",
      .optional = true, .check = check_convergence },
    { "earlier", LIST_OF (MAP),
      .doc = "levels of the selections before, for drift: "
             "all.STAGE.levels of this stage",
      .default_json = "[]" },
    { "lists", ONE (BOOL),
      .doc = "write all frames by class, in DP-GEN's files",
      .default_json = "false" },
    { "iterations", LIST_OF (MAP),
      .doc = "[{from, to, force, quota, ...}]: what is to change, in which "
             "iterations",
      .default_json = "[]", .check = check_iterations },
    { "skip_frames", ONE (INT),
      .doc = "so many frames at the start of each trajectory do not count",
      .default_json = "0", .check = check_rule },
    { "skip_steps", ONE (INT), .doc = "frames before this MD step do not count",
      .default_json = "1", .check = check_skip_steps },
    { "dump_every", ONE (INT),
      .doc = "MD steps between two frames; needed when skip_steps is above 1",
      .optional = true, .check = step_check_count },
    { 0 },
};

static const struct port outputs[] = {
    { "frames", LIST_OF (FRAMES),
      .doc = "the selected frames, one file for each system that has any" },
    { "provenance", ONE (FILE),
      .doc = "JSON: the rules asked for, and where each selected frame comes "
             "from" },
    { "lists", ONE (DIR),
      .doc = "candidate.shuffled.SSS.out, rest_accurate and rest_failed, with "
             "a line for each frame; when lists is true",
      .optional = true },
    { "accurate", ONE (FLOAT),
      .doc = "fraction of frames the committee agrees on" },
    { "candidate", ONE (FLOAT), .doc = "fraction of candidates" },
    { "failed", ONE (FLOAT),
      .doc = "fraction beyond use; invalid and lost frames are" },
    { "invalid", ONE (FLOAT),
      .doc = "fraction that is no number, or without forces of every member" },
    { "total", ONE (INT), .doc = "frames in all, the lost ones included" },
    { "candidates", ONE (INT), .doc = "candidates in all" },
    { "selected", ONE (INT), .doc = "candidates selected" },
    { "max_deviation", ONE (FLOAT),
      .doc = "largest deviation of a valid frame, eV/angstrom; null without "
             "one",
      .optional = true },
    { "deviation_median", ONE (FLOAT),
      .doc = "median over the valid frames, eV/angstrom; null without one",
      .optional = true },
    { "lost", ONE (INT),
      .doc = "frames expected of a trajectory that are not there" },
    { "missing_tasks", ONE (INT), .doc = "explorations without results" },
    { "absent_files", ONE (INT),
      .doc = "trajectories and force files that do not exist" },
    { "cut_files", ONE (INT), .doc = "dumps that end within a frame" },
    { "cut_rows", ONE (INT), .doc = "lines of deviations that are no rows" },
    { "without_frame", ONE (INT),
      .doc = "candidates passed over, as no trajectory holds them" },
    { "repeated_steps", ONE (INT),
      .doc = "frames not counted, as their step came again" },
    { "bad_box", ONE (INT),
      .doc = "candidates passed over because of their cell" },
    { "too_close", ONE (INT),
      .doc = "candidates passed over because two atoms are too close" },
    { "no_vacuum", ONE (INT),
      .doc = "candidates passed over because a cluster fills its cell" },
    { "duplicates", ONE (INT),
      .doc = "candidates passed over because they have a label" },
    { "levels", ONE (MAP),
      .doc = "{SYSTEM: {force: [low, high], ...}}, as used" },
    { "converged", ONE (BOOL),
      .doc = "what convergence tests holds; false when it tests nothing" },
    { "convergence", ONE (STRING), .doc = "what was found of that" },
    { "systems", ONE (MAP),
      .doc = "for each system its frames, accurate, candidates, failed, "
             "invalid, selected, its levels, and a histogram of its "
             "deviations" },
    { "proceed", ONE (BOOL),
      .doc = "something was selected; otherwise stages that need it are "
             "skipped" },
    { 0 },
};

static const char *const reduce[] = { "{launcher}", "{fanfold}-reduce",
                                      "task.json", NULL };
static const char *const *const commands[] = { reduce, NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

const struct operator_spec model_devi_select_operator = {
    .name = "model_devi.select",
    .code = "model_devi",
    .doc = "Choose what to label by how much the committee disagrees.",
    .inputs = inputs,
    .outputs = outputs,
    .commands = commands,
    .fatal_exits = fatal_exits,
};
