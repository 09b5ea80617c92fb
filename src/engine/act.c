/* SPDX-License-Identifier: BSD-3-Clause */
/* act.c - which action is done where */
#include "config.h"

#include "base/json.h"
#include "engine/act.h"
#include "engine/decide.h"
#include "engine/engine.h"
#include "space/lease.h"

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
    [ACT_RECORD] = act_record,
    [ACT_RESULTS] = act_results,
    [ACT_BEGIN] = act_begin,
    [ACT_PREPARE] = act_prepare,
    [ACT_OPEN_ATTEMPT] = act_open_attempt,
    [ACT_SUBMIT] = act_submit,
    [ACT_FIND] = act_find,
    [ACT_RELEASE] = act_release,
    [ACT_CANCEL] = act_cancel,
    [ACT_SWEEP] = act_sweep,
    [ACT_WAKE] = act_wake,
    [ACT_DISMISS] = act_dismiss,
    [ACT_CLOSE_ATTEMPT] = act_close_attempt,
    [ACT_FAN_IN] = act_fan_in,
    [ACT_CLOSE_ITERATION] = act_close_iteration,
};

enum act_result act (struct engine *engine,
                     const struct action *action,
                     struct error *err)
{
    enum act_result result;

    if (lease_check (engine->lease, err) < 0)
        return ACT_FAILED;
    engine_beat (engine);
    result = acts[action->kind](engine, action, err);
    if (result == ACT_FAILED)
        lease_check (engine->lease, err); /* when lost: that is why */
    return result;
}
