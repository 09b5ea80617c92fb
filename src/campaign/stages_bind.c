/* SPDX-License-Identifier: BSD-3-Clause */
/* stages_bind.c - what stages say of each other: `with:` and `when:` */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/frames_check.h"
#include "signature/operator.h"
#include "signature/value.h"

static bool *waits_of (const struct compilation *c, size_t stage)
{
    return c->waits + stage * c->plan->n_stages;
}

static void bind_when (struct compilation *c, size_t i)
{
    const struct yaml_node *node = field_find (c->stages->items[i], "when");
    struct stage *stage = &c->plan->stages[i];

    if (node)
        stage->when = expression_field_read (
            c->plan, node,
            arena_printf (c->reader.arena, "'when' of stage '%s'", stage->name),
            waits_of (c, i), &stage->when_text);
}

/* Keys of `with:` that are no input of the operator. */
static void check_inputs (const struct stage *stage,
                          const struct yaml_node *with)
{
    const struct operator_spec *op = stage->op;

    for (size_t i = 0; i < with->n; i++) {
        const char *word = with->keys[i]->text;

        if (port_find (op->slices, word))
            field_problem (with->keys[i],
                           "'%s' is made by %s itself when it prepares; remove "
                           "it",
                           word, op->name);
        else
            field_choose (with->keys[i], word, op->inputs,
                          port_count (op->inputs), sizeof (*op->inputs),
                          "%s has no input '%s'", op->name, word);
    }
}

/* Which stages of the same iteration stage 'i' waits for by this binding. */
static void note_waits (const struct binding *binding, int i, bool *waits)
{
    for (size_t k = 0; k < binding->n_parts; k++)
        note_waits (&binding->parts[k], i, waits);
    if (binding->source == SOURCE_THIS || binding->source == SOURCE_LATEST
        || (binding->source == SOURCE_ALL && binding->stage != i))
        waits[binding->stage] = true;
}

static void bind_inputs (struct compilation *c, size_t i,
                         const struct yaml_node *with)
{
    struct stage *stage = &c->plan->stages[i];
    const struct yaml_node *key = c->stages->keys[i];
    size_t n = port_count (stage->op->inputs);

    stage->bindings =
        arena_array (c->reader.arena, n, sizeof (*stage->bindings));
    stage->n_bindings = n;
    for (size_t k = 0; k < n; k++) {
        const struct port *port = &stage->op->inputs[k];
        struct binding *binding = &stage->bindings[k];
        const struct yaml_node *from =
            operator_set_from (&c->operators, stage->op->name, port->name);

        binding_compile (c->plan, stage, key, port,
                         field_find (with, port->name), from ? from : key,
                         binding);
        binding->mark.file = c->file; /* the tree's goes with the tree */
        note_waits (binding, (int)i, waits_of (c, i));
    }
}

/* Inputs sliced in lockstep whose lengths are known already. */
static void check_lockstep (const struct compilation *c,
                            const struct stage *stage)
{
    const struct binding *first = NULL;

    for (size_t k = 0; k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];
        const struct type *type = &binding->port->type;

        if (!words_contain (stage->op->fan_out, binding->port->name)
            || !binding->literal
            || (type->kind == TYPE_FRAMES && type->depth == 0))
            continue;
        if (!first)
            first = binding;
        else if (json_count (first->literal) != json_count (binding->literal))
            problems_add (c->reader.problems, binding->mark,
                          "stage '%s' slices '%s' (%zu) and '%s' (%zu) in "
                          "lockstep; give both the same length",
                          stage->name, first->port->name,
                          json_count (first->literal), binding->port->name,
                          json_count (binding->literal));
    }
}

/* Where 'text' has no remedy the manual has it. */
static void complain_of_value (const struct compilation *c,
                               const struct stage *stage,
                               const struct binding *binding, const char *text)
{
    if (strstr (text, "; "))
        problems_add (c->reader.problems, binding->mark, "stage '%s': %s",
                      stage->name, text);
    else
        problems_add (c->reader.problems, binding->mark,
                      "stage '%s': %s; see %s of %s in fanfold-operators(7)",
                      stage->name, text, binding->port->name, stage->op->name);
}

/* Frames that `with:` names are structures of the campaign's elements. */
static void check_frames (const struct compilation *c,
                          const struct stage *stage,
                          const struct yaml_node *with)
{
    for (size_t k = 0; with && k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];
        const struct yaml_node *node = field_find (with, binding->port->name);
        const char *name =
            arena_printf (c->reader.arena, "input '%s' of stage '%s'",
                          binding->port->name, stage->name);

        if (!node || !binding->literal
            || binding->port->type.kind != TYPE_FRAMES)
            continue;
        if (node->kind == YAML_MAPPING)
            node = field_find (node, "literal");
        for (size_t i = 0; node && node->kind == YAML_SEQUENCE && i < node->n;
             i++) {
            if (node->items[i]->kind == YAML_SCALAR)
                frames_check (node->items[i], name, false, c->plan, NULL);
        }
        if (node && node->kind == YAML_SCALAR)
            frames_check (node, name, false, c->plan, NULL);
    }
}

/* What the operator itself asks of its inputs. */
static void check_values (const struct compilation *c,
                          const struct stage *stage)
{
    struct json *values = stage_known_values (stage, c->reader.dir);

    for (size_t k = 0; k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];
        struct error err = ERROR_INIT;

        if (port_check (binding->port, values, c->reader.dir, &err) < 0)
            complain_of_value (c, stage, binding, err.text);
    }
    json_unref (values);
}

static void bind_with (struct compilation *c, size_t i)
{
    const struct yaml_node *with = field_find (c->stages->items[i], "with");
    const struct stage *stage = &c->plan->stages[i];
    size_t before = problems_errors (c->reader.problems);

    if (with && field_any_mapping (with) < 0)
        return;
    if (!stage->op)
        return;
    if (with)
        check_inputs (stage, with);
    bind_inputs (c, i, with);
    check_lockstep (c, stage);
    if (problems_errors (c->reader.problems) > before || c->reader.recorded)
        return;
    check_frames (c, stage, with);
    check_values (c, stage);
}

void stages_bind (struct compilation *c)
{
    size_t n = c->plan->n_stages;

    c->waits = arena_array (c->reader.arena, n * n, sizeof (*c->waits));
    for (size_t i = 0; i < n; i++) {
        if (c->stages->items[i]->kind != YAML_MAPPING)
            continue;
        bind_when (c, i);
        bind_with (c, i);
    }
}
