/* SPDX-License-Identifier: BSD-3-Clause */
/* function_text.c - what the campaign that a call is says of its operator */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/yaml_write.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/function_text.h"
#include "signature/container.h"
#include "signature/operator.h"
#include "signature/template.h"
#include "space/layout.h"

/* Where texts stand in the generated file. */
enum { STAGE_INDENT = 4, OPERATORS_INDENT = 2 };

static const char placeholder[] = "{campaign}";

/* --- then --- */

static int check_placeholder (const char *name, void *arg, struct error *err)
{
    (void)err;
    if (strcmp (name, "campaign") != 0 && strcmp (name, "fanfold") != 0)
        field_problem ((const struct yaml_node *)arg,
                       "then: unknown placeholder '{%s}'; there is {campaign} "
                       "and {fanfold}, and the result is on standard input",
                       name);
    return 0;
}

void then_check (const struct yaml_node *then)
{
    for (size_t i = 0; i < then->n; i++) {
        struct yaml_node *item = then->items[i];
        struct error err = ERROR_INIT;

        if (template_scan (item->text, check_placeholder, item, &err) < 0)
            field_problem (item, "then: %s", err.text);
    }
}

/* --- seen from a call --- */

void function_text_from_call (const char *text, struct strbuf *out)
{
    const char *at = text, *found;

    while ((found = strstr (at, placeholder))) {
        const char *end = found + strlen (placeholder);

        strbuf_add (out, at, (size_t)(end - at));
        if (found == text || found[-1] != '{')
            strbuf_add_str (out, "/" LAYOUT_CALL_UP);
        at = end;
    }
    strbuf_add_str (out, at);
}

static struct yaml_node *copy (struct arena *arena,
                               const struct yaml_node *node)
{
    struct yaml_node *made = arena_alloc (arena, sizeof (*made));

    *made = *node;
    if (node->kind == YAML_SCALAR)
        return made;
    made->items = arena_array (arena, node->n, sizeof (made));
    for (size_t i = 0; i < node->n; i++)
        made->items[i] = copy (arena, node->items[i]);
    return made;
}

static void set_text (struct arena *arena, struct yaml_node *node,
                      const char *text)
{
    node->text = arena_strdup (arena, text);
    node->quoted = node->quoted || strchr (text, '\n') != NULL;
}

/* All text below 'node', but of scripts, whose $campaign is the caller's. */
static void move_campaign (struct arena *arena, struct yaml_node *node)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; node->kind != YAML_SCALAR && i < node->n; i++) {
        if (!node->keys || strcmp (node->keys[i]->text, "script") != 0)
            move_campaign (arena, node->items[i]);
    }
    if (node->kind == YAML_SCALAR && strstr (node->text, placeholder)) {
        function_text_from_call (node->text, &text);
        set_text (arena, node, text.buf);
    }
}

/* A path, or a list of paths. */
static void move_paths (struct arena *arena, struct yaml_node *node)
{
    _cleanup_free_ char *path = NULL;

    for (size_t i = 0; node->kind == YAML_SEQUENCE && i < node->n; i++)
        move_paths (arena, node->items[i]);
    if (node->kind != YAML_SCALAR || yaml_is_null (node)
        || node->text[0] == '{')
        return;
    path = path_join (LAYOUT_CALL_UP, node->text);
    set_text (arena, node, path);
}

static struct yaml_node *item_of (const struct yaml_node *node, const char *key)
{
    for (size_t i = 0; node && node->kind == YAML_MAPPING && i < node->n; i++) {
        if (strcmp (node->keys[i]->text, key) == 0)
            return node->items[i];
    }
    return NULL;
}

/* The input without a `from:` that names a stage, of which a call has none. */
static void drop_reference (struct arena *arena, struct yaml_node *port)
{
    const struct yaml_node *from = item_of (port, "from");
    struct reference reference;
    size_t n = 0;

    if (!from || from->kind != YAML_SCALAR
        || !reference_parse (arena, from->text, &reference)
        || strcmp (reference.stage, "data") == 0)
        return;
    for (size_t i = 0; i < port->n; i++) {
        if (port->items[i] == from)
            continue;
        port->keys[n] = port->keys[i];
        port->items[n++] = port->items[i];
    }
    port->n = n;
}

static bool is_artifact (const struct yaml_node *port)
{
    const struct yaml_node *word = item_of (port, "type");
    struct type type = { .kind = word && word->text
                                     ? type_kind_from_name (word->text)
                                     : TYPE_NONE };

    return type_is_artifact (&type);
}

static void move_inputs (struct arena *arena, struct yaml_node *inputs)
{
    for (size_t i = 0; inputs && i < inputs->n; i++) {
        struct yaml_node *port = inputs->items[i];
        struct yaml_node *value = item_of (port, "default");

        if (port->kind != YAML_MAPPING)
            continue;
        port->keys = memcpy (arena_array (arena, port->n, sizeof (port)),
                             port->keys, port->n * sizeof (port));
        drop_reference (arena, port);
        if (value && is_artifact (port))
            move_paths (arena, value);
        move_inputs (arena, item_of (port, "inputs"));
    }
}

/* The images of an operator, or a stage, and of its steps. */
static void move_images (struct arena *arena, struct yaml_node *node)
{
    struct yaml_node *image = item_of (node, "image");
    struct yaml_node *steps = item_of (node, "steps");

    if (image && image->text && !image_is_remote (image->text))
        move_paths (arena, image);
    for (size_t i = 0; steps && steps->kind == YAML_MAPPING && i < steps->n;
         i++)
        move_images (arena, steps->items[i]);
}

/* --- the operators that a function needs --- */

static void add_steps (struct compilation *c, const struct yaml_node *steps,
                       struct strvec *seen, struct strbuf *out);

static void add_operator (struct compilation *c, const char *name,
                          struct strvec *seen, struct strbuf *out)
{
    struct arena *arena = c->reader.arena;
    const struct yaml_node *declared = field_find (c->operators.node, name);
    struct yaml_node *own;

    if (!declared || strvec_contains (seen, name))
        return;
    strvec_push (seen, name);
    own = copy (arena, declared);
    move_campaign (arena, own);
    move_inputs (arena, item_of (own, "inputs"));
    move_images (arena, own);
    if (item_of (own, "files"))
        move_paths (arena, item_of (own, "files"));
    if (item_of (own, "programs"))
        move_paths (arena, item_of (own, "programs"));
    yaml_write_pair (name, own, OPERATORS_INDENT, out);
    add_steps (c, item_of (own, "steps"), seen, out);
}

/* The operators that the steps use. */
static void add_steps (struct compilation *c, const struct yaml_node *steps,
                       struct strvec *seen, struct strbuf *out)
{
    for (size_t i = 0; steps && i < steps->n; i++) {
        const struct yaml_node *uses = item_of (steps->items[i], "uses");

        if (uses && uses->kind == YAML_SCALAR)
            add_operator (c, uses->text, seen, out);
    }
}

static void write_stage (struct arena *arena, const struct yaml_node *node,
                         struct strbuf *out)
{
    static const char *const others[] = { "type", "with", "then", NULL };
    struct yaml_node *own = copy (arena, node);

    move_images (arena, own);
    for (size_t i = 0; i < own->n; i++) {
        const char *key = own->keys[i]->text;

        if (!words_contain (others, key))
            yaml_write_pair (key, own->items[i], STAGE_INDENT, out);
    }
}

void function_text_write (struct compilation *c, const struct yaml_node *node,
                          struct function *function)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec seen = STRVEC_INIT;

    write_stage (c->reader.arena, node, &text);
    function->stage_text = arena_strdup (c->reader.arena, text.buf);
    strbuf_reset (&text);
    add_operator (c, function->stage.op->name, &seen, &text);
    add_steps (c, field_find (node, "steps"), &seen, &text);
    function->operators_text = arena_strdup (c->reader.arena, text.buf);
}
