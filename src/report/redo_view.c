/* SPDX-License-Identifier: BSD-3-Clause */
/* redo_view.c - what a redo would do again and drop */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/state.h"
#include "report/redo_view.h"
#include "report/table.h"
#include "space/layout.h"

/* Tasks that are ok told how long they took; a node ran as many at a time as it
 * had slots.
 */
static double node_hours (const struct stage_state *stage)
{
    const struct packing *packing =
        stage->n_attempts > 0 ? &stage->attempts[0].packing : NULL;
    double share = packing && packing->slots > 0
                       ? (double)packing->nodes / packing->slots
                       : 1;

    return stage->timed_s * share / 3600;
}

static struct json *stage_json (const struct stage_state *stage, int iteration,
                                bool again)
{
    struct json *v = json_object ();

    json_set (v, "iteration", json_int (iteration));
    json_set (v, "stage", json_string (stage->name));
    json_set (v, "tasks", json_int (stage->n_tasks));
    json_set (v, "ok", json_int (stage->by_outcome[OUTCOME_OK]));
    json_set (v, "node_hours", json_real (node_hours (stage)));
    json_set (v, "again", json_bool (again));
    return v;
}

struct json *redo_json (const struct state *state,
                        const struct json *replacement)
{
    const struct json *stages = json_get (replacement, "stages");
    const struct json *fresh = json_get (replacement, "fresh");
    int to = (int)json_get_int (replacement, "to");
    struct json *v = json_object (), *list = json_array ();
    int64_t tasks = 0;
    double hours = 0;

    for (int i = to; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            const struct stage_state *stage = &it->stages[k];
            bool again = i == to && json_array_has_string (fresh, stage->name);

            if (i == to && !json_array_has_string (stages, stage->name))
                continue;
            json_push (list, stage_json (stage, i, again));
            tasks += stage->n_tasks;
            hours += node_hours (stage);
        }
    }
    json_set (v, "iteration", json_int (to));
    json_set (v, "number", json_deep_copy (json_get (replacement, "number")));
    json_set (v, "stages", list);
    json_set (v, "tasks", json_int (tasks));
    json_set (v, "node_hours", json_real (hours));
    return v;
}

static void add_row (struct strvec *cells, const char *iteration,
                     const struct json *counts, const char *stage,
                     const char *what)
{
    strvec_push (cells, iteration);
    strvec_push (cells, stage);
    strvec_pushf (cells, "%lld", (long long)json_get_int (counts, "tasks"));
    strvec_pushf (cells, "%.3g", json_get_double (counts, "node_hours"));
    strvec_push (cells, what);
}

void redo_text (const struct json *view, struct strbuf *out)
{
    static const char *const heads[] = { "iteration", "stage", "tasks",
                                         "node-hours", "" };
    const struct json *stages = json_get (view, "stages");
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;

    strbuf_addf (out, "back to iteration %lld; what is there moves to ",
                 (long long)json_get_int (view, "iteration"));
    strbuf_add_str (out, LAYOUT_REPLACED_DIR);
    strbuf_add_str (out, "\n\n");
    strvec_push_all (&cells, (char *const *)heads);
    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *s = json_at (stages, i);
        char iteration[32];

        snprintf (iteration, sizeof (iteration), "%lld",
                  (long long)json_get_int (s, "iteration"));
        add_row (&cells, iteration, s, json_get_string (s, "stage"),
                 json_as_bool (json_get (s, "again"))
                     ? "all run again"
                     : "run again if inputs come out otherwise");
    }
    add_row (&cells, "", view, "all", "at most");
    table_text (&cells, ARRAY_SIZE (heads), out);
}
