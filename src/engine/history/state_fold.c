/* SPDX-License-Identifier: BSD-3-Clause */
/* state_fold.c - events (events.h) folded into a state
 *
 * A fold checks everything it needs before it changes anything.
 */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

double fold_now_s (const struct json *event)
{
    return json_as_double (json_get (event, "now_s"));
}

void fold_text (char **to, const char *text)
{
    free (*to);
    *to = text && *text ? xstrdup (text) : NULL;
}

/* The name of the stage an event is about; NULL when that is not of the
 * current iteration.
 */
const char *fold_event_stage_name (const struct state *state,
                                   const struct json *event, struct error *err)
{
    const char *name;
    int64_t iteration;

    if (json_want_int (event, "iteration", &iteration, err) < 0
        || json_want_string (event, "stage", &name, err) < 0)
        return NULL;
    if (iteration >= 0 && iteration == state_iteration (state))
        return name;
    error_set (err,
               "stage '%s' of iteration %" PRId64 ", but iteration %d runs",
               name, iteration, state_iteration (state));
    return NULL;
}

/* The stage an event names, which something happened to before. */
struct stage_state *fold_event_stage (const struct state *state,
                                      const struct json *event,
                                      struct error *err)
{
    const char *name = fold_event_stage_name (state, event, err);
    struct stage_state *stage;

    if (!name)
        return NULL;
    stage = state_stage (state, state_iteration (state), name);
    if (!stage)
        error_set (err, "nothing is known of stage '%s'", name);
    return stage;
}

struct stage_state *fold_new_stage (struct state *state, const char *name)
{
    struct iteration_state *it = &state->iterations[state->n_iterations - 1];
    struct stage_state *stage =
        state_stage (state, state_iteration (state), name);

    if (stage)
        return stage;
    it->stages =
        grow_array (it->stages, it->n_stages, &it->alloc, sizeof (*it->stages));
    stage = &it->stages[it->n_stages++];
    memset (stage, 0, sizeof (*stage));
    stage->name = xstrdup (name);
    return stage;
}

/* The stage an event names, made when nothing happened to it yet: to be called
 * when nothing can fail any more.
 */
struct stage_state *fold_event_new_stage (struct state *state,
                                          const struct json *event,
                                          struct error *err)
{
    const char *name = fold_event_stage_name (state, event, err);

    return name ? fold_new_stage (state, name) : NULL;
}

struct submission *fold_event_submission (struct state *state,
                                          const struct json *event,
                                          struct error *err)
{
    const char *token;
    struct submission *submission;

    if (json_want_string (event, "token", &token, err) < 0)
        return NULL;
    if (!(submission = state_submission (state, token)))
        error_set (err, "no submission has the token '%s'", token);
    return submission;
}

/* A campaign that is done has another definition now: its last iteration is
 * closed again by that, and then it may go on.
 */
static void reopen (struct state *state)
{
    state->iterations[state->n_iterations - 1].closed = false;
    state->status = CAMPAIGN_RUNNING;
    state->converged = false;
    fold_text (&state->why, NULL);
}

/* The current iteration goes by the configuration that was taken on last. */
static void keep_config (struct state *state)
{
    struct iteration_state *it = &state->iterations[state->n_iterations - 1];

    it->config_number = state->config_number;
    memcpy (it->config_sha256, state->config_sha256,
            sizeof (it->config_sha256));
}

static int fold_config (struct state *state, const struct json *event,
                        struct error *err)
{
    const char *sha256;

    if (json_want_string (event, "sha256", &sha256, err) < 0)
        return -1;
    if (fold_renames (state, event, err) < 0)
        return -1;
    state->config_iteration = (int)json_as_int (json_get (event, "iteration"));
    state->config_number = (int)json_as_int (json_get (event, "number"));
    snprintf (state->config_sha256, sizeof (state->config_sha256), "%s",
              sha256);
    if (state->n_iterations > 0
        && state->config_iteration == state_iteration (state))
        keep_config (state);
    if (state->status == CAMPAIGN_DONE && state->n_iterations > 0)
        reopen (state);
    return 0;
}

static int fold_iteration (struct state *state, const struct json *event,
                           struct error *err)
{
    int64_t iteration;

    if (json_want_int (event, "iteration", &iteration, err) < 0)
        return -1;
    if (iteration != state_iteration (state) + 1)
        return error_set (err, "iteration %" PRId64 " is not next", iteration);
    if (iteration > 0 && !state->iterations[iteration - 1].closed)
        return error_set (err, "iteration %d is not closed",
                          state_iteration (state));
    state->iterations = grow_array (state->iterations, state->n_iterations,
                                    &state->alloc, sizeof (*state->iterations));
    memset (&state->iterations[iteration], 0, sizeof (*state->iterations));
    state->iterations[iteration].began_s = fold_now_s (event);
    if (json_get (event, "phase"))
        fold_text (&state->iterations[iteration].phase,
                   json_get_string (event, "phase"));
    state->iterations[iteration].phase_number =
        (int)json_get_int (event, "phase_number");
    state->n_iterations++;
    keep_config (state);
    return 0;
}

void fold_set_outcome (struct stage_state *stage, int32_t task,
                       enum outcome outcome)
{
    struct task_state *t = &stage->tasks[task];

    stage->by_outcome[t->outcome]--;
    stage->by_outcome[outcome]++;
    t->outcome = (uint8_t)outcome;
}

static int fold_closing (struct state *state, const struct json *event,
                         struct error *err)
{
    struct iteration_state *it;

    if (state->n_iterations == 0)
        return error_set (err, "no iteration to close");
    it = &state->iterations[state->n_iterations - 1];
    it->closed = true;
    it->ended_s = fold_now_s (event);
    it->stop = json_as_bool (json_get (event, "stop"));
    it->until = json_as_bool (json_get (event, "until"));
    json_unref (it->history);
    it->history = json_deep_copy (json_get (event, "history"));
    return 0;
}

int fold_paused (struct state *state, const struct json *event,
                 struct error *err)
{
    (void)err;
    state->status = CAMPAIGN_PAUSED;
    state->auto_paused = true;
    fold_text (&state->why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_finished (struct state *state, const struct json *event,
                          struct error *err)
{
    const char *status;

    if (json_want_string (event, "phase", &status, err) < 0)
        return -1;
    state->status =
        strcmp (status, "done") == 0 ? CAMPAIGN_DONE : CAMPAIGN_FAILED;
    state->converged = json_as_bool (json_get (event, "converged"));
    fold_forget_outages (state);
    fold_text (&state->why, json_as_string (json_get (event, "why")));
    return 0;
}

/* What events of which only state.json was left came to. */
static int fold_recovered (struct state *state, const struct json *event,
                           struct error *err)
{
    const struct json *known = json_get (event, "state");
    struct state recovered = STATE_INIT;

    if (known && state_from_json (known, &recovered, err) < 0)
        return -1;
    if (known) {
        state_release (state);
        *state = recovered;
    }
    fold_generation (state, json_get_int (event, "generation"), NULL);
    return 0;
}

static int fold_then (struct state *state, const struct json *event,
                      struct error *err)
{
    static const struct {
        const char *phase;
        enum then_status status;
    } phases[] = { { "begun", THEN_RUNNING },
                   { "failed", THEN_FAILED },
                   { "done", THEN_DONE } };
    const char *id, *phase;
    size_t i = 0;

    if (json_want_string (event, "event", &id, err) < 0
        || json_want_string (event, "phase", &phase, err) < 0)
        return -1;
    while (i < ARRAY_SIZE (phases) && strcmp (phases[i].phase, phase) != 0)
        i++;
    if (i == ARRAY_SIZE (phases))
        return error_set (err, "unknown phase '%s'", phase);
    if (state->status != CAMPAIGN_DONE)
        return error_set (err, "the call is not done");
    state->then.status = phases[i].status;
    state->then.n = json_get_int (event, "n");
    fold_text (&state->then.event, id);
    fold_text (&state->then.why, json_as_string (json_get (event, "why")));
    return 0;
}

static int fold_reuse_from (struct state *state, const struct json *event,
                            struct error *err)
{
    const struct json *dirs = json_get (event, "dirs");

    if (json_kind (dirs) != JSON_KIND_ARRAY)
        return error_set (err, "key 'dirs': expected a list");
    if (!state->reuse_from)
        state->reuse_from = json_array ();
    for (size_t i = 0; i < json_count (dirs); i++) {
        const char *dir = json_as_string (json_at (dirs, i));

        if (!json_array_has_string (state->reuse_from, dir))
            json_push (state->reuse_from, json_string (dir));
    }
    return 0;
}

static const struct event_fold campaign_folds[] = {
    { "config", fold_config },
    { "iteration", fold_iteration },
    { "closing", fold_closing },
    { "reuse_from", fold_reuse_from },
    { "paused", fold_paused },
    { "finished", fold_finished },
    { "then", fold_then },
    { "recovered", fold_recovered },
    { NULL, NULL },
};

static const struct event_fold *const files[] = {
    home_folds,       campaign_folds, stage_folds,       dependency_job_folds,
    submission_folds, outage_folds,   replacement_folds, removal_folds,
    request_folds,    notice_folds,
};

static const struct event_fold *find_fold (const char *kind)
{
    for (size_t i = 0; i < ARRAY_SIZE (files); i++) {
        for (const struct event_fold *fold = files[i]; fold->kind; fold++) {
            if (strcmp (fold->kind, kind) == 0)
                return fold;
        }
    }
    return NULL;
}

int state_apply (struct state *state, const struct json *event,
                 struct error *err)
{
    const char *kind = json_as_string (json_get (event, "ev"));
    int64_t n = json_as_int (json_get (event, "n"));
    const struct event_fold *fold = find_fold (kind);
    enum notice_event notice = fold_notice_of (state, event);

    if (!fold)
        return error_set (err, "event %" PRId64 ": unknown kind '%s'", n, kind);
    if (fold->apply (state, event, err) < 0)
        return error_prefix (err, "event %" PRId64 " (%s)", n, kind);
    state->n = n;
    fold_moved (state, event, notice);
    return 0;
}
