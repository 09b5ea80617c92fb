/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.c - what to do next: the campaign as a whole */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/decide.h"
#include "engine/decide/conditions.h"
#include "engine/decide/deciding.h"
#include "engine/decide/phases.h"
#include "engine/history/events.h"
#include "engine/history/state.h"

/* How the stages of the current iteration stand. */
struct standing {
    size_t ended; /* done or skipped */
    size_t failed;
    size_t active; /* with an open attempt */
    const struct stage_state *first_failed;
};

static struct standing count_stages (const struct deciding *d)
{
    struct standing standing = { 0 };

    for (size_t i = 0; i < d->plan->n_stages; i++) {
        const struct stage_state *s =
            state_stage (d->state, d->iteration, d->plan->stages[i].name);

        if (!s)
            continue;
        if (s->status == STAGE_DONE || s->status == STAGE_SKIPPED)
            standing.ended++;
        if (s->status == STAGE_FAILED && standing.failed++ == 0)
            standing.first_failed = s;
        if (s->status == STAGE_PREPARED && stage_open_attempt (s))
            standing.active++;
    }
    return standing;
}

/* What a record (`history:`, `stop:`) says: null for one that cannot be
 * evaluated, which is no reason to stop.  NULL when it cannot be known now.
 */
static struct json *evaluate (const struct deciding *d,
                              const struct expression *expression)
{
    struct json *value = NULL;

    if (!expression)
        return json_null ();
    switch (condition_evaluate (expression, d->plan, d->state, d->observations,
                                &value, NULL)) {
    case CONDITION_KNOWN:
        return value;
    case CONDITION_WRONG:
        return json_null ();
    case CONDITION_UNKNOWN:
        break;
    }
    return NULL;
}

/* Every stage has ended.  Not before everything that is recorded is known. */
static void close_iteration (const struct deciding *d)
{
    struct json *event = event_new ("closing", d->observations->now_s);
    struct json *history = json_object ();
    const struct phase *phase = phase_now (d->plan, d->state);
    struct json *stop = evaluate (d, d->plan->stop);
    struct json *until = evaluate (d, phase ? phase->until : NULL);
    bool known = stop != NULL && until != NULL;

    for (size_t i = 0; known && i < d->plan->n_history; i++) {
        struct json *value = evaluate (d, d->plan->history[i].expression);

        known = value != NULL;
        if (known)
            json_set (history, d->plan->history[i].name, value);
    }
    json_set (event, "iteration", json_int (d->iteration));
    json_set (event, "history", history);
    json_set (event, "stop", json_bool (json_as_bool (stop)));
    if (phase)
        json_set (event, "until", json_bool (json_as_bool (until)));
    json_unref (stop);
    json_unref (until);
    if (known)
        actions_record (d->actions, event);
    else
        json_unref (event);
}

static struct json *finished (const struct deciding *d, const char *status,
                              bool converged, const char *why)
{
    struct json *event = event_new ("finished", d->observations->now_s);

    json_set (event, "phase", json_string (status));
    json_set (event, "converged", json_bool (converged));
    json_set (event, "why", json_string (why));
    return event;
}

static void fail_campaign (const struct deciding *d,
                           const struct stage_state *failed)
{
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    strbuf_addf (&why, "stage '%s' failed in iteration %d: %s", failed->name,
                 d->iteration,
                 failed->why ? failed->why : "no reason recorded");
    actions_record (d->actions, finished (d, "failed", false, why.buf));
}

/* Did the stop rule hold in the last iterations, this one included? */
static bool has_converged (const struct deciding *d)
{
    int last = state_iteration (d->state);
    int in_a_row = 0;

    while (last >= 0 && d->state->iterations[last].stop) {
        in_a_row++;
        last--;
    }
    return d->plan->stop && in_a_row >= d->plan->stop_consecutive;
}

/* Go on in the phase that is next, or end after the last one. */
static void decide_phase (const struct deciding *d)
{
    const struct phase *phase = phase_now (d->plan, d->state);
    const struct phase_step step = phase_step (d->plan, d->state);
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    if (step.kind == PHASE_FAILED)
        strbuf_addf (&why,
                     "phase '%s': its until: did not hold in %d iterations",
                     phase->name, phase->iterations);
    else
        strbuf_add_str (&why, "all phases are over");
    if (step.kind == PHASE_GOES_ON)
        actions_add (d->actions, ACT_BEGIN, -1, d->iteration + 1)->number =
            step.number;
    else
        actions_record (
            d->actions,
            finished (d, "done", step.kind == PHASE_LAST_HELD, why.buf));
}

/* The current iteration is closed: end here or begin the next. */
static void decide_next (const struct deciding *d)
{
    if (has_converged (d))
        actions_record (d->actions, finished (d, "done", true, "converged"));
    else if (d->iteration + 1 >= d->plan->max_iterations)
        actions_record (d->actions,
                        finished (d, "done", false,
                                  d->plan->stop
                                      ? "the iteration limit was reached "
                                        "before the stop rule held"
                                      : "all iterations are done"));
    else if (d->plan->n_phases > 0)
        decide_phase (d);
    else
        actions_add (d->actions, ACT_BEGIN, -1, d->iteration + 1);
}

/* New work only while nothing has failed; what runs is always followed. */
static void decide_iteration (const struct deciding *d)
{
    struct standing standing = count_stages (d);

    for (size_t i = 0; i < d->plan->n_stages; i++) {
        const struct stage_state *s =
            state_stage (d->state, d->iteration, d->plan->stages[i].name);

        if (s && s->status == STAGE_PREPARED && stage_open_attempt (s))
            decide_attempt (d, (int)i);
        else if (d->state->status == CAMPAIGN_RUNNING
                 && (standing.failed == 0
                     || (s && s->status == STAGE_PREPARED)))
            decide_stage (d, (int)i);
    }
    if (d->actions->n > 0 || d->state->status != CAMPAIGN_RUNNING)
        return;
    if (standing.failed > 0 && standing.active == 0)
        fail_campaign (d, standing.first_failed);
    else if (standing.ended == d->plan->n_stages)
        close_iteration (d);
}

/* What is done from now on is done by the configuration that this driver has:
 * after an edit in mid-iteration that is written down first.
 */
static void decide_config (const struct deciding *d)
{
    const char *sha256 = d->observations->config_sha256;

    if (sha256 && strcmp (sha256, d->state->config_sha256) != 0)
        actions_add (d->actions, ACT_CONFIG, -1, d->iteration)->number =
            d->state->iterations[d->iteration].config_number + 1;
}

/* Of one that is over nothing is left but dependency jobs; but one that is done
 * goes on when its definition changed: more iterations, a stricter `stop:`.
 */
static void decide_campaign (const struct deciding *d)
{
    const struct state *state = d->state;

    if (state->moves) {
        actions_add (d->actions, ACT_REPLACE, -1, d->iteration);
        return;
    }
    if (state->status == CAMPAIGN_DONE && d->iteration >= 0)
        decide_config (d);
    if (state->status == CAMPAIGN_DONE || state->status == CAMPAIGN_FAILED)
        return;
    if (d->iteration >= 0 && !state->iterations[d->iteration].closed) {
        decide_config (d);
        if (d->actions->n == 0)
            decide_iteration (d);
    } else if (d->plan->n_stages == 0)
        return; /* it has functions only */
    else if (state->status == CAMPAIGN_RUNNING && d->iteration < 0)
        actions_add (d->actions, ACT_BEGIN, -1, 0);
    else if (state->status == CAMPAIGN_RUNNING)
        decide_next (d);
}

void decide (const struct plan *plan, const struct state *state,
             const struct observations *observations, struct actions *actions)
{
    struct deciding d = { plan, state, observations, actions,
                          state_iteration (state) };

    decide_campaign (&d);
    decide_retention (&d);
    decide_chain (&d);
}
