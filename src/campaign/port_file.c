/* SPDX-License-Identifier: BSD-3-Clause */
/* port_file.c - the inputs and outputs of a declared operator */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/binding.h"
#include "campaign/field_reader.h"
#include "campaign/operator_file.h"
#include "campaign/type_file.h"
#include "signature/operator.h"
#include "signature/outputs.h"
#include "signature/value.h"

struct type port_bound_type (const struct port *port,
                             const char *const *fan_out)
{
    struct type type = port->type;

    if (type.kind == TYPE_FRAMES && type.depth == 0)
        return type;
    type.depth += words_contain (fan_out, port->name);
    return type;
}

/* --- what else a port has --- */

static bool is_output (enum port_role role)
{
    return role == PORT_OUTPUT || role == PORT_COLLECTED;
}

static void check_name (const struct yaml_node *key, enum port_role role)
{
    static const char *const taken_outputs[] = { "count", "params", "slices",
                                                 NULL };
    const char *const *taken =
        is_output (role) ? taken_outputs : operator_placeholders;

    if (!word_is_name (key->text))
        field_problem (key,
                       "'%s' cannot be a name here; use a-z, 0-9 and _, "
                       "beginning with a letter",
                       key->text);
    if (words_contain (taken, key->text)
        || (!is_output (role)
            && words_contain (operator_group_placeholders, key->text)))
        field_problem (key, "the name '%s' is taken by Fanfold; choose another",
                       key->text);
}

/* Below out/, and not what Fanfold itself writes there. */
static bool is_free_path (const char *path)
{
    return path_is_inside (path) && strcmp (path, "result.json") != 0
           && path[strlen (path) - 1] != '/';
}

static void read_path (const struct yaml_node *node, void *record)
{
    struct port *port = record;
    const char *path;

    if (field_text (node, &path) < 0)
        return;
    if (!type_is_artifact (&port->type))
        field_problem (node,
                       "path: '%s' is a parameter, which has none; remove it",
                       port->name);
    else if (!is_free_path (path))
        field_problem (node,
                       "path: '%s' is no name below out/; write a plain "
                       "relative path",
                       path);
    else
        port->path = path;
}

/* A name in the working directory, and not one that Fanfold uses there. */
static void read_take (const struct yaml_node *node, void *record)
{
    struct port *port = record;
    static const char *const used[] = { "in",          "out",
                                        "log",         "task.json",
                                        "params.json", "slices.json" };
    const char *take;

    if (field_text (node, &take) < 0)
        return;
    if (!type_is_artifact (&port->type)) {
        field_problem (node,
                       "take: '%s' is a parameter, which is no file; remove it",
                       port->name);
        return;
    }
    if (!path_is_inside (take) || take[strlen (take) - 1] == '/') {
        field_problem (node,
                       "take: '%s' is no name in the task's working directory; "
                       "write a plain relative path",
                       take);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE (used); i++) {
        if (path_is_at_or_below (take, used[i])) {
            field_problem (node,
                           "take: Fanfold itself uses '%s' in the working "
                           "directory; let the program write another name",
                           used[i]);
            return;
        }
    }
    port->take = take;
}

/* What is taken keeps its name: an ending often tells programs what a file is.
 * Those of frames and npy are Fanfold's own.
 */
static void name_what_is_taken (struct port *port)
{
    bool plain = port->type.kind == TYPE_FILE || port->type.kind == TYPE_DIR;

    if (port->take && !port->path && plain && is_free_path (port->take))
        port->path = port->take;
}

static void read_publish (const struct yaml_node *node, void *record)
{
    struct port *port = record;
    static const struct field flag = FIELD (struct port, publish, BOOL);

    if (field_value (node, &flag, &port->publish) < 0 || !port->publish
        || port->type.kind == TYPE_FRAMES)
        return;
    field_problem (node,
                   "publish: only frames can become training data; remove it, "
                   "or make '%s' frames",
                   port->name);
}

static void read_copy (const struct yaml_node *node, void *record)
{
    struct port *port = record;
    static const struct field flag = FIELD (struct port, copy, BOOL);

    if (field_value (node, &flag, &port->copy) == 0 && port->copy
        && !type_is_artifact (&port->type))
        field_problem (node,
                       "copy: '%s' is a parameter, which is no file; remove it",
                       port->name);
}

static void read_default (const struct yaml_node *node,
                          const char *const *fan_out, struct port *port)
{
    const char *name =
        arena_printf (field_arena (node), "default of '%s'", port->name);
    struct json *v =
        literal_read_input (node, port, fan_out, VALUE_SHAPE, name);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (!v)
        return;
    json_dump (v, JSON_COMPACT, &text);
    port->default_json = arena_strdup (field_arena (node), text.buf);
    json_unref (v);
}

/* What an output may not be: the stage's own `count` and `proceed` have their
 * types.
 */
static void check_output (const struct yaml_node *key, const struct port *port)
{
    const struct type *type = &port->type;

    if (strcmp (port->name, "proceed") == 0
        && (type->kind != TYPE_BOOL || type->depth != 0))
        field_problem (key, "the output 'proceed' says whether the campaign "
                            "goes on with what follows; make it a bool");
    if (port->publish && port->keep != KEEP_ALWAYS)
        field_problem (key,
                       "output '%s' is training data, which stay; remove keep "
                       "or publish",
                       port->name);
}

#define COMMON_FIELDS TYPE_KEYS, FIELD_BY_RECORD ("doc", field_remark)

/* 'section' NULL: it is in none. */
static void read_port (const struct yaml_node *key,
                       const struct yaml_node *node, const char *section,
                       const struct port_context *context, struct port *port)
{
    enum port_role role = context->role;
    static const struct field input[] = {
        COMMON_FIELDS,
        FIELD (struct port, from, TEXT),
        FIELD (struct port, optional, BOOL),
        FIELD (struct port, holes, BOOL),
        FIELD_BY_RECORD ("copy", read_copy),
        FIELD_KEY ("default"),
        FIELDS_END,
    };
    static const struct field slice[] = { COMMON_FIELDS, FIELDS_END };
    static const struct field output[] = {
        COMMON_FIELDS,
        FIELD (struct port, optional, BOOL),
        FIELD_BY_RECORD ("path", read_path),
        FIELD_BY_RECORD ("take", read_take),
        FIELD_BY_RECORD ("keep", port_keep_read),
        FIELD_BY_RECORD ("publish", read_publish),
        FIELDS_END,
    };
    const struct field *fields = role == PORT_INPUT   ? input
                                 : role == PORT_SLICE ? slice
                                                      : output;
    const struct yaml_node *fallback;
    const char *name;

    port->name =
        arena_printf (field_arena (node), "%s%s%s", section ? section : "",
                      section ? "." : "", key->text);
    name = arena_printf (field_arena (node), "%s '%s'",
                         is_output (role) ? "output" : "input", port->name);
    check_name (key, role);
    if (field_mapping (node, name, fields) < 0)
        return;
    if (!field_find (node, "type"))
        field_problem (key, "'%s' has no type; add type: file, float, ...",
                       port->name);
    type_file_read (node, context->dtype, &port->type);
    if (port->type.kind == TYPE_NONE)
        return;
    field_members (node, fields, port);
    if (role == PORT_INPUT && (fallback = field_find (node, "default")))
        read_default (fallback, context->fan_out, port);
    if (is_output (role)) {
        name_what_is_taken (port);
        check_output (key, port);
    }
}

/* Two artifacts of one name below out/, or one of them in the other. */
static void check_paths (const struct yaml_node *node, const struct port *ports)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;

    for (size_t i = 0; ports[i].name; i++) {
        struct strbuf path = STRBUF_INIT;

        if (!type_is_artifact (&ports[i].type))
            continue;
        output_path (&ports[i], &path);
        for (size_t k = 0; k < paths.n; k++) {
            if (path_is_at_or_below (path.buf, paths.v[k])
                || path_is_at_or_below (paths.v[k], path.buf))
                field_problem (node->keys[i],
                               "two outputs are written to out/%s; give '%s' "
                               "another path",
                               paths.v[k], ports[i].name);
        }
        strvec_push (&paths, path.buf);
        strbuf_release (&path);
    }
}

/* Two outputs that take one file, or one of them a part of the other. */
static void check_taken (const struct yaml_node *node, const struct port *ports)
{
    for (size_t i = 0; ports[i].name; i++) {
        for (size_t k = 0; ports[i].take && k < i; k++) {
            if (!ports[k].take
                || (!path_is_at_or_below (ports[i].take, ports[k].take)
                    && !path_is_at_or_below (ports[k].take, ports[i].take)))
                continue;
            field_problem (node->keys[i],
                           "the outputs '%s' and '%s' both take '%s'; let "
                           "each take a file of its own",
                           ports[k].name, ports[i].name, ports[i].take);
        }
    }
}

/* --- sections of inputs --- */

/* The declarations in a section; NULL: 'node' declares an input. */
static const struct yaml_node *inputs_of (const struct yaml_node *node)
{
    return field_find (node, "inputs");
}

static size_t count_ports (const struct yaml_node *node, enum port_role role)
{
    size_t n = 0;

    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *inputs = inputs_of (node->items[i]);

        n += role == PORT_INPUT && inputs ? inputs->n : 1;
    }
    return n;
}

/* Read what is in a section to 'ports'; returns how many there are. */
static size_t read_section (const struct yaml_node *key,
                            const struct yaml_node *node,
                            const struct port_context *context,
                            struct port *ports)
{
    static const struct field fields[] = {
        FIELD_KEY ("inputs"),
        FIELD_BY_RECORD ("doc", field_remark),
        FIELDS_END,
    };
    const struct yaml_node *inputs = inputs_of (node);
    const char *name =
        arena_printf (field_arena (node), "section '%s' of inputs", key->text);
    char unused;

    check_name (key, PORT_INPUT);
    if (strcmp (key->text, "outputs") == 0)
        field_problem (key, "the name 'outputs' is taken by Fanfold; choose "
                            "another");
    if (field_record (node, name, fields, &unused) < 0
        || field_any_mapping (inputs) < 0)
        return 0;
    for (size_t i = 0; i < inputs->n; i++)
        read_port (inputs->keys[i], inputs->items[i], key->text, context,
                   &ports[i]);
    return inputs->n;
}

void port_file_names (const struct yaml_node *node, struct strvec *names)
{
    for (size_t i = 0; node && node->keys && i < node->n; i++) {
        const struct yaml_node *inputs = inputs_of (node->items[i]);

        for (size_t k = 0; inputs && inputs->keys && k < inputs->n; k++)
            strvec_pushf (names, "%s.%s", node->keys[i]->text,
                          inputs->keys[k]->text);
        if (!inputs)
            strvec_push (names, node->keys[i]->text);
    }
}

const struct yaml_node *port_file_find (const struct yaml_node *node,
                                        const char *name)
{
    const char *dot = node ? strchr (name, '.') : NULL;

    return dot ? field_find (inputs_of (field_find (
                                 node, arena_strndup (field_arena (node), name,
                                                      (size_t)(dot - name)))),
                             dot + 1)
               : field_find (node, name);
}

const struct port *port_file_read (const struct yaml_node *node,
                                   const struct port_context *context)
{
    enum port_role role = context->role;
    size_t before = field_problems (node), n = 0;
    struct port *ports;

    if (field_any_mapping (node) < 0)
        return NULL;
    ports = arena_array (field_arena (node), count_ports (node, role) + 1,
                         sizeof (*ports));
    for (size_t i = 0; i < node->n; i++) {
        const struct yaml_node *key = node->keys[i], *port = node->items[i];

        if (role == PORT_INPUT && inputs_of (port))
            n += read_section (key, port, context, &ports[n]);
        else
            read_port (key, port, NULL, context, &ports[n++]);
    }
    if (is_output (role) && field_problems (node) == before) {
        check_taken (node, ports);
        if (field_problems (node) == before)
            check_paths (node, ports);
    }
    return field_problems (node) == before ? ports : NULL;
}
