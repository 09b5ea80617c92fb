/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - the operator model_devi.select, which fanfold-reduce is */
#include "config.h"

#include "base/error.h"
#include "base/json.h"
#include "operators/builtin.h"
#include "operators/step_task.h"
#include "selection/deviations/committee_rules.h"
#include "selection/rules/rules.h"
#include "signature/operator.h"

static const struct port inputs[] = {
    { .name = "trajectories",
      .type = { .kind = TYPE_FILE, .depth = 1 },
      .from = "explore.trajectory",
      .holes = true,
      .doc = "LAMMPS dumps (text or binary) with columns id type x y z "
             "(angstrom), extended XYZ, or coord.npy of DeePMD sets; may be "
             "compressed" },
    { .name = "forces",
      .type = { .kind = TYPE_FILE, .depth = 2 },
      .from = "explore.forces",
      .holes = true,
      .doc = "for each trajectory one file per member of the committee, two "
             "members at least: LAMMPS dumps with columns id fx fy fz "
             "(eV/angstrom), extended XYZ or force.npy; [] when there are "
             "deviations" },
    { .name = "deviations",
      .type = { .kind = TYPE_FILE, .depth = 1 },
      .default_json = "[]",
      .holes = true,
      .doc = "for each trajectory the model_devi.out that the engine wrote" },
    { .name = "frames_expected",
      .type = { .kind = TYPE_INT, .depth = 1 },
      .from = "explore.frames_expected",
      .holes = true,
      .doc = "frames after step 0 that each trajectory would have had; those "
             "that are not there count as invalid" },
    { .name = "system",
      .type = { .kind = TYPE_STRING, .depth = 1 },
      .from = "explore.system",
      .holes = true,
      .doc = "the system each trajectory is of" },
    { .name = "elements",
      .type = { .kind = TYPE_LIST },
      .from = "elements",
      .doc = "element symbols in the order of atom types" },
    { .name = "semantics",
      .type = { .kind = TYPE_STRING },
      .default_json = "\"dpgen\"",
      .doc = "whose rules to go by: dpgen, dpgen2 or simplify" },
    { .name = "force",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{low, high} in eV/angstrom: a frame is accurate below, a "
             "candidate from low on, failed from high on; a level is a "
             "number, or a list or map of one for each system" },
    { .name = "virial",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{low, high} in eV/atom; needs deviations, or files that hold "
             "each member's virials" },
    { .name = "energy",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{low, high} in eV/atom; needs deviations, or files that hold "
             "each member's energies" },
    { .name = "relative",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{force, virial} in eV/angstrom and eV/atom: deviations are "
             "divided by the mean of the members and that" },
    { .name = "columns",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{trajectory, forces}: \"id type x y z\", of binary dumps that do "
             "not name theirs (LAMMPS before 2020)" },
    { .name = "avg_relative",
      .type = { .kind = TYPE_BOOL },
      .optional = true,
      .doc = "divide deviations of forces by the root mean square of the "
             "trajectory's forces (fx fy fz); levels are numbers then" },
    { .name = "distance",
      .type = { .kind = TYPE_FLOAT },
      .optional = true,
      .doc = "frames with atoms closer than that (angstrom) failed; needs "
             "deviations that say it" },
    { .name = "adaptive",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{force: {count, fraction}, virial: ...}: instead of low levels, "
             "how many of the largest deviations are candidates" },
    { .name = "quota",
      .type = { .kind = TYPE_INT },
      .doc = "at most so many candidates are selected" },
    { .name = "quota_per",
      .type = { .kind = TYPE_STRING },
      .default_json = "\"iteration\"",
      .doc = "iteration or system: who has a quota" },
    { .name = "minimum",
      .type = { .kind = TYPE_INT },
      .default_json = "0",
      .doc = "where fewer would be selected, none is" },
    { .name = "soft",
      .type = { .kind = TYPE_FLOAT },
      .optional = true,
      .doc = "fraction of accurate frames from which the quota falls" },
    { .name = "hard",
      .type = { .kind = TYPE_FLOAT },
      .default_json = "1.0",
      .doc = "fraction of accurate frames from which nothing is selected" },
    { .name = "pick",
      .type = { .kind = TYPE_STRING },
      .default_json = "\"random\"",
      .doc = "which candidates: random, max, stratified, inverse_population "
             "or diverse" },
    { .name = "bins",
      .type = { .kind = TYPE_INT },
      .default_json = "10",
      .doc = "of stratified and inverse_population" },
    { .name = "pool",
      .type = { .kind = TYPE_INT },
      .default_json = "20",
      .doc = "of diverse: so many times the quota are looked at" },
    { .name = "filters",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{closest, safe_ratio, vacuum, length_ratio, height_ratio, "
             "wrap_ratio, tilt_ratio, side_ratio, skew_angle}: structures that "
             "are refused, and replaced by other candidates" },
    { .name = "duplicates",
      .type = { .kind = TYPE_FLOAT },
      .optional = true,
      .doc = "angstrom: candidates that are among labelled, to that tolerance, "
             "are refused" },
    { .name = "labelled",
      .type = { .kind = TYPE_FRAMES, .depth = 1 },
      .default_json = "[]",
      .doc = "what has a label already: all.STAGE.dataset of the stage that "
             "labels" },
    { .name = "clusters",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{cutoff, hard} in angstrom: atoms are judged instead of frames, "
             "and their surroundings selected" },
    { .name = "convergence",
      .type = { .kind = TYPE_MAP },
      .optional = true,
      .doc = "{accurate, drift, steps}: the output converged is true when the "
             "fraction of accurate frames is at least that, and adaptive low "
             "levels moved by less than drift in so many selections" },
    { .name = "earlier",
      .type = { .kind = TYPE_MAP, .depth = 1 },
      .default_json = "[]",
      .doc = "levels of the selections before, for drift: "
             "all.STAGE.levels of this stage" },
    { .name = "lists",
      .type = { .kind = TYPE_BOOL },
      .default_json = "false",
      .doc = "write all frames by class, in DP-GEN's files" },
    { .name = "iterations",
      .type = { .kind = TYPE_MAP, .depth = 1 },
      .default_json = "[]",
      .doc = "[{from, to, force, quota, ...}]: what is to change, in which "
             "iterations" },
    { .name = "skip_frames",
      .type = { .kind = TYPE_INT },
      .default_json = "0",
      .doc = "so many frames at the start of each trajectory do not count" },
    { .name = "skip_steps",
      .type = { .kind = TYPE_INT },
      .default_json = "1",
      .doc = "frames before this MD step do not count" },
    { .name = "dump_every",
      .type = { .kind = TYPE_INT },
      .optional = true,
      .doc = "MD steps between two frames; needed when skip_steps is above 1" },
    { .name = NULL },
};

static const struct port outputs[] = {
    { .name = "frames",
      .type = { .kind = TYPE_FRAMES, .depth = 1 },
      .doc = "the selected frames, one file for each system that has any" },
    { .name = "provenance",
      .type = { .kind = TYPE_FILE },
      .doc = "JSON: the rules asked for, and where each selected frame comes "
             "from" },
    { .name = "lists",
      .type = { .kind = TYPE_DIR },
      .optional = true,
      .doc = "candidate.shuffled.SSS.out, rest_accurate and rest_failed, with "
             "a line for each frame; when lists is true" },
    { .name = "accurate",
      .type = { .kind = TYPE_FLOAT },
      .doc = "fraction of frames the committee agrees on" },
    { .name = "candidate",
      .type = { .kind = TYPE_FLOAT },
      .doc = "fraction of candidates" },
    { .name = "failed",
      .type = { .kind = TYPE_FLOAT },
      .doc = "fraction beyond use; invalid and lost frames are" },
    { .name = "invalid",
      .type = { .kind = TYPE_FLOAT },
      .doc = "fraction that is no number, or without forces of every member" },
    { .name = "total",
      .type = { .kind = TYPE_INT },
      .doc = "frames in all, the lost ones included" },
    { .name = "candidates",
      .type = { .kind = TYPE_INT },
      .doc = "candidates in all" },
    { .name = "selected",
      .type = { .kind = TYPE_INT },
      .doc = "candidates selected" },
    { .name = "max_deviation",
      .type = { .kind = TYPE_FLOAT },
      .optional = true,
      .doc = "largest deviation of a valid frame, eV/angstrom; null without "
             "one" },
    { .name = "deviation_median",
      .type = { .kind = TYPE_FLOAT },
      .optional = true,
      .doc = "median over the valid frames, eV/angstrom; null without one" },
    { .name = "lost",
      .type = { .kind = TYPE_INT },
      .doc = "frames expected of a trajectory that are not there" },
    { .name = "missing_tasks",
      .type = { .kind = TYPE_INT },
      .doc = "explorations without results" },
    { .name = "absent_files",
      .type = { .kind = TYPE_INT },
      .doc = "trajectories and force files that do not exist" },
    { .name = "cut_files",
      .type = { .kind = TYPE_INT },
      .doc = "dumps that end within a frame" },
    { .name = "cut_rows",
      .type = { .kind = TYPE_INT },
      .doc = "lines of deviations that are no rows" },
    { .name = "without_frame",
      .type = { .kind = TYPE_INT },
      .doc = "candidates passed over, as no trajectory holds them" },
    { .name = "repeated_steps",
      .type = { .kind = TYPE_INT },
      .doc = "frames not counted, as their step came again" },
    { .name = "bad_box",
      .type = { .kind = TYPE_INT },
      .doc = "candidates passed over because of their cell" },
    { .name = "too_close",
      .type = { .kind = TYPE_INT },
      .doc = "candidates passed over because two atoms are too close" },
    { .name = "no_vacuum",
      .type = { .kind = TYPE_INT },
      .doc = "candidates passed over because a cluster fills its cell" },
    { .name = "duplicates",
      .type = { .kind = TYPE_INT },
      .doc = "candidates passed over because they have a label" },
    { .name = "levels",
      .type = { .kind = TYPE_MAP },
      .doc = "{SYSTEM: {force: [low, high], ...}}, as used" },
    { .name = "converged",
      .type = { .kind = TYPE_BOOL },
      .doc = "what convergence tests holds; false when it tests nothing" },
    { .name = "convergence",
      .type = { .kind = TYPE_STRING },
      .doc = "what was found of that" },
    { .name = "systems",
      .type = { .kind = TYPE_MAP },
      .doc = "for each system its frames, accurate, candidates, failed, "
             "invalid, selected, its levels, and a histogram of its "
             "deviations" },
    { .name = "proceed",
      .type = { .kind = TYPE_BOOL },
      .doc = "something was selected; otherwise stages that need it are "
             "skipped" },
    { .name = NULL },
};

static const char *const reduce[] = { "{launcher}", "{fanfold}-reduce",
                                      "task.json", NULL };
static const char *const *const commands[] = { reduce, NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

/* --- rules --- */

/* What says how to select. */
static int check_rule (const struct json *value,
                       const struct known_inputs *known,
                       struct error *err)
{
    (void)value;
    return rules_check_key (known->values, known->input, err);
}

static int check_duplicates (const struct json *value,
                             const struct known_inputs *known,
                             struct error *err)
{
    const struct json *labelled = json_get (known->values, "labelled");

    (void)value;
    if (json_kind (labelled) == JSON_KIND_ARRAY && json_count (labelled) == 0)
        return error_set (err, "duplicates: of what? bind labelled to "
                               "all.STAGE.dataset of the stage that labels");
    return rules_check_key (known->values, "duplicates", err);
}

static int check_iterations (const struct json *value,
                             const struct known_inputs *known,
                             struct error *err)
{
    (void)value;
    return rules_check_iterations (known->values, err);
}

/* Levels of one selection alone never drift. */
static int check_convergence (const struct json *value,
                              const struct known_inputs *known,
                              struct error *err)
{
    const struct json *earlier = json_get (known->values, "earlier");

    if (rules_check_key (known->values, "convergence", err) < 0)
        return -1;
    if (json_get (value, "drift") && json_kind (earlier) == JSON_KIND_ARRAY
        && json_count (earlier) == 0)
        return error_set (err, "convergence: drift needs earlier; bind it to "
                               "all.STAGE.levels of this stage");
    return 0;
}

static int check_committee (const struct json *value,
                            const struct known_inputs *known,
                            struct error *err)
{
    struct committee_rules committee;

    (void)value;
    return committee_rules_from_json (known->values, &committee, err);
}

static int check_dump_every (const struct json *value,
                             const struct known_inputs *known,
                             struct error *err)
{
    int64_t every;

    (void)value;
    return step_count (known->values, "dump_every", 1, &every, err);
}

static int check_skip_steps (const struct json *value,
                             const struct known_inputs *known,
                             struct error *err)
{
    const struct json *every = json_get (known->values, "dump_every");
    int64_t skip;

    (void)value;
    if (step_count (known->values, "skip_steps", 0, &skip, err) < 0)
        return -1;
    if (skip > 1 && every && json_is_null (every)) /* it is not bound */
        return error_set (err, "skip_steps: %lld needs dump_every; bind it too",
                          (long long)skip);
    return 0;
}

static const struct input_rule rules[] = {
    { "force", check_rule },
    { "virial", check_rule },
    { "energy", check_rule },
    { "distance", check_rule },
    { "relative", check_committee },
    { "columns", check_committee },
    { "adaptive", check_rule },
    { "semantics", check_rule },
    { "quota", check_rule },
    { "quota_per", check_rule },
    { "minimum", check_rule },
    { "soft", check_rule },
    { "hard", check_rule },
    { "pick", check_rule },
    { "bins", check_rule },
    { "skip_steps", check_skip_steps },
    { "pool", check_rule },
    { "filters", check_rule },
    { "skip_frames", check_rule },
    { "clusters", check_rule },
    { "avg_relative", check_rule },
    { "duplicates", check_duplicates },
    { "convergence", check_convergence },
    { "iterations", check_iterations },
    { "dump_every", check_dump_every },
    { 0 },
};

const struct operator_spec model_devi_select_operator = {
    .name = "model_devi.select",
    .code = "model_devi",
    .doc = "Choose what to label by how much the committee disagrees.",
    .inputs = inputs,
    .outputs = outputs,
    .commands = commands,
    .fatal_exits = fatal_exits,
    .rules = rules,
};
