/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.c - STAGE.OUTPUT, previous.STAGE.OUTPUT, all., latest. */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/strvec.h"
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

bool reference_parse (struct arena *arena, const char *text,
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
    read.output = take_word (arena, &text);
    if (!read.output || text)
        return false;
    *reference = read;
    return true;
}

static int unknown_output (const struct operator_spec *op,
                           const struct yaml_node *node, const char *name,
                           const struct reference *reference)
{
    struct strvec names = STRVEC_INIT;

    operator_output_names (op, &names);
    field_unknown (node, reference->output, &names,
                   "%s: stage '%s' (%s) has no output '%s'", name,
                   reference->stage, op->name, reference->output);
    strvec_release (&names);
    return -1;
}

int reference_resolve (const struct plan *plan, const struct yaml_node *node,
                       const char *name, struct reference *reference)
{
    int index =
        field_choose (node, reference->stage, plan->stages, plan->n_stages,
                      sizeof (*plan->stages), "%s: there is no stage '%s'",
                      name, reference->stage);
    const struct operator_spec *op;
    struct type type = { .kind = TYPE_NONE };

    if (index < 0)
        return -1;
    op = plan->stages[index].op;
    if (op && !operator_output_type (op, reference->output, &type))
        return unknown_output (op, node, name, reference);
    if (op && reference->source == SOURCE_ALL)
        type.depth = type.kind == TYPE_FRAMES ? 1 : type.depth + 1;
    reference->index = index;
    reference->type = type;
    return 0;
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
    if (!reference_parse (c->plan->arena, word, &reference)
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
        c->waits[reference.index] = true;
    return 0;
}

struct expression *expression_field_read (const struct plan *plan,
                                          const struct yaml_node *node,
                                          const char *name, bool *waits,
                                          const char **text)
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
    if (field_problems (node) > before) {
        expression_destroy (expression);
        return NULL;
    }
    *text = arena_strdup (plan->arena, node->text);
    return expression;
}
