/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_field.c - `when:`, `stop: when:` and `history:` */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strvec.h"
#include "campaign/expression_field.h"
#include "campaign/field_reader.h"
#include "campaign/plan.h"
#include "campaign/reference.h"
#include "signature/expression.h"

struct checking {
    const struct field_reader *reader;
    const struct plan *plan;
    const struct yaml_node *node;
    const char *name;
    bool *waits;
};

static void unknown_name (const struct checking *c, const char *word)
{
    struct strvec names = STRVEC_INIT;

    strvec_push (&names, "iteration");
    strvec_push (&names, "STAGE.OUTPUT");
    strvec_push (&names, "previous.STAGE.OUTPUT");
    field_unknown (c->reader, c->node->mark, word, &names,
                   "%s: unknown name '%s'", c->name, word);
    strvec_release (&names);
}

static int check_name (const char *word, void *arg, struct error *err)
{
    const struct checking *c = arg;
    struct reference reference;

    (void)err;
    if (strcmp (word, "iteration") == 0)
        return 0;
    if (!reference_parse (c->reader, word, &reference)
        || reference.source == SOURCE_ALL
        || reference.source == SOURCE_LATEST) {
        unknown_name (c, word);
        return 0;
    }
    if (c->plan->n_stages == 0)
        return 0; /* what the matter is was said there */
    if (reference_resolve (c->reader, c->plan, c->node->mark, c->name,
                           &reference)
        < 0)
        return 0;
    if (c->waits && reference.source == SOURCE_THIS)
        c->waits[reference.index] = true;
    return 0;
}

struct expression *expression_field_read (const struct field_reader *reader,
                                          const struct plan *plan,
                                          const struct yaml_node *node,
                                          const char *name,
                                          bool *waits,
                                          const char **text)
{
    struct checking c = { reader, plan, node, name, waits };
    size_t before = reader->problems->n;
    struct error err = ERROR_INIT;
    struct expression *expression;

    if (node->kind != YAML_SCALAR) {
        problems_add (reader->problems, node->mark,
                      "%s: got %s; write an expression such as select.selected "
                      "> 0",
                      name, yaml_kind_name (node));
        return NULL;
    }
    expression = expression_parse (node->text, &err);
    if (!expression) {
        problems_add (reader->problems, node->mark, "%s: %s%s", name, err.text,
                      strstr (err.text, "; ")
                          ? ""
                          : "; see EXPRESSIONS in fanfold-campaign(5)");
        return NULL;
    }
    expression_names (expression, check_name, &c, &err);
    if (reader->problems->n > before) {
        expression_destroy (expression);
        return NULL;
    }
    *text = arena_strdup (reader->arena, node->text);
    return expression;
}
