/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.c - what the scheduler and the agents' logs say */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/classify.h"
#include "engine/decide/conditions.h"
#include "engine/history/engine.h"
#include "engine/history/outputs_store.h"
#include "engine/observe/job_states.h"
#include "engine/observe/log_reading.h"
#include "engine/observe/observe.h"
#include "space/layout.h"

/* --- attempts --- */

static char *chunk_path (const struct engine *engine, const char *stage,
                         int attempt, int chunk)
{
    const struct stage_state *state =
        state_stage (&engine->state, state_iteration (&engine->state), stage);
    struct strbuf path = STRBUF_INIT;

    layout_run_chunk (state->generation, attempt, chunk, &path);
    return engine_path (engine, &path);
}

/* Memory for what will be seen. */
static void begin_attempt (struct attempt_logs *logs,
                           const struct stage_state *stage,
                           const struct attempt *attempt,
                           struct observed_attempt *seen)
{
    seen->stage = stage->name;
    seen->logs = logs;
    seen->submissions =
        xcalloc (attempt->n_submissions + 1, sizeof (*seen->submissions));
    seen->n_submissions = attempt->n_submissions;
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];
        struct observed_submission *o = &seen->submissions[i];

        o->token = s->token;
        if (s->status != SUBMISSION_RELEASED)
            continue;
        o->n_elements = s->elements;
        o->elements = xcalloc ((size_t)s->elements + 1, sizeof (*o->elements));
        o->bundles = logs->bundles + attempt_first_element (attempt, s->chunk);
        o->read = logs->elements + attempt_first_element (attempt, s->chunk);
    }
}

/* Of two machine errors that count alike the later element's. */
static void find_machine_error (struct observed_attempt *seen)
{
    const struct attempt_logs *logs = seen->logs;

    for (int64_t e = 0; e < logs->n_elements && !seen->pause; e++) {
        if (!logs->elements[e].machine_error)
            continue;
        seen->machine_error = logs->elements[e].machine_error;
        seen->pause = logs->elements[e].pause;
    }
}

/* Once nothing of a submission is queued or running its tasks may be judged by
 * what is not in the logs.
 */
static int read_submission (struct engine *engine,
                            const struct stage_state *stage,
                            const struct submission *s,
                            struct attempt_logs *logs,
                            struct observed_submission *seen, struct error *err)
{
    const struct attempt *attempt = stage_open_attempt (stage);
    _cleanup_free_ char *dir =
        chunk_path (engine, stage->name, logs->attempt, s->chunk);
    _cleanup_free_ char *name =
        xasprintf ("%06d/%06d", logs->attempt, s->chunk);
    const struct chunk_logs chunk = {
        .dir = dir,
        .name = name,
        .first_element = attempt_first_element (attempt, s->chunk),
        .n_elements = s->elements,
        .fresh = seen->polled && !submission_is_live (seen),
        .stage = stage,
        .logs = logs,
        .heartbeat = &engine->heartbeat,
    };

    return chunk_logs_read (&chunk, &seen->logs, &engine->logs_read.changed,
                            err);
}

static int read_attempt (struct engine *engine, const struct stage_state *stage,
                         struct attempt_logs *logs,
                         struct observed_attempt *seen, struct error *err)
{
    const struct attempt *attempt = stage_open_attempt (stage);

    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->status == SUBMISSION_RELEASED
            && read_submission (engine, stage, s, logs, &seen->submissions[i],
                                err)
                   < 0)
            return -1;
    }
    find_machine_error (seen);
    return 0;
}

static void begin_observations (struct engine *engine,
                                struct observations *seen)
{
    *seen = (struct observations){ .now_s = engine_now_s (engine),
                                   .up = engine_uptime (engine),
                                   .config_sha256 = engine->config_sha256,
                                   .driving_job = engine->driving_job,
                                   .patience_s = engine->patience_s,
                                   .n_dependency_jobs =
                                       engine->state.n_dependency_jobs };
    seen->dependency_jobs =
        xcalloc (seen->n_dependency_jobs + 1, sizeof (*seen->dependency_jobs));
}

static const struct iteration_state *current_iteration (
    const struct engine *engine)
{
    return &engine->state.iterations[engine->state.n_iterations - 1];
}

/* The open attempts of the current iteration, nothing of them seen yet. */
static void begin_attempts (struct engine *engine, struct observations *seen)
{
    const struct iteration_state *it = current_iteration (engine);

    seen->attempts = xcalloc (it->n_stages + 1, sizeof (*seen->attempts));
    logs_read_tidy (&engine->logs_read, &engine->state);
    for (size_t i = 0; i < it->n_stages; i++) {
        const struct stage_state *stage = &it->stages[i];
        const struct attempt *attempt = stage_open_attempt (stage);

        if (attempt)
            begin_attempt (logs_read_of (&engine->logs_read, stage,
                                         state_iteration (&engine->state)),
                           stage, attempt, &seen->attempts[seen->n_attempts++]);
    }
}

/* The schedulers before the logs, which are to be younger than any answer. */
static int observe_attempts (struct engine *engine, bool ask_schedulers,
                             struct observations *seen, struct error *err)
{
    bool begun = engine->state.n_iterations > 0;

    if (begun)
        begin_attempts (engine, seen);
    if (ask_schedulers)
        job_states_poll (engine, seen);
    for (size_t i = 0; i < seen->n_attempts; i++) {
        struct observed_attempt *attempt = &seen->attempts[i];
        const struct stage_state *stage = state_stage (
            &engine->state, state_iteration (&engine->state), attempt->stage);

        if (read_attempt (engine, stage,
                          logs_read_of (&engine->logs_read, stage,
                                        state_iteration (&engine->state)),
                          attempt, err)
            < 0)
            return -1;
    }
    return 0;
}

/* --- results --- */

struct results_reader {
    struct engine *engine;
    struct observations *seen;
};

static int read_results (const char *stage, int iteration, void *arg,
                         struct error *err)
{
    struct results_reader *reader = arg;
    const struct json *outputs;

    if (observations_outputs (reader->seen, stage, iteration))
        return 0;
    outputs =
        outputs_store_get (reader->engine->outputs, iteration, stage, err);
    if (!outputs)
        return -1;
    observations_add_outputs (reader->seen, stage, iteration, outputs);
    return 0;
}

int observe (struct engine *engine, struct observations *observations,
             struct error *err)
{
    struct observations seen;
    struct results_reader reader = { engine, &seen };
    int rc = 1;

    begin_observations (engine, &seen);
    if (conditions_needs (engine->plan, &engine->state, read_results, &reader,
                          err)
            < 0
        || (rc = observe_attempts (engine, true, &seen, err)) < 0)
        observations_release (&seen);
    else
        *observations = seen;
    return rc;
}

int observe_logs (struct engine *engine, struct observations *observations,
                  struct error *err)
{
    struct observations seen;

    begin_observations (engine, &seen);
    if (observe_attempts (engine, false, &seen, err) < 0) {
        observations_release (&seen);
        return -1;
    }
    *observations = seen;
    return 0;
}
