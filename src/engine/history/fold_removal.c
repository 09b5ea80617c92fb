/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_removal.c - outputs that were removed, folded in */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

/* The stage, which is done, of any iteration. */
static struct stage_state *done_stage (const struct state *state,
                                       const struct json *event,
                                       struct error *err)
{
    struct stage_state *stage;
    const char *name;
    int64_t iteration;

    if (json_want_int (event, "iteration", &iteration, err) < 0
        || json_want_string (event, "stage", &name, err) < 0)
        return NULL;
    stage = iteration >= 0 && iteration <= state_iteration (state)
                ? state_stage (state, (int)iteration, name)
                : NULL;
    if (stage && stage->status == STAGE_DONE)
        return stage;
    error_set (err, "stage '%s' is not done in iteration %lld", name,
               (long long)iteration);
    return NULL;
}

static int fold_removing (struct state *state, const struct json *event,
                          struct error *err)
{
    struct stage_state *stage = done_stage (state, event, err);

    if (!stage)
        return -1;
    if (!stage->removed)
        stage->removed = json_object ();
    JSON_FOREACH (json_get (event, "outputs"), it) {
        struct json *removal = json_object ();

        json_set (removal, "keep", json_deep_copy (json_iter_value (it)));
        json_set (removal, "at", json_int (state_iteration (state)));
        json_set (stage->removed, json_iter_key (it), removal);
    }
    return 0;
}

static int fold_removed (struct state *state, const struct json *event,
                         struct error *err)
{
    struct stage_state *stage = done_stage (state, event, err);
    const struct json *outputs = json_get (event, "outputs");

    if (!stage)
        return -1;
    JSON_FOREACH (outputs, it) {
        if (!json_get (stage->removed, json_iter_key (it)))
            return error_set (err,
                              "output '%s' of stage '%s' was not to be removed",
                              json_iter_key (it), stage->name);
    }
    JSON_FOREACH (outputs, it)
        json_set (json_get (stage->removed, json_iter_key (it)), "bytes",
                  json_deep_copy (json_iter_value (it)));
    return 0;
}

const struct event_fold removal_folds[] = {
    { "removing", fold_removing },
    { "removed", fold_removed },
    { NULL, NULL },
};
