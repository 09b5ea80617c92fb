/* SPDX-License-Identifier: BSD-3-Clause */
/* stages_flatten.c - the steps of super-operators as stages of their own
 *
 * YAML in, YAML out, before any stage is read: what reads stages, and whatever
 * comes after it, finds stages called "train.run" and nothing new.
 */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/stage_keys.h"
#include "campaign/step_with.h"
#include "campaign/super_operator.h"
#include "signature/operator.h"
#include "signature/section.h"
#include "space/layout.h"

/* More than a campaign may have (stages_declare.c) say enough. */
enum { FLATTENED_MAX = 300 };

/* What is being made. */
struct flattening {
    struct compilation *c;
    const struct yaml_node *stages; /* as they were */
    struct yaml_node *made;
    size_t room;
    size_t families_room;
};

/* A stage, or a step, with a super-operator. */
struct super_stage {
    const char *name; /* "train" */
    const struct yaml_node *key, *node;
    const struct operator_spec *op;
    const struct yaml_node *declared; /* the operator */
};

static struct arena *arena_of (const struct flattening *f)
{
    return f->c->reader.arena;
}

/* An array of 'n' elements that has room for more. */
static void *with_room (const struct flattening *f, const void *v, size_t n,
                        size_t size, size_t *room)
{
    char *more;

    if (n < *room)
        return (void *)v;
    *room = 2 * n + 8;
    more = arena_array (arena_of (f), *room, size);
    if (n > 0)
        memcpy (more, v, n * size);
    return more;
}

static void push_stage (struct flattening *f, struct yaml_node *key,
                        struct yaml_node *item)
{
    struct yaml_node *made = f->made;
    size_t room = f->room;

    made->keys = with_room (f, made->keys, made->n, sizeof (key), &room);
    made->items = with_room (f, made->items, made->n, sizeof (key), &f->room);
    made->keys[made->n] = key;
    made->items[made->n++] = item;
}

/* --- families --- */

static const char *step_name (const struct flattening *f, const char *family,
                              const char *step)
{
    return arena_printf (arena_of (f), "%s.%s", family, step);
}

/* Append the stages that make what the family 'name', or stage, gives. */
static void add_makers (const struct flattening *f, const char *name,
                        struct strvec *makers)
{
    const struct family *family = plan_family_find (f->c->plan, name);

    for (size_t i = 0; family && family->makers[i]; i++) {
        if (!strvec_contains (makers, family->makers[i]))
            strvec_push (makers, family->makers[i]);
    }
    if (!family && !strvec_contains (makers, name))
        strvec_push (makers, name);
}

/* "run.model" of the operator, as the stage that makes it. */
static void find_output (const struct flattening *f,
                         const struct super_stage *s, const char *text,
                         struct family_output *output, struct strvec *makers)
{
    const struct family *inner;
    struct reference reference;

    reference_parse (arena_of (f), text, &reference);
    output->stage = step_name (f, s->name, reference.stage);
    output->output = reference.output;
    add_makers (f, output->stage, makers);
    inner = plan_family_find (f->c->plan, output->stage);
    for (const struct family_output *o = inner ? inner->outputs : NULL;
         o && o->name; o++) {
        if (strcmp (o->name, reference.output) != 0)
            continue;
        output->stage = o->stage;
        output->output = o->output;
        break;
    }
}

static const char *const *kept_names (const struct flattening *f,
                                      const struct strvec *names)
{
    const char **kept =
        arena_array (arena_of (f), names->n + 1, sizeof (*kept));

    for (size_t i = 0; i < names->n; i++)
        kept[i] = arena_strdup (arena_of (f), names->v[i]);
    return kept;
}

/* What the family gives; its steps are known. */
static void complete_family (const struct flattening *f, size_t at,
                             const struct super_stage *s)
{
    const struct yaml_node *outputs = field_find (s->declared, "outputs");
    size_t n = outputs ? outputs->n : 0;
    struct family_output *table =
        arena_array (arena_of (f), n + 1, sizeof (*table));
    _cleanup_ (strvec_release) struct strvec makers = STRVEC_INIT;
    struct family *family;

    for (size_t i = 0; i < n; i++) {
        table[i].name = s->op->collected[i].name;
        find_output (f, s, outputs->items[i]->text, &table[i], &makers);
    }
    for (size_t i = 0; n == 0 && s->op->steps[i]; i++)
        add_makers (f, step_name (f, s->name, s->op->steps[i]), &makers);
    family = &f->c->plan->families[at];
    family->outputs = table;
    family->makers = kept_names (f, &makers);
}

/* Its place in the plan, which comes before that of a family in it. */
static size_t push_family (struct flattening *f, const struct super_stage *s)
{
    struct plan *plan = f->c->plan;
    size_t room = f->families_room;
    static const char *const none[] = { NULL };
    static const struct family_output no_output[] = { { 0 } };

    plan->families = with_room (f, plan->families, plan->n_families,
                                sizeof (*plan->families), &room);
    f->c->families = with_room (f, f->c->families, plan->n_families,
                                sizeof (*f->c->families), &f->families_room);
    f->c->families[plan->n_families] =
        (struct family_nodes){ .key = s->key, .node = s->node };
    plan->families[plan->n_families] =
        (struct family){ .name = arena_strdup (arena_of (f), s->name),
                         .op = s->op,
                         .outputs = no_output,
                         .makers = none };
    return plan->n_families++;
}

/* --- what a stage says of all its steps, and of one --- */

static struct yaml_node *nothing_like (const struct flattening *f,
                                       const struct yaml_node *node)
{
    struct yaml_node *nothing = yaml_overlay (arena_of (f), node, node);

    nothing->n = 0;
    return nothing;
}

/* Those of a stage's pairs that hold for each of its steps. */
static struct yaml_node *said_of_steps (const struct flattening *f,
                                        const struct yaml_node *stage)
{
    struct yaml_node *picked = nothing_like (f, stage);

    for (size_t i = 0; i < stage->n; i++) {
        const struct stage_key *row = stage_key_find (stage->keys[i]->text);

        if (!row || row->steps != STEPS_HAVE_IT)
            continue;
        picked->keys[picked->n] = stage->keys[i];
        picked->items[picked->n++] = stage->items[i];
    }
    return picked;
}

static struct yaml_node *without (const struct flattening *f,
                                  const struct yaml_node *node, const char *key)
{
    struct yaml_node *left = yaml_overlay (arena_of (f), node, node);

    left->n = 0;
    for (size_t i = 0; i < node->n; i++) {
        if (strcmp (node->keys[i]->text, key) == 0)
            continue;
        left->keys[left->n] = node->keys[i];
        left->items[left->n++] = node->items[i];
    }
    return left;
}

/* 'node' with another text in its place. */
static struct yaml_node *replaced (const struct flattening *f,
                                   const struct yaml_node *node,
                                   const char *text)
{
    struct yaml_node *made = arena_alloc (arena_of (f), sizeof (*made));

    *made = *node;
    made->text = text;
    made->made = true;
    return made;
}

/* A stage that was called so had steps that were called so. */
static struct yaml_node *former_names (const struct flattening *f,
                                       const struct yaml_node *node,
                                       const char *step)
{
    struct yaml_node *names;

    if (node->kind == YAML_SCALAR)
        return replaced (f, node, step_name (f, node->text, step));
    names = replaced (f, node, NULL);
    names->items = arena_array (arena_of (f), node->n + 1, sizeof (names));
    for (size_t i = 0; i < node->n; i++)
        names->items[i] = former_names (f, node->items[i], step);
    return names;
}

/* `keep:` of the stage is of its outputs: those that this step makes. */
static struct yaml_node *keep_of (const struct flattening *f,
                                  const struct super_stage *s,
                                  const struct yaml_node *keep,
                                  const char *step)
{
    const struct yaml_node *outputs = field_find (s->declared, "outputs");
    struct yaml_node *own = nothing_like (f, keep);
    struct reference reference;

    for (size_t i = 0; i < keep->n; i++) {
        const struct yaml_node *output =
            field_find (outputs, keep->keys[i]->text);

        if (!output || !reference_parse (arena_of (f), output->text, &reference)
            || strcmp (reference.stage, step) != 0)
            continue;
        own->keys[own->n] = replaced (f, keep->keys[i], reference.output);
        own->items[own->n++] = keep->items[i];
    }
    return own;
}

/* What holds for every step of the stage, as it is for 'step'. */
static struct yaml_node *for_all_steps (const struct flattening *f,
                                        const struct super_stage *s,
                                        const char *step)
{
    struct yaml_node *node = said_of_steps (f, s->node);

    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->keys[i]->text;

        if (strcmp (key, "renamed_from") == 0
            && node->items[i]->kind != YAML_MAPPING)
            node->items[i] = former_names (f, node->items[i], step);
        if (strcmp (key, "keep") == 0 && node->items[i]->kind == YAML_MAPPING)
            node->items[i] = keep_of (f, s, node->items[i], step);
    }
    return node;
}

/* `keep:` names outputs. */
static void check_keep (const struct super_stage *s)
{
    const struct yaml_node *keep = field_find (s->node, "keep");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (const struct port *port = s->op->collected; port && port->name; port++)
        strvec_push (&names, port->name);
    for (size_t i = 0; keep && keep->keys && i < keep->n; i++) {
        if (!strvec_contains (&names, keep->keys[i]->text))
            field_unknown (keep->keys[i], keep->keys[i]->text, &names,
                           "keep: %s has no output '%s'", s->op->name,
                           keep->keys[i]->text);
    }
}

/* Keys that only a step may say. */
static void check_keys (const struct super_stage *s)
{
    for (size_t i = 0; i < s->node->n; i++) {
        const struct yaml_node *key = s->node->keys[i];
        const struct stage_key *row = stage_key_find (key->text);

        if (row && row->steps == STEPS_SAY_IT)
            field_problem (s->node->items[i],
                           "%s: stage '%s' has steps; write steps: {STEP: "
                           "{%s: ...}}",
                           key->text, s->name, key->text);
    }
}

/* Names of no step, and what is said of those that are. */
static void check_steps (const struct super_stage *s,
                         const struct yaml_node *steps, const char *title)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (size_t i = 0; s->op->steps[i]; i++)
        strvec_push (&names, s->op->steps[i]);
    for (size_t i = 0; i < steps->n; i++) {
        const char *word = steps->keys[i]->text;

        if (!strvec_contains (&names, word))
            field_unknown (steps->keys[i], word, &names,
                           "stage '%s' (%s) has no step '%s'", s->name,
                           s->op->name, word);
    }
    steps_keys_check (steps, title, IN_STEPS);
}

static void check_stage (const struct plan *plan, const struct super_stage *s)
{
    const struct yaml_node *steps = field_find (s->node, "steps");
    const char *title =
        arena_printf (field_arena (s->key), "stage '%s'", s->name);
    bool of_function = plan_function_find (plan, s->name) >= 0;

    stage_keys_check (s->node, title, of_function ? IN_FUNCTION : IN_STAGE);
    check_keys (s);
    check_keep (s);
    if (steps && field_any_mapping (steps) == 0)
        check_steps (s, steps, title);
}

/* --- another operator in a step --- */

/* Does it fit where the operator was that the super-operator uses? */
struct fitting {
    const struct super_stage *s;
    const char *step;
    const struct yaml_node *uses; /* that names the other one */
    const struct operator_spec *op, *in_place_of;
};

/* Record that a port of the operator is not what the super-operator has. */
static void check_type (const struct fitting *f, const char *what,
                        const char *name, const struct type *has,
                        const struct type *wanted, bool fits)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf other = STRBUF_INIT;

    type_describe (has, &text);
    type_describe (wanted, &other);
    if (!fits)
        field_problem (f->uses,
                       "%s cannot be step '%s' of stage '%s': its %s '%s' is "
                       "%s, and that of %s is %s; choose an operator that fits",
                       f->op->name, f->step, f->s->name, what, name, text.buf,
                       f->in_place_of->name, other.buf);
}

static void check_output (const char *step, const char *output, void *arg)
{
    const struct fitting *f = arg;
    struct type type, other;

    if (strcmp (step, f->step) != 0
        || !operator_output_type (f->in_place_of, output, &type))
        return;
    if (operator_output_type (f->op, output, &other))
        check_type (f, "output", output, &other, &type,
                    type_accepts (&type, &other));
    else
        field_problem (f->uses,
                       "%s cannot be step '%s' of stage '%s': it has no output "
                       "'%s', which %s uses; choose an operator that has it",
                       f->op->name, f->step, f->s->name, output,
                       f->s->op->name);
}

/* What fitted the one should fit the other; of an input that takes many kinds
 * of values that is seen from the value.
 */
static void check_input (const struct fitting *f, const char *name)
{
    const struct port *own = port_find (f->op->inputs, name);
    const struct port *port = port_find (f->in_place_of->inputs, name);
    struct type type, other;

    if (!own || !port || port->type.kind == TYPE_ANY
        || port->type.kind == TYPE_LIST || port->type.kind == TYPE_MAP)
        return;
    type = port_bound_type (port, f->in_place_of->fan_out);
    other = port_bound_type (own, f->op->fan_out);
    check_type (f, "input", name, &other, &type, type_accepts (&other, &type));
}

static void check_outputs (struct fitting *f, const struct step_scope *scope)
{
    const struct yaml_node *steps = field_find (f->s->declared, "steps");
    const struct yaml_node *outputs = field_find (f->s->declared, "outputs");
    struct reference reference;

    for (size_t i = 0; outputs && i < outputs->n; i++) {
        if (reference_parse (field_arena (outputs), outputs->items[i]->text,
                             &reference))
            check_output (reference.stage, reference.output, f);
    }
    for (size_t i = 0; i < steps->n; i++) {
        const struct yaml_node *with = field_find (steps->items[i], "with");

        step_with_references (scope, NULL, with, check_output, f);
    }
}

/* What the super-operator binds, without what the other one does not have,
 * which is recorded.
 */
static const struct yaml_node *fitting_with (const struct flattening *f,
                                             const struct fitting *fitting,
                                             const struct yaml_node *with)
{
    const struct port *ports = fitting->op->inputs;
    struct yaml_node *kept = yaml_overlay (arena_of (f), with, with);

    kept->n = 0;
    for (size_t i = 0; i < with->n; i++) {
        const char *name = with->keys[i]->text;

        if (port_find (ports, name) || section_exists (ports, name)) {
            kept->keys[kept->n] = with->keys[i];
            kept->items[kept->n++] = with->items[i];
            check_input (fitting, name);
            continue;
        }
        field_problem (fitting->uses,
                       "%s cannot be step '%s' of stage '%s': it has no input "
                       "'%s', which %s binds; choose an operator that has it",
                       fitting->op->name, fitting->step, fitting->s->name, name,
                       fitting->s->op->name);
    }
    return kept;
}

/* --- the steps --- */

static void flatten (struct flattening *f, struct yaml_node *key,
                     struct yaml_node *node);

/* The mapping of a stage with a pair KEY: VALUE of its own. */
static struct yaml_node *bound (const struct flattening *f,
                                struct yaml_node *node,
                                const struct yaml_node *like, const char *name,
                                const struct yaml_node *value)
{
    struct yaml_node *own = arena_alloc (arena_of (f), sizeof (*own));
    struct yaml_node *key = replaced (f, like, name);

    key->kind = YAML_SCALAR;
    *own = *node;
    own->n = 1;
    own->keys = arena_array (arena_of (f), 1, sizeof (key));
    own->items = arena_array (arena_of (f), 1, sizeof (key));
    own->keys[0] = key;
    own->items[0] = (struct yaml_node *)value;
    return yaml_overlay (arena_of (f), own, node);
}

/* `with:` of the step, or an empty one. */
static const struct yaml_node *declared_with (const struct flattening *f,
                                              const struct yaml_node *step)
{
    const struct yaml_node *with = field_find (step, "with");

    return with ? with : nothing_like (f, step);
}

/* What the file says of the step, and what the stage says of all; '*with' is
 * what the operator binds, and becomes what of that another operator has.
 */
static struct yaml_node *step_node (const struct flattening *f,
                                    const struct super_stage *s,
                                    const struct step_scope *scope,
                                    const struct yaml_node *declared,
                                    const struct yaml_node *change,
                                    const struct yaml_node **with)
{
    const char *step = yaml_name (declared);
    const struct yaml_node *uses = field_find (change, "uses");
    struct yaml_node *node = stage_overlay (f->c, change, declared);
    const struct operator_spec *op = stage_operator (f->c, node);
    size_t before = field_problems (declared);
    const struct yaml_node *fitted = *with, *all;

    if (uses && op) {
        struct fitting fitting = { s, step, uses, op,
                                   stage_operator (f->c, declared) };

        check_outputs (&fitting, scope);
        fitted = fitting_with (f, &fitting, *with);
    }
    /* One that does not fit was complained of: the others need not be. */
    if (field_problems (declared) > before)
        change = without (f, change, "uses");
    else
        *with = fitted;
    node = stage_overlay (f->c, change, declared);
    all = stage_layer (f->c, node, for_all_steps (f, s, step));
    op = stage_operator (f->c, node);
    if (op && !super_operator_node (f->c, op->name))
        all = without (f, all, "image"); /* built in: it runs in none */
    return stage_overlay (f->c, change, stage_overlay (f->c, all, declared));
}

/* The step runs when the operator's condition and the stage's hold. */
static struct yaml_node *with_condition (const struct flattening *f,
                                         const struct super_stage *s,
                                         const struct step_scope *scope,
                                         const struct yaml_node *declared,
                                         struct yaml_node *node)
{
    const struct yaml_node *when = field_find (declared, "when");
    const struct yaml_node *stage = field_find (s->node, "when");

    if (!when || (stage && stage->kind != YAML_SCALAR))
        return node;
    return bound (f, node, when, "when",
                  step_when_written_out (scope, when, stage));
}

static void flatten_step (struct flattening *f, const struct super_stage *s,
                          const struct yaml_node *key,
                          const struct yaml_node *declared)
{
    const struct yaml_node *said =
        field_find (field_find (s->node, "steps"), key->text);
    const struct yaml_node *change =
        said && said->kind == YAML_MAPPING ? said : nothing_like (f, declared);
    const struct yaml_node *uses = field_find (change, "uses");
    const struct yaml_node *with = declared_with (f, declared);
    struct step_scope scope = { .plan = f->c->plan,
                                .stages = f->stages,
                                .name = s->name,
                                .op = s->op,
                                .with = field_find (s->node, "with"),
                                .inputs = field_find (s->declared, "inputs"),
                                .at = uses };
    struct yaml_node *node = step_node (f, s, &scope, declared, change, &with);

    node = with_condition (f, s, &scope, declared, node);
    with = step_with_written_out (&scope, stage_operator (f->c, node), with);
    flatten (f,
             replaced (f, uses ? uses : key, step_name (f, s->name, key->text)),
             bound (f, node, declared, "with", with));
}

static void flatten_steps (struct flattening *f, const struct super_stage *s)
{
    const struct yaml_node *steps = field_find (s->declared, "steps");
    size_t family = push_family (f, s);

    check_stage (f->c->plan, s);
    for (size_t i = 0; i < steps->n; i++)
        flatten_step (f, s, steps->keys[i], steps->items[i]);
    complete_family (f, family, s);
}

static void check_no_steps (const struct yaml_node *key,
                            const struct yaml_node *node,
                            const struct operator_spec *op)
{
    const struct yaml_node *steps = field_find (node, "steps");

    if (steps && op)
        field_problem (steps, "steps: %s of stage '%s' has no steps; remove it",
                       op->name, key->text);
}

/* Append the stage, or its steps. */
static void flatten (struct flattening *f, struct yaml_node *key,
                     struct yaml_node *node)
{
    const struct operator_spec *op =
        node->kind == YAML_MAPPING ? stage_operator (f->c, node) : NULL;
    const struct super_stage s = {
        .name = arena_strdup (arena_of (f), key->text), /* outlives the file */
        .key = key,
        .node = node,
        .op = op,
        .declared = op ? super_operator_node (f->c, op->name) : NULL
    };

    if (f->made->n >= FLATTENED_MAX)
        return;
    if (op && op->steps) {
        flatten_steps (f, &s);
        return;
    }
    if (node->kind == YAML_MAPPING)
        check_no_steps (key, node, op);
    push_stage (f, key, node);
}

const struct yaml_node *stages_flattened (struct compilation *c,
                                          const struct yaml_node *stages)
{
    struct flattening f = {
        .c = c,
        .stages = stages,
        .made = arena_alloc (c->reader.arena, sizeof (*f.made)),
    };

    *f.made = *stages;
    f.made->n = 0;
    for (size_t i = 0; i < stages->n; i++)
        flatten (&f, stages->keys[i], stages->items[i]);
    return f.made;
}
