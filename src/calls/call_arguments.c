/* SPDX-License-Identifier: BSD-3-Clause */
/* call_arguments.c - NAME=VALUE ... -> what a call's inputs are */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/yaml_tree.h"
#include "calls/call_arguments.h"
#include "campaign/binding.h"
#include "campaign/field_reader.h"
#include "campaign/operator_file.h"
#include "campaign/plan.h"
#include "signature/value.h"

/* Arguments have no place in a file. */
static const struct mark no_mark = { NULL, 0, 0 };

struct arguments {
    const struct plan *plan;
    const struct function *function;
    char *cwd;
    struct json *values;
    struct problems *problems;
};

bool call_input_is_open (const struct binding *binding)
{
    return binding->source == SOURCE_UNBOUND;
}

bool call_input_is_needed (const struct binding *binding)
{
    return call_input_is_open (binding) && !binding->literal
           && !binding->port->optional;
}

/* --- the input of a name --- */

static const struct binding *find_input (const struct function *function,
                                         const char *name)
{
    for (size_t i = 0; i < function->stage.n_bindings; i++) {
        if (strcmp (function->stage.bindings[i].port->name, name) == 0)
            return &function->stage.bindings[i];
    }
    return NULL;
}

static void complain_of_name (const struct arguments *a, const char *name)
{
    const struct function *function = a->function;
    const struct binding *binding = find_input (function, name);
    _cleanup_ (strvec_release) struct strvec open = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;
    const char *near;

    for (size_t i = 0; i < function->stage.n_bindings; i++) {
        if (!call_input_is_open (&function->stage.bindings[i]))
            continue;
        strvec_push (&open, function->stage.bindings[i].port->name);
        strbuf_addf (&all, "%s%s", all.len > 0 ? ", " : "",
                     function->stage.bindings[i].port->name);
    }
    near = nearest_word (name, &open);
    if (binding)
        problems_add (a->problems, no_mark,
                      "%s: with: of function '%s' binds it; remove it there if "
                      "whoever calls is to say it",
                      name, function->name);
    else if (near)
        problems_add (a->problems, no_mark,
                      "%s: function '%s' has no such input; did you mean '%s'?",
                      name, function->name, near);
    else
        problems_add (a->problems, no_mark,
                      "%s: function '%s' has no such input; there is %s", name,
                      function->name, all.len > 0 ? all.buf : "none to give");
}

/* --- the value --- */

/* Paths as the campaign sees them. */
static struct json *seen_from_campaign (const struct arguments *a,
                                        struct json *v)
{
    const char *path = json_as_string (v);
    size_t len = strlen (a->plan->dir);
    struct json *list;

    if (json_kind (v) == JSON_KIND_ARRAY) {
        list = json_array ();
        for (size_t i = 0; i < json_count (v); i++)
            json_push (list, seen_from_campaign (a, json_at (v, i)));
        return list;
    }
    if (json_kind (v) == JSON_KIND_STRING
        && path_is_at_or_below (path, a->plan->dir) && path[len] == '/')
        return json_string (path + len + 1);
    return json_ref (v);
}

/* Text without . and .. */
static struct json *tidy (struct json *v)
{
    struct json *list;
    char *path;

    if (json_kind (v) == JSON_KIND_STRING) {
        path = path_absolute (json_as_string (v));
        list = json_string (path);
        free (path);
        return list;
    }
    if (json_kind (v) != JSON_KIND_ARRAY)
        return json_ref (v);
    list = json_array ();
    for (size_t i = 0; i < json_count (v); i++)
        json_push (list, tidy (json_at (v, i)));
    return list;
}

static void take_value (const struct arguments *a, const struct port *port,
                        struct json *value)
{
    struct json *v = json_ref (value);

    if (type_is_artifact (&port->type)) {
        _cleanup_json_ struct json *absolute =
            value_absolute (&port->type, value, a->cwd);
        _cleanup_json_ struct json *plain = tidy (absolute);

        json_unref (v);
        v = seen_from_campaign (a, plain);
    }
    json_set (a->values, port->name, v);
}

/* What is there, without the path that whoever calls has just written. */
static void complain_of_value (const struct arguments *a,
                               const struct port *port,
                               const struct json *value,
                               const struct error *err)
{
    _cleanup_free_ char *path = xasprintf ("'%s': ", json_as_string (value));
    size_t len = strlen (path);
    const char *what = err->text;

    if (strncmp (what, path, len) == 0)
        what += len;
    problems_add (a->problems, no_mark, "%s: %s; see operator '%s'", port->name,
                  what, a->function->stage.op->name);
}

static void read_value (const struct arguments *a, const struct port *port,
                        const struct yaml_node *node)
{
    const char *const *fan_out = a->function->stage.op->fan_out;
    struct type wanted = port_bound_type (port, fan_out);
    struct json *value =
        literal_read_input (node, port, fan_out, VALUE_SHAPE, port->name);
    struct error err = ERROR_INIT;

    if (!value)
        return;
    if (value_check (&wanted, value, VALUE_ON_DISK, a->cwd, NULL, &err) < 0)
        complain_of_value (a, port, value, &err);
    else
        take_value (a, port, value);
    json_unref (value);
}

/* One argument; its text is a document. */
static void read_argument (const struct arguments *a, const char *argument)
{
    const char *text = strchr (argument, '=');
    _cleanup_free_ char *name =
        text ? xstrndup (argument, (size_t)(text - argument)) : NULL;
    const struct binding *binding =
        name ? find_input (a->function, name) : NULL;
    struct field_reader reader = { .problems = a->problems, .dir = a->cwd };
    struct yaml_tree *tree = NULL;

    if (!text)
        problems_add (a->problems, no_mark,
                      "'%s' is no argument; write NAME=VALUE", argument);
    else if (!binding || !call_input_is_open (binding))
        complain_of_name (a, name);
    else if (json_get (a->values, name))
        problems_add (a->problems, no_mark,
                      "%s: was given before; remove one of them", name);
    else if (!text[1])
        problems_add (a->problems, no_mark,
                      "%s: nothing is given; write %s=VALUE, or %s='\"\"' for "
                      "text without letters",
                      name, name, name);
    else if ((tree = yaml_tree_parse (text + 1, strlen (text + 1), name,
                                      a->problems))) {
        reader.arena = arena_create ();
        yaml_tree_lend (tree, &reader);
        read_value (a, binding->port, yaml_tree_root (tree));
        arena_destroy (reader.arena);
    }
    yaml_tree_destroy (tree);
}

static void check_needed (const struct arguments *a)
{
    const struct stage *stage = &a->function->stage;

    for (size_t i = 0; i < stage->n_bindings; i++) {
        const struct port *port = stage->bindings[i].port;
        struct type wanted = port_bound_type (port, stage->op->fan_out);
        struct strbuf text = STRBUF_INIT;

        if (!call_input_is_needed (&stage->bindings[i])
            || json_get (a->values, port->name))
            continue;
        type_describe (&wanted, &text);
        problems_add (a->problems, no_mark,
                      "%s: is not given, and function '%s' needs it (%s); add "
                      "%s=VALUE",
                      port->name, a->function->name, text.buf, port->name);
        strbuf_release (&text);
    }
}

int call_arguments_read (const struct plan *plan,
                         const struct function *function,
                         const char *const *arguments, size_t n,
                         struct json *values, struct problems *problems)
{
    struct arguments a = { .plan = plan,
                           .function = function,
                           .cwd = path_absolute ("."),
                           .values = values,
                           .problems = problems };

    for (size_t i = 0; i < n; i++)
        read_argument (&a, arguments[i]);
    if (problems_errors (problems) == 0) /* what is broken is not missing */
        check_needed (&a);
    free (a.cwd);
    return problems_errors (problems) == 0 ? 0 : -1;
}
