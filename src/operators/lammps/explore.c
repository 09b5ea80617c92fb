/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.c - the operator lammps.explore: its signature, and what its inputs
 * must satisfy
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path_similar.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/frame.h"
#include "operators/lammps/lammps.h"
#include "operators/lammps/runs.h"
#include "operators/step_task.h"
#include "operators/table.h"
#include "signature/operator.h"

/* --- rules --- */

/* What `runs` says is judged as a whole. */
static bool has_runs (const struct known_input *input)
{
    return json_count (json_get (input->others, "runs")) > 0;
}

static int check_lines (const char *path, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = file_read (path, LAMMPS_INPUT_MAX_BYTES, &text, err);

    if (rc == 0 && !strstr (text.buf, "${steps}")
        && !strstr (text.buf, "v_steps"))
        rc = error_set (err,
                        "input: %s does not use ${steps}; let it end in "
                        "`run ${steps}`",
                        path);
    strbuf_release (&text);
    return rc;
}

static int check_input (const struct known_input *input, struct error *err)
{
    return has_runs (input) ? 0
                            : check_lines (json_as_string (input->value), err);
}

static int check_dump_every (const struct known_input *input, struct error *err)
{
    const struct json *steps = json_get (input->others, "steps");
    int64_t every;

    if (step_count (input->others, "dump_every", 1, &every, err) < 0)
        return -1;
    if (!has_runs (input) && !json_is_null (steps) && json_as_int (steps) > 0
        && every > json_as_int (steps))
        return error_set (err,
                          "dump_every: no frame is written in %lld steps; make "
                          "it at most that",
                          (long long)json_as_int (steps));
    return 0;
}

static int check_committee (const struct known_input *input, struct error *err)
{
    const char *committee = json_as_string (input->value);

    if (strcmp (committee, "rerun") == 0)
        return 0;
    return error_set (err, "committee: '%s' is not known; use rerun",
                      committee);
}

static int check_pair (const struct known_input *input, struct error *err)
{
    int rc = lammps_check_line (json_as_string (input->value), err);

    return rc < 0 ? error_prefix (err, "%s", input->name) : 0;
}

static int check_for_each (const struct known_input *input, struct error *err)
{
    return lammps_count_combinations (input->value, err) < 0 ? -1 : 0;
}

/* Without `runs`: what the only run is by these inputs ("systems", ...), the
 * others being any that are right.
 */
static int read_alone (const struct known_input *input,
                       const char *const *names, struct lammps_runs *runs,
                       struct error *err)
{
    struct json *v = json_object ();
    int rc;

    json_set (v, "steps", json_int (1));
    json_set (v, "dump_every", json_int (1));
    json_set (v, "input", json_string (""));
    for (; *names; names++)
        json_set (v, *names, json_ref (json_get (input->others, *names)));
    rc = lammps_runs_read (v, input->dir, runs, err);
    json_unref (v);
    return rc;
}

/* How many tasks there would be, of what is right otherwise. */
static int check_replicas (const struct known_input *input, struct error *err)
{
    static const char *const one[] = { "systems", "for_each", NULL };
    static const char *const all[] = { "systems", "for_each", "replicas",
                                       NULL };
    struct lammps_runs runs = LAMMPS_RUNS_INIT;
    int64_t replicas;
    int rc = 0;

    if (step_count (input->others, "replicas", 1, &replicas, err) < 0)
        return -1;
    if (has_runs (input) || !json_get (input->others, "systems")
        || !json_get (input->others, "for_each"))
        return 0;
    if (read_alone (input, one, &runs, NULL) == 0) {
        lammps_runs_release (&runs);
        runs = (struct lammps_runs)LAMMPS_RUNS_INIT;
        rc = read_alone (input, all, &runs, err);
    }
    lammps_runs_release (&runs);
    return rc;
}

static void complain_of_structure (const struct lammps_structure *structure,
                                   const char *dir, const struct error *why,
                                   struct error *err)
{
    char *similar =
        error_is_absence (why) ? path_similar (dir, structure->path) : NULL;

    if (similar)
        error_set (err, "systems.%s: no such file '%s'; did you mean '%s'?",
                   structure->system, structure->path, similar);
    else
        error_set (err,
                   "systems.%s: %s; name a LAMMPS data file whose atom types "
                   "are those of elements",
                   structure->system, why->text);
    free (similar);
}

/* The files that a run starts from, if 'elements' are known. */
static int check_structures (const struct lammps_run *one,
                             const struct known_input *input, struct json *seen,
                             struct error *err)
{
    struct strvec elements = STRVEC_INIT;
    bool known = !json_is_null (json_get (input->others, "elements"));
    int rc =
        known ? step_strings (input->others, "elements", &elements, err) : 0;

    for (size_t i = 0; rc == 0 && known && i < one->n_structures; i++) {
        const struct lammps_structure *structure = &one->structures[i];
        struct frame frame = FRAME_INIT;
        struct error why = ERROR_INIT;
        char *path = path_join (input->dir, structure->path);

        if (!json_get (seen, structure->path))
            rc = lammps_read_structure (path, &elements, &frame, &why);
        if (rc < 0)
            complain_of_structure (structure, input->dir, &why, err);
        json_set (seen, structure->path, json_bool (true));
        frame_release (&frame);
        free (path);
    }
    strvec_release (&elements);
    return rc;
}

static int check_systems (const struct known_input *input, struct error *err)
{
    static const char *const names[] = { "systems", NULL };
    struct lammps_runs runs = LAMMPS_RUNS_INIT;
    struct json *seen = json_object ();
    int rc = 0;

    if (!has_runs (input)) {
        rc = read_alone (input, names, &runs, err);
        if (rc == 0)
            rc = check_structures (&runs.v[0], input, seen, err);
    }
    lammps_runs_release (&runs);
    json_unref (seen);
    return rc;
}

/* Is one of what the runs are made of bound to another stage? */
static bool is_partly_unknown (const struct json *inputs)
{
    for (const struct type_field *f = lammps_run_fields; f->name; f++) {
        if (!json_get (inputs, f->name))
            return true;
    }
    return false;
}

static int check_run (const struct lammps_run *one,
                      const struct known_input *input, struct json *seen,
                      struct error *err)
{
    char *lines = path_join (input->dir, one->input);
    int rc = json_get (seen, one->input) ? 0 : check_lines (lines, err);

    json_set (seen, one->input, json_bool (true));
    free (lines);
    return rc < 0 ? -1 : check_structures (one, input, seen, err);
}

/* Without any, that nothing is missing: the rest the others say. */
static int check_runs (const struct known_input *input, struct error *err)
{
    struct lammps_runs runs = LAMMPS_RUNS_INIT;
    struct json *seen;
    int rc;

    if (is_partly_unknown (input->others))
        return 0;
    if (!has_runs (input))
        return lammps_runs_are_whole (input->others, err);
    seen = json_object ();
    rc = lammps_runs_read (input->others, input->dir, &runs, err);
    for (size_t i = 0; rc == 0 && i < runs.n; i++) {
        if ((rc = check_run (&runs.v[i], input, seen, err)) < 0)
            error_prefix (err, "runs[%zu]", i);
    }
    lammps_runs_release (&runs);
    json_unref (seen);
    return rc;
}

static int64_t count_tasks (const struct json *inputs, const char *dir)
{
    struct lammps_runs runs = LAMMPS_RUNS_INIT;
    int64_t n = -1;

    if (!is_partly_unknown (inputs)
        && lammps_runs_read (inputs, dir, &runs, NULL) == 0)
        n = runs.n_tasks;
    lammps_runs_release (&runs);
    return n;
}

/* --- the operator --- */

static const struct port inputs[] = {
    { "input", ONE (FILE), .optional = true, .check = check_input },
    { "systems", ONE (ANY), .optional = true, .check = check_systems },
    { "for_each", MAP_OF (lammps_values), .default_json = "{}",
      .check = check_for_each },
    { "replicas", ONE (INT), .default_json = "1", .check = check_replicas },
    { "steps", ONE (INT), .optional = true, .check = step_check_count },
    { "dump_every", ONE (INT), .optional = true, .check = check_dump_every },
    { "runs", MAPS_WITH (lammps_run_fields), .default_json = "[]",
      .check = check_runs },
    { "potentials", LIST_OF (DIR), .from = "train.potential" },
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

/* DP-GEN's, of model_devi_jobs and beside it. */
static const struct other_name other_names[] = {
    { "sys_configs", "systems: {NAME: FILE}" },
    { "sys_idx", "systems: {NAME: FILE}" },
    { "nsteps", "steps: N" },
    { "trj_freq", "dump_every: N" },
    { "temps", "for_each: {temperature: [T, ...]}" },
    { "press", "for_each: {pressure: [P, ...]}" },
    { "rev_mat", "for_each: {NAME: [A, ...]}" },
    { "type_map", "elements: [SYMBOL, ...]" },
    { "model_devi_jobs", "runs: [{systems, for_each, steps, input}, ...], or "
                         "phases: of the campaign" },
    { NULL, NULL },
};

static const struct port slices[] = {
    { "system", .type = ONE (STRING) },
    { "structure", .type = ONE (FILE) },
    { "variables", .type = ONE (MAP) },
    { "run_input", .type = ONE (FILE) },
    { "run_steps", .type = ONE (INT) },
    { "run_dump_every", .type = ONE (INT) },
    { 0 },
};

static const struct port outputs[] = {
    { "trajectory", .type = ONE (FILE), .path = "trajectory.dump" },
    { "forces", .type = LIST_OF (FILE), .each_of = "potentials" },
    { "system", .type = ONE (STRING) },
    { "frames_expected", .type = ONE (INT) },
    { "frames", .type = ONE (INT) },
    { "blown_up", .type = ONE (BOOL) },
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
    .slices = slices,
    .prepare = prepare,
    .count_tasks = count_tasks,
    .commands = commands,
    .fatal_exits = fatal_exits,
    .reads = reads,
};
