/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_attempt.c - the submissions of a stage's open attempt */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/classify.h"
#include "engine/decide/deciding.h"
#include "engine/decide/retry.h"
#include "engine/history/events.h"
#include "engine/history/state.h"

static struct action *add_submission_action (const struct deciding *d,
                                             enum action_kind kind, int stage,
                                             const struct submission *s)
{
    struct action *action = actions_add (d->actions, kind, stage, d->iteration);

    /* Copied: other actions of the round may add submissions. */
    memcpy (action->token, s->token, sizeof (action->token));
    return action;
}

/* Between the first and the last time that a host asked for the jobs of a
 * submission, of the host for which that is longest: not by the time of day,
 * which may be set, and differs among hosts.
 */
static double asked_for_s (const struct submission *s)
{
    double longest_s = 0;

    JSON_FOREACH (s->asked, it) {
        const struct json *span = json_iter_value (it);
        double its_s = json_as_double (json_at (span, 1))
                       - json_as_double (json_at (span, 0));

        if (its_s > longest_s)
            longest_s = its_s;
    }
    return longest_s;
}

/* How long this host has to wait until it asked for settle_s; -1: it has not
 * asked yet.
 */
static double left_to_ask_s (const struct deciding *d,
                             const struct profile *profile,
                             const struct submission *s)
{
    const struct uptime *up = &d->observations->up;
    const struct json *span = up->boot ? json_get (s->asked, up->boot) : NULL;
    double waited_s = up->s - json_as_double (json_at (span, 0));

    if (!span || waited_s < 0)
        return -1;
    return waited_s < profile->settle_s ? profile->settle_s - waited_s : 0;
}

/* Was it asked for its jobs for so long that all of them show?  Where a chained
 * campaign is driven from ever other nodes none asks for long; but no clocks
 * differ by so much as an hour.
 */
static bool was_asked_for_long (const struct deciding *d,
                                const struct profile *profile,
                                const struct submission *s)
{
    double age_s = d->observations->now_s - s->intended_s;

    return asked_for_s (s) >= profile->settle_s
           || age_s >= profile->settle_s + 3600;
}

void decide_intended (const struct deciding *d, int stage,
                      const struct submission *s)
{
    const struct profile *profile = d->plan->stages[stage].profile;
    double left_s = left_to_ask_s (d, profile, s);

    if (s->empty_answers > 1 && was_asked_for_long (d, profile, s))
        actions_record (
            d->actions,
            event_of_token ("absent", d->observations->now_s, s->token));
    else if (left_s > 0)
        actions_wait (d->actions, left_s);
    else
        add_submission_action (d, ACT_FIND, stage, s);
}

/* Only `ok` needs no second look, where no node is to be avoided. */
static bool is_all_ok (const struct json *results)
{
    const struct json *outcomes = json_get (results, "outcomes");

    return json_count (outcomes) == 1 && json_get (outcomes, "ok")
           && !json_get (results, "retired");
}

/* Record what is new of a submission, once in a round: the state does not hold
 * it yet, and tries and node-hours would count again.  What was cancelled
 * because we asked is our doing: after a resume it runs again.
 */
static void record_results (const struct deciding *d, int stage,
                            const struct stage_state *state,
                            const struct submission *s,
                            const struct observed_attempt *attempt,
                            const struct observed_submission *seen, bool final)
{
    const struct judging judging = {
        .final = final,
        .forgive = s->cancel_asked && !d->state->cancelling,
    };
    struct json *results = classify_results (state, attempt, seen, judging);
    enum action_kind kind = is_all_ok (results) ? ACT_RECORD : ACT_RESULTS;
    struct action *action;
    struct json *event;

    if (!results)
        return;
    event = event_of_stage ("results", d->observations->now_s, d->iteration,
                            state->name);
    JSON_FOREACH (results, it) {
        json_set (event, json_iter_key (it), json_ref (json_iter_value (it)));
    }
    json_unref (results);
    action = actions_add (d->actions, kind, stage, d->iteration);
    action->event = event;
    action->avoid_after = retry_avoid_after (&d->plan->stages[stage]);
}

static void record_token (const struct deciding *d, const char *kind,
                          const struct submission *s)
{
    actions_record (d->actions,
                    event_of_token (kind, d->observations->now_s, s->token));
}

/* Journaled when it changes, so that `status` and `explain` can tell. */
static void record_note (const struct deciding *d, const struct submission *s,
                         const struct observed_submission *seen)
{
    struct json *event;

    if (!seen->polled || strcmp (seen->note, s->note ? s->note : "") == 0)
        return;
    event = event_of_token ("noted", d->observations->now_s, s->token);
    json_set (event, "why", json_string (seen->note));
    actions_record (d->actions, event);
}

/* A machine failed tasks for want of space, or their inputs changed, or nothing
 * was done so often: what is handed back would only fail again.
 */
static void pause_for_machine_error (const struct deciding *d,
                                     const struct stage_state *state,
                                     const struct observed_attempt *attempt)
{
    if (attempt->machine_error && d->state->status == CAMPAIGN_RUNNING
        && (attempt->pause || state->without_result + 1 >= WITHOUT_RESULT_MAX))
        decide_pause (d, json_stringf ("stage '%s', %s; fix that, then run "
                                       "`fanfold resume`",
                                       state->name, attempt->machine_error));
}

static void record_end (const struct deciding *d,
                        const struct stage_state *state,
                        const struct submission *s,
                        const struct observed_attempt *attempt)
{
    record_token (d, "ended", s);
    pause_for_machine_error (d, state, attempt);
}

/* Nothing of it is queued or running and some task has no outcome: give the
 * file system and the scheduler time to show all, then judge.  Of a job that
 * is so new that the scheduler need not know it yet, that means nothing.
 */
static void decide_over (const struct deciding *d, int stage,
                         const struct stage_state *state,
                         const struct submission *s,
                         const struct observed_attempt *attempt,
                         const struct observed_submission *seen)
{
    const struct profile *profile = d->plan->stages[stage].profile;
    double now_s = d->observations->now_s;
    bool known = submission_is_known (seen);
    double left_s = s->intended_s + profile->settle_s - now_s;
    bool over = known || left_s <= 0;
    bool recorded = s->over_s > 0 && s->over_s <= now_s;

    if (over && recorded)
        left_s = s->over_s - now_s
                 + (known ? profile->visibility_s : profile->settle_s);
    record_results (d, stage, state, s, attempt, seen,
                    over && recorded && left_s <= 0);
    if (over && !recorded) {
        record_token (d, "over", s);
    } else if (left_s > 0) {
        actions_wait (d->actions, left_s);
        actions_wait (d->actions, profile->poll_s);
    } else {
        add_submission_action (d, ACT_END, stage, s)->event =
            classify_not_begun (state, attempt, seen);
        pause_for_machine_error (d, state, attempt);
    }
}

/* It is queued or running.  Where jobs wake the campaign its end will; a
 * dependency job that runs already came too soon, and this driver has to look
 * again.
 */
static void follow_submission (const struct deciding *d, int stage,
                               const struct submission *s)
{
    double poll_s = d->plan->stages[stage].profile->poll_s;
    enum watch watch = chain_is_wanted (d) ? watch_of (d, s) : WATCH_WAITING;

    if (watch == WATCH_NONE)
        add_submission_action (d, ACT_WAKE, stage, s);
    else if (watch == WATCH_STARTED)
        actions_wait (d->actions, poll_s);
    else
        actions_follow (d->actions, poll_s);
}

static void decide_released (const struct deciding *d, int stage,
                             const struct stage_state *state,
                             const struct submission *s,
                             const struct observed_attempt *attempt,
                             const struct observed_submission *seen)
{
    bool complete = submission_is_complete (state, attempt, seen);

    record_note (d, s, seen);
    if (!complete && seen->polled && !submission_is_live (seen)) {
        decide_over (d, stage, state, s, attempt, seen);
        return;
    }
    record_results (d, stage, state, s, attempt, seen, false);
    if (complete) {
        record_end (d, state, s, attempt);
    } else {
        if (seen->polled && s->over_s > 0)
            record_token (d, "back", s);
        follow_submission (d, stage, s);
    }
}

/* Released when it is known who will see its end.  A cancelled one is released
 * too: its end is then seen and judged.
 */
static void decide_recorded (const struct deciding *d, int stage,
                             const struct submission *s)
{
    enum watch watch = chain_is_wanted (d) && !s->cancel_asked ? watch_of (d, s)
                                                               : WATCH_WAITING;

    if (watch == WATCH_NONE)
        add_submission_action (d, ACT_WAKE, stage, s);
    else if (watch != WATCH_INTENDED
             && (s->cancel_asked || d->state->status == CAMPAIGN_RUNNING))
        add_submission_action (d, ACT_RELEASE, stage, s);
}

static void decide_submission (const struct deciding *d, int stage,
                               const struct stage_state *state,
                               const struct submission *s,
                               const struct observed_attempt *attempt,
                               const struct observed_submission *seen)
{
    bool cancel = d->state->cancelling && !s->cancel_asked;

    if (s->status == SUBMISSION_INTENDED) {
        decide_intended (d, stage, s);
    } else if (cancel
               && (s->status == SUBMISSION_RECORDED
                   || s->status == SUBMISSION_RELEASED)) {
        add_submission_action (d, ACT_CANCEL, stage, s);
    } else if (s->status == SUBMISSION_RECORDED) {
        decide_recorded (d, stage, s);
    } else if (s->status == SUBMISSION_RELEASED) {
        decide_released (d, stage, state, s, attempt, seen);
    }
}

/* The submission that stands for a chunk: the last that is not absent. */
static const struct submission *chunk_submission (const struct attempt *attempt,
                                                  int64_t chunk)
{
    for (size_t i = attempt->n_submissions; i-- > 0;) {
        const struct submission *s = &attempt->submissions[i];

        if (s->chunk == chunk && s->status != SUBMISSION_ABSENT)
            return s;
    }
    return NULL;
}

/* False when the limits do not allow it yet. */
static bool decide_submit (const struct deciding *d, int stage, int64_t chunk)
{
    struct action *action;

    if (!decide_limits (d, stage)) {
        actions_follow (d->actions, d->plan->stages[stage].profile->poll_s);
        return false;
    }
    action = actions_add (d->actions, ACT_SUBMIT, stage, d->iteration);
    action->chunk = (int)chunk;
    action->running = decide_throttle (d, stage).running;
    return true;
}

static bool came_to_nothing (const struct attempt *attempt)
{
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        if (attempt->submissions[i].status == SUBMISSION_ABSENT)
            return true;
    }
    return false;
}

/* If there is a second job of it, it shows by now. */
static bool has_settled (const struct deciding *d, int stage,
                         const struct submission *s)
{
    return d->observations->now_s - s->intended_s
           >= d->plan->stages[stage].profile->settle_s;
}

/* Does it seem that the site will have no more: is there a chunk to submit
 * after a submission came to nothing, one held for long for want of a
 * dependency job?
 */
static bool needs_sweep (const struct deciding *d, int stage,
                         const struct attempt *attempt)
{
    bool tried = came_to_nothing (attempt);

    for (int64_t chunk = 0; chunk < attempt->packing.chunks; chunk++) {
        const struct submission *s = chunk_submission (attempt, chunk);

        if (!s && tried)
            return true;
        if (s && s->status == SUBMISSION_RECORDED && !s->cancel_asked
            && chain_is_wanted (d) && has_settled (d, stage, s)
            && watch_of (d, s) == WATCH_NONE)
            return true;
    }
    return false;
}

/* Then duplicate submissions may take up the limit: a request that was repeated
 * on its way made two, one taken for absent came after all.  Each submission is
 * looked at once, when all of its jobs must show; otherwise the attempt, whose
 * other jobs need the limit, would never close.
 */
static void decide_sweep (const struct deciding *d, int stage,
                          const struct attempt *attempt)
{
    if (d->state->status != CAMPAIGN_RUNNING
        || !needs_sweep (d, stage, attempt))
        return;
    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];

        if (s->status != SUBMISSION_INTENDED && !s->swept
            && has_settled (d, stage, s))
            add_submission_action (d, ACT_SWEEP, stage, s);
    }
}

/* Where a reply was lost, a job may have come to be that find() does not see
 * yet; closing looks for such a last time.  False: it is not to close now.
 */
static bool may_close (const struct deciding *d, int stage,
                       const struct attempt *attempt)
{
    const struct profile *profile = d->plan->stages[stage].profile;
    bool may = true;

    for (size_t i = 0; i < attempt->n_submissions; i++) {
        const struct submission *s = &attempt->submissions[i];
        double left_s = left_to_ask_s (d, profile, s);

        if ((!s->found && s->empty_answers == 0) || left_s == 0
            || was_asked_for_long (d, profile, s))
            continue;
        may = false;
        if (left_s > 0)
            actions_wait (d->actions, left_s);
        else
            add_submission_action (d, ACT_SWEEP, stage, s);
    }
    return may;
}

void decide_attempt (const struct deciding *d, int stage)
{
    const struct stage_state *state =
        state_stage (d->state, d->iteration, d->plan->stages[stage].name);
    const struct attempt *attempt = stage_open_attempt (state);
    const struct observed_attempt *seen =
        observations_find (d->observations, state->name);
    bool open = false;
    bool full = false;
    bool repack = d->state->status == CAMPAIGN_RUNNING
                  && retry_smaller_arrays (state) > 0;

    decide_sweep (d, stage, attempt);
    for (int64_t chunk = 0; chunk < attempt->packing.chunks; chunk++) {
        const struct submission *s = chunk_submission (attempt, chunk);

        if (!s && d->state->status == CAMPAIGN_RUNNING && !repack) {
            full = full || !decide_submit (d, stage, chunk);
            open = true;
        } else if (s && s->status != SUBMISSION_ENDED) {
            size_t i = (size_t)(s - attempt->submissions);

            open = true;
            if (seen && i < seen->n_submissions)
                decide_submission (d, stage, state, s, seen,
                                   &seen->submissions[i]);
        }
    }
    if (!open && may_close (d, stage, attempt))
        actions_add (d->actions, ACT_CLOSE_ATTEMPT, stage, d->iteration)
            ->repack = repack;
}
