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
    PORT ("trajectories",
          FILE,
          "LAMMPS dumps (text or binary) with columns id type x y z "
          "(angstrom), extended XYZ, or coord.npy of DeePMD sets; may be "
          "compressed",
          .type.depth = 1,
          .from = "explore.trajectory",
          .holes = true),
    PORT ("forces",
          FILE,
          "for each trajectory one file per member of the committee, two "
          "members at least: LAMMPS dumps with columns id fx fy fz "
          "(eV/angstrom), extended XYZ or force.npy; [] when there are "
          "deviations",
          .type.depth = 2,
          .from = "explore.forces",
          .holes = true),
    PORT ("deviations",
          FILE,
          "for each trajectory the model_devi.out that the engine wrote",
          .type.depth = 1,
          .default_json = "[]",
          .holes = true),
    PORT ("frames_expected",
          INT,
          "frames after step 0 that each trajectory would have had; those "
          "that are not there count as invalid",
          .type.depth = 1,
          .from = "explore.frames_expected",
          .holes = true),
    PORT ("system",
          STRING,
          "the system each trajectory is of",
          .type.depth = 1,
          .from = "explore.system",
          .holes = true),
    PORT ("elements",
          LIST,
          "element symbols in the order of atom types",
          .from = "elements"),
    PORT ("semantics",
          STRING,
          "whose rules to go by: dpgen, dpgen2 or simplify",
          .default_json = "\"dpgen\"",
          .check = check_rule),
    PORT ("force",
          MAP,
          "{low, high} in eV/angstrom: a frame is accurate below, a "
          "candidate from low on, failed from high on; a level is a "
          "number, or a list or map of one for each system",
          .optional = true,
          .check = check_rule),
    PORT ("virial",
          MAP,
          "{low, high} in eV/atom; needs deviations, or files that hold "
          "each member's virials",
          .optional = true,
          .check = check_rule),
    PORT ("energy",
          MAP,
          "{low, high} in eV/atom; needs deviations, or files that hold "
          "each member's energies",
          .optional = true,
          .check = check_rule),
    PORT ("relative",
          MAP,
          "{force, virial} in eV/angstrom and eV/atom: deviations are "
          "divided by the mean of the members and that",
          .optional = true,
          .check = check_committee),
    PORT ("columns",
          MAP,
          "{trajectory, forces}: \"id type x y z\", of binary dumps that do "
          "not name theirs (LAMMPS before 2020)",
          .optional = true,
          .check = check_committee),
    PORT ("avg_relative",
          BOOL,
          "divide deviations of forces by the root mean square of the "
          "trajectory's forces (fx fy fz); levels are numbers then",
          .optional = true,
          .check = check_rule),
    PORT ("distance",
          FLOAT,
          "frames with atoms closer than that (angstrom) failed; needs "
          "deviations that say it",
          .optional = true,
          .check = check_rule),
    PORT ("adaptive",
          MAP,
          "{force: {count, fraction}, virial: ...}: instead of low levels, "
          "how many of the largest deviations are candidates",
          .optional = true,
          .check = check_rule),
    PORT ("quota",
          INT,
          "at most so many candidates are selected",
          .check = check_rule),
    PORT ("quota_per",
          STRING,
          "iteration or system: who has a quota",
          .default_json = "\"iteration\"",
          .check = check_rule),
    PORT ("minimum",
          INT,
          "where fewer would be selected, none is",
          .default_json = "0",
          .check = check_rule),
    PORT ("soft",
          FLOAT,
          "fraction of accurate frames from which the quota falls",
          .optional = true,
          .check = check_rule),
    PORT ("hard",
          FLOAT,
          "fraction of accurate frames from which nothing is selected",
          .default_json = "1.0",
          .check = check_rule),
    PORT ("pick",
          STRING,
          "which candidates: random, max, stratified, inverse_population "
          "or diverse",
          .default_json = "\"random\"",
          .check = check_rule),
    PORT ("bins",
          INT,
          "of stratified and inverse_population",
          .default_json = "10",
          .check = check_rule),
    PORT ("pool",
          INT,
          "of diverse: so many times the quota are looked at",
          .default_json = "20",
          .check = check_rule),
    PORT ("filters",
          MAP,
          "{closest, safe_ratio, vacuum, length_ratio, height_ratio, "
          "wrap_ratio, tilt_ratio, side_ratio, skew_angle}: structures that "
          "are refused, and replaced by other candidates",
          .optional = true,
          .check = check_rule),
    PORT ("duplicates",
          FLOAT,
          "angstrom: candidates that are among labelled, to that tolerance, "
          "are refused",
          .optional = true,
          .check = check_duplicates),
    PORT ("labelled",
          FRAMES,
          "what has a label already: all.STAGE.dataset of the stage that "
          "labels",
          .type.depth = 1,
          .default_json = "[]"),
    PORT ("clusters",
          MAP,
          "{cutoff, hard} in angstrom: atoms are judged instead of frames, "
          "and their surroundings selected",
          .optional = true,
          .check = check_rule),
    PORT ("convergence",
          MAP,
          "{accurate, drift, steps}: the output converged is true when the "
          "fraction of accurate frames is at least that, and adaptive low "
          "levels moved by less than drift in so many selections",
          .optional = true,
          .check = check_convergence),
    PORT ("earlier",
          MAP,
          "levels of the selections before, for drift: "
          "all.STAGE.levels of this stage",
          .type.depth = 1,
          .default_json = "[]"),
    PORT ("lists",
          BOOL,
          "write all frames by class, in DP-GEN's files",
          .default_json = "false"),
    PORT ("iterations",
          MAP,
          "[{from, to, force, quota, ...}]: what is to change, in which "
          "iterations",
          .type.depth = 1,
          .default_json = "[]",
          .check = check_iterations),
    PORT ("skip_frames",
          INT,
          "so many frames at the start of each trajectory do not count",
          .default_json = "0",
          .check = check_rule),
    PORT ("skip_steps",
          INT,
          "frames before this MD step do not count",
          .default_json = "1",
          .check = check_skip_steps),
    PORT ("dump_every",
          INT,
          "MD steps between two frames; needed when skip_steps is above 1",
          .optional = true,
          .check = step_check_count),
    PORTS_END,
};

static const struct port outputs[] = {
    PORT ("frames",
          FRAMES,
          "the selected frames, one file for each system that has any",
          .type.depth = 1),
    PORT ("provenance",
          FILE,
          "JSON: the rules asked for, and where each selected frame comes "
          "from"),
    PORT ("lists",
          DIR,
          "candidate.shuffled.SSS.out, rest_accurate and rest_failed, with "
          "a line for each frame; when lists is true",
          .optional = true),
    PORT ("accurate", FLOAT, "fraction of frames the committee agrees on"),
    PORT ("candidate", FLOAT, "fraction of candidates"),
    PORT ("failed", FLOAT, "fraction beyond use; invalid and lost frames are"),
    PORT ("invalid",
          FLOAT,
          "fraction that is no number, or without forces of every member"),
    PORT ("total", INT, "frames in all, the lost ones included"),
    PORT ("candidates", INT, "candidates in all"),
    PORT ("selected", INT, "candidates selected"),
    PORT ("max_deviation",
          FLOAT,
          "largest deviation of a valid frame, eV/angstrom; null without "
          "one",
          .optional = true),
    PORT ("deviation_median",
          FLOAT,
          "median over the valid frames, eV/angstrom; null without one",
          .optional = true),
    PORT ("lost", INT, "frames expected of a trajectory that are not there"),
    PORT ("missing_tasks", INT, "explorations without results"),
    PORT ("absent_files",
          INT,
          "trajectories and force files that do not exist"),
    PORT ("cut_files", INT, "dumps that end within a frame"),
    PORT ("cut_rows", INT, "lines of deviations that are no rows"),
    PORT ("without_frame",
          INT,
          "candidates passed over, as no trajectory holds them"),
    PORT ("repeated_steps",
          INT,
          "frames not counted, as their step came again"),
    PORT ("bad_box", INT, "candidates passed over because of their cell"),
    PORT ("too_close",
          INT,
          "candidates passed over because two atoms are too close"),
    PORT ("no_vacuum",
          INT,
          "candidates passed over because a cluster fills its cell"),
    PORT ("duplicates",
          INT,
          "candidates passed over because they have a label"),
    PORT ("levels", MAP, "{SYSTEM: {force: [low, high], ...}}, as used"),
    PORT ("converged",
          BOOL,
          "what convergence tests holds; false when it tests nothing"),
    PORT ("convergence", STRING, "what was found of that"),
    PORT ("systems",
          MAP,
          "for each system its frames, accurate, candidates, failed, "
          "invalid, selected, its levels, and a histogram of its "
          "deviations"),
    PORT ("proceed",
          BOOL,
          "something was selected; otherwise stages that need it are "
          "skipped"),
    PORTS_END,
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
