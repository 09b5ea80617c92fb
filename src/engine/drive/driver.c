/* SPDX-License-Identifier: BSD-3-Clause */
/* driver.c - decide and act until there is nothing left to do now */
#include "base/base.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/decide/decide.h"
#include "engine/drive/driver.h"
#include "engine/drive/notices.h"
#include "engine/drive/requests.h"
#include "engine/drive/scheduler_outage.h"
#include "engine/drive/then.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/history/orphans.h"
#include "engine/observe/observe.h"
#include "space/layout.h"
#include "space/lease.h"

/* A foreground driver looks again this soon after something happened, then
 * ever more seldom, up to the profile's interval.
 */
#define SOONEST_S 0.02

bool driver_is_to_stop (const struct engine *engine)
{
    return (engine->stop && *engine->stop)
           || (engine->stop_at_s > 0 && clock_mono_s () >= engine->stop_at_s);
}

/* Number of the current iteration's next configuration. */
static int next_config (const struct state *state)
{
    return state->n_iterations > 0
               ? state->iterations[state_iteration (state)].config_number + 1
               : 0;
}

/* Stages that have other names by the newest definition: before anything is
 * done or asked by it.
 */
static int take_on_names (struct engine *engine, struct error *err)
{
    const struct state *state = &engine->state;
    const struct action action = { .kind = ACT_CONFIG,
                                   .iteration = state_iteration (state),
                                   .number = next_config (state) };
    struct json *due;
    int rc = 0;

    if (state->n_iterations == 0 || state->moves)
        return 0;
    due = renames_due (engine_newest_plan (engine), state);
    if (json_count (due) > 0)
        rc = act (engine, &action, err) == ACT_DONE ? 1 : -1;
    json_unref (due);
    if (rc > 0)
        engine_keep_prepared (engine);
    return rc < 0 ? -1 : 0;
}

/* What runs must be in the plan, or it would not be looked after; and what has
 * results, or they would be lost.
 */
static int check_plan (const struct engine *engine, struct error *err)
{
    const struct iteration_state *it;
    struct strbuf why = STRBUF_INIT;
    bool orphans =
        orphans_text (engine_newest_plan (engine), &engine->state, &why);

    if (orphans)
        error_set (err, "%s", why.buf);
    strbuf_release (&why);
    if (orphans)
        return -1;
    if (engine->state.n_iterations == 0)
        return 0;
    it = &engine->state.iterations[engine->state.n_iterations - 1];
    for (size_t i = 0; i < it->n_stages; i++) {
        if (stage_open_attempt (&it->stages[i])
            && plan_stage_find (engine->plan, it->stages[i].name) < 0)
            return error_set (err,
                              "stage '%s' is running but no longer in "
                              "campaign.yaml; put it back until it has ended",
                              it->stages[i].name);
    }
    return 0;
}

/* What was done that may lead to more, and whether something could not be done.
 */
struct leads {
    int on;
    bool stuck;
};

/* Until a person has fixed it every call would end so. */
static int pause_broken (struct engine *engine, const struct profile *profile,
                         const char *words, struct step *step,
                         struct error *err)
{
    struct json *event;

    step->broken = true;
    if (engine->state.status != CAMPAIGN_RUNNING)
        return 0;
    event = event_new ("paused", engine_now_s (engine));
    json_set (event, "why",
              json_stringf ("the scheduler of profile '%s' cannot be used: "
                            "%.500s; fix that, then run `fanfold resume`",
                            profile->name, words));
    return engine_record (engine, event, err);
}

/* Do what was decided.  An action that
 * must wait does not stop the others; one that pauses the campaign (a job was
 * refused) does: the rest was decided for a campaign that runs.
 */
static int perform (struct engine *engine, const struct actions *actions,
                    struct step *step, struct leads *leads, struct error *err)
{
    enum campaign_status status = engine->state.status;

    for (size_t i = 0; i < actions->n && engine->state.status == status
                       && !driver_is_to_stop (engine);
         i++) {
        const struct action *action = &actions->v[i];
        struct error why = ERROR_INIT;
        double began_s = engine_now_s (engine);
        enum act_result result = act (engine, action, &why);

        /* A program that was ended with this driver is the next one's. */
        if (result == ACT_FAILED && why.number == EINTR
            && driver_is_to_stop (engine))
            return 0;
        if (result == ACT_FAILED)
            return error_set (err, "%s", why.text);
        if (result == ACT_BROKEN
            && pause_broken (engine,
                             engine->plan->stages[action->stage].profile,
                             why.text, step, err)
                   < 0)
            return -1;
        if (result != ACT_DONE && engine->state.status == status) {
            step->unreachable = leads->stuck = true;
            if (outage_of_action (engine, action, result == ACT_NOT_NOW,
                                  began_s, why.text, err)
                < 0)
                return -1;
            continue;
        }
        if (result != ACT_DONE) { /* it was paused */
            leads->stuck = true;
            break;
        }
        step->actions++;
        leads->on += action_leads_on (action);
        if (outage_over (engine, action, err) < 0)
            return -1;
    }
    return 0;
}

static int pause_unpolled (struct engine *engine, struct step *step,
                           struct error *err)
{
    for (size_t p = 0; p < engine->plan->n_profiles; p++) {
        const struct profile_poll *poll = &engine->polls[p];

        if (poll->unanswered && poll->broken
            && pause_broken (engine, &engine->plan->profiles[p],
                             poll->unanswered, step, err)
                   < 0)
            return -1;
    }
    return 0;
}

/* When to try again what could not be read. */
static double soonest_poll_s (const struct plan *plan)
{
    double s = plan->profiles[0].poll_s;

    for (size_t i = 1; i < plan->n_profiles; i++)
        s = fmin (s, plan->profiles[i].poll_s);
    return s;
}

static bool is_kept_there (const struct engine *engine, int number)
{
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *dir = NULL;
    bool there;

    layout_kept_dir (number, &relative);
    dir = engine_path (engine, &relative);
    there = file_exists (dir);
    return there;
}

/* Data that a reset kept, or did not keep, are read with the files: a
 * definition that was read before begins nothing.
 */
static bool is_of_before (const struct engine *engine, struct step *step)
{
    const struct state *state = &engine->state;
    int kept = engine_newest_plan (engine)->kept;

    if (state->n_iterations > 0 || state->moves || kept == state->kept
        || (kept > state->kept && is_kept_there (engine, kept)))
        return false;
    step->next_s = 1;
    if (kept < state->kept && !is_kept_there (engine, state->kept)) {
        _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;

        step->unreachable = true;
        layout_kept_dir (state->kept, &dir);
        error_set (&step->unread,
                   "%s: the data that the reset kept are not seen here; if "
                   "they are to be gone, make an empty directory of that name",
                   dir.buf);
    }
    return true;
}

static int round_of (struct engine *engine, struct step *step,
                     struct leads *leads, struct error *err)
{
    _cleanup_ (observations_release) struct observations observations = { 0 };
    _cleanup_ (actions_release) struct actions actions = ACTIONS_INIT;
    struct error unseen = ERROR_INIT;
    int seen;
    int rc = -1;

    /* One that was replaced must neither wait nor take wake messages. */
    if (lease_check (engine->lease, err) < 0)
        return -1;
    point_reached ("round.checked");
    engine_reread_plan (engine);
    engine_keep_prepared (engine);
    if (take_on_names (engine, err) < 0 || check_plan (engine, err) < 0)
        return -1;
    wake_messages_consume (engine->dir);
    if (requests_carry_out (engine, err) < 0)
        return -1;
    if (is_of_before (engine, step))
        return 0;
    if ((seen = observe (engine, &observations, &unseen)) < 0) {
        error_copy (err, &unseen);
        return rc;
    }
    if (seen > 0) {
        step->unreachable = true;
        step->unread = unseen;
        step->next_s = soonest_poll_s (engine->plan);
        return 0;
    }
    step->unreachable = step->unreachable || observations.unreachable;
    if (outages_of_polls (engine, err) < 0
        || pause_unpolled (engine, step, err) < 0)
        return rc;
    decide (engine->plan, &engine->state, &observations, &actions);
    step->next_s = actions.next_s;
    return perform (engine, &actions, step, leads, err);
}

/* The wake messages that a replaced driver took may have been for its
 * successor. */
static void give_back_wakes (const struct engine *engine)
{
    if (lease_check (engine->lease, NULL) < 0)
        wake_message_leave (engine->dir, NULL);
}

int driver_step (struct engine *engine, struct step *step, struct error *err)
{
    struct step made = { 0 };
    struct leads leads = { .on = 1 };

    /* What logs and results prove leads on although a scheduler is silent. */
    while (leads.on > 0 && !leads.stuck && !driver_is_to_stop (engine)) {
        leads.on = 0;
        if (round_of (engine, &made, &leads, err) < 0) {
            give_back_wakes (engine);
            return -1;
        }
        made.led_on += leads.on;
        if (notices_tell (engine, err) < 0)
            return -1;
    }
    if (!driver_is_to_stop (engine) && then_run (engine, err) < 0)
        return -1;
    if (made.unreachable && made.next_s == 0)
        made.next_s = 60;
    *step = made;
    return 0;
}

static bool still_running (const struct engine *engine, const struct step *step)
{
    if (driver_is_to_stop (engine)
        || (step->broken && engine->state.status != CAMPAIGN_RUNNING))
        return false;
    return engine->state.status == CAMPAIGN_RUNNING || step->next_s > 0;
}

static void nap (struct engine *engine, double s)
{
    if (engine->on_beat)
        engine->on_beat (s, engine->on_event_arg);
    else
        clock_sleep (s, (const int *)engine->stop);
}

void driver_wait (struct engine *engine, double s)
{
    double end_s = clock_mono_s () + s;
    double left_s;

    while ((left_s = end_s - clock_mono_s ()) > 0
           && !driver_is_to_stop (engine)) {
        nap (engine, left_s < 0.5 ? left_s : 0.5);
        engine_heartbeat (engine);
        if (requests_waiting (engine->dir) > 0)
            return;
    }
}

int driver_run (struct engine *engine,
                void (*tick) (struct engine *engine, const struct step *step,
                              void *arg),
                void *arg, struct error *err)
{
    struct step step = { .next_s = SOONEST_S };
    double wait_s = SOONEST_S;

    while (still_running (engine, &step)) {
        if (driver_step (engine, &step, err) < 0)
            return -1;
        if (tick)
            tick (engine, &step, arg);
        wait_s = step.led_on > 0 ? SOONEST_S : wait_s * 1.2;
        if (wait_s > step.next_s)
            wait_s = step.next_s;
        if (step.next_s > 0)
            driver_wait (engine, wait_s);
    }
    return 0;
}
