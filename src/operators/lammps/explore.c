/* SPDX-License-Identifier: BSD-3-Clause */
/* explore.c - the operator lammps.explore: its signature, and what its tasks
 * are
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/frame.h"
#include "operators/lammps/lammps.h"
#include "operators/step_task.h"
#include "operators/table.h"
#include "signature/operator.h"

/* --- what the tasks are: systems x variables x replicas --- */

/* Far beyond what a scheduler takes: more is a slip of the pen. */
enum { MOST_TASKS = 1000000, LONGEST_NAME = 200 };

/* The name of a system becomes the name of a file of frames. */
static int check_system_name (const char *name, struct error *err)
{
    const char *at = name;

    while (isalnum ((unsigned char)*at)
           || (at > name && *at && strchr ("_-.", *at)))
        at++;
    if (at > name && *at == '\0' && at - name <= LONGEST_NAME)
        return 0;
    return error_set (err,
                      "systems: '%.100s' is no good as a name; use up to %d "
                      "letters, digits, '_', '-' and '.', a letter or digit "
                      "first",
                      name, LONGEST_NAME);
}

static int check_names (const struct json *systems, struct error *err)
{
    if (json_count (systems) == 0)
        return error_set (err, "systems: name at least one data file");
    JSON_FOREACH (systems, it) {
        if (check_system_name (json_iter_key (it), err) < 0)
            return -1;
        if (json_kind (json_iter_value (it)) != JSON_KIND_STRING)
            return error_set (err, "systems.%s: expected a path, got %s",
                              json_iter_key (it),
                              json_kind_name (json_iter_value (it)));
    }
    return 0;
}

static int check_value (const char *name, size_t i, const struct json *value,
                        struct error *err)
{
    enum json_kind kind = json_kind (value);

    if (kind != JSON_KIND_INT && kind != JSON_KIND_REAL)
        return error_set (err, "for_each.%s[%zu]: expected a number, got %s",
                          name, i, json_kind_name (value));
    if (strcmp (name, "scale") == 0 && !(json_as_double (value) > 0))
        return error_set (err, "for_each.scale[%zu]: %g is not positive", i,
                          json_as_double (value));
    return 0;
}

static int check_values (const char *name, const struct json *values,
                         struct error *err)
{
    if (lammps_check_variable (name, err) < 0)
        return -1;
    if (json_kind (values) != JSON_KIND_ARRAY || json_count (values) == 0)
        return error_set (err, "for_each.%s: expected a list of numbers", name);
    for (size_t i = 0; i < json_count (values); i++) {
        if (check_value (name, i, json_at (values, i), err) < 0)
            return -1;
    }
    return 0;
}

static int64_t count_combinations (const struct json *for_each,
                                   struct error *err)
{
    int64_t n = 1;

    JSON_FOREACH (for_each, it) {
        if (check_values (json_iter_key (it), json_iter_value (it), err) < 0)
            return -1;
        n *= (int64_t)json_count (json_iter_value (it));
        if (n > MOST_TASKS)
            return error_set (err, "for_each makes more than %d tasks",
                              MOST_TASKS);
    }
    return n;
}

/* Combination number 'index' of 'total'; the last variable varies fastest. */
static struct json *combination (const struct json *for_each, int64_t index,
                                 int64_t total)
{
    struct json *chosen = json_object ();

    JSON_FOREACH (for_each, it) {
        struct json *values = json_iter_value (it);

        total /= (int64_t)json_count (values);
        json_set (chosen, json_iter_key (it),
                  json_ref (json_at (values, (size_t)(index / total))));
        index %= total;
    }
    return chosen;
}

static void add_slices (const char *system, const struct json *for_each,
                        int64_t combinations, int64_t replicas,
                        struct json *made)
{
    for (int64_t i = 0; i < combinations; i++) {
        struct json *chosen = combination (for_each, i, combinations);

        for (int64_t r = 0; r < replicas; r++) {
            json_push (json_get (made, "system"), json_string (system));
            json_push (json_get (made, "variables"), json_ref (chosen));
        }
        json_unref (chosen);
    }
}

static int64_t count_tasks (size_t n_systems, int64_t combinations,
                            int64_t replicas, struct error *err)
{
    if (replicas > MOST_TASKS / combinations / (int64_t)n_systems)
        return error_set (err,
                          "%zu systems, %" PRId64 " combinations and %" PRId64
                          " replicas make more than %d tasks",
                          n_systems, combinations, replicas, MOST_TASKS);
    return replicas * combinations * (int64_t)n_systems;
}

struct json *lammps_slices (const struct json *systems,
                            const struct json *for_each, int64_t replicas,
                            struct error *err)
{
    struct json *made;
    int64_t combinations;

    if (check_names (systems, err) < 0)
        return NULL;
    combinations = count_combinations (for_each, err);
    if (combinations < 0
        || count_tasks (json_count (systems), combinations, replicas, err) < 0)
        return NULL;
    made = json_object ();
    json_set (made, "system", json_array ());
    json_set (made, "variables", json_array ());
    JSON_FOREACH (systems, it)
        add_slices (json_iter_key (it), for_each, combinations, replicas, made);
    return made;
}

/* --- rules --- */

static int check_input (const struct known_input *input, struct error *err)
{
    const char *path = json_as_string (input->value);
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

static int check_dump_every (const struct known_input *input, struct error *err)
{
    const struct json *steps = json_get (input->others, "steps");
    int64_t every;

    if (step_count (input->others, "dump_every", 1, &every, err) < 0)
        return -1;
    if (!json_is_null (steps) && json_as_int (steps) > 0
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

static int check_for_each (const struct known_input *input, struct error *err)
{
    return count_combinations (input->value, err) < 0 ? -1 : 0;
}

/* How many tasks there would be, of what is right otherwise. */
static int check_replicas (const struct known_input *input, struct error *err)
{
    size_t n_systems = json_count (json_get (input->others, "systems"));
    int64_t combinations =
        count_combinations (json_get (input->others, "for_each"), NULL);
    int64_t replicas;

    if (step_count (input->others, "replicas", 1, &replicas, err) < 0)
        return -1;
    if (n_systems == 0 || combinations < 1)
        return 0;
    return count_tasks (n_systems, combinations, replicas, err) < 0 ? -1 : 0;
}

static int check_systems (const struct known_input *input, struct error *err)
{
    if (check_names (input->value, err) < 0)
        return -1;
    if (json_is_null (json_get (input->others, "elements")))
        return 0;
    JSON_FOREACH (input->value, it) {
        struct frame frame = FRAME_INIT;
        int rc = lammps_read_system (input->others, input->dir,
                                     json_iter_key (it), &frame, err);

        frame_release (&frame);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* --- the operator --- */

static const struct port inputs[] = {
    { "input", ONE (FILE), .check = check_input },
    { "systems", ONE (MAP), .check = check_systems },
    { "for_each", ONE (MAP), .default_json = "{}", .check = check_for_each },
    { "replicas", ONE (INT), .default_json = "1", .check = check_replicas },
    { "steps", ONE (INT), .check = step_check_count },
    { "dump_every", ONE (INT), .check = check_dump_every },
    { "potentials", LIST_OF (DIR), .from = "train.potential" },
    { "elements", ONE (LIST), .from = "elements" },
    { "pair_style", ONE (STRING), .default_json = "\"kim {potential}\"" },
    { "pair_coeff", ONE (STRING), .default_json = "\"* * {elements}\"" },
    { "committee", ONE (STRING), .default_json = "\"rerun\"",
      .check = check_committee },
    { "lammps", ONE (LIST), .default_json = "[\"lmp\"]",
      .check = step_check_program },
    { 0 },
};

static const struct port slices[] = {
    { "system", .type = ONE (STRING) },
    { "variables", .type = ONE (MAP) },
    { 0 },
};

static const struct port outputs[] = {
    { "trajectory", .type = ONE (FILE), .path = "trajectory.dump" },
    { "forces", .type = LIST_OF (FILE) },
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

const struct operator_spec lammps_explore_operator = {
    .name = "lammps.explore",
    .code = "lammps",
    .inputs = inputs,
    .outputs = outputs,
    .slices = slices,
    .prepare = prepare,
    .commands = commands,
    .fatal_exits = fatal_exits,
};

/* --- the step `prepare` --- */

static int make_slices (const struct step_task *task, struct error *err)
{
    struct json *systems, *for_each, *potentials, *made;
    int64_t replicas;

    for (const struct port *port = inputs; port->name; port++) {
        if (port_check (port, task->inputs, task->campaign_dir, err) < 0)
            return -1;
    }
    if (step_count (task->inputs, "replicas", 1, &replicas, err) < 0)
        return -1;
    if (json_want_object (task->inputs, "systems", &systems, err) < 0
        || json_want_object (task->inputs, "for_each", &for_each, err) < 0
        || json_want_array (task->inputs, "potentials", &potentials, err) < 0)
        return error_prefix (err, "inputs");
    if (json_count (potentials) == 0)
        return error_set (err, "potentials: the committee has no member");
    made = lammps_slices (systems, for_each, replicas, err);
    return made ? step_write ("slices.json", made, err) : -1;
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
