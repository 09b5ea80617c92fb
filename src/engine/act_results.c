/* SPDX-License-Identifier: BSD-3-Clause */
/* act_results.c - how tasks ended, after a look at what they left
 *
 * A valid out/result.json is the outcome ok, with or without a log line: the
 * agent that committed it may have died before it could say so, or its log
 * may be what a node lost.  One file is read for each task that is not ok.
 */
#include "config.h"

#include "arrays/task_result.h"
#include "base/error.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act.h"
#include "engine/classify.h"
#include "engine/decide.h"
#include "engine/engine.h"
#include "engine/retry.h"

struct looking {
    struct engine *engine;
    struct stage_place place;
    bool in_doubt; /* something could not be read: 'err' */
    struct error *err;
};

static bool is_found (int32_t task, void *arg)
{
    struct looking *looking = arg;
    struct json *result = NULL;
    struct error why = ERROR_INIT;
    enum task_result there =
        task_result_read (looking->engine->plan->dir, &looking->place, task,
                          &result, &why);

    if (there == TASK_RESULT_UNREADABLE) {
        looking->in_doubt = true;
        error_copy (looking->err, &why);
    }
    json_unref (result);
    engine_beat (looking->engine);
    return there == TASK_RESULT_THERE;
}

enum act_result act_results (struct engine *engine,
                             const struct action *action,
                             struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    struct looking looking = {
        .engine = engine,
        .place = { stage->name, stage->op->code, action->iteration },
        .err = err,
    };
    struct json *event = classify_found (action->event, is_found, &looking);
    struct json *avoid = retry_nodes_to_avoid (stage, event);

    if (avoid)
        json_set (event, "avoid", avoid);
    if (looking.in_doubt) {
        json_unref (event);
        return ACT_FAILED;
    }
    return engine_record (engine, event, err) < 0 ? ACT_FAILED : ACT_DONE;
}
