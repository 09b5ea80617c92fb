/* SPDX-License-Identifier: BSD-3-Clause */
/* act_dependency_job.c - jobs that wake a chained campaign
 *
 * They are not held: one that is not known takes the lease, learns that it
 * is not waited for, and ends.  So a dependency job may be lost on its way or
 * come to be twice without harm.
 */
#include "base/base.h"

#include <unistd.h>

#include "arrays/array_job.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"

/* What it drives has the store of who submitted it. */
static void pass_store (struct strvec *env)
{
    const char *named = getenv ("FANFOLD_STORE");
    _cleanup_free_ char *path = NULL;

    if (!named || !named[0])
        return;
    path = path_absolute (named);
    strvec_pushf (env, "FANFOLD_STORE=%s", path);
}

/* As the profile has it, but for what `wake:` says otherwise.  No cores: one
 * must not wait for a core on the machine that it is to keep busy.
 */
static void describe_job (const struct engine *engine,
                          const struct stage *stage, const char *run_dir,
                          struct array_job *job)
{
    const struct wake_settings *wake = &stage->profile->wake;

    profile_describe_job (stage->profile, job);
    if (wake->queue)
        job->queue = wake->queue;
    if (wake->account)
        job->account = wake->account;
    if (wake->qos)
        job->qos = wake->qos;
    if (wake->directives) {
        strvec_release (&job->directives);
        strvec_push_all (&job->directives, (char *const *)wake->directives);
    }
    random_token (job->token, TOKEN_LENGTH);
    job->elements = DEPENDENCY_JOB_ELEMENTS;
    job->running = 1;
    job->memory_bytes = wake->memory_bytes;
    job->walltime_s = wake->walltime_s;
    job->unheld = true;
    job->run_dir = run_dir;
    strvec_push (&job->agent, engine->program);
    strvec_push (&job->agent, "-C");
    strvec_push (&job->agent, engine->dir);
    strvec_push (&job->agent, "wake");
    strvec_push (&job->agent, job->token);
    strvec_push (&job->agent, stage->name);
}

/* A job that asks for more time than the queue gives would wait for ever, one
 * with more elements than an array may have would be refused.
 */
static enum answer keep_limits (const struct scheduler *scheduler,
                                struct array_job *job, struct error *err)
{
    struct scheduler asked = *scheduler;
    struct scheduler_limits limits = { 0 };
    enum answer answer;

    asked.queue = job->queue;
    asked.account = job->account;
    answer = asked.adapter->limits (&asked, &limits, err);
    if (answer != ANSWER_OK)
        return answer;
    if (limits.walltime_s > 0 && job->walltime_s > limits.walltime_s)
        job->walltime_s = limits.walltime_s;
    if (limits.elements > 0 && job->elements > limits.elements)
        job->elements = limits.elements;
    return ANSWER_OK;
}

static struct json *dependency_job_event (const struct engine *engine,
                                          const struct array_job *job,
                                          const struct stage *stage,
                                          const struct action *action)
{
    double now_s = engine_now_s (engine);
    struct json *event = event_of_token ("dependency_job", now_s, job->token);

    json_set (event, "stage", json_string (stage->name));
    json_set (event, "elements", json_int (job->elements));
    json_set (event, "uid", json_int ((int64_t)geteuid ()));
    if (action->token[0])
        json_set (event, "after", json_string (action->token));
    else
        json_set (event, "at_s", json_real (now_s + action->delay_s));
    return event;
}

static enum act_result submit_dependency_job (struct engine *engine,
                                              const struct stage *stage,
                                              const struct array_job *job,
                                              const char *script_path,
                                              struct error *err)
{
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, stage->profile, &scheduler);
    _cleanup_ (strbuf_release) struct strbuf id = STRBUF_INIT;
    enum act_result result;
    enum answer answer;

    point_reached ("wake.intended");
    answer = adapter->submit (&scheduler, job, script_path, &id, err);
    point_reached ("wake.accepted");
    if (answer == ANSWER_REFUSED)
        result = act_record_refusal (engine, job->token,
                                     "a job that is to wake the campaign "
                                     "(`wake:`)",
                                     stage->profile, err);
    else if (answer == ANSWER_OK)
        result = act_record_id (engine, job->token, id.buf, false, err) < 0
                     ? ACT_FAILED
                     : ACT_DONE;
    else /* it may exist: it will be looked for */
        result = act_unanswered (answer);
    return result;
}

enum act_result act_wake (struct engine *engine, const struct action *action,
                          struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    const struct submission *before =
        action->token[0] ? state_submission (&engine->state, action->token)
                         : NULL;
    struct scheduler scheduler;
    struct array_job job = { .directives = STRVEC_INIT, .agent = STRVEC_INIT };
    _cleanup_free_ char *run_dir = path_join (engine->dir, LAYOUT_CHAIN_DIR);
    _cleanup_free_ char *script_path = path_join (run_dir, LAYOUT_SCRIPT);
    enum act_result result = ACT_FAILED;
    struct strvec env = STRVEC_INIT;
    enum answer answer;

    engine_scheduler (engine, stage->profile, &scheduler);
    describe_job (engine, stage, run_dir, &job);
    if (job.env)
        strvec_push_all (&env, (char *const *)job.env);
    pass_store (&env);
    job.env = (const char *const *)env.v;
    job.after = before ? before->id : NULL;
    job.delay_s = action->delay_s;
    if ((answer = keep_limits (&scheduler, &job, err)) != ANSWER_OK)
        result = act_unanswered (answer);
    else if (scheduler_write_script (&scheduler, &job, script_path, err) == 0
             && engine_record (
                    engine, dependency_job_event (engine, &job, stage, action),
                    err)
                    == 0)
        result = submit_dependency_job (engine, stage, &job, script_path, err);
    strvec_release (&env);
    strvec_release (&job.directives);
    strvec_release (&job.agent);
    return result;
}
