/* SPDX-License-Identifier: BSD-3-Clause */
/* act_iteration.c - an iteration begins */
#include "base/base.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "campaign/config_changes.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/history/generations.h"
#include "engine/history/home.h"
#include "engine/history/orphans.h"
#include "space/layout.h"

/* The campaign's own id: it tells two copies of one directory apart. */
static int record_campaign (struct engine *engine, struct error *err)
{
    struct json *event = event_new ("campaign", engine_now_s (engine));
    char id[TOKEN_LENGTH + 1];

    random_token (id, TOKEN_LENGTH);
    json_set (event, "id", json_string (id));
    json_set (event, "name", json_string (engine->plan->name));
    home_write (engine, event);
    json_set (event, "generation", json_int (generations_scan (engine->dir)));
    return engine_record (engine, event, err);
}

/* The configuration that was taken on last; NULL: none was. */
static struct json *read_config_before (const struct engine *engine)
{
    const struct state *state = &engine->state;
    struct strbuf file = STRBUF_INIT;
    struct json *config;
    _cleanup_free_ char *path = NULL;

    if (!state->config_sha256[0])
        return NULL;
    layout_config_file (state->config_iteration, state->config_number, &file);
    path = engine_path (engine, &file);
    config = json_read_file (path, NULL);
    return config;
}

/* The first stage that the new configuration holds for; NULL: all of them. */
static const char *first_concerned (const struct engine *engine, int iteration)
{
    for (size_t i = 0; i < engine->plan->n_stages; i++) {
        const char *name = engine->plan->stages[i].name;
        const struct stage_state *stage =
            state_stage (&engine->state, iteration, name);

        if (!stage || stage->status == STAGE_WAITING)
            return i > 0 ? name : NULL;
    }
    return NULL;
}

/* What is taken on now, for people: not in the first configuration. */
static void tell_changes (const struct engine *engine, int iteration,
                          struct json *event)
{
    _cleanup_json_ struct json *before = read_config_before (engine);
    const char *from = first_concerned (engine, iteration);

    if (!before
        || strcmp (engine->state.config_sha256, engine->config_sha256) == 0)
        return;
    json_set (event, "changes", config_changes (before, engine->plan->config));
    if (from)
        json_set (event, "from", json_string (from));
}

/* What this iteration is run with, from now on: config/iter/<iter>/config.json,
 * and after edits in mid-iteration config.1.json, config.2.json ...
 */
static int write_config (struct engine *engine, int iteration, int number,
                         struct error *err)
{
    _cleanup_json_ struct json *event =
        event_new ("config", engine_now_s (engine));
    _cleanup_json_ struct json *renamed =
        renames_due (engine_newest_plan (engine), &engine->state);
    struct strbuf relative = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *path = NULL;
    int rc = -1;

    layout_config_file (iteration, number, &relative);
    path = engine_path (engine, &relative);
    engine_config_text (engine->plan, &text);
    json_set (event, "iteration", json_int (iteration));
    json_set (event, "number", json_int (number));
    json_set (event, "sha256", json_string (engine->config_sha256));
    tell_changes (engine, iteration, event);
    if (json_count (renamed) > 0)
        json_set (event, "renamed", json_ref (renamed));
    if (file_make_lasting_parent (path, err) == 0
        && file_write_atomic (path, text.buf, text.len, err) == 0)
        rc = engine_record (engine, json_ref (event), err);
    return rc;
}

enum act_result act_config (struct engine *engine, const struct action *action,
                            struct error *err)
{
    return write_config (engine, action->iteration, action->number, err) < 0
               ? ACT_FAILED
               : ACT_DONE;
}

enum act_result act_begin (struct engine *engine, const struct action *action,
                           struct error *err)
{
    struct json *event;

    if (!engine->state.id && record_campaign (engine, err) < 0)
        return ACT_FAILED;
    if (write_config (engine, action->iteration, 0, err) < 0)
        return ACT_FAILED;
    event = event_new ("iteration", engine_now_s (engine));
    json_set (event, "iteration", json_int (action->iteration));
    if (engine->plan->n_phases > 0) {
        json_set (event, "phase",
                  json_string (engine->plan->phases[action->number].name));
        json_set (event, "phase_number", json_int (action->number));
    }
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}
