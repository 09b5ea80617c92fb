/* SPDX-License-Identifier: BSD-3-Clause */
/* orphans.c - definitions that what has run does not fit any more */
#include "base/base.h"

#include "base/digest.h"
#include "base/json.h"
#include "base/problems.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/history/orphans.h"
#include "engine/history/state.h"

/* Has any iteration both, or the old one beside another that becomes the new
 * one?
 */
static bool collides (const struct state *state, const char *from,
                      const char *to, const struct json *due)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        if (!state_stage (state, i, from))
            continue;
        if (state_stage (state, i, to))
            return true;
        JSON_FOREACH (due, it) {
            if (strcmp (json_as_string (json_iter_value (it)), to) == 0
                && state_stage (state, i, json_iter_key (it)))
                return true;
        }
    }
    return false;
}

struct json *renames_due (const struct plan *plan, const struct state *state)
{
    struct json *due = json_object ();

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const char *const *old = stage->renamed_from;

        for (; old && *old; old++) {
            if (state_knows (state, *old) && plan_stage_find (plan, *old) < 0
                && !collides (state, *old, stage->name, due))
                json_set (due, *old, json_string (stage->name));
        }
    }
    return due;
}

int64_t orphan_results (const struct state *state, const char *name)
{
    int64_t n = 0;

    for (int i = 0; i <= state_iteration (state); i++) {
        const struct stage_state *stage = state_stage (state, i, name);

        n += stage ? stage->by_outcome[OUTCOME_OK] : 0;
    }
    return n;
}

static bool has_something (const struct state *state,
                           const struct stage_state *stage)
{
    return stage->status == STAGE_PREPARED
           || orphan_results (state, stage->name) > 0;
}

void orphans_find (const struct plan *plan, const struct state *state,
                   struct strvec *names)
{
    _cleanup_json_ struct json *due = renames_due (plan, state);

    for (int i = 0; i <= state_iteration (state); i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            const struct stage_state *stage = &it->stages[k];

            if (plan_stage_find (plan, stage->name) < 0
                && !json_get (due, stage->name)
                && !strvec_contains (names, stage->name)
                && has_something (state, stage))
                strvec_push (names, stage->name);
        }
    }
}

bool definition_is_taken (const struct plan *plan, const struct state *state)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char sha256[DIGEST_HEX_SIZE];

    engine_config_text (plan, &text);
    digest_bytes (text.buf, text.len, sha256);
    return strcmp (sha256, state->config_sha256) == 0;
}

/* The first name that the stage is renamed_from, when nothing is known of any
 * of them; NULL otherwise.
 */
static const char *unknown_former (const struct state *state,
                                   const struct stage *stage)
{
    for (size_t i = 0; stage->renamed_from && stage->renamed_from[i]; i++) {
        if (state_knows (state, stage->renamed_from[i]))
            return NULL;
    }
    return stage->renamed_from ? stage->renamed_from[0] : NULL;
}

/* What was meant to be 'name', but is not: a slip in a renamed_from. */
static const char *misspelt (const struct plan *plan, const struct state *state,
                             const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *found = NULL;

    strvec_push (&names, name);
    for (size_t i = 0; !found && i < plan->n_stages; i++) {
        const char *former = unknown_former (state, &plan->stages[i]);

        found = former && nearest_word (former, &names) ? former : NULL;
    }
    return found;
}

static void add_remedy (const struct plan *plan, const struct state *state,
                        const char *name, struct strbuf *text)
{
    const char *slip = misspelt (plan, state, name);

    if (slip)
        strbuf_addf (text,
                     "; renamed_from: stage '%s' has no results; did you mean "
                     "'%s'?",
                     slip, name);
    else
        strbuf_addf (text,
                     "; write renamed_from: %s in the stage that goes on with "
                     "it, or run `fanfold forget %s`",
                     name, name);
}

void orphan_text (const struct plan *plan, const struct state *state,
                  const char *name, int64_t frames, struct strbuf *text)
{
    int64_t n = orphan_results (state, name);

    if (frames > 0)
        strbuf_addf (text,
                     "%" PRId64
                     " labelled frames of stage '%s' would no longer "
                     "be training data: the stage is not in campaign.yaml any "
                     "more",
                     frames, name);
    else if (n > 0)
        strbuf_addf (text,
                     "%" PRId64 " results of stage '%s' would no longer be "
                     "used: the stage is not in campaign.yaml any more",
                     n, name);
    else
        strbuf_addf (text,
                     "stage '%s' is running and not in campaign.yaml any more",
                     name);
    add_remedy (plan, state, name, text);
}

void orphans_find_new (const struct plan *plan, const struct state *state,
                       struct strvec *names)
{
    orphans_find (plan, state, names);
    if (names->n > 0 && definition_is_taken (plan, state))
        strvec_release (names);
}

bool orphans_text (const struct plan *plan, const struct state *state,
                   struct strbuf *text)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    orphans_find_new (plan, state, &names);
    for (size_t i = 0; i < names.n; i++) {
        strbuf_add_str (text, i > 0 ? "\n" : "");
        orphan_text (plan, state, names.v[i], 0, text);
    }
    return text->len > 0;
}

static void add_elements (const struct plan *plan, struct strbuf *text)
{
    for (size_t i = 0; i < plan->n_elements; i++)
        strbuf_addf (text, "%s%s", i > 0 ? ", " : "", plan->elements[i]);
}

bool elements_moved_text (const struct plan *plan, const struct plan *before,
                          struct strbuf *text)
{
    size_t i = 0;

    while (i < plan->n_elements && i < before->n_elements
           && strcmp (plan->elements[i], before->elements[i]) == 0)
        i++;
    if (i == plan->n_elements || i == before->n_elements)
        return false;
    strbuf_add_str (text, "elements: they are [");
    add_elements (plan, text);
    strbuf_add_str (text, "], and what has run has types in the order [");
    add_elements (before, text);
    strbuf_add_str (text, "]; write elements: [");
    add_elements (before, text);
    strbuf_add_str (text, "], with new ones behind them, or begin again with "
                          "`fanfold reset`");
    return true;
}
