/* SPDX-License-Identifier: BSD-3-Clause */
/* step_with.c - `with:` and `when:` of a step, written out for one stage */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "campaign/binding.h"
#include "campaign/constant.h"
#include "campaign/field_reader.h"
#include "campaign/step_with.h"
#include "campaign/super_operator.h"
#include "signature/operator.h"
#include "signature/section.h"

/* A binding, whatever form it was written in; nothing in it: there is none. */
struct given {
    const struct yaml_node *from; /* a reference, or a list of them */
    const struct yaml_node *fallback;
    const struct yaml_node *literal;
};

static bool is_nothing (const struct given *given)
{
    return !given->from && !given->literal;
}

/* --- nodes that stand in place of others --- */

static struct yaml_node *copy (const struct yaml_node *node)
{
    struct yaml_node *made = arena_alloc (field_arena (node), sizeof (*made));

    *made = *node;
    made->made = true;
    return made;
}

static struct yaml_node *text_like (const struct yaml_node *node,
                                    const char *text)
{
    struct yaml_node *made = copy (node);

    made->text = text;
    made->kind = YAML_SCALAR;
    made->n = 0;
    made->keys = made->items = NULL;
    return made;
}

static struct yaml_node *empty_like (const struct yaml_node *node,
                                     enum yaml_kind kind, size_t room)
{
    struct yaml_node *made = copy (node);

    made->kind = kind;
    made->text = NULL;
    made->n = 0;
    made->items = arena_array (field_arena (node), room + 1, sizeof (made));
    made->keys = kind == YAML_MAPPING
                     ? arena_array (field_arena (node), room + 1, sizeof (made))
                     : NULL;
    return made;
}

static void add_pair (struct yaml_node *mapping, const char *key,
                      const struct yaml_node *item)
{
    mapping->keys[mapping->n] = text_like (item, key);
    mapping->items[mapping->n++] = (struct yaml_node *)item;
}

/* {from:, default:} or {literal:}; NULL where nothing is given. */
static struct yaml_node *written_out (const struct given *given)
{
    struct yaml_node *made;

    if (is_nothing (given))
        return NULL;
    made = empty_like (given->from ? given->from : given->literal, YAML_MAPPING,
                       2);
    if (given->from)
        add_pair (made, "from", given->from);
    else
        add_pair (made, "literal", given->literal);
    if (given->from && given->fallback)
        add_pair (made, "default", given->fallback);
    return made;
}

/* --- how a binding is written --- */

/* A mapping that has no other keys than these, and the first of them. */
static bool is_form (const struct yaml_node *node, const char *first,
                     const char *second)
{
    if (node->kind != YAML_MAPPING || !yaml_get (node, first))
        return false;
    for (size_t i = 0; i < node->n; i++) {
        if (strcmp (node->keys[i]->text, first) != 0
            && strcmp (node->keys[i]->text, second) != 0)
            return false;
    }
    return true;
}

/* What a binding says; 'is_reference' tells of text whether it is one. */
static struct given read_given (
    const struct step_scope *scope, const struct yaml_node *node,
    bool (*is_reference) (const struct step_scope *scope,
                          const struct yaml_node *node))
{
    struct given given = { NULL, NULL, NULL };
    bool from = false;

    if (yaml_is_null (node))
        return given;
    if (is_form (node, "from", "default")) {
        given.from = field_find (node, "from");
        given.fallback = field_find (node, "default");
        return given;
    }
    if (is_form (node, "literal", "literal")) {
        given.literal = field_find (node, "literal");
        return given;
    }
    for (size_t i = 0; node->kind == YAML_SEQUENCE && i < node->n; i++)
        from = from || is_reference (scope, node->items[i]);
    from = from || is_reference (scope, node);
    given.from = from ? node : NULL;
    given.literal = from ? NULL : node;
    return given;
}

/* --- what a stage binds --- */

/* Of the campaign, where stages have the names of the file. */
static bool is_campaign_reference (const struct step_scope *scope,
                                   const struct yaml_node *node)
{
    struct reference reference;

    return node->kind == YAML_SCALAR
           && reference_parse (field_arena (node), node->text, &reference)
           && (reference.source != SOURCE_THIS
               || yaml_get (scope->stages, reference.stage));
}

/* What the declaration of an input gives by itself. */
static struct given declared_input (const struct step_scope *scope,
                                    const char *name)
{
    const struct yaml_node *input = field_find (scope->inputs, name);
    const struct yaml_node *from = field_find (input, "from");
    const struct yaml_node *fallback = field_find (input, "default");
    struct given given = { from, fallback, NULL };

    if (from && !constant_is_missing (scope->plan, from->text))
        return given;
    return (struct given){ NULL, NULL, fallback };
}

static struct given input_given (const struct step_scope *scope,
                                 const char *name)
{
    const struct yaml_node *node = field_find (scope->with, name);

    return node ? read_given (scope, node, is_campaign_reference)
                : declared_input (scope, name);
}

/* --- what a step binds --- */

static bool reads_step (const struct step_scope *scope,
                        const struct yaml_node *node,
                        struct reference *reference)
{
    return node->kind == YAML_SCALAR
           && reference_parse (field_arena (node), node->text, reference)
           && (strcmp (reference->stage, STEP_INPUTS) == 0
               || words_contain (scope->op->steps, reference->stage));
}

static bool is_step_reference (const struct step_scope *scope,
                               const struct yaml_node *node)
{
    struct reference reference;

    return reads_step (scope, node, &reference);
}

/* "previous.prep.names" -> "previous.train.prep.names" */
static struct yaml_node *name_step (const struct step_scope *scope,
                                    const struct yaml_node *node,
                                    const struct reference *reference)
{
    size_t source =
        reference->source == SOURCE_THIS ? 0 : strcspn (node->text, ".") + 1;
    struct yaml_node *made =
        text_like (node, arena_printf (field_arena (node), "%.*s%s.%s.%s",
                                       (int)source, node->text, scope->name,
                                       reference->stage, reference->output));

    if (scope->at)
        made->mark = scope->at->mark;
    return made;
}

/* What one reference of a step gives.  (A name that is none is a constant of
 * the campaign.)
 */
static struct given resolve (const struct step_scope *scope,
                             const struct yaml_node *node)
{
    struct reference reference;

    if (!reads_step (scope, node, &reference))
        return (struct given){ node, NULL, NULL };
    if (strcmp (reference.stage, STEP_INPUTS) == 0)
        return input_given (scope, reference.output);
    return (struct given){ name_step (scope, node, &reference), NULL, NULL };
}

/* --- lists --- */

static size_t length (const struct yaml_node *node)
{
    return node->kind == YAML_SEQUENCE ? node->n : 1;
}

static void push (struct yaml_node *list, const struct yaml_node *node)
{
    if (node->kind != YAML_SEQUENCE) {
        list->items[list->n++] = (struct yaml_node *)node;
        return;
    }
    for (size_t i = 0; i < node->n; i++)
        list->items[list->n++] = node->items[i];
}

/* Values alone are a list of values; beside references each says that it is
 * one.  A default is of all or none.
 */
static struct given join (const struct yaml_node *node,
                          const struct given *items)
{
    size_t n_from = 0, n_literal = 0;
    bool any = false;
    struct yaml_node *list;

    for (size_t i = 0; i < node->n; i++) {
        n_from += items[i].from ? length (items[i].from) : 0;
        n_literal += items[i].literal ? length (items[i].literal) : 0;
        any = any || !is_nothing (&items[i]);
        if (items[i].from && items[i].fallback)
            field_problem (items[i].fallback,
                           "'%s' is part of a list, where a default has no "
                           "place; remove it",
                           node->items[i]->text);
    }
    if (!any)
        return (struct given){ NULL, NULL, NULL };
    list = empty_like (node, YAML_SEQUENCE, n_from + n_literal + node->n);
    for (size_t i = 0; i < node->n; i++) {
        const struct given value = { NULL, NULL, items[i].literal };

        if (items[i].from)
            push (list, items[i].from);
        else if (items[i].literal)
            push (list, n_from > 0 ? written_out (&value) : items[i].literal);
    }
    return n_from > 0 ? (struct given){ list, NULL, NULL }
                      : (struct given){ NULL, NULL, list };
}

static struct given resolve_from (const struct step_scope *scope,
                                  const struct yaml_node *from)
{
    struct given *items;

    if (from->kind != YAML_SEQUENCE)
        return resolve (scope, from);
    items = arena_array (field_arena (from), from->n + 1, sizeof (*items));
    for (size_t i = 0; i < from->n; i++)
        items[i] = resolve (scope, from->items[i]);
    return join (from, items);
}

/* --- one input, and all --- */

static struct yaml_node *write_out (const struct step_scope *scope,
                                    const struct yaml_node *node)
{
    struct given own = read_given (scope, node, is_step_reference), given;

    if (!own.from)
        return written_out (&own);
    given = resolve_from (scope, own.from);
    if (own.fallback && given.from)
        given.fallback = own.fallback;
    if (own.fallback && is_nothing (&given))
        given.literal = own.fallback;
    return written_out (&given);
}

struct yaml_node *step_with_written_out (const struct step_scope *scope,
                                         const struct operator_spec *op,
                                         const struct yaml_node *with)
{
    struct yaml_node *made = empty_like (with, YAML_MAPPING, with->n);

    for (size_t i = 0; i < with->n; i++) {
        const struct yaml_node *item = with->items[i];
        struct yaml_node *out =
            op && section_exists (op->inputs, with->keys[i]->text)
                    && item->kind == YAML_MAPPING
                ? step_with_written_out (scope, NULL, item)
                : write_out (scope, item);

        if (!out)
            continue;
        made->keys[made->n] = with->keys[i];
        made->items[made->n++] = out;
    }
    return made;
}

/* --- its condition --- */

static void no_place (const struct yaml_node *when, const char *name,
                      const char *what)
{
    field_problem (when,
                   "'when' of step: inputs.%s is %s, which cannot stand in an "
                   "expression; write a condition of outputs",
                   name, what);
}

/* What a value is in an expression. */
static void add_value (const struct yaml_node *when, const char *name,
                       const struct yaml_node *value, struct strbuf *text)
{
    _cleanup_json_ struct json *v = yaml_to_json (value);
    bool is_text = json_kind (v) == JSON_KIND_STRING;

    if (json_kind (v) == JSON_KIND_ARRAY || json_kind (v) == JSON_KIND_OBJECT)
        no_place (when, name, "a list or a map that is written out");
    else if (is_text && strchr (json_as_string (v), '"'))
        no_place (when, name, "text with a \"");
    else if (is_text)
        strbuf_addf (text, "\"%s\"", json_as_string (v));
    else
        json_dump (v, JSON_COMPACT, text);
}

static void add_input (const struct step_scope *scope,
                       const struct yaml_node *when, const char *name,
                       struct strbuf *text)
{
    const struct given given = input_given (scope, name);

    strbuf_add_char (text, '(');
    if (is_nothing (&given))
        strbuf_add_str (text, "null");
    else if (given.literal)
        add_value (when, name, given.literal, text);
    else if (given.from->kind != YAML_SCALAR)
        no_place (when, name, "a list of references");
    else if (given.fallback) {
        strbuf_addf (text, "default(%s, ", given.from->text);
        add_value (when, name, given.fallback, text);
        strbuf_add_char (text, ')');
    } else
        strbuf_add_str (text, given.from->text);
    strbuf_add_char (text, ')');
}

/* What a word of dotted words is. */
static void add_word (const struct step_scope *scope,
                      const struct yaml_node *when, const char *word,
                      struct strbuf *text)
{
    const struct yaml_node *node = text_like (when, word);
    struct reference reference;

    if (!reads_step (scope, node, &reference))
        strbuf_add_str (text, word);
    else if (strcmp (reference.stage, STEP_INPUTS) != 0)
        strbuf_add_str (text, name_step (scope, node, &reference)->text);
    else if (reference.source != SOURCE_THIS)
        field_problem (when,
                       "'when' of step: inputs have no past; write "
                       "inputs.%s",
                       reference.output);
    else
        add_input (scope, when, reference.output, text);
}

static const char word_letters[] = "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";

/* How far the text at 'at' goes that is "..."; or else up to a word. */
static size_t no_word_length (const char *at)
{
    const char *end = *at == '"' ? strchr (at + 1, '"') : NULL;

    return end ? (size_t)(end - at) + 1 : 1;
}

struct yaml_node *step_when_written_out (const struct step_scope *scope,
                                         const struct yaml_node *when,
                                         const struct yaml_node *stage)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct yaml_node *made;

    if (stage)
        strbuf_addf (&text, "(%s) and (", stage->text);
    for (const char *at = when->text; *at;) {
        size_t len = strspn (at, word_letters);

        if (len > 0)
            add_word (scope, when, arena_strndup (field_arena (when), at, len),
                      &text);
        else
            strbuf_add (&text, at, len = no_word_length (at));
        at += len;
    }
    if (stage)
        strbuf_add_char (&text, ')');
    made = text_like (when, arena_strdup (field_arena (when), text.buf));
    return made;
}

static void visit (const struct step_scope *scope, const struct yaml_node *node,
                   void (*each) (const char *step, const char *output,
                                 void *arg),
                   void *arg)
{
    struct given own = read_given (scope, node, is_step_reference);
    struct reference reference;

    for (size_t i = 0;
         own.from && own.from->kind == YAML_SEQUENCE && i < own.from->n; i++) {
        if (reads_step (scope, own.from->items[i], &reference))
            each (reference.stage, reference.output, arg);
    }
    if (own.from && reads_step (scope, own.from, &reference))
        each (reference.stage, reference.output, arg);
}

void step_with_references (
    const struct step_scope *scope, const struct operator_spec *op,
    const struct yaml_node *with,
    void (*each) (const char *step, const char *output, void *arg), void *arg)
{
    for (size_t i = 0; with && i < with->n; i++) {
        const struct yaml_node *item = with->items[i];

        if (op && section_exists (op->inputs, with->keys[i]->text)
            && item->kind == YAML_MAPPING)
            step_with_references (scope, NULL, item, each, arg);
        else
            visit (scope, item, each, arg);
    }
}
