/* SPDX-License-Identifier: BSD-3-Clause */
/* select.c - the operator model_devi.select, which fanfold-reduce is */
#include "base/base.h"

#include "base/json.h"
#include "operators/table.h"
#include "operators/step_task.h"
#include "selection/deviations/committee_rules.h"
#include "selection/health/health.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_defaults.h"
#include "signature/operator.h"

/* --- rules --- */

/* What says how to select. */
static int check_rule (const struct known_input *input, struct error *err)
{
    return rules_check_key (input->others, input->name, err);
}

static void doubt_rule (const struct known_input *input, struct strbuf *says)
{
    rules_doubt_key (input->others, input->name, says);
}

/* It is always there, so it speaks for levels that are not. */
static int check_semantics (const struct known_input *input, struct error *err)
{
    if (check_rule (input, err) < 0)
        return -1;
    return rules_check_any_levels (input->others, err);
}

static bool is_empty_list (const struct json *v)
{
    return json_kind (v) == JSON_KIND_ARRAY && json_count (v) == 0;
}

static int check_tolerance (const struct known_input *input, struct error *err)
{
    if (is_empty_list (json_get_path (input->others, "duplicates.labelled")))
        return error_set (err, "duplicates: of what? write labelled: "
                               "all.STAGE.dataset of the stage that labels");
    return check_rule (input, err);
}

static const char *const batches[] = { "fps", "cover", "doptimal", NULL };

/* Features that nothing looks at; not known are those of another stage. */
static int check_how (const struct known_input *input, struct error *err)
{
    const char *how = json_as_string (input->value);
    const struct json *features = json_get (input->others, "features");

    if (check_rule (input, err) < 0)
        return -1;
    if (words_contain (batches, how) || !features
        || is_empty_list (json_get (features, "frames")))
        return 0;
    return error_set (err,
                      "pick: how: %s does not look at features; write how: "
                      "fps, cover or doptimal, or remove features",
                      how);
}

/* A batch is as far as can be from what has a label. */
static void doubt_how (const struct known_input *input, struct strbuf *says)
{
    const struct json *others = input->others;
    bool files = !is_empty_list (json_get_path (others, "features.frames"));
    const char *how = json_as_string (input->value);

    if (words_contain (batches, how)
        && is_empty_list (json_get_path (
            others, files ? "features.labelled" : "duplicates.labelled")))
        strbuf_addf (says,
                     "pick: how: %s: frames like labelled ones may be picked, "
                     "for none of these is named; write %s",
                     how,
                     files ? "features: {labelled: all.STAGE.OUTPUT}, the same "
                             "features of them"
                           : "duplicates: {labelled: all.STAGE.dataset}");
}

/* Levels of one selection alone never drift. */
static int check_drift (const struct known_input *input, struct error *err)
{
    if (check_rule (input, err) < 0)
        return -1;
    if (is_empty_list (json_get_path (input->others, "convergence.earlier")))
        return error_set (err, "convergence: drift needs the levels of the "
                               "selections before; write earlier: "
                               "all.STAGE.levels of this stage");
    return 0;
}

static int check_committee (const struct known_input *input, struct error *err)
{
    struct committee_rules committee;

    return committee_rules_from_json (input->others, &committee, err);
}

/* One of both tells what the committee disagrees by. */
static int check_deviations (const struct known_input *input, struct error *err)
{
    if (is_empty_list (input->value)
        && is_empty_list (json_get (input->others, "forces")))
        return error_set (err, "deviations: neither forces nor deviations are "
                               "there; write forces: STAGE.forces, or "
                               "deviations: STAGE.deviations");
    return 0;
}

/* Deviations are as the code wrote them. */
static int check_relative (const struct known_input *input, struct error *err)
{
    if (check_committee (input, err) < 0)
        return -1;
    if (is_empty_list (json_get (input->others, "forces")))
        return error_set (err, "levels: relative: deviations are not made of "
                               "forces here; write relative: LEVEL in the "
                               "stage that explores");
    return 0;
}

/* It is known of a committee's forces alone how far they are off labels. */
static int check_error (const struct known_input *input, struct error *err)
{
    const struct json *labels =
        json_get_path (input->others, "calibration.labels");

    if (check_rule (input, err) < 0)
        return -1;
    if (is_empty_list (json_get (input->others, "forces")))
        return error_set (err, "levels: error needs the forces of every model; "
                               "write committee: rerun in the stage that "
                               "explores");
    if (labels && json_is_null (labels))
        return error_set (err, "levels: error needs labels of frames drawn at "
                               "random; write calibration: {labels: "
                               "STAGE.dataset} of a stage that labels those of "
                               "model_devi.probe");
    return 0;
}

static int check_mode (const struct known_input *input, struct error *err)
{
    const struct json *error = json_get_path (input->others, "levels.error");

    if (error && json_is_null (error))
        return error_set (err, "calibration: without levels: {error: ...} "
                               "nothing is calibrated; write them, or remove "
                               "calibration");
    return check_rule (input, err);
}

/* It is there, so it speaks for labels that another stage makes. */
static int check_probe (const struct known_input *input, struct error *err)
{
    const struct json *labels =
        json_get_path (input->others, "calibration.labels");

    if (is_empty_list (input->value) && !(labels && json_is_null (labels)))
        return error_set (err, "calibration: labels of which frames? write "
                               "probe: STAGE.frames of the stage that uses "
                               "model_devi.probe");
    return 0;
}

static int check_closest (const struct known_input *input, struct error *err)
{
    const struct json *section = json_get (input->others, "health");
    const struct json *labelled = json_get (section, "labelled");
    struct health_rules rules = { 0 };

    if (labelled && json_is_null (labelled))
        return error_set (err, "health: closest: of the least distances in "
                               "what? write labelled: all.STAGE.dataset of the "
                               "stage that labels");
    return health_rules_from_json (section, &rules, err) < 0
               ? error_prefix (err, "health")
               : 0;
}

static int check_count (const struct known_input *input, struct error *err)
{
    int64_t n;

    return step_count (input->others, "count", 1, &n, err);
}

static int check_skip_steps (const struct known_input *input, struct error *err)
{
    const struct json *every = json_get_path (input->others, "skip.dump_every");
    int64_t skip = json_as_int (input->value);

    if (check_rule (input, err) < 0)
        return -1;
    if (skip > 1 && every && json_is_null (every)) /* it is not bound */
        return error_set (err,
                          "skip: steps: %lld needs dump_every, the steps "
                          "between two frames; write it, too",
                          (long long)skip);
    return 0;
}

static int check_dump_every (const struct known_input *input, struct error *err)
{
    int64_t n;

    return step_count (json_get (input->others, "skip"), "dump_every", 1, &n,
                       err);
}

/* --- the operator --- */

#define RULE(name, type) name, type, .optional = true, .check = check_rule
#define RULE_OR_DEFAULT(name, type)                                            \
    name, type, .check = check_rule, .default_of = rules_default

static const struct type_field relative_fields[] = {
    { "force", ONE (FLOAT), true },
    { "virial", ONE (FLOAT), true },
    { 0 },
};
static const struct type_field top_fields[] = {
    { "count", ONE (INT), true },
    { "fraction", ONE (FLOAT), true },
    { 0 },
};
static const struct type_field adaptive_fields[] = {
    { "force", MAP_WITH (top_fields), true },
    { "virial", MAP_WITH (top_fields), true },
    { "energy", MAP_WITH (top_fields), true },
    { 0 },
};

static const struct type_field error_fields[] = {
    { "force", ONE (FLOAT), false },
    { "coverage", ONE (FLOAT), false },
    { "confidence", ONE (FLOAT), true },
    { "failed", ONE (FLOAT), true },
    { "of", ONE (STRING), true },
    { "per", ONE (STRING), true },
    { 0 },
};

static const struct port inputs[] = {
    { "trajectories", LIST_OF (FILE), .from = "explore.trajectory",
      .holes = true },
    { "forces", LISTS_OF (FILE), .from = "explore.forces", .from_if_made = true,
      .default_json = "[]", .holes = true, .committee = true },
    { "deviations", LIST_OF (FILE), .from = "explore.deviations",
      .from_if_made = true, .default_json = "[]", .holes = true,
      .check = check_deviations },
    { "frames_expected", LIST_OF (INT), .from = "explore.frames_expected",
      .holes = true },
    { "system", LIST_OF (STRING), .from = "explore.system", .holes = true },
    { "elements", ONE (LIST), .from = "elements" },
    { "columns.trajectory", ONE (STRING), .optional = true,
      .check = check_committee },
    { "columns.forces", ONE (STRING), .optional = true,
      .check = check_committee },

    { "semantics", ONE (STRING), .default_json = "\"dpgen\"",
      .check = check_semantics },
    { "levels.force", ONE (ANY), .optional = true, .check = check_rule,
      .doubt = doubt_rule, .default_of = rules_default },
    { RULE ("levels.virial", ONE (ANY)), .doubt = doubt_rule },
    { RULE ("levels.energy", ONE (ANY)), .doubt = doubt_rule },
    { "levels.relative", MAP_WITH (relative_fields), .optional = true,
      .check = check_relative },
    { RULE ("levels.avg_relative", ONE (BOOL)) },
    { RULE ("levels.distance", ONE (FLOAT)) },
    { RULE ("levels.adaptive", MAP_WITH (adaptive_fields)) },
    { "levels.error", MAP_WITH (error_fields), .optional = true,
      .check = check_error },
    { "calibration.mode", ONE (STRING), .optional = true, .check = check_mode },
    { "calibration.labels", ONE (FRAMES), .optional = true },
    { "calibration.probe", LIST_OF (FRAMES), .from = "probe.frames",
      .from_if_made = true, .default_json = "[]", .check = check_probe },

    { RULE_OR_DEFAULT ("pick.quota", ONE (INT)), .doubt = doubt_rule },
    { RULE_OR_DEFAULT ("pick.per", ONE (STRING)) },
    { "pick.how", ONE (STRING), .check = check_how, .default_of = rules_default,
      .doubt = doubt_how },
    { RULE_OR_DEFAULT ("pick.minimum", ONE (INT)), .doubt = doubt_rule },
    { RULE ("pick.soft", ONE (FLOAT)) },
    { RULE_OR_DEFAULT ("pick.hard", ONE (FLOAT)) },
    { RULE_OR_DEFAULT ("pick.bins", ONE (INT)) },
    { RULE_OR_DEFAULT ("pick.pool", ONE (ANY)) },
    { RULE ("pick.weight", ONE (STRING)) },
    { RULE ("pick.power", ONE (FLOAT)) },
    { RULE ("pick.radius", ONE (FLOAT)) },

    { "features.frames", LIST_OF (PATH), .default_json = "[]", .holes = true },
    { "features.labelled", LIST_OF (PATH), .default_json = "[]" },
    { RULE ("features.pool", ONE (STRING)) },
    { RULE ("features.scale", ONE (STRING)) },

    { RULE ("filters.closest", ONE (FLOAT)), .doubt = doubt_rule },
    { RULE ("filters.safe_ratio", ONE (FLOAT)) },
    { RULE ("filters.vacuum", ONE (FLOAT)), .doubt = doubt_rule },
    { RULE ("filters.length_ratio", ONE (FLOAT)) },
    { RULE ("filters.height_ratio", ONE (FLOAT)) },
    { RULE ("filters.wrap_ratio", ONE (FLOAT)) },
    { RULE ("filters.tilt_ratio", ONE (FLOAT)) },
    { RULE ("filters.side_ratio", ONE (FLOAT)) },
    { RULE ("filters.skew_angle", ONE (FLOAT)) },

    { "duplicates.tolerance", ONE (FLOAT), .optional = true,
      .check = check_tolerance, .doubt = doubt_rule },
    { "duplicates.labelled", LIST_OF (FRAMES), .default_json = "[]" },

    { RULE ("clusters.cutoff", ONE (FLOAT)), .doubt = doubt_rule },
    { RULE ("clusters.hard", ONE (FLOAT)) },

    { "convergence.accurate", ONE (FLOAT), .optional = true,
      .check = check_rule, .default_of = rules_default },
    { "convergence.drift", ONE (FLOAT), .optional = true, .check = check_drift,
      .default_of = rules_default },
    { RULE ("convergence.steps", ONE (INT)) },
    { "convergence.earlier", LIST_OF (MAP), .default_json = "[]" },

    { "skip.steps", ONE (INT), .check = check_skip_steps,
      .default_of = rules_default },
    { RULE_OR_DEFAULT ("skip.frames", ONE (INT)) },
    { "skip.dump_every", ONE (INT), .optional = true,
      .check = check_dump_every },

    { "health.closest", ONE (FLOAT), .optional = true, .check = check_closest },
    { "health.labelled", LIST_OF (FRAMES), .optional = true },
    { "health.conditions", LIST_OF (MAP), .from = "explore.conditions",
      .from_if_made = true, .default_json = "[]", .holes = true },
    { "health.blown_up", LIST_OF (BOOL), .from = "explore.blown_up",
      .from_if_made = true, .default_json = "[]", .holes = true },

    { "identical_members", ONE (STRING), .default_json = "\"error\"",
      .check = step_check_identical },

    { "lists", ONE (BOOL), .default_json = "false" },
    { 0 },
};

/* DP-GEN's, DPGEN2's, and those of before there were sections. */
static const struct other_name other_names[] = {
    { "f_trust_lo", "levels: {force: [LOW, HIGH]}" },
    { "f_trust_hi", "levels: {force: [LOW, HIGH]}" },
    { "model_devi_f_trust_lo", "levels: {force: [LOW, HIGH]}" },
    { "model_devi_f_trust_hi", "levels: {force: [LOW, HIGH]}" },
    { "level_f_lo", "levels: {force: [LOW, HIGH]}" },
    { "level_f_hi", "levels: {force: [LOW, HIGH]}" },
    { "v_trust_lo", "levels: {virial: [LOW, HIGH]}" },
    { "v_trust_hi", "levels: {virial: [LOW, HIGH]}" },
    { "model_devi_v_trust_lo", "levels: {virial: [LOW, HIGH]}" },
    { "model_devi_v_trust_hi", "levels: {virial: [LOW, HIGH]}" },
    { "level_v_lo", "levels: {virial: [LOW, HIGH]}" },
    { "level_v_hi", "levels: {virial: [LOW, HIGH]}" },
    { "model_devi_adapt_trust_lo", "levels: {adaptive: {force: {count: N}}}" },
    { "model_devi_numb_candi_f", "levels: {adaptive: {force: {count: N}}}" },
    { "numb_candi_f", "levels: {adaptive: {force: {count: N}}}" },
    { "rate_candi_f", "levels: {adaptive: {force: {fraction: F}}}" },
    { "model_devi_f_avg_relative", "levels: {avg_relative: true}" },
    { "epsilon", "levels: {relative: {force: E}}" },
    { "model_devi_skip", "skip: {steps: N, dump_every: M}" },
    { "fp_task_max", "pick: {quota: N}" },
    { "task_max", "pick: {quota: N}" },
    { "iter_pick_number", "pick: {quota: N}" },
    { "fp_accurate_threshold", "pick: {hard: F}" },
    { "fp_accurate_soft_threshold", "pick: {soft: F}" },
    { "fp_skip_bad_box", "filters: {length_ratio: R}" },
    { "fp_cluster_vacuum", "filters: {vacuum: D}" },
    { "cluster_cutoff", "clusters: {cutoff: D}" },
    { "conv_accuracy", "convergence: {accurate: F}" },
    { "quota_per", "pick: {per: system} or pick: {per: iteration}" },
    { "skip_steps", "skip: {steps: N}" },
    { "skip_frames", "skip: {frames: N}" },
    { "iterations", "phases: of the campaign, with what changes in each" },
    { NULL, NULL },
};

static const struct port outputs[] = {
    { "frames", .type = LIST_OF (FRAMES) },
    { "provenance", .type = ONE (FILE) },
    { "lists", .type = ONE (DIR), .optional = true },
    { "accurate", .type = A_FRACTION },
    { "candidate", .type = A_FRACTION },
    { "failed", .type = A_FRACTION },
    { "invalid", .type = A_FRACTION },
    { "total", .type = ONE (INT) },
    { "candidates", .type = ONE (INT) },
    { "selected", .type = ONE (INT) },
    { "max_deviation", .type = ONE (FLOAT), .optional = true },
    { "deviation_median", .type = ONE (FLOAT), .optional = true },
    { "lost", .type = ONE (INT) },
    { "missing_tasks", .type = ONE (INT) },
    { "absent_files", .type = ONE (INT) },
    { "cut_files", .type = ONE (INT) },
    { "cut_rows", .type = ONE (INT) },
    { "without_frame", .type = ONE (INT) },
    { "repeated_steps", .type = ONE (INT) },
    { "bad_box", .type = ONE (INT) },
    { "too_close", .type = ONE (INT) },
    { "no_vacuum", .type = ONE (INT) },
    { "duplicates", .type = ONE (INT) },
    { "dropped_features", .type = ONE (MAP), .optional = true },
    { "levels", .type = ONE (MAP) },
    { "converged", .type = ONE (BOOL) },
    { "convergence", .type = ONE (STRING) },
    { "calibrated", .type = ONE (BOOL), .optional = true },
    { "calibration", .type = ONE (MAP), .optional = true },
    { "healthy", .type = A_FRACTION, .optional = true },
    { "health", .type = ONE (MAP), .optional = true },
    { "systems", .type = ONE (MAP) },
    { "proceed", .type = ONE (BOOL) },
    { 0 },
};

static const char *const reduce[] = { "{launcher}", "{fanfold}-reduce",
                                      "task.json", NULL };
static const char *const *const commands[] = { reduce, NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

static const char *const reads[] = { "seed", "iteration", NULL };

const struct operator_spec model_devi_select_operator = {
    .name = "model_devi.select",
    .code = "model_devi",
    .version = 4,
    .inputs = inputs,
    .other_names = other_names,
    .outputs = outputs,
    .commands = commands,
    .fatal_exits = fatal_exits,
    .reads = reads,
};

/* --- drawing --- */

/* The frames that model_devi.select has, in the same words. */
static const struct port probe_inputs[] = {
    { "trajectories", LIST_OF (FILE), .from = "explore.trajectory",
      .holes = true },
    { "forces", LISTS_OF (FILE), .from = "explore.forces", .holes = true,
      .committee = true },
    { "frames_expected", LIST_OF (INT), .from = "explore.frames_expected",
      .holes = true },
    { "system", LIST_OF (STRING), .from = "explore.system", .holes = true },
    { "elements", ONE (LIST), .from = "elements" },
    { "columns.trajectory", ONE (STRING), .optional = true,
      .check = check_committee },
    { "columns.forces", ONE (STRING), .optional = true,
      .check = check_committee },
    { "levels.relative", MAP_WITH (relative_fields), .optional = true,
      .check = check_committee },
    { "count", ONE (INT), .check = check_count },
    { "skip.steps", ONE (INT), .default_json = "1", .check = check_skip_steps },
    { "skip.frames", ONE (INT), .default_json = "0", .check = check_rule },
    { "skip.dump_every", ONE (INT), .optional = true,
      .check = check_dump_every },
    { "identical_members", ONE (STRING), .default_json = "\"error\"",
      .check = step_check_identical },
    { 0 },
};

static const struct port probe_outputs[] = {
    { "frames", .type = LIST_OF (FRAMES) },
    { "provenance", .type = ONE (FILE) },
    { "invalid", .type = A_FRACTION },
    { "total", .type = ONE (INT) },
    { "selected", .type = ONE (INT) },
    { "max_deviation", .type = ONE (FLOAT), .optional = true },
    { "deviation_median", .type = ONE (FLOAT), .optional = true },
    { "lost", .type = ONE (INT) },
    { "missing_tasks", .type = ONE (INT) },
    { "absent_files", .type = ONE (INT) },
    { "cut_files", .type = ONE (INT) },
    { "cut_rows", .type = ONE (INT) },
    { "repeated_steps", .type = ONE (INT) },
    { "proceed", .type = ONE (BOOL) },
    { 0 },
};

const struct operator_spec model_devi_probe_operator = {
    .name = "model_devi.probe",
    .code = "model_devi",
    .version = 2,
    .inputs = probe_inputs,
    .outputs = probe_outputs,
    .commands = commands,
    .fatal_exits = fatal_exits,
    .reads = reads,
};
