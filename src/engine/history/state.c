/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - looking at a state, and freeing it */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/state.h"
#include "space/layout.h"

void submission_release (struct submission *submission)
{
    free (submission->id);
    free (submission->note);
    json_unref (submission->asked);
}

static void attempt_release (struct attempt *attempt)
{
    for (size_t i = 0; i < attempt->n_submissions; i++)
        submission_release (&attempt->submissions[i]);
    free (attempt->submissions);
    task_range_release (&attempt->tasks);
}

void stage_state_release (struct stage_state *stage)
{
    for (size_t i = 0; i < stage->n_attempts; i++)
        attempt_release (&stage->attempts[i]);
    free (stage->attempts);
    free (stage->tasks);
    task_sizes_release (&stage->sizes);
    json_unref (stage->reused);
    json_unref (stage->avoid);
    json_unref (stage->retired);
    json_unref (stage->checkpoints);
    json_unref (stage->removed);
    json_unref (stage->logs);
    free (stage->why);
    free (stage->code);
    free (stage->dir);
    free (stage->first_name);
    free (stage->outputs);
    free (stage->unsteady);
    free (stage->name);
}

void iteration_state_release (struct iteration_state *iteration)
{
    for (size_t i = 0; i < iteration->n_stages; i++)
        stage_state_release (&iteration->stages[i]);
    free (iteration->stages);
    free (iteration->phase);
    json_unref (iteration->history);
    json_unref (iteration->dataset);
}

void dependency_job_release (struct dependency_job *dependency_job)
{
    submission_release (&dependency_job->job);
    free (dependency_job->stage);
}

void state_release (struct state *state)
{
    for (size_t i = 0; i < state->n_dependency_jobs; i++)
        dependency_job_release (&state->dependency_jobs[i]);
    free (state->dependency_jobs);
    for (size_t i = 0; i < state->n_iterations; i++)
        iteration_state_release (&state->iterations[i]);
    free (state->iterations);
    free (state->id);
    free (state->home.path);
    free (state->home.inode);
    free (state->path);
    free (state->why);
    json_unref (state->superseded);
    json_unref (state->fresh);
    json_unref (state->reuse_from);
    json_unref (state->moves);
    json_unref (state->requests_seen);
    json_unref (state->outages);
    json_unref (state->notify);
    json_unref (state->notices);
    json_unref (state->notice_failed);
    free (state->then.event);
    free (state->then.why);
    memset (state, 0, sizeof (*state));
}

struct stage_state *state_stage (const struct state *state, int iteration,
                                 const char *name)
{
    struct iteration_state *it;

    if (iteration < 0 || (size_t)iteration >= state->n_iterations)
        return NULL;
    it = &state->iterations[iteration];
    for (size_t i = 0; i < it->n_stages; i++) {
        if (strcmp (it->stages[i].name, name) == 0)
            return &it->stages[i];
    }
    return NULL;
}

int state_fresh_since (const struct state *state, const char *first_name,
                       int iteration)
{
    int64_t since = 0;

    for (size_t i = 0; i < json_count (state->fresh); i++) {
        const struct json *one = json_at (state->fresh, i);
        int64_t of = json_get_int (one, "iteration");

        if ((!json_get (one, "stage")
             || strcmp (json_get_string (one, "stage"), first_name) == 0)
            && (of < 0 || of == iteration)
            && json_get_int (one, "number") > since)
            since = json_get_int (one, "number");
    }
    return (int)since;
}

const char *state_dir_name (const struct state *state, int iteration,
                            const char *name)
{
    const struct stage_state *stage = state_stage (state, iteration, name);

    return stage && stage->dir && stage->status != STAGE_WAITING ? stage->dir
                                                                 : name;
}

struct stage_place state_place (const struct state *state, int iteration,
                                const char *name)
{
    const struct stage_state *stage = state_stage (state, iteration, name);

    return (struct stage_place){ state_dir_name (state, iteration, name),
                                 stage && stage->code ? stage->code : "",
                                 iteration, stage ? stage->generation : 0 };
}

char *state_stage_dir (const struct state *state, int iteration,
                       const char *name)
{
    const struct stage_place place = state_place (state, iteration, name);
    struct strbuf dir = STRBUF_INIT;

    if (!place.code[0])
        return NULL;
    layout_stage_dir (&place, &dir);
    return strbuf_detach (&dir);
}

char *state_task_dir (const struct state *state, int iteration,
                      const char *name, int task)
{
    const struct stage_place place = state_place (state, iteration, name);
    struct strbuf dir = STRBUF_INIT;

    if (!place.code[0])
        return NULL;
    layout_task_dir (&place, task, &dir);
    return strbuf_detach (&dir);
}

const struct stage_state *state_stage_in (const struct state *state,
                                          const struct stage_place *place)
{
    const struct iteration_state *it;

    if (place->iteration < 0 || place->iteration > state_iteration (state))
        return NULL;
    it = &state->iterations[place->iteration];
    for (size_t i = 0; i < it->n_stages; i++) {
        const struct stage_place own =
            state_place (state, place->iteration, it->stages[i].name);

        if (strcmp (own.stage, place->stage) == 0
            && strcmp (own.code, place->code) == 0)
            return &it->stages[i];
    }
    return NULL;
}

const char *state_first_name (const struct state *state, const char *name,
                              const char *otherwise)
{
    for (int i = state_iteration (state); i >= 0; i--) {
        const struct stage_state *stage = state_stage (state, i, name);

        if (stage && stage->first_name)
            return stage->first_name;
        if (stage && stage->code)
            return name;
    }
    return otherwise;
}

int64_t stage_reused_tasks (const struct stage_state *stage)
{
    int64_t n = 0;

    for (size_t i = 0; i < json_count (stage->reused); i++) {
        _cleanup_ (task_range_release) struct task_range tasks =
            TASK_RANGE_INIT;

        if (task_range_parse (
                json_get_string (json_at (stage->reused, i), "tasks"), &tasks,
                NULL)
            == 0)
            n += (int64_t)task_range_count (&tasks);
    }
    return n;
}

bool stage_may_be_retried (const struct stage_state *stage)
{
    return (stage->status == STAGE_FAILED || stage->status == STAGE_PREPARED)
           && !stage_open_attempt (stage);
}

bool state_knows (const struct state *state, const char *name)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        if (state_stage (state, i, name))
            return true;
    }
    return false;
}

void state_meant (const struct state *state, const char *stage,
                  struct strvec *names)
{
    bool itself = state_knows (state, stage);

    for (int i = 0; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            const char *name = it->stages[k].name;

            if ((itself ? strcmp (name, stage) == 0 : stage_is_of (name, stage))
                && !strvec_contains (names, name))
                strvec_push (names, name);
        }
    }
}

double state_task_s (const struct state *state, const char *name)
{
    for (int i = state_iteration (state); i >= 0; i--) {
        const struct stage_state *stage = state_stage (state, i, name);

        if (stage && stage->timed_tasks > 0)
            return stage->timed_s / (double)stage->timed_tasks;
    }
    return 0;
}

bool task_is_judged (const struct task_state *task)
{
    return task->outcome != OUTCOME_NONE || task->renewed;
}

struct attempt *stage_open_attempt (const struct stage_state *stage)
{
    struct attempt *last;

    if (stage->n_attempts == 0)
        return NULL;
    last = &stage->attempts[stage->n_attempts - 1];
    return last->closed ? NULL : last;
}

static struct submission *attempt_submission (const struct attempt *attempt,
                                              const char *token)
{
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        if (strcmp (attempt->submissions[i].token, token) == 0)
            return &attempt->submissions[i];
    }
    return NULL;
}

struct dependency_job *state_dependency_job (const struct state *state,
                                             const char *token)
{
    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        if (strcmp (state->dependency_jobs[i].job.token, token) == 0)
            return &state->dependency_jobs[i];
    }
    return NULL;
}

struct submission *state_submission (const struct state *state,
                                     const char *token)
{
    const struct iteration_state *it;
    struct dependency_job *dependency_job = state_dependency_job (state, token);

    if (dependency_job)
        return &dependency_job->job;
    if (state->n_iterations == 0)
        return NULL;
    it = &state->iterations[state->n_iterations - 1];
    for (size_t i = 0; i < it->n_stages; i++) {
        for (size_t a = it->stages[i].n_attempts; a-- > 0;) {
            struct submission *found =
                attempt_submission (&it->stages[i].attempts[a], token);

            if (found)
                return found;
        }
    }
    return NULL;
}

const struct json *state_outage (const struct state *state, const char *profile)
{
    return json_get (state->outages, profile);
}

int state_iteration (const struct state *state)
{
    return (int)state->n_iterations - 1;
}

const char *then_status_name (enum then_status status)
{
    static const char *const names[] = { [THEN_NOT_RUN] = "not run",
                                         [THEN_RUNNING] = "running",
                                         [THEN_FAILED] = "failed",
                                         [THEN_DONE] = "done" };

    return names[status];
}

const char *stage_status_name (enum stage_status status)
{
    static const char *const names[] = { "waiting", "running", "done",
                                         "skipped", "failed" };

    return names[status];
}

const char *campaign_status_name (enum campaign_status status)
{
    static const char *const names[] = { "running", "paused", "done",
                                         "failed" };

    return names[status];
}
