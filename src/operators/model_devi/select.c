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

/* It is always there, so it speaks for levels that are not. */
static int check_semantics (const struct known_input *input, struct error *err)
{
    if (rules_check_key (input->others, input->name, err) < 0)
        return -1;
    return rules_check_any_levels (input->others, err);
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
    { "trajectories", LIST_OF (FILE), .from = "explore.trajectory",
      .holes = true },
    { "forces", LISTS_OF (FILE), .from = "explore.forces", .holes = true,
      .committee = true },
    { "deviations", LIST_OF (FILE), .default_json = "[]", .holes = true },
    { "frames_expected", LIST_OF (INT), .from = "explore.frames_expected",
      .holes = true },
    { "system", LIST_OF (STRING), .from = "explore.system", .holes = true },
    { "elements", ONE (LIST), .from = "elements" },
    { "semantics", ONE (STRING), .default_json = "\"dpgen\"",
      .check = check_semantics },
    { "force", ONE (MAP), .optional = true, .check = check_rule },
    { "virial", ONE (MAP), .optional = true, .check = check_rule },
    { "energy", ONE (MAP), .optional = true, .check = check_rule },
    { "relative", ONE (MAP), .optional = true, .check = check_committee },
    { "columns", ONE (MAP), .optional = true, .check = check_committee },
    { "avg_relative", ONE (BOOL), .optional = true, .check = check_rule },
    { "distance", ONE (FLOAT), .optional = true, .check = check_rule },
    { "adaptive", ONE (MAP), .optional = true, .check = check_rule },
    { "quota", ONE (INT), .check = check_rule },
    { "quota_per", ONE (STRING), .default_json = "\"iteration\"",
      .check = check_rule },
    { "minimum", ONE (INT), .default_json = "0", .check = check_rule },
    { "soft", ONE (FLOAT), .optional = true, .check = check_rule },
    { "hard", ONE (FLOAT), .default_json = "1.0", .check = check_rule },
    { "pick", ONE (STRING), .default_json = "\"random\"", .check = check_rule },
    { "bins", ONE (INT), .default_json = "10", .check = check_rule },
    { "pool", ONE (INT), .default_json = "20", .check = check_rule },
    { "filters", ONE (MAP), .optional = true, .check = check_rule },
    { "duplicates", ONE (FLOAT), .optional = true, .check = check_duplicates },
    { "labelled", LIST_OF (FRAMES), .default_json = "[]" },
    { "clusters", ONE (MAP), .optional = true, .check = check_rule },
    { "convergence", ONE (MAP), .optional = true, .check = check_convergence },
    { "earlier", LIST_OF (MAP), .default_json = "[]" },
    { "lists", ONE (BOOL), .default_json = "false" },
    { "iterations", LIST_OF (MAP), .default_json = "[]",
      .check = check_iterations },
    { "skip_frames", ONE (INT), .default_json = "0", .check = check_rule },
    { "skip_steps", ONE (INT), .default_json = "1", .check = check_skip_steps },
    { "dump_every", ONE (INT), .optional = true, .check = step_check_count },
    { 0 },
};

static const struct port outputs[] = {
    { "frames", .type = LIST_OF (FRAMES) },
    { "provenance", .type = ONE (FILE) },
    { "lists", .type = ONE (DIR), .optional = true },
    { "accurate", .type = ONE (FLOAT) },
    { "candidate", .type = ONE (FLOAT) },
    { "failed", .type = ONE (FLOAT) },
    { "invalid", .type = ONE (FLOAT) },
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
    { "levels", .type = ONE (MAP) },
    { "converged", .type = ONE (BOOL) },
    { "convergence", .type = ONE (STRING) },
    { "systems", .type = ONE (MAP) },
    { "proceed", .type = ONE (BOOL) },
    { 0 },
};

static const char *const reduce[] = { "{launcher}", "{fanfold}-reduce",
                                      "task.json", NULL };
static const char *const *const commands[] = { reduce, NULL };
static const int fatal_exits[] = { STEP_FATAL, 0 };

const struct operator_spec model_devi_select_operator = {
    .name = "model_devi.select",
    .code = "model_devi",
    .version = 1,
    .inputs = inputs,
    .outputs = outputs,
    .commands = commands,
    .fatal_exits = fatal_exits,
};
