/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.c - STAGE.OUTPUT, previous.STAGE.OUTPUT, all., latest. */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/field_reader.h"
#include "campaign/binding.h"
#include "signature/expression.h"

/* The word 'text' begins with, without its dot; moves *text behind the dot, or
 * to NULL after the last word.  NULL when it is no name.
 */
static const char *take_word (struct arena *arena, const char **text)
{
    size_t len = strcspn (*text, ".");
    const char *word = arena_strndup (arena, *text, len);

    *text = (*text)[len] == '.' ? *text + len + 1 : NULL;
    return word_is_name (word) ? word : NULL;
}

static enum source source_of (const char *word)
{
    if (strcmp (word, "previous") == 0)
        return SOURCE_PREVIOUS;
    if (strcmp (word, "all") == 0)
        return SOURCE_ALL;
    if (strcmp (word, "latest") == 0)
        return SOURCE_LATEST;
    return SOURCE_THIS;
}

/* 'steps': the name of a stage may be one of a step, of several words. */
static bool parse (struct arena *arena, const char *text, bool steps,
                   struct reference *reference)
{
    struct reference read = { .source = SOURCE_THIS };
    const char *word;

    if (!strchr (text, '.') || strchr (text, '/'))
        return false;
    word = take_word (arena, &text);
    if (!word || !text)
        return false;
    read.source = source_of (word);
    read.stage = read.source == SOURCE_THIS ? word : take_word (arena, &text);
    if (!read.stage || !text)
        return false;
    while (steps && strchr (text, '.')) {
        if (!(word = take_word (arena, &text)))
            return false;
        read.stage = arena_printf (arena, "%s.%s", read.stage, word);
    }
    read.output = take_word (arena, &text);
    if (!read.output || text)
        return false;
    *reference = read;
    return true;
}

bool reference_parse (struct arena *arena, const char *text,
                      struct reference *reference)
{
    return parse (arena, text, false, reference);
}

/* The family of the file whose step 'stage' would be; NULL: none. */
static const struct family *family_of (const struct plan *plan,
                                       const char *stage)
{
    return plan_family_find (
        plan, arena_strndup (plan->arena, stage, strcspn (stage, ".")));
}

bool reference_read (const struct plan *plan, const char *text, bool made,
                     struct reference *reference)
{
    struct reference read;

    if (parse (plan->arena, text, false, reference))
        return true;
    if (!parse (plan->arena, text, true, &read)
        || (!made && !family_of (plan, read.stage)))
        return false;
    *reference = read;
    return true;
}

/* "stage" or "step": whichever the plan has. */
static const char *stage_word (const struct plan *plan)
{
    return plan->of_steps ? "step" : "stage";
}

static int unknown_output (const struct plan *plan,
                           const struct operator_spec *op,
                           const struct yaml_node *node, const char *name,
                           const struct reference *reference)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    operator_output_names (op, &names);
    field_unknown (
        node, reference->output, &names, "%s: %s '%s' (%s) has no output '%s'",
        name, stage_word (plan), reference->stage, op->name, reference->output);
    return -1;
}

/* Of an operator with steps, one that it declares. */
static int resolve_input (const struct plan *plan, const struct yaml_node *node,
                          const char *name, struct reference *reference)
{
    const struct operator_spec *op = plan->stages[0].op;
    const struct port *input = port_find (op->collected, reference->output);
    struct strvec names = STRVEC_INIT;

    if (!input) {
        for (const struct port *p = op->collected; p->name; p++)
            strvec_push (&names, p->name);
        field_unknown (node, reference->output, &names,
                       "%s: operator '%s' has no input '%s'", name, op->name,
                       reference->output);
        strvec_release (&names);
        return -1;
    }
    reference->index = 0;
    reference->type = input->type;
    return 0;
}

/* A step is looked at from outside. */
static int refuse_step (const struct yaml_node *node, const char *name,
                        const struct reference *reference,
                        const struct family *family)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (const struct family_output *o = family->outputs; o->name; o++)
        strbuf_addf (&text, "%s.%s, ", family->name, o->name);
    field_problem (
        node,
        "%s: '%s.%s' is for the steps of %s alone; of stage '%s' there "
        "is %s%s.count and %s.proceed",
        name, reference->stage, reference->output, family->op->name,
        family->name, text.buf, family->name, family->name);
    return -1;
}

/* From an output of a family to what makes it. */
static int resolve_family (const struct plan *plan,
                           const struct yaml_node *node, const char *name,
                           const struct family *family,
                           struct reference *reference)
{
    const struct family_output *output = family->outputs;

    while (output->name && strcmp (output->name, reference->output) != 0)
        output++;
    if (output->name) {
        reference->stage = output->stage;
        reference->output = output->output;
        return 0;
    }
    if (strcmp (reference->output, "count") != 0
        && strcmp (reference->output, "proceed") != 0)
        return unknown_output (plan, family->op, node, name, reference);
    if (family->makers[1] && reference->source == SOURCE_ALL)
        return field_problem (node,
                              "%s: several steps make the outputs of '%s', and "
                              "all.%s.%s is of one stage; take that of an "
                              "iteration",
                              name, family->name, family->name,
                              reference->output);
    reference->family = family->makers[1] ? family : NULL;
    reference->stage = family->makers[0];
    return 0;
}

void reference_stage_names (const struct plan *plan, bool made,
                            struct strvec *names)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const char *name = stage->family && !made ? stage->family : stage->name;

        if (!strvec_contains (names, name))
            strvec_push (names, name);
    }
}

static int unknown_stage (const struct plan *plan, const struct yaml_node *node,
                          const char *name, const char *stage)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    reference_stage_names (plan, node->made, &names);
    field_unknown (node, stage, &names, "%s: there is no %s '%s'", name,
                   stage_word (plan), stage);
    return -1;
}

int reference_resolve (const struct plan *plan, const struct yaml_node *node,
                       const char *name, struct reference *reference)
{
    const struct family *family = plan_family_find (plan, reference->stage);
    const struct operator_spec *op;
    struct type type = { .kind = TYPE_NONE };
    int index;

    if (strchr (reference->stage, '.') && !node->made
        && family_of (plan, reference->stage))
        return refuse_step (node, name, reference,
                            family_of (plan, reference->stage));
    if (plan->of_steps && strcmp (reference->stage, plan->stages[0].name) == 0)
        return resolve_input (plan, node, name, reference);
    if (!family && plan_stage_find (plan, reference->stage) < 0
        && plan_function_find (plan, reference->stage) >= 0)
        return field_problem (node,
                              "%s: '%s' is a function, and stages see no "
                              "calls; name a stage, or a file that a call made",
                              name, reference->stage);
    if (family && resolve_family (plan, node, name, family, reference) < 0)
        return -1;
    index = plan_stage_find (plan, reference->stage);
    if (index < 0)
        return unknown_stage (plan, node, name, reference->stage);
    op = plan->stages[index].op;
    if (op && !operator_output_type (op, reference->output, &type))
        return unknown_output (plan, op, node, name, reference);
    if (op && reference->source == SOURCE_ALL)
        type.depth = type.kind == TYPE_FRAMES ? 1 : type.depth + 1;
    reference->index = index;
    reference->type = type;
    return 0;
}

void reference_note_waits (const struct plan *plan,
                           const struct reference *reference, bool *waits)
{
    for (size_t i = 0; reference->family && reference->family->makers[i]; i++)
        waits[plan_stage_find (plan, reference->family->makers[i])] = true;
    waits[reference->index] = true;
}

/* --- expressions --- */

struct checking {
    const struct plan *plan;
    const struct yaml_node *node;
    const char *name;
    bool *waits;
};

static int check_name (const char *word, void *arg, struct error *err)
{
    static const char *const names[] = { "iteration", "STAGE.OUTPUT",
                                         "previous.STAGE.OUTPUT" };
    const struct checking *c = arg;
    struct reference reference;

    (void)err;
    if (strcmp (word, "iteration") == 0)
        return 0;
    if (!reference_read (c->plan, word, false, &reference)
        || reference.source == SOURCE_ALL
        || reference.source == SOURCE_LATEST) {
        field_choose (c->node, word, names, ARRAY_SIZE (names), sizeof (*names),
                      "%s: unknown name '%s'", c->name, word);
        return 0;
    }
    if (c->plan->n_stages == 0)
        return 0; /* what the matter is was said there */
    if (reference_resolve (c->plan, c->node, c->name, &reference) < 0)
        return 0;
    if (c->waits && reference.source == SOURCE_THIS)
        reference_note_waits (c->plan, &reference, c->waits);
    return 0;
}

/* Of a name that is right. */
static struct type type_of_name (const char *word, void *arg)
{
    const struct checking *c = arg;
    struct reference reference = { .type.kind = TYPE_INT };

    if (strcmp (word, "iteration") != 0
        && (c->plan->n_stages == 0
            || !reference_read (c->plan, word, false, &reference)
            || reference_resolve (c->plan, c->node, c->name, &reference) < 0))
        reference.type.kind = TYPE_NONE;
    return reference.type;
}

/* --- families in expressions --- */

/* "previous." of what 'word' begins with, or "". */
static const char *past_of (const char *word)
{
    static const char previous[] = "previous.";

    return strncmp (word, previous, strlen (previous)) == 0 ? previous : "";
}

/* "min(a.count, b.count) + 0 * (a.count + b.count)": null where one of them is,
 * which min() alone would leave out.
 */
static const char *least_count (struct arena *arena, const char *past,
                                const struct family *family)
{
    _cleanup_ (strbuf_release) struct strbuf least = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf sum = STRBUF_INIT;
    const char *text;

    for (size_t i = 0; family->makers[i]; i++) {
        strbuf_addf (&least, "%s%s%s.count", i > 0 ? ", " : "", past,
                     family->makers[i]);
        strbuf_addf (&sum, "%s%s%s.count", i > 0 ? " + " : "", past,
                     family->makers[i]);
    }
    text = arena_printf (arena, "min(%s) + 0 * (%s)", least.buf, sum.buf);
    return text;
}

static const char *all_proceed (struct arena *arena, const char *past,
                                const struct family *family)
{
    const char *text = "true";

    for (size_t i = 0; family->makers[i]; i++)
        text = arena_printf (arena, "%s and %s%s.proceed", text, past,
                             family->makers[i]);
    return text;
}

/* What a name of a family stands for; NULL: it is of none. */
static const char *family_text (const char *word, void *arg)
{
    const struct checking *c = arg;
    const char *past = past_of (word);
    const struct family *family;
    struct reference reference;

    if (c->plan->n_stages == 0
        || !reference_parse (c->plan->arena, word, &reference)
        || !(family = plan_family_find (c->plan, reference.stage)))
        return NULL;
    reference_resolve (c->plan, c->node, c->name, &reference);
    if (!reference.family)
        return arena_printf (c->plan->arena, "%s%s.%s", past, reference.stage,
                             reference.output);
    return strcmp (reference.output, "count") == 0
               ? least_count (c->plan->arena, past, family)
               : all_proceed (c->plan->arena, past, family);
}

struct expression *expression_field_read (const struct plan *plan,
                                          const struct yaml_node *node,
                                          const char *name, bool is_condition,
                                          bool *waits, const char **text)
{
    struct checking c = { plan, node, name, waits };
    size_t before = field_problems (node);
    struct error err = ERROR_INIT;
    struct expression *expression;

    if (node->kind != YAML_SCALAR) {
        field_problem (
            node,
            "%s: got %s; write an expression such as select.selected "
            "> 0",
            name, yaml_kind_name (node));
        return NULL;
    }
    expression = expression_parse (node->text, &err);
    if (!expression) {
        field_problem (node, "%s: %s%s", name, err.text,
                       strstr (err.text, "; ")
                           ? ""
                           : "; see EXPRESSIONS in fanfold-campaign(5)");
        return NULL;
    }
    expression_names (expression, check_name, &c, &err);
    if (field_problems (node) == before
        && expression_check_types (expression, type_of_name, &c, is_condition,
                                   &err)
               < 0)
        field_problem (node, "%s: %s", name, err.text);
    if (field_problems (node) == before
        && expression_replace (expression, family_text, &c, &err) < 0)
        field_problem (node, "%s: %s; write less in it", name, err.text);
    if (field_problems (node) > before) {
        expression_destroy (expression);
        return NULL;
    }
    *text = arena_strdup (plan->arena, node->text);
    return expression;
}
