/* SPDX-License-Identifier: BSD-3-Clause */
/* failure_view.c - the tasks that failed, in a line */
#include "base/base.h"

#include "arrays/outcome.h"
#include "arrays/task_range.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/state.h"
#include "report/failure_view.h"
#include "report/reuse_view.h"

enum { RANGE_BYTES_MAX = 40 };

/* "task 3"; "tasks 3-4,9: failed; task 3", the first with the reason. */
static void add_tasks (const struct task_range *tasks, const char *range,
                       const char *outcome, struct strbuf *out)
{
    size_t n = task_range_count (tasks);

    if (n > 1 && strlen (range) <= RANGE_BYTES_MAX)
        strbuf_addf (out, "tasks %s: %s; ", range, outcome);
    else if (n > 1)
        strbuf_addf (out, "%zu tasks: %s; ", n, outcome);
    strbuf_addf (out, "task %d", (int)task_range_next (tasks, -1));
}

static void add_try (int32_t task, enum outcome outcome,
                     const struct stage *stage, const struct stage_state *state,
                     struct strbuf *out)
{
    int tries = state && task < state->n_tasks ? state->tasks[task].tries : 0;

    if (tries == 0) /* none was charged */
        return;
    strbuf_addf (out, ", try %d", tries);
    if (stage && outcome < OUTCOME_COUNT)
        strbuf_addf (out, " of %d", stage->retry[outcome].tries);
}

/* A wrong input fails ten thousand tasks with the same words. */
static void add_reason (const char *stage, const struct json *why,
                        struct json *told, struct strbuf *out)
{
    if (!why)
        return;
    if (json_equal (json_get (told, stage), why)) {
        strbuf_add_str (out, ": as before");
        return;
    }
    strbuf_addf (out, ": %s", json_as_string (why));
    json_set (told, stage, json_deep_copy (why));
}

static void add_line (const struct json *event, const char *outcome,
                      const char *range, const struct stage *stage,
                      const struct stage_state *state, struct json *told,
                      struct strvec *lines)
{
    _cleanup_ (task_range_release) struct task_range tasks = TASK_RANGE_INIT;
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    const struct json *why;
    int32_t first;
    char key[16];

    if (task_range_parse (range, &tasks, NULL) == 0
        && task_range_count (&tasks) > 0) {
        first = task_range_next (&tasks, -1);
        snprintf (key, sizeof (key), "%d", (int)first);
        why = json_get (json_get (event, "why"), key);
        add_tasks (&tasks, range, outcome, &line);
        add_try (first, outcome_from_name (outcome), stage, state, &line);
        if (task_range_count (&tasks) == 1)
            strbuf_addf (&line, ": %s", outcome);
        add_reason (json_get_string (event, "stage"), why, told, &line);
        strvec_push (lines, line.buf);
    }
}

void failure_lines (const struct json *event, const struct stage *stage,
                    const struct stage_state *state, struct json *told,
                    struct strvec *lines)
{
    JSON_FOREACH (json_get (event, "outcomes"), it) {
        const char *outcome = json_iter_key (it);

        if (outcome_from_name (outcome) != OUTCOME_OK)
            add_line (event, outcome, json_as_string (json_iter_value (it)),
                      stage, state, told, lines);
    }
}

void task_counts_text (const struct stage_state *state, struct strbuf *out)
{
    strbuf_addf (out, "%d ok", (int)state->by_outcome[OUTCOME_OK]);
    reused_count_text (stage_reused_tasks (state), out);
    for (int i = OUTCOME_OK + 1; i < OUTCOME_COUNT; i++) {
        if (state->by_outcome[i] > 0)
            strbuf_addf (out, ", %d %s", (int)state->by_outcome[i],
                         outcome_name ((enum outcome)i));
    }
}
