/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce_plan.c - what model_devi.select asks of fanfold-reduce, and what it
 * makes of the answer
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "operators/model_devi/reduce_plan.h"
#include "operators/step_task.h"

/* The inputs with one element for each task of the exploring stage. */
struct explored {
    struct json *trajectories;
    struct json *forces;
    struct json *frames_expected;
    struct json *systems;
    int64_t frames_skipped; /* of each trajectory, after step 0 */
    int64_t missing;        /* tasks without results */
};

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
        { "frames_expected", &explored->frames_expected },
        { "system", &explored->systems },
    };
    size_t n;

    for (size_t i = 0; i < ARRAY_SIZE (lists); i++) {
        if (json_want_array (task->inputs, lists[i].name, lists[i].list, err)
            < 0)
            return error_prefix (err, "inputs");
        n = json_count (explored->trajectories);
        if (json_count (*lists[i].list) != n)
            return error_set (err,
                              "%s has %zu elements, trajectories has %zu; bind "
                              "them to outputs of the same stage",
                              lists[i].name, json_count (*lists[i].list), n);
    }
    return 0;
}

/* Frames at steps every, 2 every, ... below 'skip'. */
static int count_skipped (const struct step_task *task,
                          int64_t skip,
                          int64_t *skipped,
                          struct error *err)
{
    int64_t every;

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

static struct json *build (const struct step_task *task,
                           struct explored *explored,
                           int64_t quota,
                           int64_t skip,
                           const char *frames_dir)
{
    static const char *const as_they_are[] = { "semantics", "force",
                                               "elements" };
    struct json *plan = json_object ();

    json_set (plan, "format", json_int (1));
    json_set (plan, "seed", json_int (task->seed));
    for (size_t i = 0; i < ARRAY_SIZE (as_they_are); i++)
        json_set (plan, as_they_are[i],
                  json_ref (json_get (task->inputs, as_they_are[i])));
    json_set (plan, "quota", json_int (quota));
    json_set (plan, "skip_steps", json_int (skip));
    json_set (plan, "trajectories", trajectories (explored));
    json_set (plan, "missing", missing (explored));
    json_set (plan, "frames_dir", json_string (frames_dir));
    json_set (plan, "params", json_string (REDUCE_ANSWER_FILE));
    return plan;
}

struct json *reduce_plan (const struct step_task *task, struct error *err)
{
    struct explored explored = { 0 };
    const char *frames_dir;
    int64_t quota, skip;

    if (read_lists (task, &explored, err) < 0
        || step_count (task->inputs, "quota", 0, &quota, err) < 0
        || step_count (task->inputs, "skip_steps", 0, &skip, err) < 0
        || count_skipped (task, skip, &explored.frames_skipped, err) < 0
        || step_task_output (task, "frames", &frames_dir, err) < 0)
        return NULL;
    return build (task, &explored, quota, skip, frames_dir);
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
