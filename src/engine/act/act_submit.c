/* SPDX-License-Identifier: BSD-3-Clause */
/* act_submit.c - exactly one job for each chunk
 *
 * (1) journal the intent with a fresh token; (2) submit held; (3) journal the
 * id; (4) write submission.json; (5) release, and journal that.  After a
 * crash or a lost reply the token is looked for before anything else.
 */
#include "base/base.h"

#include <unistd.h>

#include "arrays/array_job.h"
#include "handover/job_manifest.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/point.h"
#include "adapter.h"
#include "campaign/env_file.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"
#include "space/lease.h"

/* How long a task has between SIGTERM and SIGKILL. */
#define GRACE_S 10.0

/* Nodes a job is kept from, the latest that failed: where many do it is not
 * them.
 */
enum { EXCLUDE_MAX = 8 };

/* How long a driver that was replaced tries to cancel what it submitted, when
 * all shows that the scheduler has; and how often.
 */
#define WITHDRAW_S 50.0
#define WITHDRAW_AGAIN_S 5.0

/* One submission being made. */
struct submitting {
    struct engine *engine;
    const struct stage *stage;
    const struct action *action;
    const struct attempt *attempt;
    struct attempt_place place;
    int64_t elements;
    struct strbuf chunk_dir; /* relative */
    struct array_job job;
    char *run_dir; /* absolute chunk directory */
    char *script_path;
};

static void submitting_release (struct submitting *s)
{
    strbuf_release (&s->chunk_dir);
    strvec_release (&s->job.exclude);
    strvec_release (&s->job.directives);
    strvec_release (&s->job.agent);
    free (s->script_path);
    free (s->run_dir);
}

static const struct stage_state *stage_of (const struct submitting *s)
{
    return state_stage (&s->engine->state, s->action->iteration,
                        s->stage->name);
}

static void exclude_nodes (const struct json *avoid, struct strvec *nodes)
{
    size_t n = json_count (avoid);

    for (size_t i = n > EXCLUDE_MAX ? n - EXCLUDE_MAX : 0; i < n; i++)
        strvec_push (nodes, json_as_string (json_at (avoid, i)));
}

static void describe_job (struct submitting *s)
{
    struct array_job *job = &s->job;
    const struct stage_state *state = stage_of (s);

    random_token (job->token, TOKEN_LENGTH);
    job->elements = s->elements;
    job->running = s->action->running;
    stage_describe_job (s->engine->plan, s->stage, &s->attempt->packing,
                        &s->attempt->task, s->engine->program, s->chunk_dir.buf,
                        job);
    exclude_nodes (state->avoid, &job->exclude);
    job->run_dir = s->run_dir;
}

/* [{host, device}]; NULL: none. */
static struct json *retired_devices (const struct stage_state *stage)
{
    struct json *list = stage->retired ? json_array () : NULL;

    JSON_FOREACH (stage->retired, it)
        json_push (list, json_ref (json_iter_value (it)));
    return list;
}

static int write_job_manifest (const struct submitting *s, struct error *err)
{
    _cleanup_ (job_manifest_release) struct job_manifest manifest = {
        .stage_dir = state_stage_dir (&s->engine->state, s->action->iteration,
                                      s->stage->name),
        .generation = s->place.generation,
        .attempt = s->place.attempt,
        .chunk = s->action->chunk,
        .elements = s->elements,
        .slots = s->attempt->packing.slots,
        .cores = s->attempt->packing.cores,
        .rules = s->stage->profile->rules,
        .node = s->stage->profile->recorded,
        .task = s->attempt->task,
        .element_walltime_s = s->attempt->packing.walltime_s,
        .visibility_s = s->stage->profile->visibility_s,
        .grace_s = GRACE_S,
        .log_bytes = s->stage->profile->log_bytes,
        .mps = s->stage->profile->mps,
        .retired = retired_devices (stage_of (s)),
    };
    _cleanup_json_ struct json *v = NULL;
    _cleanup_free_ char *path = path_join (s->run_dir, LAYOUT_JOB_MANIFEST);

    memcpy (manifest.token, s->job.token, sizeof (manifest.token));
    packing_chunk_tasks (&s->attempt->packing, &s->attempt->tasks,
                         s->action->chunk, &manifest.tasks);
    v = job_manifest_to_json (&manifest);
    return json_write_file (path, v, err);
}

/* Everything the job will read, before the job can exist. */
static int make_ready (struct submitting *s, const struct scheduler *scheduler,
                       struct error *err)
{
    layout_run_chunk (s->place.generation, s->place.attempt, s->action->chunk,
                      &s->chunk_dir);
    s->run_dir = path_join (s->engine->dir, s->chunk_dir.buf);
    s->script_path = path_join (s->run_dir, LAYOUT_SCRIPT);
    describe_job (s);
    if (file_make_lasting_dirs (s->run_dir, err) < 0
        || write_job_manifest (s, err) < 0)
        return -1;
    return scheduler_write_script (scheduler, &s->job, s->script_path, err);
}

/* Jobs that see the PATH of who submits find other programs when another does:
 * tell of it when it is not that of the submission before.
 */
static void tell_path (const struct submitting *s, struct json *event)
{
    const struct profile *profile = s->stage->profile;
    const struct scheduler_adapter *adapter =
        scheduler_adapter_find (profile->scheduler);
    const char *before = s->engine->state.path;
    _cleanup_json_ struct json *path = json_string (getenv ("PATH"));

    if (json_kind (path) == JSON_KIND_STRING && !(adapter && adapter->own_path)
        && !profile_variable (profile, "PATH")
        && !(before && strcmp (before, json_as_string (path)) == 0)) {
        json_set (event, "path", json_ref (path));
        if (before)
            json_set (event, "path_before", json_string (before));
    }
}

static struct json *intent_event (const struct submitting *s)
{
    struct json *event = event_of_stage ("intent", engine_now_s (s->engine),
                                         s->action->iteration, s->stage->name);

    json_set (event, "attempt", json_int (s->place.attempt));
    json_set (event, "chunk", json_int (s->action->chunk));
    json_set (event, "token", json_string (s->job.token));
    json_set (event, "elements", json_int (s->elements));
    json_set (event, "uid", json_int ((int64_t)geteuid ()));
    tell_path (s, event);
    return event;
}

int act_record_id (struct engine *engine, const char *token, const char *id,
                   bool found, struct error *err)
{
    struct uptime up = engine_uptime (engine);
    double now_s = engine_now_s (engine);
    struct json *event = found ? event_of_answer ("recorded", now_s, &up, token)
                               : event_of_token ("recorded", now_s, token);

    json_set (event, "id", json_string (id));
    if (found)
        json_set (event, "found", json_bool (true));
    return engine_record (engine, event, err);
}

enum act_result act_record_refusal (struct engine *engine, const char *token,
                                    const char *what,
                                    const struct profile *profile,
                                    struct error *err)
{
    struct json *event =
        event_of_token ("refused", engine_now_s (engine), token);

    json_set (event, "why",
              json_stringf ("the scheduler of profile '%s' refused %s: %.500s; "
                            "fix site.yaml, then run `fanfold resume`",
                            profile->name, what, err->text));
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

static enum act_result record_refusal (struct submitting *s, struct error *err)
{
    _cleanup_free_ char *what =
        xasprintf ("a job of stage '%s'", s->stage->name);

    return act_record_refusal (s->engine, s->job.token, what, s->stage->profile,
                               err);
}

/* What submitting came to. */
static enum act_result take_answer (struct submitting *s, enum answer answer,
                                    const char *id, struct error *err)
{
    switch (answer) {
    case ANSWER_OK:
        return act_record_id (s->engine, s->job.token, id, false, err) < 0
                   ? ACT_FAILED
                   : ACT_DONE;
    case ANSWER_REFUSED:
        return record_refusal (s, err);
    default: /* it may exist: it will be looked for */
        return act_unanswered (answer);
    }
}

/* May a job with this token be taken for ours: does the journal still want to
 * know, or does it name this very id?
 */
static bool is_wanted (const struct submission *known, const char *id)
{
    if (!known)
        return false;
    return known->status == SUBMISSION_INTENDED
           || (known->id && strcmp (known->id, id) == 0);
}

/* Also 'id' ("": it was not told).  False when something could not be looked
 * at, or cancelled.
 */
static bool cancel_unwanted (const struct submitting *s,
                             const struct scheduler_adapter *adapter,
                             const struct scheduler *scheduler, const char *id)
{
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    const struct submission *known;
    bool done =
        engine_fold_anew (s->engine, NULL) == 0
        && adapter->find (scheduler, s->job.token, &ids, NULL) == ANSWER_OK;

    if (*id && !strvec_contains (&ids, id))
        strvec_push (&ids, id);
    known = state_submission (&s->engine->state, s->job.token);
    for (size_t i = 0; done && i < ids.n; i++) {
        const struct job_key job = { ids.v[i], s->job.token };

        if (is_wanted (known, ids.v[i]))
            continue;
        done = adapter->cancel (scheduler, &job, -1, NULL) == ANSWER_OK;
        if (done && adapter->forget)
            adapter->forget (scheduler, ids.v[i], NULL);
    }
    return done;
}

/* Another driver took over while the job was on its way.  It may have looked
 * for the job before there was one and closed the attempt since; then no other
 * driver would ever look for it again.  So a busy scheduler is asked again, and
 * one whose reply was lost ('shows_s' > 0) until the job must show.
 */
static void withdraw (const struct submitting *s,
                      const struct scheduler_adapter *adapter,
                      const struct scheduler *scheduler, const char *id,
                      double shows_s)
{
    const volatile int *stop = s->engine->stop;
    const double shown_s = clock_mono_s () + shows_s;

    for (;;) {
        double left_s = shown_s - clock_mono_s ();
        bool done = cancel_unwanted (s, adapter, scheduler, id);

        if ((done && left_s <= 0) || left_s <= -WITHDRAW_S || (stop && *stop)
            || lease_check (s->engine->lease, NULL) == 0)
            return;
        clock_sleep (left_s > 0 && left_s < WITHDRAW_AGAIN_S ? left_s
                                                             : WITHDRAW_AGAIN_S,
                     stop);
    }
}

/* Without the older half. */
static void exclude_fewer (struct strvec *nodes)
{
    struct strvec latest = STRVEC_INIT;

    strvec_push_all (&latest, nodes->v + (nodes->n + 1) / 2);
    strvec_release (nodes);
    *nodes = latest;
}

/* What is refused may be so for the nodes it is kept from: all there are, or
 * all that would do.  A bad node is better than none.
 */
static enum answer submit_somewhere (struct submitting *s,
                                     const struct scheduler_adapter *adapter,
                                     const struct scheduler *scheduler,
                                     struct strbuf *id, struct error *err)
{
    for (;;) {
        enum answer answer =
            adapter->submit (scheduler, &s->job, s->script_path, id, err);

        if (answer != ANSWER_REFUSED || s->job.exclude.n == 0)
            return answer;
        exclude_fewer (&s->job.exclude);
        if (scheduler_write_script (scheduler, &s->job, s->script_path, err)
            < 0)
            return ANSWER_REFUSED;
    }
}

enum act_result act_submit (struct engine *engine, const struct action *action,
                            struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    const struct stage_state *state =
        state_stage (&engine->state, action->iteration, stage->name);
    const struct attempt *attempt = stage_open_attempt (state);
    _cleanup_ (submitting_release) struct submitting s = {
        .engine = engine,
        .stage = stage,
        .action = action,
        .attempt = attempt,
        .elements = packing_chunk_elements (&attempt->packing, action->chunk),
        .place = { state->generation, (int)state->n_attempts - 1 },
        .chunk_dir = STRBUF_INIT,
        .job = { .exclude = STRVEC_INIT,
                 .directives = STRVEC_INIT,
                 .agent = STRVEC_INIT }
    };
    struct scheduler scheduler;
    const struct scheduler_adapter *adapter =
        engine_scheduler (engine, stage->profile, &scheduler);
    _cleanup_ (strbuf_release) struct strbuf id = STRBUF_INIT;
    enum act_result result = ACT_FAILED;
    enum answer answer;

    if (make_ready (&s, &scheduler, err) < 0
        || engine_record (engine, intent_event (&s), err) < 0)
        return result;
    point_reached ("submit.intended");
    answer = submit_somewhere (&s, adapter, &scheduler, &id, err);
    point_reached ("submit.accepted");
    result = take_answer (&s, answer, id.buf, err);
    if (lease_check (engine->lease, err) < 0) {
        withdraw (&s, adapter, &scheduler, id.buf,
                  answer == ANSWER_OK || answer == ANSWER_REFUSED
                      ? 0
                      : stage->profile->settle_s);
        result = ACT_FAILED;
    }
    return result;
}
