/* SPDX-License-Identifier: BSD-3-Clause */
/* check_publishing.c - dataset/ has what the stages published that are done */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "check.h"
#include "check_publishing.h"
#include "disk.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "scenario.h"
#include "space/layout.h"
#include "world.h"

/* Append the files of a frames value: a path, or a list. */
static void add_frames (const struct check *check, const struct json *value,
                        struct strbuf *text)
{
    if (json_kind (value) == JSON_KIND_STRING) {
        char *path = path_join (SCENARIO_DIR, json_as_string (value));

        disk_get (check->world->disk, path, text);
        free (path);
    }
    for (size_t i = 0; i < json_count (value); i++)
        add_frames (check, json_at (value, i), text);
}

static void add_ports (const struct check *check, const struct port *ports,
                       const struct json *outputs, struct strbuf *text)
{
    for (; ports && ports->name; ports++) {
        if (ports->publish)
            add_frames (check, json_get (outputs, ports->name), text);
    }
}

/* What it published, by its outputs.json. */
static void add_stage (const struct check *check, const struct state *state,
                       const struct stage *stage, int iteration,
                       struct strbuf *text)
{
    char *dir = state_stage_dir (state, iteration, stage->name);
    struct strbuf path = STRBUF_INIT, file = STRBUF_INIT;
    struct json *outputs;

    strbuf_addf (&path, SCENARIO_DIR "/%s/" LAYOUT_OUTPUTS, dir);
    free (dir);
    disk_get (check->world->disk, path.buf, &file);
    outputs = json_parse (file.buf, file.len, path.buf, NULL);
    add_ports (check, stage->op->outputs, json_get (outputs, "outputs"), text);
    add_ports (check, stage->op->collected, json_get (outputs, "outputs"),
               text);
    json_unref (outputs);
    strbuf_release (&file);
    strbuf_release (&path);
}

/* It may have published already: a driver is killed before it says so. */
static bool is_ending (const struct stage_state *stage)
{
    return stage->status != STAGE_DONE && stage->status != STAGE_WAITING
           && stage->status != STAGE_SKIPPED && stage->n_tasks > 0
           && stage->by_outcome[OUTCOME_OK] > 0;
}

static void check_dataset (struct check *check, int iteration,
                           const struct strbuf *wanted)
{
    struct strbuf path = STRBUF_INIT, there = STRBUF_INIT;

    strbuf_add_str (&path, SCENARIO_DIR "/");
    layout_dataset_dir ("extxyz", iteration, &path);
    strbuf_add_str (&path, "/" LAYOUT_DATASET_FILE);
    disk_get (check->world->disk, path.buf, &there);
    if (strcmp (there.buf, wanted->buf) != 0)
        check_fail (check, "'%s' is not what is published:\n%s\nbut\n%s",
                    path.buf, wanted->buf, there.buf);
    strbuf_release (&there);
    strbuf_release (&path);
}

void check_publishing (struct check *check, const struct engine *engine)
{
    const struct state *state = &engine->state;
    const struct plan *plan = engine->plan;

    /* Without its journal the data are there before the stages are done. */
    if (state->moves || check->again)
        return;
    for (int i = 0; i <= state_iteration (state); i++) {
        struct strbuf wanted = STRBUF_INIT;
        bool ending = false;

        for (size_t k = 0; k < plan->n_stages; k++) {
            const struct stage *stage = &plan->stages[k];
            const struct stage_state *s = state_stage (state, i, stage->name);

            if (!s || !stage_publishes (stage))
                continue;
            ending |= is_ending (s);
            if (s->status == STAGE_DONE)
                add_stage (check, state, stage, i, &wanted);
        }
        if (!ending)
            check_dataset (check, i, &wanted);
        strbuf_release (&wanted);
    }
}
