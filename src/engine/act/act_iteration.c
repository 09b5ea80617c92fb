/* SPDX-License-Identifier: BSD-3-Clause */
/* act_iteration.c - an iteration begins */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "space/layout.h"

/* The campaign's own id: it tells two copies of one directory apart. */
static int record_campaign (struct engine *engine, struct error *err)
{
    struct json *event = event_new ("campaign", engine_now_s (engine));
    char id[TOKEN_LENGTH + 1];

    random_token (id, TOKEN_LENGTH);
    json_set (event, "id", json_string (id));
    json_set (event, "name", json_string (engine->plan->name));
    return engine_record (engine, event, err);
}

/* What this iteration is run with, from now on: config/iter/<iter>/config.json,
 * and after edits in mid-iteration config.1.json, config.2.json ...
 */
static int write_config (struct engine *engine, int iteration, int number,
                         struct error *err)
{
    struct json *event = event_new ("config", engine_now_s (engine));
    struct strbuf relative = STRBUF_INIT;
    struct strbuf text = STRBUF_INIT;
    char *path;
    int rc = -1;

    layout_config_file (iteration, number, &relative);
    path = engine_path (engine, &relative);
    engine_config_text (engine->plan, &text);
    json_set (event, "iteration", json_int (iteration));
    json_set (event, "number", json_int (number));
    json_set (event, "sha256", json_string (engine->config_sha256));
    if (file_make_parent (path, err) == 0
        && file_write_atomic (path, text.buf, text.len, err) == 0)
        rc = engine_record (engine, json_ref (event), err);
    json_unref (event);
    strbuf_release (&text);
    free (path);
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
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}
