/* SPDX-License-Identifier: BSD-3-Clause */
/* retention.c - which outputs does anything need that may still run? (pure) */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "engine/decide/deciding.h"
#include "engine/decide/readiness.h"
#include "engine/decide/retention.h"
#include "engine/history/events.h"
#include "engine/history/removal.h"
#include "engine/history/state.h"

/* --- who needs it --- */

/* An output of an iteration. */
struct made {
    const struct state *state;
    const char *stage;
    const char *output;
    int at;
};

/* Has the stage done all that it ever will in the iteration?  One that is
 * closed begins no stage any more.
 */
static bool is_over (const struct state *state, const char *stage,
                     int iteration)
{
    if (iteration > state_iteration (state))
        return false;
    return state->iterations[iteration].closed
           || stage_has_ended (state_stage (state, iteration, stage));
}

/* `latest.`: not once the user has ended where there was a newer result. */
static bool is_latest_for (const struct made *made, const char *user)
{
    for (int i = made->at + 1; i <= state_iteration (made->state); i++) {
        if (stage_has_results (made->state, made->stage, i)
            && is_over (made->state, user, i))
            return false;
    }
    return true;
}

static enum need greater (enum need a, enum need b)
{
    return a > b ? a : b;
}

static enum need need_of_binding (const struct plan *plan,
                                  const struct binding *b, const char *user,
                                  const struct made *made)
{
    enum need need = NEED_NEVER;
    bool over;

    for (size_t i = 0; i < b->n_parts; i++)
        need = greater (need, need_of_binding (plan, &b->parts[i], user, made));
    if (b->n_parts > 0 || b->stage < 0 || b->stage >= (int)plan->n_stages
        || strcmp (plan->stages[b->stage].name, made->stage) != 0
        || strcmp (b->output, made->output) != 0)
        return need;
    if (b->source == SOURCE_ALL)
        return NEED_FOREVER;
    if (!stage_has_results (made->state, made->stage, made->at))
        return NEED_OVER; /* it is not gone on with */
    switch (b->source) {
    case SOURCE_LATEST:
        over = !is_latest_for (made, user);
        break;
    case SOURCE_PREVIOUS:
        over = is_over (made->state, user, made->at + 1);
        break;
    default:
        over = is_over (made->state, user, made->at);
        break;
    }
    return over ? NEED_OVER : NEED_NOW;
}

static enum need need_in_phase (const struct plan *plan,
                                const struct made *made)
{
    enum need need = NEED_NEVER;

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *user = &plan->stages[i];

        for (size_t k = 0; k < user->n_bindings; k++)
            need = greater (need, need_of_binding (plan, &user->bindings[k],
                                                   user->name, made));
    }
    return need;
}

/* Functions may be called at any time, and calls that run may have bound it. */
static bool is_for_functions (const struct plan *plan, const struct made *made)
{
    for (size_t i = 0; i < plan->n_functions; i++) {
        const struct stage *s = &plan->functions[i].stage;

        for (size_t k = 0; k < s->n_bindings; k++) {
            if (need_of_binding (plan, &s->bindings[k], s->name, made)
                != NEED_NEVER)
                return true;
        }
    }
    return false;
}

enum need output_need (const struct plan *plan, const struct state *state,
                       const char *stage, const char *output, int at)
{
    const struct made made = { state, stage, output, at };
    enum need need = NEED_NEVER;

    if (stage_removal (state_stage (state, at, stage), output))
        return NEED_GONE;
    if (is_for_functions (plan, &made))
        return NEED_FOREVER;
    if (!plan->by_phase)
        return need_in_phase (plan, &made);
    for (size_t i = 0; i < plan->n_phases; i++)
        need = greater (need, need_in_phase (plan->by_phase[i], &made));
    return need;
}

/* --- what is removed --- */

static void add_due (const struct deciding *d, const struct stage *stage,
                     const struct port *ports, int at, struct json *due)
{
    for (; ports && ports->name; ports++) {
        int keep = stage_keep (stage, ports);
        struct strbuf text = STRBUF_INIT;
        enum need need;

        if (keep == KEEP_ALWAYS || (keep > 0 && at + keep > d->iteration))
            continue;
        need = output_need (d->plan, d->state, stage->name, ports->name, at);
        /* What nothing binds is never used. */
        if (need == NEED_GONE || need >= NEED_NOW
            || (need == NEED_NEVER && keep == KEEP_UNTIL_USED))
            continue;
        keep_text (keep, &text);
        json_set (due, ports->name, json_string (text.buf));
        strbuf_release (&text);
    }
}

static bool keeps_raw_until_done (const struct stage *stage)
{
    return stage->op->leaves_raw && stage->raw == RAW_UNTIL_DONE;
}

/* Raw files are for people who check labels while the campaign runs. */
static void add_raw (const struct deciding *d, const struct stage *stage,
                     int at, struct json *due)
{
    const struct stage_state *s = state_stage (d->state, at, stage->name);

    if (keeps_raw_until_done (stage) && d->state->status == CAMPAIGN_DONE
        && !stage_removal (s, REMOVAL_RAW))
        json_set (due, REMOVAL_RAW, json_string (REMOVAL_UNTIL_DONE));
}

/* What is due of a stage that is done in the iteration; NULL: nothing. */
static struct json *removing (const struct deciding *d,
                              const struct stage *stage, int at)
{
    _cleanup_json_ struct json *due = json_object ();
    struct json *event = NULL;

    add_due (d, stage, stage->op->outputs, at, due);
    add_due (d, stage, stage->op->collected, at, due);
    add_raw (d, stage, at, due);
    if (json_count (due) > 0) {
        event = event_of_stage ("removing", d->observations->now_s, at,
                                stage->name);
        json_set (event, "outputs", json_ref (due));
    }
    return event;
}

static bool keeps_for_a_time (const struct stage *stage,
                              const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        if (stage_keep (stage, ports) != KEEP_ALWAYS)
            return true;
    }
    return false;
}

static void decide_stage_retention (const struct deciding *d, int stage,
                                    bool may_begin)
{
    const struct stage *s = &d->plan->stages[stage];
    bool rules = may_begin && s->op
                 && (keeps_for_a_time (s, s->op->outputs)
                     || keeps_for_a_time (s, s->op->collected)
                     || keeps_raw_until_done (s));

    for (int at = 0; at <= d->iteration; at++) {
        const struct stage_state *state = state_stage (d->state, at, s->name);
        struct json *event;

        if (!state || state->status != STAGE_DONE)
            continue;
        event = rules ? removing (d, s, at) : NULL;
        if (event || stage_is_being_removed (state))
            actions_add (d->actions, ACT_REMOVE, stage, at)->event = event;
    }
}

/* What was prepared under an earlier definition reads what that bound, which
 * the plan does not tell; and so may the tasks of one that failed, when they
 * are tried again.
 */
static bool reads_what_is_not_known (const struct deciding *d)
{
    const struct iteration_state *it = &d->state->iterations[d->iteration];
    const char *sha256 = d->observations->config_sha256;

    if (sha256 && strcmp (sha256, d->state->config_sha256) != 0)
        return true;
    for (size_t i = 0; i < it->n_stages; i++) {
        const struct stage_state *s = &it->stages[i];

        if ((s->status == STAGE_PREPARED || s->status == STAGE_FAILED)
            && s->config != it->config_number)
            return true;
    }
    return false;
}

/* One that is paused or has failed is for people to look at; and what a call
 * made is for whoever called.
 */
void decide_retention (const struct deciding *d)
{
    bool may_begin;

    if (d->iteration < 0 || d->state->moves || d->plan->call
        || (d->state->status != CAMPAIGN_RUNNING
            && d->state->status != CAMPAIGN_DONE))
        return;
    may_begin = !reads_what_is_not_known (d);
    for (size_t i = 0; i < d->plan->n_stages; i++)
        decide_stage_retention (d, (int)i, may_begin);
}

/* --- what was removed --- */

/* What is made again is there: all after 'to', and of 'to' the stages 'again'
 * (NULL: none).
 */
struct look {
    const struct plan *plan;
    const struct state *state;
    const bool *again;
    int to;
};

static bool is_removed (const struct look *look, const struct binding *b,
                        int at)
{
    if (at < 0 || at > look->to
        || (at == look->to && look->again && look->again[b->stage]))
        return false;
    return stage_removal (
        state_stage (look->state, at, look->plan->stages[b->stage].name),
        b->output);
}

static bool find_part (const struct look *look, const struct binding *b,
                       struct removed_input *input)
{
    int from = 0, until = input->iteration;

    for (size_t i = 0; i < b->n_parts; i++) {
        if (find_part (look, &b->parts[i], input))
            return true;
    }
    if (b->n_parts > 0 || b->stage < 0)
        return false;
    if (b->source != SOURCE_ALL)
        from = until =
            source_iteration (look->plan, look->state, b, input->iteration);
    for (input->at = from; input->at <= until; input->at++) {
        input->part = b;
        if (is_removed (look, b, input->at))
            return true;
    }
    return false;
}

static bool find_input (const struct look *look, const struct stage *user,
                        int iteration, struct removed_input *input)
{
    input->user = user;
    input->iteration = iteration;
    for (size_t i = 0; i < user->n_bindings; i++) {
        if (find_part (look, &user->bindings[i], input))
            return true;
    }
    return false;
}

bool removed_input_find (const struct plan *plan, const struct state *state,
                         const struct stage *user, int iteration,
                         struct removed_input *input)
{
    const struct look look = { plan, state, NULL, state_iteration (state) };

    return find_input (&look, user, iteration, input);
}

int next_iteration (const struct state *state, const char *stage)
{
    int now = state_iteration (state);

    return now >= 0 && !is_over (state, stage, now) ? now : now + 1;
}

bool removed_input_of_redo (const struct plan *plan, const struct state *state,
                            const bool *again, int to,
                            struct removed_input *input)
{
    const struct look look = { plan, state, again, to };

    for (int at = to; at <= state_iteration (state); at++) {
        for (size_t i = 0; i < plan->n_stages; i++) {
            const struct stage *user = &plan->stages[i];
            const struct stage_state *s = state_stage (state, at, user->name);

            if ((at > to || again[i]) && s && s->status != STAGE_SKIPPED
                && find_input (&look, user, at, input))
                return true;
        }
    }
    return false;
}

void removed_input_text (const struct plan *plan, const struct state *state,
                         const struct removed_input *input, struct strbuf *out)
{
    const struct binding *b = input->part;
    const char *stage = plan->stages[b->stage].name;

    strbuf_addf (out,
                 "input '%s' of stage '%s' needs '%s' of stage '%s' in "
                 "iteration %d, which was ",
                 b->port->name, input->user->name, b->output, stage, input->at);
    removal_text (
        stage_removal (state_stage (state, input->at, stage), b->output), out);
}
