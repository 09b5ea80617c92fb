/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_defaults.c - `defaults:`, what every stage says that does not itself */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/compilation.h"
#include "campaign/stage_keys.h"
#include "signature/group.h"
#include "signature/section.h"

/* False after recording what is wrong with them. */
static bool are_sound (const struct yaml_node *defaults)
{
    size_t before = field_problems (defaults);

    stage_keys_check (defaults, "defaults", IN_DEFAULTS);
    return field_problems (defaults) == before;
}

const struct operator_spec *stage_variant (const struct operator_spec *op,
                                           const struct yaml_node *stage)
{
    const struct yaml_node *value =
        op && op->chosen_by ? yaml_get (yaml_get (stage, "with"), op->chosen_by)
                            : NULL;

    if (value && value->kind == YAML_MAPPING) /* as a step has it */
        value = yaml_get (value, "literal");
    return op ? operator_variant_for (op, value ? value->text : NULL) : NULL;
}

const struct operator_spec *stage_operator (const struct compilation *c,
                                            const struct yaml_node *stage)
{
    const struct yaml_node *uses = yaml_get (stage, "uses");
    bool broken;

    return uses && uses->text ? stage_variant (
               operator_set_find (&c->operators, uses->text, &broken), stage)
                              : NULL;
}

/* Programs that run together say themselves what they need; only the time that
 * their task may take is left to say.
 */
static bool is_left_to_programs (const struct compilation *c,
                                 const struct yaml_node *stage)
{
    const struct operator_spec *op = stage_operator (c, stage);

    return op && op->group && !group_is_command (op->group);
}

static struct yaml_node *walltime_alone (struct arena *arena,
                                         const struct yaml_node *task)
{
    struct yaml_node *alone = arena_alloc (arena, sizeof (*alone));

    *alone = *task;
    alone->n = 0;
    for (size_t i = 0; i < task->n; i++) {
        if (strcmp (task->keys[i]->text, "walltime") != 0)
            continue;
        alone->keys = &task->keys[i];
        alone->items = &task->items[i];
        alone->n = 1;
    }
    return alone;
}

static bool both_are_mappings (const struct yaml_node *a,
                               const struct yaml_node *b)
{
    return a && b && a->kind == YAML_MAPPING && b->kind == YAML_MAPPING;
}

/* `with:` of both: inputs one by one, those in sections, too. */
static struct yaml_node *overlay_with (struct arena *arena,
                                       const struct operator_spec *op,
                                       const struct yaml_node *over,
                                       const struct yaml_node *under)
{
    struct yaml_node *merged = yaml_overlay (arena, over, under);

    for (size_t i = 0; op && i < merged->n; i++) {
        const char *key = merged->keys[i]->text;
        const struct yaml_node *own = yaml_get (over, key);
        const struct yaml_node *below = yaml_get (under, key);

        if (section_exists (op->inputs, key) && both_are_mappings (own, below))
            merged->items[i] = yaml_overlay (arena, own, below);
    }
    return merged;
}

/* `steps:` of both, each step as a stage. */
static struct yaml_node *overlay_steps (struct compilation *c,
                                        const struct yaml_node *over,
                                        const struct yaml_node *under)
{
    struct yaml_node *merged = yaml_overlay (c->reader.arena, over, under);

    for (size_t i = 0; i < merged->n; i++) {
        const char *name = merged->keys[i]->text;
        const struct yaml_node *own = yaml_get (over, name);
        const struct yaml_node *below = yaml_get (under, name);

        if (both_are_mappings (own, below))
            merged->items[i] = stage_overlay (c, own, below);
    }
    return merged;
}

struct yaml_node *stage_overlay (struct compilation *c,
                                 const struct yaml_node *over,
                                 const struct yaml_node *under)
{
    struct arena *arena = c->reader.arena;
    struct yaml_node *merged = yaml_overlay (arena, over, under);

    for (size_t i = 0; i < merged->n; i++) {
        const char *key = merged->keys[i]->text;
        const struct stage_key *row = stage_key_find (key);
        const struct yaml_node *own = yaml_get (over, key);
        const struct yaml_node *below = yaml_get (under, key);

        if (!row || !row->is_merged || !both_are_mappings (own, below))
            continue;
        if (strcmp (key, "with") == 0)
            merged->items[i] =
                overlay_with (arena, stage_operator (c, merged), own, below);
        else if (strcmp (key, "steps") == 0)
            merged->items[i] = overlay_steps (c, own, below);
        else
            merged->items[i] = yaml_overlay (arena, own, below);
    }
    return merged;
}

/* The defaults as a stage of such programs takes them. */
static const struct yaml_node *for_programs (struct arena *arena,
                                             const struct yaml_node *defaults)
{
    struct yaml_node *left = yaml_overlay (arena, defaults, defaults);

    for (size_t i = 0; i < left->n; i++) {
        if (strcmp (left->keys[i]->text, "task") == 0)
            left->items[i] = walltime_alone (arena, left->items[i]);
    }
    return left;
}

const struct yaml_node *stage_layer (const struct compilation *c,
                                     const struct yaml_node *stage,
                                     const struct yaml_node *layer)
{
    return is_left_to_programs (c, stage)
               ? for_programs (c->reader.arena, layer)
               : layer;
}

const struct yaml_node *stages_with_defaults (struct compilation *c,
                                              const struct yaml_node *stages,
                                              const struct yaml_node *defaults)
{
    struct yaml_node *merged;

    if (!defaults || !are_sound (defaults))
        return stages;
    merged = arena_alloc (c->reader.arena, sizeof (*merged));
    *merged = *stages;
    merged->items =
        arena_array (c->reader.arena, stages->n, sizeof (*merged->items));
    for (size_t i = 0; i < stages->n; i++)
        merged->items[i] =
            stages->items[i]->kind == YAML_MAPPING
                ? stage_overlay (c, stages->items[i],
                                 stage_layer (c, stages->items[i], defaults))
                : stages->items[i];
    return merged;
}
