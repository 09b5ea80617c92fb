/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.c - what to do next: the campaign as a whole */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/decide.h"
#include "engine/decide_stage.h"
#include "engine/events.h"
#include "engine/state.h"

void actions_release (struct actions *actions)
{
    for (size_t i = 0; i < actions->n; i++)
        json_unref (actions->v[i].event);
    free (actions->v);
    memset (actions, 0, sizeof (*actions));
}

struct action *actions_add (struct actions *actions,
                            enum action_kind kind,
                            int stage,
                            int iteration)
{
    struct action *action;

    actions->v = grow_array (actions->v, actions->n, &actions->alloc,
                             sizeof (*actions->v));
    action = &actions->v[actions->n++];
    memset (action, 0, sizeof (*action));
    action->kind = kind;
    action->stage = stage;
    action->iteration = iteration;
    return action;
}

void actions_record (struct actions *actions, struct json *event)
{
    actions_add (actions, ACT_RECORD, -1, -1)->event = event;
}

static void sooner (double *at_s, double s)
{
    if (*at_s == 0 || s < *at_s)
        *at_s = s;
}

void actions_wait (struct actions *actions, double s)
{
    sooner (&actions->next_s, s);
    sooner (&actions->due_s, s);
}

void actions_follow (struct actions *actions, double s)
{
    sooner (&actions->next_s, s);
}

const char *action_name (enum action_kind kind)
{
    static const char *const names[] = {
        "record", "results", "begin",   "prepare",       "open attempt",
        "submit", "find",    "release", "cancel",        "sweep",
        "wake",   "dismiss", "close attempt", "fan in",  "close iteration",
    };

    return names[kind];
}

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
        if (s->phase == STAGE_DONE || s->phase == STAGE_SKIPPED)
            standing.ended++;
        if (s->phase == STAGE_FAILED && standing.failed++ == 0)
            standing.first_failed = s;
        if (s->phase == STAGE_PREPARED && stage_open_attempt (s))
            standing.active++;
    }
    return standing;
}

static struct json *finished (const struct deciding *d,
                              const char *phase,
                              bool converged,
                              const char *why)
{
    struct json *event = event_new ("finished", d->observations->now_s);

    json_set (event, "phase", json_string (phase));
    json_set (event, "converged", json_bool (converged));
    json_set (event, "why", json_string (why));
    return event;
}

static void fail_campaign (const struct deciding *d,
                           const struct stage_state *failed)
{
    struct strbuf why = STRBUF_INIT;

    strbuf_addf (&why, "stage '%s' failed in iteration %d: %s", failed->name,
                 d->iteration,
                 failed->why ? failed->why : "no reason recorded");
    actions_record (d->actions, finished (d, "failed", false, why.buf));
    strbuf_release (&why);
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

        if (s && s->phase == STAGE_PREPARED && stage_open_attempt (s))
            decide_attempt (d, (int)i);
        else if (d->state->phase == CAMPAIGN_RUNNING
                 && (standing.failed == 0 || (s && s->phase == STAGE_PREPARED)))
            decide_stage (d, (int)i);
    }
    if (d->actions->n > 0 || d->state->phase != CAMPAIGN_RUNNING)
        return;
    if (standing.failed > 0 && standing.active == 0)
        fail_campaign (d, standing.first_failed);
    else if (standing.ended == d->plan->n_stages)
        actions_add (d->actions, ACT_CLOSE_ITERATION, -1, d->iteration);
}

/* Of one that is over nothing is left but wake-ups. */
static void decide_campaign (const struct deciding *d)
{
    const struct state *state = d->state;

    if (state->phase == CAMPAIGN_DONE || state->phase == CAMPAIGN_FAILED)
        return;
    if (d->iteration >= 0 && !state->iterations[d->iteration].closed)
        decide_iteration (d);
    else if (state->phase == CAMPAIGN_RUNNING && d->iteration < 0)
        actions_add (d->actions, ACT_BEGIN, -1, 0);
    else if (state->phase == CAMPAIGN_RUNNING)
        decide_next (d);
}

void decide (const struct plan *plan,
             const struct state *state,
             const struct observations *observations,
             struct outputs_store *outputs,
             struct actions *actions)
{
    struct deciding d = { plan,    state,   observations,
                          outputs, actions, state_iteration (state) };

    decide_campaign (&d);
    decide_chain (&d);
}
