/* SPDX-License-Identifier: BSD-3-Clause */
/* stages_bind.c - what stages say of each other: `with:` and `when:` */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/frames_check.h"
#include "signature/operator.h"
#include "signature/section.h"
#include "signature/value.h"

/* A stage, or a family, and what the file says of it. */
struct bound {
    struct stage *stage;
    const struct yaml_node *key, *node;
    int index;   /* of the stage; -1: of a family, which is none */
    bool *waits; /* which stages it waits for */
};

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
            c->plan->of_steps
                ? arena_printf (c->reader.arena, "'when' of %s", stage->title)
                : arena_printf (c->reader.arena, "'when' of stage '%s'",
                                stage->family ? stage->family : stage->name),
            true, waits_of (c, i), &stage->when_text);
}

/* A key at the top of `with:` that is neither an input nor a section. */
static void complain_of_key (const struct operator_spec *op,
                             const struct yaml_node *key)
{
    _cleanup_ (strvec_release) struct strvec known = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf remedy = STRBUF_INIT;

    section_keys (op->inputs, NULL, &known);
    if (port_find (op->slices, key->text))
        field_problem (key,
                       "'%s' is made by %s itself when it prepares; remove "
                       "it",
                       key->text, op->name);
    else if (input_remedy (op, key->text, &remedy))
        field_problem (key, "%s has no input '%s'; %s", op->name, key->text,
                       remedy.buf);
    else
        field_unknown (key, key->text, &known, "%s has no input '%s'", op->name,
                       key->text);
}

/* A section that is no mapping. */
static void complain_of_section (const char *section,
                                 const struct yaml_node *node,
                                 const struct strvec *keys)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (node->kind == YAML_SCALAR)
        strbuf_addf (&text, "'%s'", node->text);
    else
        strbuf_add_str (&text, yaml_kind_name (node));
    strbuf_addf (&text, "; write %s: {KEY: VALUE}, with ", section);
    strvec_list (keys, &text);
    field_problem (node, "%s: got %s", section, text.buf);
}

static void check_section (const struct operator_spec *op, const char *section,
                           const struct yaml_node *node)
{
    _cleanup_ (strvec_release) struct strvec keys = STRVEC_INIT;

    section_keys (op->inputs, section, &keys);
    if (node->kind != YAML_MAPPING && !yaml_is_null (node))
        complain_of_section (section, node, &keys);
    for (size_t i = 0; node->kind == YAML_MAPPING && i < node->n; i++) {
        const char *word = node->keys[i]->text;

        if (!strvec_contains (&keys, word))
            field_unknown (node->keys[i], word, &keys,
                           "%s of %s has no input '%s'", section, op->name,
                           word);
    }
}

/* Keys of `with:` that are no input of the operator. */
static void check_inputs (const struct stage *stage,
                          const struct yaml_node *with)
{
    const struct operator_spec *op = stage->op;

    for (size_t i = 0; i < with->n; i++) {
        const char *word = with->keys[i]->text;

        if (section_exists (op->inputs, word))
            check_section (op, word, with->items[i]);
        else if (!port_find (op->inputs, word) || strchr (word, '.'))
            complain_of_key (op, with->keys[i]);
    }
}

/* What `with:` (NULL: nothing) says of an input. */
static const struct yaml_node *find_input (const struct yaml_node *with,
                                           const char *name)
{
    const char *dot = strchr (name, '.');
    const struct yaml_node *node = NULL;
    _cleanup_free_ char *section = NULL;

    if (!dot)
        return field_find (with, name);
    section = xstrndup (name, (size_t)(dot - name));
    node = field_find (field_find (with, section), dot + 1);
    return node;
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

/* Bind the inputs whose defaults follow from others, or those others. */
static void bind_some (struct compilation *c, const struct bound *b,
                       const struct yaml_node *with, bool misplaced,
                       bool that_follow)
{
    struct stage *stage = b->stage;
    struct binding_request request = { .stage = stage,
                                       .at = b->key,
                                       .own = c->operators.node,
                                       .misplaced = misplaced };
    _cleanup_json_ struct json *known =
        that_follow ? stage_known_values (stage, c->reader.dir) : NULL;

    request.known = known;
    for (size_t k = 0; k < stage->n_bindings; k++) {
        const struct port *port = &stage->op->inputs[k];
        struct binding *binding = &stage->bindings[k];

        request.port = port;
        request.node = find_input (with, port->name);
        if (that_follow != (port->default_of && !request.node))
            continue;
        request.from_at =
            operator_set_from (&c->operators, stage->op->name, port->name);
        if (!request.from_at)
            request.from_at = request.at;
        binding_compile (c->plan, &request, binding);
        binding->mark.file = c->file; /* the tree's goes with the tree */
        note_waits (binding, b->index, b->waits);
    }
}

static void bind_inputs (struct compilation *c, const struct bound *b,
                         const struct yaml_node *with, bool misplaced)
{
    struct stage *stage = b->stage;
    size_t n = port_count (stage->op->inputs);

    stage->bindings =
        arena_array (c->reader.arena, n, sizeof (*stage->bindings));
    stage->n_bindings = n;
    bind_some (c, b, with, misplaced, false);
    bind_some (c, b, with, misplaced, true);
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
                          "%s slices '%s' (%zu) and '%s' (%zu) in lockstep; "
                          "give both the same length",
                          stage->title, first->port->name,
                          json_count (first->literal), binding->port->name,
                          json_count (binding->literal));
    }
}

/* Where 'text' has no remedy the manual has it. */
static void complain_once (const struct compilation *c,
                           const struct stage *stage,
                           const struct binding *binding, const char *text)
{
    if (strstr (text, "; "))
        problems_add (c->reader.problems, binding->mark, "%s: %s", stage->title,
                      text);
    else
        problems_add (c->reader.problems, binding->mark,
                      "%s: %s; see %s of %s (fanfold-operators(7) "
                      "says where)",
                      stage->title, text, binding->port->name, stage->op->name);
}

/* Of each line of 'text'. */
static void complain_of_value (const struct compilation *c,
                               const struct stage *stage,
                               const struct binding *binding, const char *text)
{
    while (*text) {
        size_t len = strcspn (text, "\n");

        complain_once (c, stage, binding,
                       arena_strndup (c->reader.arena, text, len));
        text += len + (text[len] == '\n');
    }
}

/* Frames that `with:` names are structures of the campaign's elements. */
static void check_frames (const struct compilation *c,
                          const struct stage *stage,
                          const struct yaml_node *with)
{
    for (size_t k = 0; with && k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];
        const struct yaml_node *node = find_input (with, binding->port->name);
        const char *name = arena_printf (c->reader.arena, "input '%s' of %s",
                                         binding->port->name, stage->title);

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

/* A warning for each line. */
static void warn_of_value (const struct compilation *c,
                           const struct stage *stage,
                           const struct binding *binding,
                           const struct known_input *known)
{
    _cleanup_ (strbuf_release) struct strbuf says = STRBUF_INIT;

    port_doubt (binding->port, known, &says);
    for (const char *line = says.buf; line && *line;) {
        size_t len = strcspn (line, "\n");

        problems_warn (c->reader.problems, binding->mark, "%s: %.*s",
                       stage->title, (int)len, line);
        line += len + (line[len] == '\n');
    }
}

/* {INPUT: OUTPUT} of what other stages make.  Caller unrefs. */
static struct json *sources_of (const struct stage *stage)
{
    struct json *sources = json_object ();

    for (size_t k = 0; k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];

        if (binding->stage >= 0 && binding->output)
            json_set (sources, binding->port->name,
                      json_string (binding->output));
    }
    return sources;
}

/* What the operator itself asks of its inputs. */
static void check_values (const struct compilation *c,
                          const struct stage *stage)
{
    _cleanup_json_ struct json *values =
        stage_known_values (stage, c->reader.dir);
    _cleanup_json_ struct json *sources = sources_of (stage);
    const struct known_input known = { .others = values,
                                       .elements = c->plan->elements,
                                       .dir = c->reader.dir,
                                       .ranks = stage_ranks (stage),
                                       .sources = sources };

    for (size_t k = 0; k < stage->n_bindings; k++) {
        const struct binding *binding = &stage->bindings[k];
        struct error err = ERROR_INIT;

        if (operator_check_text (stage->op, binding->port->name,
                                 json_get_path (values, binding->port->name),
                                 &err)
                < 0
            || port_check (binding->port, &known, &err) < 0)
            complain_of_value (c, stage, binding, err.text);
        else
            warn_of_value (c, stage, binding, &known);
    }
}

static void bind_with (struct compilation *c, const struct bound *b)
{
    const struct yaml_node *with = field_find (b->node, "with");
    const struct stage *stage = b->stage;
    size_t before = problems_errors (c->reader.problems);

    if (with && field_any_mapping (with) < 0)
        return;
    if (!stage->op)
        return;
    if (with)
        check_inputs (stage, with);
    bind_inputs (c, b, with, problems_errors (c->reader.problems) > before);
    check_lockstep (c, stage);
    if (problems_errors (c->reader.problems) > before || c->reader.recorded)
        return;
    check_frames (c, stage, with);
    check_values (c, stage);
}

/* What is bound to the inputs that a family declares: their steps have it, and
 * it fits the declaration.  A family of operators that were checked is good
 * where this is.
 */
static void bind_families (struct compilation *c)
{
    const struct plan *plan = c->plan;
    bool *waits =
        arena_array (c->reader.arena, plan->n_stages + 1, sizeof (*waits));

    for (size_t i = 0; i < plan->n_families && plan->n_stages > 0; i++) {
        _cleanup_ (stage_release) struct stage stage = {
            .name = plan->families[i].name,
            .title = arena_printf (c->reader.arena, "stage '%s'",
                                   plan->families[i].name),
            .op = plan->families[i].op
        };
        const struct bound b = { &stage, c->families[i].key,
                                 c->families[i].node, -1, waits };
        size_t before = problems_errors (c->reader.problems);

        bind_with (c, &b);
        c->families[i].broken = problems_errors (c->reader.problems) > before;
    }
}

/* Is it a step of a family that has problems?  They would be its own, too. */
static bool is_of_broken (const struct compilation *c, const char *stage)
{
    for (size_t i = 0; i < c->plan->n_families; i++) {
        if (c->families[i].broken
            && stage_is_of (stage, c->plan->families[i].name))
            return true;
    }
    return false;
}

void stages_bind (struct compilation *c)
{
    size_t n = c->plan->n_stages;

    c->waits = arena_array (c->reader.arena, n * n, sizeof (*c->waits));
    bind_families (c);
    for (size_t i = 0; i < n; i++) {
        const struct bound b = { &c->plan->stages[i], c->stages->keys[i],
                                 c->stages->items[i], (int)i, waits_of (c, i) };

        if (b.node->kind != YAML_MAPPING)
            continue;
        bind_when (c, i);
        if (!is_of_broken (c, b.stage->name))
            bind_with (c, &b);
    }
}

void function_bind (struct compilation *c, const struct yaml_node *key,
                    const struct yaml_node *node, struct stage *stage)
{
    bool *waits =
        arena_array (c->reader.arena, c->plan->n_stages + 1, sizeof (*waits));
    const struct bound b = { stage, key, node, -1, waits };

    bind_with (c, &b);
}
