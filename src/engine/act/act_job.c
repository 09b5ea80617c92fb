/* SPDX-License-Identifier: BSD-3-Clause */
/* act_job.c - what is done to a job that was submitted
 *
 * The scheduler is told first, the event says that it was: after a crash
 * between the two it is told again, which changes nothing.
 */
#include "base/base.h"

#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/observe/scheduler_access.h"
#include "space/layout.h"

/* The submission an action is about, and who answers for its job. */
struct subject {
    const struct stage *stage;
    const struct submission *submission;
    const struct scheduler_adapter *adapter;
    struct scheduler scheduler;
};

static void find_subject (struct engine *engine, const struct action *action,
                          struct subject *subject)
{
    subject->stage = &engine->plan->stages[action->stage];
    subject->submission = state_submission (&engine->state, action->token);
    subject->adapter =
        engine_scheduler (engine, subject->stage->profile, &subject->scheduler);
}

static enum act_result record (struct engine *engine, const char *kind,
                               const struct action *action, struct error *err)
{
    struct json *event =
        event_of_token (kind, engine_now_s (engine), action->token);

    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

/* The same of what the scheduler answered. */
static enum act_result record_answer (struct engine *engine, const char *kind,
                                      const struct action *action,
                                      struct error *err)
{
    struct uptime up = engine_uptime (engine);
    struct json *event =
        event_of_answer (kind, engine_now_s (engine), &up, action->token);

    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

static struct job_key submission_key (const struct submission *submission)
{
    return (struct job_key){ submission->id, submission->token };
}

/* Tell the scheduler; but for ANSWER_OK it is to be told again. */
static enum answer cancel (const struct subject *subject, struct error *err)
{
    const struct job_key job = submission_key (subject->submission);

    return subject->adapter->cancel (&subject->scheduler, &job, -1, err);
}

/* One job stands for the token, every other one goes. */
enum act_result act_find (struct engine *engine, const struct action *action,
                          struct error *err)
{
    struct subject subject;
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    enum act_result result;
    enum answer answer;

    find_subject (engine, action, &subject);
    answer =
        subject.adapter->find (&subject.scheduler, action->token, &ids, err);
    for (size_t i = 1; answer == ANSWER_OK && i < ids.n; i++) {
        const struct job_key other = { ids.v[i], action->token };

        answer = subject.adapter->cancel (&subject.scheduler, &other, -1, err);
    }
    if (answer != ANSWER_OK)
        result = act_unanswered (answer);
    else if (ids.n == 0)
        result = record_answer (engine, "empty", action, err);
    else
        result = act_record_id (engine, action->token, ids.v[0], true, err) < 0
                     ? ACT_FAILED
                     : ACT_DONE;
    return result;
}

/* What the in-job check reads. */
static int write_submission (struct engine *engine, const struct action *action,
                             const struct subject *subject, struct error *err)
{
    const struct submission *s = subject->submission;
    const char *name = subject->stage->name;
    const struct stage_state *state =
        state_stage (&engine->state, action->iteration, name);
    struct attempt_place place = { state->generation,
                                   (int)state->n_attempts - 1 };
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_free_ char *path =
        attempt_chunk_path (engine->dir, &place, s->chunk, LAYOUT_SUBMISSION);

    json_set (v, "format", json_int (1));
    json_set (v, "token", json_string (s->token));
    json_set (v, "id", json_string (s->id));
    return json_write_file (path, v, err);
}

enum act_result act_release (struct engine *engine, const struct action *action,
                             struct error *err)
{
    struct subject subject;
    struct job_key job;
    enum answer answer;

    find_subject (engine, action, &subject);
    job = submission_key (subject.submission);
    point_reached ("release.checked");
    if (write_submission (engine, action, &subject, err) < 0)
        return ACT_FAILED;
    answer = subject.adapter->release (&subject.scheduler, &job, err);
    if (answer == ANSWER_TRY_LATER || answer == ANSWER_BROKEN)
        return act_unanswered (answer);
    /* Refused: it is gone; released or not, its end will be seen. */
    return record (engine, "released", action, err);
}

enum act_result act_cancel (struct engine *engine, const struct action *action,
                            struct error *err)
{
    struct subject subject;
    enum answer answer;

    find_subject (engine, action, &subject);
    if ((answer = cancel (&subject, err)) != ANSWER_OK)
        return act_unanswered (answer);
    return record (engine, "cancelling", action, err);
}

/* A scheduler that does not show a job for a while may show it again, and what
 * it calls ended may run.
 */
enum act_result act_end (struct engine *engine, const struct action *action,
                         struct error *err)
{
    struct subject subject;
    struct json *event;
    enum answer answer;

    find_subject (engine, action, &subject);
    answer = cancel (&subject, err);
    if (answer != ANSWER_OK && answer != ANSWER_REFUSED)
        return act_unanswered (answer);
    event = event_of_token ("ended", engine_now_s (engine), action->token);
    if (json_count (action->event) > 0)
        json_set (event, "not_begun", json_ref (action->event));
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

enum answer act_cancel_others (const struct scheduler_adapter *adapter,
                               const struct scheduler *scheduler,
                               const struct submission *submission,
                               struct error *err)
{
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    enum answer answer =
        adapter->find (scheduler, submission->token, &ids, err);

    for (size_t i = 0; answer == ANSWER_OK && i < ids.n; i++) {
        const struct job_key other = { ids.v[i], submission->token };

        if (submission->id && strcmp (ids.v[i], submission->id) == 0)
            continue;
        answer = adapter->cancel (scheduler, &other, -1, err);
        if (answer == ANSWER_OK && adapter->forget)
            adapter->forget (scheduler, ids.v[i], NULL);
    }
    return answer;
}

enum act_result act_sweep (struct engine *engine, const struct action *action,
                           struct error *err)
{
    struct subject subject;
    enum answer answer;

    find_subject (engine, action, &subject);
    answer = act_cancel_others (subject.adapter, &subject.scheduler,
                                subject.submission, err);
    if (answer != ANSWER_OK)
        return act_unanswered (answer);
    return record_answer (engine, "swept", action, err);
}

enum act_result act_dismiss (struct engine *engine, const struct action *action,
                             struct error *err)
{
    struct subject subject;
    enum act_result result;
    enum answer answer;

    find_subject (engine, action, &subject);
    /* Journaled first: no one may count on a job that was cancelled by a
     * request whose answer was lost.
     */
    if (!subject.submission->cancel_asked
        && (result = record (engine, "cancelling", action, err)) != ACT_DONE)
        return result;
    if ((answer = cancel (&subject, err)) != ANSWER_OK)
        return act_unanswered (answer);
    if (subject.adapter->forget)
        subject.adapter->forget (&subject.scheduler, subject.submission->id,
                                 NULL);
    return record (engine, "ended", action, err);
}
