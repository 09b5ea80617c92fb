/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_view.c - results that came from elsewhere, told to people */
#include "config.h"

#include <stdbool.h>

#include "arrays/task_range.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "campaign/plan.h"
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
