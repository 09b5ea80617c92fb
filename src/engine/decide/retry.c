/* SPDX-License-Identifier: BSD-3-Clause */
/* retry.c - which tasks run again, and with what */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/retry.h"
#include "engine/history/state.h"

/* Where a profile does not limit what a retry may raise: ten years, 1 PiB. */
static const double most_walltime_s = 10 * 365.25 * 86400;
static const double most_memory_bytes = 1125899906842624.0;

/* How many times arrays are halved. */
enum { LARGEST_PART = 16 };

static bool is_pending (const struct stage *stage, const struct task_state *t)
{
    if (t->outcome == OUTCOME_NONE)
        return true;
    if (t->outcome == OUTCOME_OK || t->outcome == OUTCOME_CANCELLED)
        return false;
    /* The counter stops at its end: more tries than that are none. */
    return t->tries < UINT8_MAX && t->tries < stage->retry[t->outcome].tries;
}

void retry_pending (const struct stage *stage, const struct stage_state *state,
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
static double raised_need (double need, double factor, int times, double most)
{
    double more = need * pow (factor > 1 ? factor : 1, times);

    return more <= most ? more : fmax (need, most);
}

struct resources retry_resources (const struct stage *stage,
                                  const struct resources *first,
                                  const struct stage_state *state,
                                  const struct task_range *tasks)
{
    struct resources needs = *first;
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
    needs.walltime_s = raised_need (
        needs.walltime_s, stage->retry[OUTCOME_TIMEOUT].walltime_factor,
        timeouts, walltime_s > 0 ? walltime_s : most_walltime_s);
    needs.memory_bytes = (int64_t)raised_need (
        (double)needs.memory_bytes,
        stage->retry[OUTCOME_OUT_OF_MEMORY].memory_factor, out_of_memory,
        memory_bytes > 0 ? memory_bytes : most_memory_bytes);
    if (timeouts > 0)
        needs.walltime_s = fmax (needs.walltime_s, stage->needs.walltime_s);
    if (out_of_memory > 0 && needs.memory_bytes < stage->needs.memory_bytes)
        needs.memory_bytes = stage->needs.memory_bytes;
    return needs;
}

unsigned retry_avoid_after (const struct stage *stage)
{
    unsigned outcomes = 0;

    for (int o = 0; o < OUTCOME_COUNT; o++)
        outcomes |= stage->retry[o].exclude_node ? 1U << o : 0;
    return outcomes;
}

int retry_tasks_needed (const struct stage *stage,
                        const struct stage_state *state)
{
    /* The tolerance keeps 0.9 of 10 at 9. */
    return (int)ceil (stage->success * state->n_tasks - 1e-9);
}

int retry_quorum_met (const struct stage *stage,
                      const struct stage_state *state)
{
    return state->by_outcome[OUTCOME_OK] >= retry_tasks_needed (stage, state);
}

int64_t retry_smaller_arrays (const struct stage_state *state)
{
    const struct attempt *last =
        state->n_attempts > 0 ? &state->attempts[state->n_attempts - 1] : NULL;
    int64_t first = 0;
    int64_t half;
    size_t absent = 0;

    for (size_t i = 0; i < state->n_attempts; i++) {
        if (state->attempts[i].packing.per_chunk > first)
            first = state->attempts[i].packing.per_chunk;
    }
    for (size_t i = last ? last->n_submissions : 0; i-- > 0;) {
        enum submission_status status = last->submissions[i].status;

        if (status != SUBMISSION_ABSENT && status != SUBMISSION_ENDED)
            return 0;
        absent += status == SUBMISSION_ABSENT
                  && last->n_submissions - i == absent + 1;
    }
    if (absent < 2 || last->packing.per_chunk < 2)
        return 0;
    half = (last->packing.per_chunk + 1) / 2;
    return half * LARGEST_PART >= first ? half : 0;
}
