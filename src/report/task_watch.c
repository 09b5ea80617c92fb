/* SPDX-License-Identifier: BSD-3-Clause */
/* task_watch.c - which task a person wants to see, and when it is over */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/retry.h"
#include "engine/history/attempt_logs.h"
#include "engine/history/state.h"
#include "report/task_watch.h"

/* Was it asked that what is queued or running of the open attempt ends? */
static bool is_being_cancelled (const struct stage_state *state)
{
    const struct attempt *attempt = stage_open_attempt (state);
    size_t i = 0;

    while (attempt && i < attempt->n_submissions
           && !attempt->submissions[i].cancel_asked)
        i++;
    return attempt && i < attempt->n_submissions;
}

enum outcome task_outcome (const struct stage_state *state,
                           const struct attempt_logs *logs, int32_t task)
{
    enum outcome recorded = (enum outcome)state->tasks[task].outcome;
    enum outcome logged;

    if (recorded != OUTCOME_NONE || !logs || task >= logs->n_tasks)
        return recorded;
    logged = (enum outcome)logs->tasks[task].outcome;
    return logged == OUTCOME_PREEMPTED && is_being_cancelled (state)
               ? OUTCOME_CANCELLED
               : logged;
}

static bool is_started (const struct attempt_logs *logs, int32_t task)
{
    return logs && task < logs->n_tasks && logs->tasks[task].started;
}

const char *task_standing (const struct stage_state *state,
                           const struct attempt_logs *logs, int32_t task,
                           int *tries)
{
    enum outcome outcome = task_outcome (state, logs, task);
    bool now =
        state->tasks[task].outcome == OUTCOME_NONE && is_started (logs, task);

    *tries = state->tasks[task].tries + now;
    return outcome == OUTCOME_NONE && now ? "running" : outcome_name (outcome);
}

bool task_failed (const struct stage_state *state,
                  const struct attempt_logs *logs, int32_t task)
{
    enum outcome outcome = task_outcome (state, logs, task);

    if (outcome != OUTCOME_NONE)
        return outcome != OUTCOME_OK;
    return state->tasks[task].tries > 0 && !is_started (logs, task);
}

/* What a task is to who looks for one. */
enum look {
    LOOK_FAILED,
    LOOK_RUNNING,
    LOOK_PENDING,
    LOOK_OK,
    LOOK_COUNT,
};

static enum look look_of (const struct stage_state *state,
                          const struct attempt_logs *logs, int32_t task)
{
    if (task_failed (state, logs, task))
        return LOOK_FAILED;
    if (task_outcome (state, logs, task) == OUTCOME_OK)
        return LOOK_OK;
    return is_started (logs, task) ? LOOK_RUNNING : LOOK_PENDING;
}

int32_t task_to_show (const struct stage_state *state,
                      const struct attempt_logs *logs, bool follow)
{
    static const enum look shown[] = { LOOK_FAILED, LOOK_RUNNING, LOOK_OK,
                                       LOOK_PENDING };
    static const enum look followed[] = { LOOK_RUNNING, LOOK_PENDING,
                                          LOOK_FAILED, LOOK_OK };
    const enum look *order = follow ? followed : shown;
    int32_t first[LOOK_COUNT] = { -1, -1, -1, -1 };

    for (int32_t i = state->n_tasks; i-- > 0;) {
        enum look look = look_of (state, logs, i);

        if (follow && look == LOOK_FAILED
            && task_outcome (state, logs, i) == OUTCOME_NONE)
            look = LOOK_PENDING; /* to its next try */
        first[look] = i;
    }
    for (int i = 0; i < LOOK_COUNT; i++) {
        if (first[order[i]] >= 0)
            return first[order[i]];
    }
    return -1;
}

/* Will a task of a stage that has begun be tried again, or at all? */
static bool is_pending (const struct stage *stage,
                        const struct stage_state *state, int32_t task)
{
    _cleanup_ (task_range_release) struct task_range pending = TASK_RANGE_INIT;
    bool is;

    retry_pending (stage, state, &pending);
    is = task_range_contains (&pending, task);
    return is;
}

enum task_prospect task_prospect (const struct state *state,
                                  const struct stage *stage,
                                  const struct stage_state *stage_state,
                                  int32_t task, bool running)
{
    bool begun = stage_state && stage_state->status == STAGE_PREPARED;

    if (stage_state && stage_state->status != STAGE_WAITING && !begun)
        return TASK_IS_OVER;
    if (begun && task >= stage_state->n_tasks)
        return TASK_IS_OVER;
    if (begun && stage_state->tasks[task].outcome != OUTCOME_NONE)
        running = false; /* as everybody knows but the log of a lost one */
    if (begun && !running && !is_pending (stage, stage_state, task)
        && stage_state->tasks[task].outcome != OUTCOME_CANCELLED)
        return TASK_IS_OVER;
    if (!running && state->status != CAMPAIGN_RUNNING)
        return TASK_IS_HELD_UP;
    return TASK_GOES_ON;
}
