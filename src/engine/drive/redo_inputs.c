/* SPDX-License-Identifier: BSD-3-Clause */
/* redo_inputs.c - is there what a stage would read? */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/retention.h"
#include "engine/drive/redo_inputs.h"
#include "engine/history/engine.h"

/* Those that a stage waits for come before it. */
bool *redo_depending (const struct plan *plan, const char *stage)
{
    bool *depends = xcalloc (plan->n_stages + 1, sizeof (*depends));

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *s = &plan->stages[i];

        depends[i] = !stage || stage_is_of (s->name, stage);
        for (size_t k = 0; k < s->n_after; k++)
            depends[i] = depends[i] || depends[s->after[k]];
    }
    return depends;
}

static bool is_missing (const struct engine *engine, const char *stage,
                        int iteration, struct removed_input *input)
{
    _cleanup_free_ bool *again = redo_depending (engine->plan, stage);

    return removed_input_of_redo (engine->plan, &engine->state, again,
                                  iteration, input);
}

/* Ever earlier, since that would make again what is missing, but may read what
 * was removed, too.  The first iteration reads nothing of before.
 */
static void find_early_enough (const struct engine *engine, const char **stage,
                               int *iteration)
{
    struct removed_input input;

    while (is_missing (engine, *stage, *iteration, &input)) {
        if (input.at == *iteration && !*stage)
            return;
        *stage = input.at < *iteration
                     ? engine->plan->stages[input.part->stage].name
                     : NULL;
        *iteration = input.at;
    }
}

int redo_check_inputs (const struct engine *engine, const char *stage,
                       int iteration, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct removed_input input;

    if (!is_missing (engine, stage, iteration, &input))
        return 0;
    removed_input_text (engine->plan, &engine->state, &input, &text);
    find_early_enough (engine, &stage, &iteration);
    error_set (err,
               "%s; run `fanfold redo %s%s--iteration %d`, which makes it "
               "again, and then what was asked for",
               text.buf, stage ? stage : "", stage ? " " : "", iteration);
    return -1;
}

void removed_inputs_each (const struct plan *plan, const struct state *state,
                          void (*tell) (struct mark mark, const char *text,
                                        void *arg),
                          void *arg)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        struct strbuf text = STRBUF_INIT;
        struct removed_input input;

        if (!removed_input_find (plan, state, stage,
                                 next_iteration (state, stage->name), &input))
            continue;
        removed_input_text (plan, state, &input, &text);
        strbuf_addf (&text, "; `fanfold redo %s --iteration %d` makes it again",
                     plan->stages[input.part->stage].name, input.at);
        tell (input.part->mark, text.buf, arg);
        strbuf_release (&text);
    }
}
