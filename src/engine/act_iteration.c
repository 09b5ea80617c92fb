/* SPDX-License-Identifier: BSD-3-Clause */
/* act_iteration.c - an iteration begins, an iteration is closed */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/act.h"
#include "engine/decide.h"
#include "engine/engine.h"
#include "engine/events.h"
#include "engine/inputs.h"
#include "signature/expression.h"
#include "space/layout.h"

/* The campaign's own id: it tells two copies of one directory apart. */
static int record_campaign (struct engine *engine, struct error *err)
{
    struct json *event = event_new ("campaign", clock_wall_s ());
    char id[TOKEN_LENGTH + 1];

    random_token (id, TOKEN_LENGTH);
    json_set (event, "id", json_string (id));
    json_set (event, "name", json_string (engine->plan->name));
    return engine_record (engine, event, err);
}

/* config/iter/<iter>/config.json: what this iteration is run with. */
static int write_config (struct engine *engine,
                         int iteration,
                         struct error *err)
{
    struct json *event = event_new ("config", clock_wall_s ());
    struct strbuf relative = STRBUF_INIT;
    struct strbuf text = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];
    char *path;
    int rc = -1;

    layout_config_file (iteration, &relative);
    path = engine_path (engine, &relative);
    json_dump (engine->plan->config, JSON_PRETTY, &text);
    digest_bytes (text.buf, text.len, hex);
    json_set (event, "iteration", json_int (iteration));
    json_set (event, "sha256", json_string (hex));
    if (file_make_parent (path, err) == 0
        && file_write_atomic (path, text.buf, text.len, err) == 0)
        rc = engine_record (engine, json_ref (event), err);
    json_unref (event);
    strbuf_release (&text);
    free (path);
    return rc;
}

enum act_result act_begin (struct engine *engine,
                           const struct action *action,
                           struct error *err)
{
    struct json *event;

    if (!engine->state.id && record_campaign (engine, err) < 0)
        return ACT_FAILED;
    if (write_config (engine, action->iteration, err) < 0)
        return ACT_FAILED;
    event = event_new ("iteration", clock_wall_s ());
    json_set (event, "iteration", json_int (action->iteration));
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}

struct looking {
    const struct engine *engine;
    int iteration;
};

static struct json *look_up (const char *name, void *arg)
{
    const struct looking *looking = arg;

    return inputs_lookup (looking->engine->plan, &looking->engine->state,
                          looking->engine->outputs, looking->iteration, name);
}

/* null when it cannot be evaluated: a record is no reason to stop. */
static struct json *evaluate (const struct expression *expression,
                              struct looking *looking)
{
    struct json *value = NULL;

    if (!expression
        || expression_eval (expression, look_up, looking, &value, NULL) < 0)
        return json_null ();
    return value;
}

enum act_result act_close_iteration (struct engine *engine,
                                     const struct action *action,
                                     struct error *err)
{
    const struct plan *plan = engine->plan;
    struct looking looking = { engine, action->iteration };
    struct json *event = event_new ("closing", clock_wall_s ());
    struct json *history = json_object ();
    struct json *stop = evaluate (plan->stop, &looking);

    for (size_t i = 0; i < plan->n_history; i++)
        json_set (history, plan->history[i].name,
                  evaluate (plan->history[i].expression, &looking));
    json_set (event, "iteration", json_int (action->iteration));
    json_set (event, "history", history);
    json_set (event, "stop", json_bool (json_as_bool (stop)));
    json_unref (stop);
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}
