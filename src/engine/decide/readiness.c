/* SPDX-License-Identifier: BSD-3-Clause */
/* readiness.c - can a stage's inputs be bound? (pure) */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/readiness.h"
#include "engine/history/state.h"

bool stage_has_results (const struct state *state, const char *stage,
                        int iteration)
{
    const struct stage_state *s =
        iteration < 0 ? NULL : state_stage (state, iteration, stage);

    return s && s->status == STAGE_DONE && s->proceed;
}

int source_iteration (const struct plan *plan, const struct state *state,
                      const struct binding *b, int iteration)
{
    const char *stage = plan->stages[b->stage].name;
    int at = b->source == SOURCE_PREVIOUS ? iteration - 1 : iteration;

    while (b->source == SOURCE_LATEST && at >= 0
           && !stage_has_results (state, stage, at))
        at--;
    return stage_has_results (state, stage, at) ? at : -1;
}

bool stage_has_ended (const struct stage_state *s)
{
    return s && (s->status == STAGE_DONE || s->status == STAGE_SKIPPED);
}

static bool is_single (const struct binding *b)
{
    return b->source == SOURCE_THIS || b->source == SOURCE_PREVIOUS
           || b->source == SOURCE_LATEST;
}

/* Of what needs a result that is not there: where it looked, else NULL.  Of
 * several parts of a list one that is there will do.
 */
static const struct binding *missing_source (const struct plan *plan,
                                             const struct state *state,
                                             const struct binding *b,
                                             int iteration)
{
    const struct binding *missing = NULL;

    if (is_single (b))
        return source_iteration (plan, state, b, iteration) < 0 ? b : NULL;
    for (size_t i = 0; i < b->n_parts; i++) {
        const struct binding *part =
            missing_source (plan, state, &b->parts[i], iteration);

        if (!part && b->fold == FOLD_LIST)
            return NULL;
        missing = missing ? missing : part;
    }
    return missing;
}

enum readiness inputs_readiness (const struct plan *plan,
                                 const struct state *state,
                                 const struct stage *s, int iteration,
                                 struct strbuf *why)
{
    for (size_t i = 0; i < s->n_after; i++) {
        if (!stage_has_ended (
                state_stage (state, iteration, plan->stages[s->after[i]].name)))
            return INPUTS_WAIT;
    }
    for (size_t i = 0; i < s->n_bindings; i++) {
        const struct binding *b = &s->bindings[i];
        const struct binding *missing =
            b->fallback || b->port->optional
                ? NULL
                : missing_source (plan, state, b, iteration);

        if (!missing)
            continue;
        if (why)
            strbuf_addf (why, "input '%s' needs '%s' of stage '%s', which %s",
                         b->port->name, missing->output,
                         plan->stages[missing->stage].name,
                         missing->source == SOURCE_PREVIOUS && iteration == 0
                             ? "has no previous iteration"
                             : "has nothing to give");
        return INPUTS_SKIP;
    }
    return INPUTS_READY;
}
