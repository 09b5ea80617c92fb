/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_view.c - results that came from elsewhere, told to people */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "engine/act/reuse_forecast.h"
#include "engine/history/engine.h"
#include "report/reuse_view.h"

void reused_count_text (int64_t reused, struct strbuf *out)
{
    if (reused > 0)
        strbuf_addf (out, " (%lld reused)", (long long)reused);
}

void reused_origin_text (const struct json *of, struct strbuf *out)
{
    strbuf_addf (out, "stage '%s' of iteration %lld in %s",
                 json_get_string (of, "stage"),
                 (long long)json_get_int (of, "iteration"),
                 json_get_string (of, "campaign"));
}

void reused_origins_text (const struct json *reused, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (reused); i++) {
        const struct json *of = json_at (reused, i);

        strbuf_addf (out, "reused: tasks %s, from ",
                     json_get_string (of, "tasks"));
        reused_origin_text (of, out);
        strbuf_add_char (out, '\n');
    }
}

const struct json *reused_origin_of (const struct stage_state *stage,
                                     int32_t task)
{
    for (size_t i = 0; i < json_count (stage->reused); i++) {
        const struct json *of = json_at (stage->reused, i);
        struct task_range tasks = TASK_RANGE_INIT;
        bool is =
            task_range_parse (json_get_string (of, "tasks"), &tasks, NULL) == 0
            && task_range_contains (&tasks, task);

        task_range_release (&tasks);
        if (is)
            return of;
    }
    return NULL;
}

/* --- what would be --- */

/* -1: it is being run. */
static int next_iteration (const struct state *state, const char *name)
{
    int iteration = state_iteration (state);
    const struct stage_state *stage = state_stage (state, iteration, name);

    if (iteration < 0)
        return 0;
    if (!stage || stage->status == STAGE_WAITING)
        return iteration;
    return stage->status == STAGE_PREPARED ? -1 : iteration + 1;
}

void plan_add_reuse (struct engine *engine, struct json *view)
{
    const struct json *stages = json_get (view, "stages");

    for (size_t i = 0; i < json_count (stages); i++) {
        struct json *v = json_at (stages, i);
        const char *name = json_get_string (v, "name");
        int at = plan_stage_find (engine->plan, name);
        int iteration = next_iteration (&engine->state, name);
        struct json *forecast =
            at >= 0 && iteration >= 0
                ? reuse_forecast (engine, &engine->plan->stages[at], iteration)
                : NULL;

        json_set (v, "reuse", forecast ? forecast : json_null ());
    }
}

static void list_text (const struct json *list, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (list); i++)
        strbuf_addf (out, "%s%s", i > 0 ? ", " : "",
                     json_as_string (json_at (list, i)));
}

/* Of a stage whose inputs, or what prepare makes of them, are not there yet. */
static void waiting_text (const struct json *forecast, struct strbuf *out)
{
    const struct json *nearest = json_get (forecast, "nearest");
    const struct json *differs = json_get (forecast, "differs");
    const struct json *waits_for = json_get (forecast, "waits_for");
    bool in_items = json_as_bool (json_get (forecast, "in_items"));

    if (json_count (differs) > 0 && !in_items) {
        strbuf_add_str (out, "no task: ");
        list_text (differs, out);
        strbuf_add_str (out, " differs from ");
        reused_origin_text (nearest, out);
        return;
    }
    strbuf_add_str (out, in_items ? "those of " : "");
    format_count (json_get_int (nearest, "tasks"), "known task", out);
    strbuf_add_str (out, ", of ");
    reused_origin_text (nearest, out);
    if (in_items) {
        strbuf_add_str (out, ", that have the same ");
        list_text (differs, out);
    }
    strbuf_add_str (out, json_count (waits_for) > 0
                             ? ", if these inputs come out as there: "
                             : ", if prepare makes the same");
    list_text (waits_for, out);
}

/* Of one whose tasks are known. */
static void tasks_text (const struct json *forecast, struct strbuf *out)
{
    const struct json *differs = json_get (forecast, "differs");
    int64_t tasks = json_get_int (forecast, "tasks");
    int64_t reused = json_get_int (forecast, "reused");

    strbuf_addf (out, "%lld of ", (long long)reused);
    format_count (tasks, "task", out);
    if (reused == tasks) {
        strbuf_add_str (out, ", as in ");
        reused_origin_text (json_get (forecast, "nearest"), out);
        return;
    }
    if (json_count (differs) == 0) {
        strbuf_add_str (out, "; of the others nothing is known");
        return;
    }
    strbuf_add_str (out, "; ");
    list_text (differs, out);
    strbuf_add_str (out, " differs from ");
    reused_origin_text (json_get (forecast, "nearest"), out);
}

void reuse_forecast_text (const struct json *forecast, struct strbuf *out)
{
    if (json_is_null (forecast))
        return;
    strbuf_add_str (out, "  reuse   ");
    if (json_is_null (json_get (forecast, "nearest")))
        strbuf_add_str (out, "no task: nothing is known of this operator");
    else if (json_is_null (json_get (forecast, "reused")))
        waiting_text (forecast, out);
    else
        tasks_text (forecast, out);
    strbuf_add_char (out, '\n');
}
