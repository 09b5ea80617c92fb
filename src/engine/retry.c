/* SPDX-License-Identifier: BSD-3-Clause */
/* retry.c - which tasks run again, and with what */
#include "config.h"

#include <math.h>

#include "campaign/plan.h"
#include "engine/retry.h"
#include "engine/state.h"

static bool is_pending (const struct stage *stage, const struct task_state *t)
{
    if (t->outcome == OUTCOME_NONE)
        return true;
    if (t->outcome == OUTCOME_OK || t->outcome == OUTCOME_CANCELLED)
        return false;
    return t->tries < stage->retry[t->outcome].tries;
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

static double raised (double factor, int times)
{
    return factor > 0 ? pow (factor, times) : 1;
}

struct resources retry_resources (const struct stage *stage,
                                  const struct stage_state *state,
                                  const struct task_range *tasks)
{
    struct resources needs = stage->needs;
    int timeouts = 0;
    int out_of_memory = 0;

    for (int32_t t = -1; (t = task_range_next (tasks, t)) >= 0;) {
        const struct task_state *task = &state->tasks[t];

        if (task->timeouts > timeouts)
            timeouts = task->timeouts;
        if (task->out_of_memory > out_of_memory)
            out_of_memory = task->out_of_memory;
    }
    needs.walltime_s *=
        raised (stage->retry[OUTCOME_TIMEOUT].walltime_factor, timeouts);
    needs.memory_bytes =
        (int64_t)((double)needs.memory_bytes
                  * raised (stage->retry[OUTCOME_OUT_OF_MEMORY].memory_factor,
                            out_of_memory));
    return needs;
}

int retry_quorum_met (const struct stage *stage,
                      const struct stage_state *state)
{
    /* The tolerance keeps 0.9 of 10 at 9. */
    double needed = ceil (stage->success * state->n_tasks - 1e-9);

    return state->by_outcome[OUTCOME_OK] >= needed;
}
