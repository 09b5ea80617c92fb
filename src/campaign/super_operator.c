/* SPDX-License-Identifier: BSD-3-Clause */
/* super_operator.c - operators that are made of operators */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/super_operator.h"
#include "signature/expression.h"
#include "signature/operator.h"
#include "space/layout.h"

/* --- what it declares --- */

static const char *operator_called (const struct yaml_node *node)
{
    return arena_printf (field_arena (node), "operator '%s'", yaml_name (node));
}

static void check_step_name (const struct yaml_node *key,
                             const struct yaml_node *outputs)
{
    static const char *const words[] = { STEP_INPUTS, "previous", "all",
                                         "latest",    "data",     "count",
                                         "proceed",   NULL };

    if (!layout_stage_name_ok (key->text) || strchr (key->text, '.')
        || words_contain (words, key->text))
        field_problem (key,
                       "'%s' cannot be the name of a step; use at most 32 of "
                       "a-z, 0-9 and _, beginning with a letter, and not "
                       "inputs, previous, all, latest, data, count, proceed, "
                       "dataset, config or kept",
                       key->text);
    if (yaml_get (outputs, key->text))
        field_problem (key,
                       "a step and an output are both called '%s'; rename one "
                       "of them",
                       key->text);
}

/* Keys of operators of which tasks run. */
static void check_keys (const struct yaml_node *node)
{
    static const char *const own[] = { "doc", "inputs", "steps", "outputs",
                                       NULL };

    for (size_t i = 0; i < node->n; i++) {
        if (!words_contain (own, node->keys[i]->text))
            field_problem (node->keys[i],
                           "%s has steps, and nothing runs but those; write "
                           "%s: in the operators of its steps, and here only "
                           "doc, inputs, steps and outputs",
                           operator_called (node), node->keys[i]->text);
    }
}

/* What an input says that only matters where tasks run. */
static void check_inputs (const struct yaml_node *inputs)
{
    for (size_t i = 0; inputs && inputs->keys && i < inputs->n; i++) {
        const struct yaml_node *input = inputs->items[i];

        if (yaml_get (input, "inputs"))
            field_problem (inputs->keys[i],
                           "'%s' is a section, and an operator with steps has "
                           "none; declare its inputs one by one",
                           inputs->keys[i]->text);
        if (yaml_get (input, "holes"))
            field_problem (yaml_get (input, "holes"),
                           "holes: is for the inputs of operators that run "
                           "tasks; remove it");
    }
}

void steps_keys_check (const struct yaml_node *steps, const char *of,
                       enum stage_key_place place)
{
    for (size_t i = 0; i < steps->n; i++) {
        const struct yaml_node *step = steps->items[i];
        const char *name = arena_printf (field_arena (step), "step '%s' of %s",
                                         steps->keys[i]->text, of);

        stage_keys_check (step, name, place);
        if (place == IN_STEP && step->kind == YAML_MAPPING
            && !field_find (step, "uses"))
            field_problem (steps->keys[i],
                           "%s does not say what it does; add uses: OPERATOR",
                           name);
    }
}

void super_operator_read (const struct yaml_node *node,
                          struct operator_spec *op)
{
    const struct yaml_node *steps = field_find (node, "steps");
    const struct yaml_node *outputs = field_find (node, "outputs");
    const char **names;

    check_keys (node);
    check_inputs (field_find (node, "inputs"));
    if (field_any_mapping (steps) < 0)
        return;
    if (steps->n == 0)
        field_problem (steps,
                       "%s has no steps; write steps: {NAME: {uses: "
                       "OPERATOR}}",
                       operator_called (node));
    names = arena_array (field_arena (node), steps->n + 1, sizeof (*names));
    for (size_t i = 0; i < steps->n; i++) {
        names[i] = arena_strdup (field_arena (node), steps->keys[i]->text);
        check_step_name (steps->keys[i], outputs);
    }
    steps_keys_check (steps, operator_called (node), IN_STEP);
    op->steps = names;
}

/* --- what its steps make of it --- */

enum progress { NOT_BEGUN, BEGUN, COMPLETE };

/* All of them. */
struct completing {
    struct compilation *c;
    enum progress *progress; /* of each own operator */
    int *height;             /* how deep it is nested; 1: none in it */
    size_t chain[SUPER_OPERATORS_NESTED_MAX]; /* those that are begun */
    size_t depth;
};

const struct yaml_node *super_operator_node (const struct compilation *c,
                                             const char *name)
{
    return yaml_get (c->operators.node, name);
}

/* "'a.x' has a step that uses 'b.y', which has ...", from the first time that
 * it comes.
 */
static void report_circle (const struct completing *k,
                           const struct yaml_node *uses)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t first = 0;

    while (strcmp (k->c->operators.own[k->chain[first]]->name, uses->text) != 0)
        first++;
    for (size_t i = first; i < k->depth; i++)
        strbuf_addf (&text, "'%s' uses ",
                     k->c->operators.own[k->chain[i]]->name);
    field_problem (uses, "%s: %s'%s'; take one of these steps out",
                   k->depth - first == 1 ? "an operator is a step of itself"
                                         : "operators are steps of each other",
                   text.buf, uses->text);
}

static void complete (struct completing *k, size_t i);

/* The number of the campaign's own operator 'name'; -1: there is none. */
static int find_own (const struct completing *k, const char *name)
{
    const struct yaml_node *node = k->c->operators.node;

    for (size_t i = 0; node && i < node->n; i++) {
        if (strcmp (node->keys[i]->text, name) == 0)
            return (int)i;
    }
    return -1;
}

/* What a step uses, complete; NULL after recording what is wrong with it, or
 * where that was said before.
 */
static const struct operator_spec *step_operator (struct completing *k,
                                                  const struct yaml_node *step)
{
    const struct yaml_node *uses = field_find (step, "uses");
    const struct operator_spec *op;
    bool broken;
    int own;

    if (!uses || !uses->text)
        return NULL;
    op = operator_set_find (&k->c->operators, uses->text, &broken);
    if (!op && !broken)
        operator_set_complain (&k->c->operators, uses);
    if (!op || !op->steps)
        return stage_variant (op, step);
    own = find_own (k, uses->text);
    if (k->progress[own] == BEGUN)
        report_circle (k, uses);
    else if (k->progress[own] == NOT_BEGUN
             && k->depth < SUPER_OPERATORS_NESTED_MAX)
        complete (k, (size_t)own);
    if (k->progress[own] == BEGUN)
        return NULL;
    if (k->progress[own] == NOT_BEGUN
        || k->height[own] >= SUPER_OPERATORS_NESTED_MAX) {
        field_problem (uses,
                       "operators are nested deeper than %d here; make some of "
                       "them stages",
                       SUPER_OPERATORS_NESTED_MAX);
        return NULL;
    }
    op = k->c->operators.own[own];
    if (op && k->height[k->chain[k->depth - 1]] <= k->height[own])
        k->height[k->chain[k->depth - 1]] = k->height[own] + 1;
    return op;
}

/* --- the steps as a campaign --- */

/* The inputs of 'op' as what a stage makes. */
static const struct operator_spec *inputs_operator (
    struct arena *arena, const struct operator_spec *op)
{
    struct operator_spec *inputs = arena_alloc (arena, sizeof (*inputs));
    size_t n = port_count (op->inputs);
    struct port *ports = arena_array (arena, n + 1, sizeof (*ports));

    for (size_t i = 0; i < n; i++)
        ports[i] = (struct port){ .name = op->inputs[i].name,
                                  .type = op->inputs[i].type };
    inputs->name = op->name;
    inputs->collected = ports;
    return inputs;
}

/* A mapping like 'steps' that begins with `inputs: {}`. */
static struct yaml_node *with_inputs (struct arena *arena,
                                      const struct yaml_node *steps)
{
    struct yaml_node *mapping = arena_alloc (arena, sizeof (*mapping));
    struct yaml_node *key = arena_alloc (arena, sizeof (*key));
    struct yaml_node *none = arena_alloc (arena, sizeof (*none));

    *mapping = *steps;
    mapping->n = steps->n + 1;
    mapping->keys = arena_array (arena, mapping->n, sizeof (key));
    mapping->items = arena_array (arena, mapping->n, sizeof (key));
    *key = *none = *steps;
    key->kind = YAML_SCALAR;
    key->text = STEP_INPUTS;
    none->n = 0;
    mapping->keys[0] = key;
    mapping->items[0] = none;
    for (size_t i = 0; i < steps->n; i++) {
        mapping->keys[i + 1] = steps->keys[i];
        mapping->items[i + 1] = steps->items[i];
    }
    return mapping;
}

/* May the value of a step's input be missing? */
static bool may_be_absent (const struct binding *binding)
{
    const struct port *port = binding->port;

    return port->optional || port->default_json || port->default_of
           || binding->fallback;
}

/* `inputs` is no stage that has a past, and an input that is optional has
 * nothing to give where something is needed.
 */
static void check_binding (const struct compilation *sub,
                           const struct operator_spec *op,
                           const struct stage *step,
                           const struct binding *binding)
{
    const struct port *input;

    for (size_t i = 0; i < binding->n_parts; i++) {
        if (binding->parts[i].stage == 0
            && binding->parts[i].source != SOURCE_THIS)
            check_binding (sub, op, step, &binding->parts[i]);
    }
    if (binding->stage != 0 || !binding->output)
        return;
    if (binding->source != SOURCE_THIS) {
        problems_add (sub->reader.problems, binding->mark,
                      "input '%s' of step '%s': inputs have no past; write "
                      "inputs.%s",
                      binding->port->name, step->name, binding->output);
        return;
    }
    input = port_find (op->inputs, binding->output);
    if (input && input->optional && !input->default_json && !input->from
        && !may_be_absent (binding))
        problems_add (sub->reader.problems, binding->mark,
                      "step '%s' needs the input '%s', and inputs.%s is "
                      "optional; write {from: inputs.%s, default: VALUE}, or "
                      "do not make it optional",
                      step->name, binding->port->name, input->name,
                      input->name);
}

/* Does a binding take this output of the first stage? */
static bool takes_input (const struct binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_parts; i++) {
        if (takes_input (&binding->parts[i], name))
            return true;
    }
    return binding->stage == 0 && binding->output
           && strcmp (binding->output, name) == 0;
}

/* Stops at the name of an input. */
static int find_input (const char *word, void *arg, struct error *err)
{
    static const char inputs[] = STEP_INPUTS ".";
    const char *name = arg;

    (void)err;
    return strncmp (word, inputs, strlen (inputs)) == 0
                   && strcmp (word + strlen (inputs), name) == 0
               ? -1
               : 0;
}

static bool stage_takes (const struct stage *stage, const char *name)
{
    if (stage->when
        && expression_names (stage->when, find_input, (void *)name, NULL) < 0)
        return true;
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (takes_input (&stage->bindings[i], name))
            return true;
    }
    return false;
}

/* An input that nothing takes is a slip. */
static void warn_unused (const struct plan *plan, const struct yaml_node *node,
                         const struct operator_spec *op)
{
    const struct yaml_node *inputs = field_find (node, "inputs");

    for (size_t i = 0; inputs && i < inputs->n; i++) {
        bool used = false;

        for (size_t s = 1; s < plan->n_stages; s++)
            used =
                used || stage_takes (&plan->stages[s], inputs->keys[i]->text);
        if (!used)
            field_warning (inputs->keys[i],
                           "no step of '%s' takes the input '%s'; bind it in "
                           "with: of a step, or remove it",
                           op->name, inputs->keys[i]->text);
    }
}

/* Bind what the steps say of each other. */
static void bind_steps (const struct completing *k,
                        const struct yaml_node *node,
                        const struct operator_spec *op, struct plan *plan)
{
    const struct yaml_node *steps = field_find (node, "steps");
    struct compilation sub = *k->c;
    size_t before = field_problems (node);

    sub.plan = plan;
    sub.stages = with_inputs (plan->arena, steps);
    stages_bind (&sub);
    for (size_t i = 1; i < plan->n_stages; i++) {
        for (size_t b = 0; b < plan->stages[i].n_bindings; b++)
            check_binding (&sub, op, &plan->stages[i],
                           &plan->stages[i].bindings[b]);
    }
    if (field_problems (node) == before)
        warn_unused (plan, node, op);
}

/* --- its outputs --- */

/* The output that 'node' names, as a port. */
static void read_output (const struct plan *plan, const struct yaml_node *key,
                         const struct yaml_node *node, struct port *port)
{
    const char *name = arena_printf (plan->arena, "output '%s'", key->text);
    struct reference reference;

    port->name = arena_strdup (plan->arena, key->text);
    if (!word_is_name (key->text) || strcmp (key->text, "count") == 0
        || strcmp (key->text, "proceed") == 0) {
        field_problem (key,
                       "'%s' cannot be the name of an output here; use a-z, "
                       "0-9 and _, beginning with a letter, and not count or "
                       "proceed, which are those of its steps",
                       key->text);
    } else if (node->kind != YAML_SCALAR
               || !reference_parse (plan->arena, node->text, &reference)
               || reference.source != SOURCE_THIS
               || strcmp (reference.stage, STEP_INPUTS) == 0) {
        field_problem (node,
                       "%s: got %s%s%s; write STEP.OUTPUT, what a step makes",
                       name, node->text ? "'" : "",
                       node->text ? node->text : yaml_kind_name (node),
                       node->text ? "'" : "");
    } else if (reference_resolve (plan, node, name, &reference) == 0) {
        port->type = reference.type;
    }
}

static void read_outputs (const struct plan *plan, const struct yaml_node *node,
                          struct operator_spec *op)
{
    const struct yaml_node *outputs = field_find (node, "outputs");
    struct port *ports;

    if (!outputs || field_any_mapping (outputs) < 0)
        return;
    ports = arena_array (plan->arena, outputs->n + 1, sizeof (*ports));
    for (size_t i = 0; i < outputs->n; i++)
        read_output (plan, outputs->keys[i], outputs->items[i], &ports[i]);
    op->collected = ports;
}

/* --- one of them --- */

/* Its steps as stages behind one that has its inputs; false: the operator of a
 * step has problems.
 */
static bool make_stages (struct completing *k, const struct yaml_node *node,
                         const struct operator_spec *op, struct plan *plan)
{
    const struct yaml_node *steps = field_find (node, "steps");
    bool good = true;

    plan->of_steps = true;
    plan->n_families = 0;
    plan->n_stages = steps->n + 1;
    plan->stages =
        arena_array (plan->arena, plan->n_stages, sizeof (*plan->stages));
    plan->stages[0].name = STEP_INPUTS;
    plan->stages[0].op = inputs_operator (plan->arena, op);
    for (size_t i = 0; i < steps->n; i++) {
        plan->stages[i + 1].name = op->steps[i];
        plan->stages[i + 1].title =
            arena_printf (plan->arena, "step '%s'", op->steps[i]);
        plan->stages[i + 1].op = step_operator (k, steps->items[i]);
        good = good && plan->stages[i + 1].op;
    }
    return good;
}

static void complete (struct completing *k, size_t i)
{
    const struct operator_set *set = &k->c->operators;
    struct operator_spec *op = (struct operator_spec *)set->own[i];
    const struct yaml_node *node = set->node->items[i];
    size_t before = field_problems (node);
    struct plan plan = *k->c->plan;
    bool good;

    k->progress[i] = BEGUN;
    k->height[i] = 1;
    k->chain[k->depth++] = i;
    good = make_stages (k, node, op, &plan);
    if (good) {
        bind_steps (k, node, op, &plan);
        read_outputs (&plan, node, op);
    }
    for (size_t s = 0; s < plan.n_stages; s++)
        stage_release (&plan.stages[s]);
    k->depth--;
    k->progress[i] = COMPLETE;
    if (!good || field_problems (node) > before)
        set->own[i] = NULL;
}

void super_operators_complete (struct compilation *c)
{
    struct completing k = { .c = c };
    size_t n = c->operators.node ? c->operators.node->n : 0;

    k.progress = arena_array (c->reader.arena, n + 1, sizeof (*k.progress));
    k.height = arena_array (c->reader.arena, n + 1, sizeof (*k.height));
    for (size_t i = 0; i < n; i++) {
        if (c->operators.own[i] && c->operators.own[i]->steps
            && k.progress[i] == NOT_BEGUN)
            complete (&k, i);
    }
}
