/* SPDX-License-Identifier: BSD-3-Clause */
/* report_facts.c - what sections of a report are made from */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/act/stage_summary.h"
#include "engine/history/engine.h"
#include "engine/history/journal.h"
#include "engine/history/outputs_store.h"
#include "engine/history/state.h"
#include "report/page/report_facts.h"

/* Of stages without a summary so many tasks are read, all together. */
enum { TASKS_READ = 200000 };

static int keep_event (const struct json *event, void *arg, struct error *err)
{
    static const char *const kinds[] = { "campaign",   "adopted",   "config",
                                         "request",    "recovered", "paused",
                                         "finished",   "outage",    "answers",
                                         "reuse_from", NULL };
    struct report_facts *facts = arg;

    (void)err;
    if (words_contain (kinds, json_get_string (event, "ev")))
        json_push (facts->events, json_deep_copy (event));
    return 0;
}

static void read_summaries (struct report_facts *facts)
{
    const struct plan *plan = facts->engine->plan;
    int64_t allowance = TASKS_READ;

    /* The newest first: the allowance is theirs. */
    for (int i = facts->n_iterations - 1; i >= 0; i--) {
        for (size_t k = 0; k < facts->n_stages; k++) {
            const char *name = plan->stages[k].name;
            const struct stage_state *s =
                state_stage (&facts->engine->state, i, name);
            struct json **at =
                &facts->summaries[(size_t)i * facts->n_stages + k];

            *at = stage_summary_get (facts->engine, i, name, &allowance);
            facts->n_unread += !*at && s && s->generation > 0;
        }
    }
}

int report_facts_read (struct report_facts *facts, const struct engine *engine,
                       struct error *err)
{
    struct journal_position position = { 0 };

    *facts = (struct report_facts){
        .engine = engine,
        .n_iterations = (int)engine->state.n_iterations,
        .n_stages = engine->plan->n_stages,
        .events = json_array (),
    };
    facts->summaries =
        xcalloc ((size_t)facts->n_iterations * facts->n_stages + 1,
                 sizeof (struct json *));
    read_summaries (facts);
    return journal_read (engine->dir, &position, keep_event, facts, err);
}

void report_facts_release (struct report_facts *facts)
{
    for (size_t i = 0; i < (size_t)facts->n_iterations * facts->n_stages; i++)
        json_unref (facts->summaries[i]);
    free (facts->summaries);
    json_unref (facts->events);
}

const struct json *report_outputs (const struct report_facts *facts,
                                   int iteration, size_t stage)
{
    const char *name = facts->engine->plan->stages[stage].name;
    const struct stage_state *s =
        state_stage (&facts->engine->state, iteration, name);

    return s && s->status == STAGE_DONE && s->n_tasks <= SUMMARY_TASKS
               ? outputs_store_get (facts->engine->outputs, iteration, name,
                                    NULL)
               : NULL;
}

const struct json *report_output_map (const struct report_facts *facts,
                                      int iteration, size_t stage,
                                      const char *output)
{
    const struct json *v =
        json_get (report_outputs (facts, iteration, stage), output);

    return json_kind (v) == JSON_KIND_OBJECT ? v : NULL;
}

int report_newest_map (const struct report_facts *facts, size_t stage,
                       const char *output)
{
    int at = facts->n_iterations - 1;

    while (at >= 0 && !report_output_map (facts, at, stage, output))
        at--;
    return at;
}

static const struct json *summary_of (const struct report_facts *facts,
                                      int iteration, size_t stage)
{
    return facts->summaries[(size_t)iteration * facts->n_stages + stage];
}

struct json *report_spread (const struct report_facts *facts, int iteration,
                            size_t stage, const char *output)
{
    const struct json *outputs = report_outputs (facts, iteration, stage);

    return outputs
               ? number_spread (json_get (outputs, output))
               : json_ref (json_get (
                   json_get (summary_of (facts, iteration, stage), "numbers"),
                   output));
}

const struct json *report_tries (const struct report_facts *facts,
                                 int iteration, size_t stage)
{
    const struct json *tries =
        json_get (summary_of (facts, iteration, stage), "tries");

    return json_is_null (tries) ? NULL : tries;
}
