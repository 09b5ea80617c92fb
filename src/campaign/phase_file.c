/* SPDX-License-Identifier: BSD-3-Clause */
/* phase_file.c - `phases:`, in which stages have conditions of their own */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/stage_keys.h"

/* More is not written by hand, and each is compiled. */
enum { PHASES_MAX = 100, ITERATIONS_MAX = 999999 };

/* --- the stages in a phase --- */

/* What a phase changes in steps; the operator has those of one name. */
static void check_steps (const struct yaml_node *steps)
{
    for (size_t i = 0; steps && steps->keys && i < steps->n; i++) {
        const struct yaml_node *uses = yaml_get (steps->items[i], "uses");

        if (uses)
            field_problem (uses,
                           "a step has one operator in all phases; write uses: "
                           "in steps: of the stage");
        check_steps (field_find (steps->items[i], "steps"));
    }
}

/* The stage of this name as the phase has it. */
static struct yaml_node *stage_in_phase (struct compilation *c,
                                         const struct yaml_node *changes,
                                         const struct yaml_node *stage)
{
    size_t before = field_problems (changes);

    stage_keys_check (changes,
                      arena_printf (c->reader.arena, "stage '%s' of a phase",
                                    yaml_name (changes)),
                      IN_PHASE);
    check_steps (field_find (changes, "steps"));
    if (field_problems (changes) > before || stage->kind != YAML_MAPPING)
        return (struct yaml_node *)stage;
    return stage_overlay (c, changes, stage);
}

static const struct yaml_node *overlay_stages (struct compilation *c,
                                               const struct yaml_node *stages,
                                               const struct yaml_node *changes)
{
    struct arena *arena = c->reader.arena;
    struct yaml_node *merged = yaml_overlay (arena, stages, stages);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (size_t i = 0; i < merged->n; i++) {
        const struct yaml_node *change =
            field_find (changes, merged->keys[i]->text);

        strvec_push (&names, merged->keys[i]->text);
        if (change)
            merged->items[i] = stage_in_phase (c, change, merged->items[i]);
    }
    for (size_t i = 0; i < changes->n; i++) {
        const char *word = changes->keys[i]->text;

        if (!yaml_get (stages, word))
            field_unknown (changes->keys[i], word, &names,
                           "phases: there is no stage '%s'", word);
    }
    return merged;
}

const struct yaml_node *stages_in_phase (struct compilation *c,
                                         const struct yaml_node *stages,
                                         const struct yaml_node *phases)
{
    const struct yaml_node *changes;

    c->n_phases =
        phases && phases->kind == YAML_SEQUENCE && phases->n <= PHASES_MAX
            ? phases->n
            : 0;
    if (c->phase >= c->n_phases)
        return stages;
    changes = field_find (phases->items[c->phase], "stages");
    if (!changes || field_any_mapping (changes) < 0)
        return stages;
    return overlay_stages (c, stages, changes);
}

/* --- what a phase says of itself --- */

static void read_name (const struct yaml_node *node, void *member)
{
    const char **name = member;

    if (field_text (node, name) == 0 && !word_is_name (*name))
        field_problem (node,
                       "'%s' cannot be the name of a phase; use a-z, 0-9 and "
                       "_, beginning with a letter",
                       *name);
}

static void read_on_maximum (const struct yaml_node *node, void *stops)
{
    static const char *const words[] = { "stop", "continue" };
    const char *word;
    int i = 0;

    if (field_text (node, &word) == 0)
        i = field_choose (node, word, words, 2, sizeof (*words),
                          "on_maximum: '%s' is not known", word);
    *(bool *)stops = i == 0;
}

static void check_phase (const struct plan *plan, const struct yaml_node *node,
                         const struct phase *phase)
{
    if (!field_find (node, "name"))
        field_problem (node, "the phase has no name; add name: NAME");
    if (!field_find (node, "iterations"))
        field_problem (node, "a phase without a limit; add iterations: 4");
    if (field_find (node, "on_maximum") && !field_find (node, "until"))
        field_problem (field_find (node, "on_maximum"),
                       "on_maximum: there is no until: that may not hold by "
                       "then; remove it, or add until:");
    for (const struct phase *other = plan->phases; phase->name && other < phase;
         other++) {
        if (other->name && strcmp (other->name, phase->name) == 0)
            field_problem (node, "two phases are called '%s'; rename one",
                           phase->name);
    }
}

static void read_phase (const struct yaml_node *node, struct plan *plan,
                        struct phase *phase)
{
    static const struct field fields[] = {
        FIELD_BY (struct phase, name, read_name),
        FIELD (struct phase, iterations, COUNT, .least = 1,
               .most = ITERATIONS_MAX),
        FIELD_AS (struct phase, stops, "on_maximum", KEY_ONLY,
                  .read = read_on_maximum),
        FIELD_KEY ("until"),
        FIELD_KEY ("stages"),
        FIELDS_END,
    };
    const struct yaml_node *until = field_find (node, "until");

    phase->stops = true;
    if (field_record (node, "phases", fields, phase) < 0)
        return;
    check_phase (plan, node, phase);
    if (until)
        phase->until = expression_field_read (
            plan, until,
            arena_printf (plan->arena, "'until' of phase '%s'",
                          phase->name ? phase->name : "?"),
            true, NULL, &phase->until_text);
}

void phases_read (const struct yaml_node *phases, struct plan *plan)
{
    if (!phases || field_list (phases) < 0)
        return;
    if (phases->n == 0 || phases->n > PHASES_MAX) {
        field_problem (phases, "there are %zu phases; write 1 to %d of them",
                       phases->n, PHASES_MAX);
        return;
    }
    plan->phases = arena_array (plan->arena, phases->n, sizeof (*plan->phases));
    plan->n_phases = phases->n;
    for (size_t i = 0; i < phases->n; i++)
        read_phase (phases->items[i], plan, &plan->phases[i]);
}
