/* SPDX-License-Identifier: BSD-3-Clause */
/* retry.c - which tasks run again, and with what */
#include "config.h"

#include <math.h>

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/retry.h"
#include "engine/state.h"

/* Where a profile does not limit what a retry may raise: ten years, 1 PiB. */
static const double most_walltime_s = 10 * 365.25 * 86400;
static const double most_memory_bytes = 1125899906842624.0;

static bool is_pending (const struct stage *stage, const struct task_state *t)
{
    if (t->outcome == OUTCOME_NONE)
        return true;
    if (t->outcome == OUTCOME_OK || t->outcome == OUTCOME_CANCELLED)
        return false;
    /* The counter stops at its end: more tries than that are none. */
    return t->tries < UINT8_MAX && t->tries < stage->retry[t->outcome].tries;
}

void retry_pending (const struct stage *stage,
                    const struct stage_state *state,
                    struct task_range *pending)
{
    for (int32_t i = 0; i < state->n_tasks; i++) {
        if (is_pending (stage, &state->tasks[i]))
            task_range_add (pending, i);
    }
}

/* 'need' raised 'times' times, up to 'most': a task that ran out of all there
 * is gets all there is once more, rather than making the stage impossible.
 */
static double raised (double need, double factor, int times, double most)
{
    double more = need * pow (factor > 1 ? factor : 1, times);

    return more <= most ? more : fmax (need, most);
}

struct resources retry_resources (const struct stage *stage,
                                  const struct stage_state *state,
                                  const struct task_range *tasks)
{
    struct resources needs = stage->needs;
    double walltime_s = stage->profile->limits.walltime_s;
    double memory_bytes = (double)stage->profile->node.memory_bytes
                          * (needs.nodes > 1 ? needs.nodes : 1);
    int timeouts = 0;
    int out_of_memory = 0;

    for (int32_t t = -1; (t = task_range_next (tasks, t)) >= 0;) {
        const struct task_state *task = &state->tasks[t];

        if (task->timeouts > timeouts)
            timeouts = task->timeouts;
        if (task->out_of_memory > out_of_memory)
            out_of_memory = task->out_of_memory;
    }
    needs.walltime_s =
        raised (needs.walltime_s, stage->retry[OUTCOME_TIMEOUT].walltime_factor,
                timeouts, walltime_s > 0 ? walltime_s : most_walltime_s);
    needs.memory_bytes = (int64_t)raised (
        (double)needs.memory_bytes,
        stage->retry[OUTCOME_OUT_OF_MEMORY].memory_factor, out_of_memory,
        memory_bytes > 0 ? memory_bytes : most_memory_bytes);
    return needs;
}

/* The tasks that ended in a way whose rule excludes the node. */
static void blame (const struct stage *stage,
                   const struct json *outcomes,
                   struct task_range *tasks)
{
    JSON_FOREACH (outcomes, it) {
        enum outcome outcome = outcome_from_name (json_iter_key (it));
        struct task_range range = TASK_RANGE_INIT;

        if (outcome == OUTCOME_COUNT || !stage->retry[outcome].exclude_node)
            continue;
        task_range_parse (json_as_string (json_iter_value (it)), &range, NULL);
        for (int32_t t = -1; (t = task_range_next (&range, t)) >= 0;)
            task_range_add (tasks, t);
        task_range_release (&range);
    }
}

static bool is_any_in (const char *text, const struct task_range *tasks)
{
    struct task_range range = TASK_RANGE_INIT;
    bool found = false;

    task_range_parse (text, &range, NULL);
    for (int32_t t = -1; !found && (t = task_range_next (&range, t)) >= 0;)
        found = task_range_contains (tasks, t);
    task_range_release (&range);
    return found;
}

struct json *retry_nodes_to_avoid (const struct stage *stage,
                                   const struct json *results)
{
    struct task_range blamed = TASK_RANGE_INIT;
    struct json *nodes = json_array ();

    blame (stage, json_get (results, "outcomes"), &blamed);
    JSON_FOREACH (json_get (results, "nodes"), it) {
        if (is_any_in (json_as_string (json_iter_value (it)), &blamed))
            json_push (nodes, json_string (json_iter_key (it)));
    }
    task_range_release (&blamed);
    if (json_count (nodes) > 0)
        return nodes;
    json_unref (nodes);
    return NULL;
}

int retry_quorum_met (const struct stage *stage,
                      const struct stage_state *state)
{
    /* The tolerance keeps 0.9 of 10 at 9. */
    double needed = ceil (stage->success * state->n_tasks - 1e-9);

    return state->by_outcome[OUTCOME_OK] >= needed;
}
