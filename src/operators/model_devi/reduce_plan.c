/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_plan.c - what model_devi.select asks of fanfold-reduce, and what it
 * makes of the answer
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "operators/model_devi/reduce_plan.h"
#include "operators/step_task.h"
#include "selection/committee_rules.h"
#include "selection/rules.h"

/* The inputs with one element for each task of the exploring stage. */
struct explored {
    struct json *trajectories;
    struct json *forces;     /* empty when there are deviations, and */
    struct json *deviations; /* the other way round */
    struct json *frames_expected;
    struct json *systems;
    int64_t frames_skipped; /* of each trajectory, after step 0 */
    int64_t missing;        /* tasks without results */
};

/* Of forces and deviations one may be empty. */
static bool is_left_out (const struct explored *explored,
                         const struct json *list)
{
    if (json_count (list) > 0)
        return false;
    return (list == explored->forces)
           || (list == explored->deviations
               && json_count (explored->forces) > 0);
}

static int read_lists (const struct step_task *task,
                       struct explored *explored,
                       struct error *err)
{
    const struct {
        const char *name;
        struct json **list;
    } lists[] = {
        { "trajectories", &explored->trajectories },
        { "forces", &explored->forces },
        { "deviations", &explored->deviations },
        { "frames_expected", &explored->frames_expected },
        { "system", &explored->systems },
    };
    size_t n;

    for (size_t i = 0; i < ARRAY_SIZE (lists); i++) {
        if (json_want_array (task->inputs, lists[i].name, lists[i].list, err)
            < 0)
            return error_prefix (err, "inputs");
        n = json_count (explored->trajectories);
        if (is_left_out (explored, *lists[i].list))
            continue;
        if (json_count (*lists[i].list) != n)
            return error_set (err,
                              "%s has %zu elements, trajectories has %zu; bind "
                              "them to outputs of the same stage",
                              lists[i].name, json_count (*lists[i].list), n);
    }
    return 0;
}

/* Frames at steps every, 2 every, ... below the first that counts. */
static int count_skipped (const struct step_task *task,
                          const struct json *plan,
                          int64_t *skipped,
                          struct error *err)
{
    int64_t every, skip = json_as_int (json_get (plan, "skip_steps"));

    *skipped = 0;
    if (skip <= 1)
        return 0;
    if (!json_get (task->inputs, "dump_every"))
        return error_set (err,
                          "skip_steps: %" PRId64 " needs dump_every, the steps "
                          "between two frames, to tell how many are left",
                          skip);
    if (step_count (task->inputs, "dump_every", 1, &every, err) < 0)
        return -1;
    *skipped = (skip - 1) / every;
    return 0;
}

static struct json *trajectory (const struct explored *explored, size_t i)
{
    int64_t expected = json_as_int (json_at (explored->frames_expected, i))
                       - explored->frames_skipped;
    struct json *one = json_object ();

    json_set (one, "task", json_int ((int64_t)i));
    json_set (one, "system", json_ref (json_at (explored->systems, i)));
    json_set (one, "trajectory",
              json_ref (json_at (explored->trajectories, i)));
    if (json_count (explored->deviations) > 0)
        json_set (one, "deviations",
                  json_ref (json_at (explored->deviations, i)));
    else
        json_set (one, "forces", json_ref (json_at (explored->forces, i)));
    json_set (one, "expected_frames", json_int (expected > 0 ? expected : 0));
    return one;
}

static struct json *trajectories (struct explored *explored)
{
    struct json *all = json_array ();

    for (size_t i = 0; i < json_count (explored->trajectories); i++) {
        if (json_is_null (json_at (explored->trajectories, i)))
            explored->missing++;
        else
            json_push (all, trajectory (explored, i));
    }
    return all;
}

/* How many frames a task without results would have had is not known. */
static struct json *missing (const struct explored *explored)
{
    struct json *counts = json_object ();

    json_set (counts, "tasks", json_int (explored->missing));
    json_set (counts, "frames", json_int (0));
    return counts;
}

/* The inputs that say how to select in this iteration, which may be out of
 * range.
 */
static int copy_rules (const struct step_task *task,
                       int64_t iteration,
                       struct json *plan,
                       struct error *err)
{
    struct json *rules = rules_of_iteration (task->inputs, iteration, err);
    int rc = rules ? rules_check (rules, err) : -1;

    if (rc == 0) {
        JSON_FOREACH (rules, it)
            json_set (plan, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    json_unref (rules);
    return rc;
}

/* What is made of the committee's files, which may be out of range too. */
static int copy_committee_rules (const struct step_task *task,
                                 struct json *plan,
                                 struct error *err)
{
    struct committee_rules rules;

    if (committee_rules_from_json (task->inputs, &rules, err) < 0)
        return -1;
    for (size_t i = 0; committee_rules_keys[i]; i++) {
        struct json *value = json_get (task->inputs, committee_rules_keys[i]);

        if (value && !json_is_null (value))
            json_set (plan, committee_rules_keys[i], json_ref (value));
    }
    return 0;
}

static void fill (struct json *plan,
                  const struct step_task *task,
                  struct explored *explored)
{
    static const char *const passed_on[] = { "earlier", "labelled" };

    for (size_t i = 0; i < ARRAY_SIZE (passed_on); i++) {
        struct json *value = json_get (task->inputs, passed_on[i]);

        if (json_count (value) > 0)
            json_set (plan, passed_on[i], json_ref (value));
    }
    json_set (plan, "seed", json_int (task->seed));
    json_set (plan, "elements", json_ref (json_get (task->inputs, "elements")));
    json_set (plan, "trajectories", trajectories (explored));
    json_set (plan, "missing", missing (explored));
    json_set (plan, "params", json_string (REDUCE_ANSWER_FILE));
}

/* Where the task's output artifacts are to go. */
static int place_outputs (const struct step_task *task,
                          struct json *plan,
                          struct error *err)
{
    const char *frames_dir, *provenance, *lists;

    if (step_task_output (task, "frames", &frames_dir, err) < 0
        || step_task_output (task, "provenance", &provenance, err) < 0)
        return -1;
    json_set (plan, "frames_dir", json_string (frames_dir));
    json_set (plan, "provenance", json_string (provenance));
    if (!json_as_bool (json_get (task->inputs, "lists")))
        return 0;
    if (step_task_output (task, "lists", &lists, err) < 0)
        return -1;
    json_set (plan, "lists", json_string (lists));
    json_set (plan, "root", json_string (task->campaign_dir));
    return 0;
}

struct json *reduce_plan (const struct step_task *task, struct error *err)
{
    struct explored explored = { 0 };
    struct json *plan = json_object ();
    int64_t iteration;

    json_set (plan, "format", json_int (1));
    if (json_want_int (task->record, "iteration", &iteration, err) < 0
        || read_lists (task, &explored, err) < 0
        || copy_rules (task, iteration, plan, err) < 0
        || copy_committee_rules (task, plan, err) < 0
        || count_skipped (task, plan, &explored.frames_skipped, err) < 0
        || place_outputs (task, plan, err) < 0) {
        json_unref (plan);
        return NULL;
    }
    json_set (plan, "iteration", json_int (iteration));
    fill (plan, task, &explored);
    return plan;
}

struct json *reduce_params (const struct json *answer, struct error *err)
{
    struct json *params;
    int64_t total, selected;

    if (json_want_int (answer, "frames", &total, err) < 0
        || json_want_int (answer, "selected", &selected, err) < 0)
        return NULL;
    params = json_deep_copy (answer);
    json_delete (params, "frames");
    json_set (params, "total", json_int (total));
    json_set (params, "proceed", json_bool (selected > 0));
    return params;
}
