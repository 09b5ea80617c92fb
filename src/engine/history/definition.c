/* SPDX-License-Identifier: BSD-3-Clause */
/* definition.c - which plan a campaign goes by */
#include "base/base.h"

#include "base/digest.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "engine/history/definition.h"
#include "engine/history/engine.h"
#include "engine/history/orphans.h"
#include "space/layout.h"

/* A configuration that was compiled again; 'plan' is NULL where it could not
 * be.
 */
struct recorded {
    int iteration;
    int number;
    const struct plan *plan;
};

struct definition {
    const struct plan *offered; /* that of the files */
    const struct plan *newest;  /* that, or the one that was taken on last where
                                   it would leave results without a stage */
    char offered_sha256[DIGEST_HEX_SIZE];
    bool is_held_said;
    struct recorded *recorded;
    size_t n_recorded, recorded_alloc;
    char *kept;          /* "STAGE NUMBER\n" of what engine->plan keeps, and
                            its phase */
    struct plan **owned; /* later ones may lean on those before them */
    size_t n_owned, owned_alloc;
};

/* --- plans --- */

static struct definition *definition_of (struct engine *engine)
{
    if (!engine->definition)
        engine->definition = xcalloc (1, sizeof (*engine->definition));
    return engine->definition;
}

static void own (struct definition *definition, struct plan *plan)
{
    definition->owned =
        grow_array (definition->owned, definition->n_owned,
                    &definition->owned_alloc, sizeof (*definition->owned));
    definition->owned[definition->n_owned++] = plan;
}

static void forget_polls (struct engine *engine)
{
    for (size_t i = 0; engine->polls && i < engine->plan->n_profiles; i++)
        free (engine->polls[i].unanswered);
    free (engine->polls);
    engine->polls = NULL;
}

/* Go by it; when its schedulers were asked last is forgotten. */
static void use (struct engine *engine, const struct plan *plan)
{
    if (engine->plan == plan)
        return;
    forget_polls (engine);
    engine->plan = plan;
    engine->polls = xcalloc (plan->n_profiles + 1, sizeof (*engine->polls));
}

static void set_newest (struct engine *engine, const struct plan *plan)
{
    struct definition *definition = definition_of (engine);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    definition->newest = plan;
    free (definition->kept);
    definition->kept = xstrdup ("");
    use (engine, plan);
    engine_config_text (plan, &text);
    digest_bytes (text.buf, text.len, engine->config_sha256);
}

void engine_take_plan (struct engine *engine, const struct plan *plan)
{
    struct definition *definition = definition_of (engine);

    definition->offered = plan;
    definition->is_held_said = false;
    set_newest (engine, plan);
    memcpy (definition->offered_sha256, engine->config_sha256,
            sizeof (definition->offered_sha256));
}

const struct plan *engine_offered_plan (const struct engine *engine)
{
    return engine->definition->offered;
}

const struct plan *engine_newest_plan (const struct engine *engine)
{
    return engine->definition->newest;
}

void engine_take_over_plan (struct engine *engine, struct plan *plan)
{
    own (definition_of (engine), plan);
    engine_take_plan (engine, plan);
}

void engine_reread_plan (struct engine *engine)
{
    struct plan *plan = NULL;

    if (engine->source.reread)
        plan = engine->source.reread (&engine->heartbeat, engine->source.arg);
    if (plan)
        engine_take_over_plan (engine, plan);
}

void definition_close (struct engine *engine)
{
    struct definition *definition = engine->definition;

    forget_polls (engine);
    engine->plan = NULL;
    engine->definition = NULL;
    if (!definition)
        return;
    while (definition->n_owned > 0)
        plan_destroy (definition->owned[--definition->n_owned]);
    free (definition->owned);
    free (definition->recorded);
    free (definition->kept);
    free (definition);
}

/* --- recorded ones --- */

static struct plan *compile_recorded (struct engine *engine, int iteration,
                                      int number)
{
    struct strbuf file = STRBUF_INIT;
    struct plan *plan = NULL;
    _cleanup_json_ struct json *config = NULL;
    _cleanup_free_ char *path = NULL;

    layout_config_file (iteration, number, &file);
    path = engine_path (engine, &file);
    if ((config = json_read_file (path, NULL)))
        plan = engine->source.recompile (config, engine->source.arg);
    return plan;
}

static const struct plan *recorded_plan (struct engine *engine, int iteration,
                                         int number)
{
    struct definition *definition = engine->definition;
    struct plan *plan;

    for (size_t i = 0; i < definition->n_recorded; i++) {
        const struct recorded *r = &definition->recorded[i];

        if (r->iteration == iteration && r->number == number)
            return r->plan;
    }
    if ((plan = compile_recorded (engine, iteration, number)))
        own (definition, plan);
    definition->recorded = grow_array (
        definition->recorded, definition->n_recorded,
        &definition->recorded_alloc, sizeof (*definition->recorded));
    definition->recorded[definition->n_recorded++] =
        (struct recorded){ iteration, number, plan };
    return plan;
}

void definition_forget_recorded (struct engine *engine)
{
    if (engine->definition)
        engine->definition->n_recorded = 0;
}

/* --- one that what has run does not fit --- */

static void say_held (struct engine *engine, const char *why)
{
    if (engine->source.held && !engine->definition->is_held_said)
        engine->source.held (why, engine->source.arg);
    engine->definition->is_held_said = true;
}

/* The one that was taken on last, where that of the files is another. */
static const struct plan *taken_before (struct engine *engine)
{
    const struct state *state = &engine->state;

    return engine->source.recompile && state->config_sha256[0]
                   && strcmp (engine->definition->offered_sha256,
                              state->config_sha256)
                          != 0
               ? recorded_plan (engine, state->config_iteration,
                                state->config_number)
               : NULL;
}

/* It is not taken on until that is settled.  Where the one before cannot be
 * compiled any more, driving ends (driver.c).
 */
static void choose_newest (struct engine *engine)
{
    struct definition *definition = engine->definition;
    const struct plan *newest = definition->offered;
    const struct plan *before = taken_before (engine);
    _cleanup_ (strbuf_release) struct strbuf why = STRBUF_INIT;

    if (before
        && (orphans_text (newest, &engine->state, &why)
            || elements_moved_text (newest, before, &why))) {
        say_held (engine, why.buf);
        newest = before;
    }
    if (newest != definition->newest)
        set_newest (engine, newest);
}

/* --- stages that are prepared --- */

/* Was it prepared with another configuration than the newest? */
static bool is_earlier (const struct engine *engine,
                        const struct stage_state *stage)
{
    const struct state *state = &engine->state;

    return stage->status == STAGE_PREPARED
           && (stage->config != state->config_number
               || strcmp (state->config_sha256, engine->config_sha256) != 0);
}

/* The plan in the phase of the iteration; the plan itself before the first. */
static const struct plan *in_phase (const struct plan *plan,
                                    const struct iteration_state *it)
{
    return it && it->phase ? plan_in_phase (
               plan, plan_phase (plan, it->phase, it->phase_number))
                           : plan;
}

/* The stage as it was prepared; NULL: not known. */
static const struct stage *earlier_stage (struct engine *engine,
                                          const struct stage_state *stage)
{
    const struct plan *plan =
        recorded_plan (engine, state_iteration (&engine->state), stage->config);
    int i;

    if (plan)
        plan = in_phase (
            plan, &engine->state.iterations[state_iteration (&engine->state)]);
    i = plan ? plan_stage_find (plan, stage->dir ? stage->dir : stage->name)
             : -1;
    return i < 0 ? NULL : &plan->stages[i];
}

void engine_keep_prepared (struct engine *engine)
{
    const struct state *state = &engine->state;
    const struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;
    struct definition *definition = engine->definition;
    _cleanup_free_ struct kept_stage *kept =
        xcalloc (it ? it->n_stages + 1 : 1, sizeof (*kept));
    _cleanup_ (strbuf_release) struct strbuf key = STRBUF_INIT;
    size_t n = 0;

    choose_newest (engine);
    for (size_t i = 0; it && engine->source.recompile && i < it->n_stages;
         i++) {
        const struct stage_state *stage = &it->stages[i];

        if (is_earlier (engine, stage)
            && (kept[n].stage = earlier_stage (engine, stage))) {
            kept[n].name = stage->name;
            strbuf_addf (&key, "%s %d\n", kept[n].name, stage->config);
            n++;
        }
    }
    strbuf_addf (&key, "%s", it && it->phase ? it->phase : "");
    if (strcmp (key.buf, definition->kept) != 0) {
        const struct plan *newest = in_phase (definition->newest, it);
        struct plan *plan = n > 0 ? plan_keep_stages (newest, kept, n) : NULL;

        if (plan)
            own (definition, plan);
        use (engine, plan ? plan : newest);
        free (definition->kept);
        definition->kept = strbuf_detach (&key);
    }
}
