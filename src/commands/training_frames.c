/* SPDX-License-Identifier: BSD-3-Clause */
/* training_frames.c - how many labelled frames the campaign trains on */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/training_frames.h"
#include "engine/history/engine.h"
#include "engine/history/outputs_store.h"
#include "formats/extxyz/extxyz.h"
#include "signature/operator.h"
#include "space/layout.h"

static int64_t in_file (const char *dir, const char *name)
{
    _cleanup_ (extxyz_index_release) struct extxyz_index index =
        EXTXYZ_INDEX_INIT;
    _cleanup_free_ char *path = path_join (dir, name);

    return extxyz_index_file (path, &index, NULL) == 0 ? (int64_t)index.n : 0;
}

/* --- of a stage --- */

/* Of a path, or a list with holes. */
static int64_t in_value (const struct engine *engine, const struct json *value)
{
    int64_t n = 0;

    if (json_kind (value) == JSON_KIND_STRING)
        return in_file (engine->dir, json_as_string (value));
    for (size_t i = 0; i < json_count (value); i++)
        n += in_value (engine, json_at (value, i));
    return n;
}

static int64_t in_ports (const struct engine *engine, const struct port *ports,
                         const struct json *outputs)
{
    int64_t n = 0;

    for (; ports && ports->name; ports++)
        n += ports->publish ? in_value (engine, json_get (outputs, ports->name))
                            : 0;
    return n;
}

int64_t training_frames_of_stage (const struct engine *engine,
                                  const struct stage *stage)
{
    const struct state *state = &engine->state;
    int64_t n = 0;

    for (int i = 0; stage_publishes (stage) && i <= state_iteration (state);
         i++) {
        const struct stage_state *s = state_stage (state, i, stage->name);
        const struct json *outputs =
            s && s->status == STAGE_DONE
                ? outputs_store_get (engine->outputs, i, stage->name, NULL)
                : NULL;

        n += in_ports (engine, stage->op->outputs, outputs)
             + in_ports (engine, stage->op->collected, outputs);
    }
    return n;
}

/* --- of all --- */

/* Of the files that lie so many directories below one. */
static int64_t below (const char *dir, int levels)
{
    struct strvec names = STRVEC_INIT;
    int64_t n = 0;

    if (levels == 0)
        return in_file (dir, LAYOUT_DATASET_FILE);
    if (file_list_dir (dir, &names, NULL) < 0)
        return 0;
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *path = path_join (dir, names.v[i]);

        n += below (path, levels - 1);
    }
    strvec_release (&names);
    return n;
}

int64_t training_frames_of_campaign (const struct engine *engine)
{
    _cleanup_free_ char *published =
        path_join (engine->dir, LAYOUT_DATASET_EXTXYZ);
    _cleanup_free_ char *kept = path_join (engine->dir, LAYOUT_KEPT_DIR);

    return below (published, 1) + below (kept, 2);
}
