/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - what people ask of a campaign */
#include "base/base.h"

#include <unistd.h>

#include "arrays/task_range.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/retry.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/drive/replacement.h"
#include "engine/drive/requests.h"
#include "space/layout.h"

/* Names sort by time of day of the asker; the token keeps them apart. */
static char *fresh_path (const char *dir, const char *folder)
{
    char token[9];

    random_token (token, 8);
    return xasprintf ("%s/%s/%017.6f-%s", dir, folder, clock_wall_s (), token);
}

/* Whoever is told that it failed must not find it carried out later: what is
 * not surely on the disk is taken back.
 */
static int leave (const char *dir, const char *folder, const struct json *v,
                  struct error *err)
{
    _cleanup_free_ char *path = fresh_path (dir, folder);
    int there = file_look (dir, err), rc = -1;

    if (there == 0) /* whoever moved it does not want it here again */
        error_set (err, "'%s' is not there any more", dir);
    else if (there > 0)
        rc = file_make_lasting_parent (path, err);
    if (rc == 0 && (rc = json_write_file (path, v, err)) < 0)
        unlink (path);
    return rc;
}

int request_leave (const char *dir, const struct request *request,
                   char id[TOKEN_LENGTH + 1], struct error *err)
{
    _cleanup_json_ struct json *v = json_object ();

    random_token (id, TOKEN_LENGTH);
    json_set (v, "format", json_int (1));
    json_set (v, "id", json_string (id));
    json_set (v, "kind", json_string (request->kind));
    if (request->stage)
        json_set (v, "stage", json_string (request->stage));
    if (request->iteration >= 0)
        json_set (v, "iteration", json_int (request->iteration));
    if (request->keep_data)
        json_set (v, "keep_data", json_bool (true));
    return leave (dir, LAYOUT_REQUESTS_DIR, v, err);
}

int wake_message_leave (const char *dir, struct error *err)
{
    _cleanup_json_ struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    return leave (dir, LAYOUT_WAKE_DIR, v, err);
}

/* Finished files of a folder, oldest first (atomic writes leave no others
 * whose names begin with a digit).
 */
static int list_left (const char *dir, const char *folder, struct strvec *paths,
                      struct error *err)
{
    _cleanup_free_ char *full = path_join (dir, folder);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;
    int rc = 0;

    if (file_list_dir (full, &names, &why) < 0 && why.number != ENOENT)
        rc = error_copy (err, &why);
    for (size_t i = 0; i < names.n; i++) {
        if (names.v[i][0] >= '0' && names.v[i][0] <= '9')
            strvec_pushf (paths, "%s/%s", full, names.v[i]);
    }
    return rc;
}

void wake_messages_consume (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;

    list_left (dir, LAYOUT_WAKE_DIR, &paths, NULL);
    for (size_t i = 0; i < paths.n; i++)
        unlink (paths.v[i]);
}

int requests_waiting (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    int n;

    list_left (dir, LAYOUT_WAKE_DIR, &paths, NULL);
    list_left (dir, LAYOUT_REQUESTS_DIR, &paths, NULL);
    n = (int)paths.n;
    return n;
}

/* How stages stand of which a request is: one, or all steps of one. */
struct meant {
    bool running, to_skip, to_retry;
};

static struct meant look_at_meant (const struct engine *engine,
                                   const char *stage)
{
    const struct state *state = &engine->state;
    struct meant meant = { false, false, false };

    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const char *name = engine->plan->stages[i].name;
        const struct stage_state *s =
            state_stage (state, state_iteration (state), name);

        if (!stage_is_of (name, stage))
            continue;
        meant.running = meant.running || (s && stage_open_attempt (s));
        meant.to_skip = meant.to_skip || !s || s->status != STAGE_DONE;
        meant.to_retry =
            meant.to_retry
            || (s
                && (s->status == STAGE_FAILED || s->status == STAGE_PREPARED));
    }
    return meant;
}

static int check_skip (const struct engine *engine, const char *stage,
                       struct error *err)
{
    struct meant meant;

    if (!stage)
        return error_set (err, "skip needs a stage");
    if (engine->state.n_iterations == 0)
        return error_set (err, "no iteration has begun");
    meant = look_at_meant (engine, stage);
    if (!meant.to_skip)
        return error_set (err, "stage '%s' is done", stage);
    if (meant.running)
        return error_set (err, "stage '%s' is running; cancel first", stage);
    return 0;
}

/* Has a stage failed, or may one have tasks that did? */
static bool any_may_be_retried (const struct state *state)
{
    const struct iteration_state *it =
        &state->iterations[state_iteration (state)];

    for (size_t i = 0; i < it->n_stages; i++) {
        if (stage_may_be_retried (&it->stages[i]))
            return true;
    }
    return false;
}

static int check_retry (const struct engine *engine, const char *stage,
                        struct error *err)
{
    struct meant meant;

    if (engine->state.n_iterations == 0)
        return error_set (err, "nothing has run that could be tried again");
    if (!stage && engine->state.status == CAMPAIGN_RUNNING
        && !any_may_be_retried (&engine->state))
        return error_set (err, "no stage has failed; wait until what runs has "
                               "ended, see `fanfold status`");
    if (!stage)
        return 0;
    meant = look_at_meant (engine, stage);
    if (!meant.to_retry)
        return error_set (err, "stage '%s' has not failed", stage);
    if (meant.running)
        return error_set (err,
                          "stage '%s' is running; what failed is tried again "
                          "when that has ended, as far as `retry:` allows",
                          stage);
    return 0;
}

/* Does the request make sense now?  A sentence when it does not. */
static int check_request (const struct engine *engine, const char *kind,
                          const char *stage, struct error *err)
{
    const struct state *state = &engine->state;

    if (strcmp (kind, "reset") == 0)
        return 0;
    if (strcmp (kind, "forget") == 0) /* its replacement says the rest */
        return stage ? 0 : error_set (err, "forget needs a stage");
    if (stage && plan_stage_find (engine->plan, stage) < 0
        && !plan_family_find (engine->plan, stage))
        return error_set (err, "there is no stage '%s'", stage);
    if (strcmp (kind, "redo") == 0)
        return state->n_iterations > 0
                   ? 0
                   : error_set (err,
                                "nothing has run that could be done again");
    if (state->status == CAMPAIGN_DONE)
        return error_set (err,
                          "the campaign is done; to do something again run "
                          "`fanfold redo STAGE`, to go on %s",
                          state->converged ? "tighten `stop:`"
                                           : "raise `iterations:`");
    if (strcmp (kind, "skip") == 0)
        return check_skip (engine, stage, err);
    if (strcmp (kind, "retry") == 0)
        return check_retry (engine, stage, err);
    if (strcmp (kind, "resume") != 0 && strcmp (kind, "pause") != 0
        && strcmp (kind, "cancel") != 0)
        return error_set (err, "there is no request '%s'", kind);
    if (state->status == CAMPAIGN_FAILED)
        return error_set (err, "the campaign failed; use retry or skip");
    return 0;
}

/* Has it failed for a quorum that it has by the plan as it is now? */
static bool is_enough_now (const struct plan *plan,
                           const struct stage_state *stage)
{
    int at = plan_stage_find (plan, stage->name);

    return at >= 0 && stage->status == STAGE_FAILED && !stage->bad_input
           && stage->n_tasks > 0
           && stage->by_outcome[OUTCOME_OK] < stage->n_tasks
           && retry_quorum_met (&plan->stages[at], stage);
}

/* Of failed stages, but for those that are prepared anew: which have `enough`
 * tasks now that are ok, and, for people, which tasks of the others get their
 * tries anew ("": the stage's inputs are bound again).
 */
static void add_tries_anew (const struct engine *engine, const char *stage,
                            struct json *event)
{
    const struct state *state = &engine->state;
    const struct iteration_state *it =
        &state->iterations[state_iteration (state)];
    struct json *anew = json_object ();
    _cleanup_json_ struct json *enough = json_array ();

    for (size_t i = 0; i < it->n_stages; i++) {
        const struct stage_state *s = &it->stages[i];
        struct task_range failed = TASK_RANGE_INIT;

        if (!stage_may_be_retried (s)
            || (stage && !stage_is_of (s->name, stage))
            || json_array_has_string (json_get (event, "stages"), s->name))
            continue;
        if (is_enough_now (engine->plan, s)) {
            json_push (enough, json_string (s->name));
            continue;
        }
        for (int32_t t = 0; !s->bad_input && t < s->n_tasks; t++) {
            if (s->tasks[t].outcome != OUTCOME_NONE
                && s->tasks[t].outcome != OUTCOME_OK)
                task_range_add (&failed, t);
        }
        if (s->bad_input || task_range_count (&failed) > 0)
            json_set (anew, s->name, task_range_to_json (&failed));
        task_range_release (&failed);
    }
    json_set (event, "tries_anew", anew);
    if (json_count (enough) > 0)
        json_set (event, "enough", json_ref (enough));
}

/* Of a stage with steps: those that are not done. */
static void add_skipped_steps (const struct engine *engine, const char *stage,
                               struct json *event)
{
    const struct state *state = &engine->state;
    _cleanup_json_ struct json *steps = json_array ();

    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const char *name = engine->plan->stages[i].name;
        const struct stage_state *s =
            state_stage (state, state_iteration (state), name);

        if (strcmp (name, stage) != 0 && stage_is_of (name, stage)
            && (!s || s->status != STAGE_DONE))
            json_push (steps, json_string (name));
    }
    if (json_count (steps) > 0)
        json_set (event, "steps", json_ref (steps));
}

/* What has to make way for it: of the kinds that do anything again. */
static int add_replacement (struct engine *engine, const struct json *request,
                            struct json *event, struct error *err)
{
    const char *kind = json_get_string (request, "kind");
    const char *stage =
        json_get (request, "stage") ? json_get_string (request, "stage") : NULL;
    int iteration = json_get (request, "iteration")
                        ? (int)json_get_int (request, "iteration")
                        : state_iteration (&engine->state);

    if (strcmp (kind, "redo") == 0)
        return replacement_of_redo (engine, stage, iteration, event, err);
    if (strcmp (kind, "reset") == 0)
        return replacement_of_reset (
            engine, json_as_bool (json_get (request, "keep_data")), event, err);
    if (strcmp (kind, "forget") == 0)
        return replacement_of_forget (engine, stage, event, err);
    if (strcmp (kind, "skip") == 0)
        add_skipped_steps (engine, stage, event);
    if (strcmp (kind, "retry") != 0)
        return 0;
    if (replacement_of_retry (engine, stage, event, err) < 0)
        return -1;
    add_tries_anew (engine, stage, event);
    return 0;
}

static struct json *request_event (struct engine *engine,
                                   const struct json *request, const char *id)
{
    const char *kind = json_as_string (json_get (request, "kind"));
    const struct json *stage = json_get (request, "stage");
    struct json *event = event_new ("request", engine_now_s (engine));
    struct error why = ERROR_INIT;

    json_set (event, "id", json_string (id));
    json_set (event, "iteration", json_int (state_iteration (&engine->state)));
    if (stage)
        json_set (event, "stage", json_deep_copy (stage));
    if (check_request (engine, kind, stage ? json_as_string (stage) : NULL,
                       &why)
            < 0
        || add_replacement (engine, request, event, &why) < 0) {
        json_set (event, "asked", json_string (kind));
        json_set (event, "kind", json_string ("refused"));
        json_set (event, "why", json_string (why.text));
    } else {
        json_set (event, "kind", json_string (kind));
        json_set (event, "why", json_stringf ("%s was asked for", kind));
    }
    return event;
}

/* One that makes no sense is thrown away, one that cannot be read is not. */
static int carry_out (struct engine *engine, const char *path,
                      struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *request = json_read_file (path, &why);
    const char *id = json_as_string (json_get (request, "id"));
    bool known = json_get (engine->state.requests_seen, id) != NULL;
    int rc = 0;

    if (why.number == ENOENT) /* its writer took it back, or did it itself */
        return 0;
    if (why.number != 0)
        return error_copy (err, &why);
    if (*id && !known)
        rc = engine_record (engine, request_event (engine, request, id), err);
    if (rc == 0)
        unlink (path);
    json_unref (request);
    return rc;
}

int requests_carry_out (struct engine *engine, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    int rc = list_left (engine->dir, LAYOUT_REQUESTS_DIR, &paths, err);

    for (size_t i = 0; rc == 0 && i < paths.n; i++)
        rc = carry_out (engine, paths.v[i], err);
    if (rc == 0)
        rc = (int)paths.n;
    return rc;
}
