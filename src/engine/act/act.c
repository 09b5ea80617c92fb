/* SPDX-License-Identifier: BSD-3-Clause */
/* act.c - which action is done where */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "space/lease.h"

char *attempt_path (const char *dir, const struct attempt_place *place,
                    const char *name)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    char *full;

    layout_run_attempt (place->generation, place->attempt, &path);
    strbuf_addf (&path, "/%s", name);
    full = path_join (dir, path.buf);
    return full;
}

char *attempt_chunk_path (const char *dir, const struct attempt_place *place,
                          int chunk, const char *name)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    char *full;

    layout_run_chunk (place->generation, place->attempt, chunk, &path);
    strbuf_addf (&path, "/%s", name);
    full = path_join (dir, path.buf);
    return full;
}

enum act_result act_unanswered (enum answer answer)
{
    return answer == ANSWER_NOT_NOW  ? ACT_NOT_NOW
           : answer == ANSWER_BROKEN ? ACT_BROKEN
                                     : ACT_LATER;
}

static enum act_result act_record (struct engine *engine,
                                   const struct action *action,
                                   struct error *err)
{
    return engine_record (engine, json_ref (action->event), err) < 0
               ? ACT_FAILED
               : ACT_DONE;
}

static enum act_result (*const acts[]) (struct engine *engine,
                                        const struct action *action,
                                        struct error *err) = {
    [ACT_RECORD] = act_record,   [ACT_RESULTS] = act_results,
    [ACT_CONFIG] = act_config,   [ACT_BEGIN] = act_begin,
    [ACT_PREPARE] = act_prepare, [ACT_OPEN_ATTEMPT] = act_open_attempt,
    [ACT_SUBMIT] = act_submit,   [ACT_FIND] = act_find,
    [ACT_RELEASE] = act_release, [ACT_CANCEL] = act_cancel,
    [ACT_SWEEP] = act_sweep,     [ACT_WAKE] = act_wake,
    [ACT_DISMISS] = act_dismiss, [ACT_CLOSE_ATTEMPT] = act_close_attempt,
    [ACT_FAN_IN] = act_fan_in,   [ACT_REPLACE] = act_replace,
    [ACT_REMOVE] = act_remove,   [ACT_END] = act_end,
};

enum act_result act (struct engine *engine, const struct action *action,
                     struct error *err)
{
    enum act_result result;

    if (lease_check (engine->lease, err) < 0)
        return ACT_FAILED;
    engine_heartbeat (engine);
    result = acts[action->kind](engine, action, err);
    if (result == ACT_FAILED)
        lease_check (engine->lease, err); /* when lost: that is why */
    return result;
}
