/* SPDX-License-Identifier: BSD-3-Clause */
/* literal.c - a value as a person writes it in campaign.yaml -> JSON */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path_similar.h"
#include "base/units.h"
#include "campaign/binding.h"
#include "campaign/field_reader.h"
#include "campaign/operator_file.h"
#include "signature/operator.h"
#include "signature/value.h"

struct literal {
    const struct type *type;
    int flags;
    const char *name;
    bool in_map; /* 'name' ends with a key: "input 'levels' ...: low" */
};

/* How to write a value of each type; an artifact is a path. */
static const char *const remedies[] = {
    [TYPE_INT] = "write a whole number",
    [TYPE_FLOAT] = "write a number",
    [TYPE_STRING] = "write text",
    [TYPE_BOOL] = "write true or false",
    [TYPE_DURATION] = "write a duration such as 90s, 10m or 1h30m",
    [TYPE_BYTES] = "write a size such as 512MiB or 4GiB",
    [TYPE_LIST] = "write a list, [a, b, ...]",
    [TYPE_MAP] = "write a mapping, {key: value, ...}",
    [TYPE_ANY] = "write a value",
};

int literal_flags (const struct yaml_node *node)
{
    return field_reader_of (node)->recorded ? 0 : VALUE_ON_DISK;
}

static void add_remedy (const struct type *type, int depth, struct strbuf *out)
{
    if (depth > 0) {
        strbuf_add_str (out, remedies[TYPE_LIST]);
    } else if (type_is_artifact (type)) {
        strbuf_add_str (out, "write a path or STAGE.OUTPUT");
    } else if (type->fields) {
        for (const struct type_field *f = type->fields; f->name; f++)
            strbuf_addf (out, "%s%s: ...", f == type->fields ? "write {" : ", ",
                         f->name);
        strbuf_add_char (out, '}');
    } else {
        strbuf_add_str (out, remedies[type->kind]);
    }
}

/* 'depth' lists of the type were expected.  Returns NULL. */
static struct json *refuse (const struct literal *literal,
                            const struct yaml_node *node, int depth)
{
    struct type wanted = *literal->type;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf remedy = STRBUF_INIT;
    bool scalar = node->kind == YAML_SCALAR && !yaml_is_null (node);

    wanted.depth = depth;
    wanted.fields = NULL;
    wanted.of = NULL;
    type_describe (&wanted, &text);
    add_remedy (literal->type, depth, &remedy);
    field_problem (node, "%s: expected %s, got %s%s%s; %s", literal->name,
                   text.buf, scalar ? "'" : "",
                   scalar                ? node->text
                   : yaml_is_null (node) ? "nothing"
                                         : yaml_kind_name (node),
                   scalar ? "'" : "", remedy.buf);
    return NULL;
}

static struct json *read_path (const struct literal *literal,
                               const struct yaml_node *node)
{
    struct type one = *literal->type;
    struct json *v = json_string (node->text);
    struct error err = ERROR_INIT;
    _cleanup_free_ char *similar = NULL;

    one.depth = 0;
    if (value_check (&one, v, literal->flags, field_reader_of (node)->dir, NULL,
                     &err)
        == 0)
        return v;
    json_unref (v);
    similar = path_similar (field_reader_of (node)->dir, node->text);
    if (similar && strcmp (similar, node->text) != 0)
        field_problem (node, "%s: %s; did you mean '%s'?", literal->name,
                       err.text, similar);
    else if (node->text[0] == '~' || strchr (node->text, '$'))
        field_problem (node,
                       "%s: %s; '~' and variables are not replaced: write the "
                       "whole path",
                       literal->name, err.text);
    else
        field_problem (node,
                       "%s: %s; write a path that is relative to the campaign "
                       "directory, or absolute",
                       literal->name, err.text);
    return NULL;
}

/* A parameter of one of the scalar types, or NULL. */
static struct json *read_scalar (enum type_kind kind,
                                 const struct yaml_node *node)
{
    bool b;
    int64_t i;
    double v;

    switch (kind) {
    case TYPE_INT:
        return yaml_to_int (node, &i) == 0 ? json_int (i) : NULL;
    case TYPE_FLOAT:
        if (yaml_to_int (node, &i) == 0)
            return json_int (i);
        return yaml_to_double (node, &v) == 0 ? json_real (v) : NULL;
    case TYPE_STRING:
        return json_string (node->text);
    case TYPE_BOOL:
        return yaml_to_bool (node, &b) == 0 ? json_bool (b) : NULL;
    case TYPE_DURATION:
        return parse_duration (node->text, &v) == 0 ? json_real (v) : NULL;
    case TYPE_BYTES:
        return parse_bytes (node->text, &i) == 0 ? json_int (i) : NULL;
    default:
        return NULL;
    }
}

/* --- maps --- */

static struct json *read_depth (const struct literal *literal,
                                const struct yaml_node *node, int depth);

/* What stands under a key, of the type that is wanted there. */
static struct json *read_value (const struct literal *map,
                                const struct type *type, const char *key,
                                const struct yaml_node *node)
{
    const struct literal value = { .type = type,
                                   .flags = map->flags,
                                   .name = arena_printf (
                                       field_arena (node), "%s%s%s", map->name,
                                       map->in_map ? "." : ": ", key),
                                   .in_map = true };

    return read_depth (&value, node, type->depth);
}

static bool complain_of_key (const struct literal *map,
                             const struct yaml_node *key)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    type_field_names (map->type, &names);
    field_unknown (key, key->text, &names, "%s: unknown key '%s'", map->name,
                   key->text);
    return false;
}

static bool complain_of_missing (const struct literal *map,
                                 const struct type_field *field,
                                 const struct yaml_node *node)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    type_describe (&field->type, &text);
    field_problem (node, "%s: '%s' (%s) is missing; add %s: ...", map->name,
                   field->name, text.buf, field->name);
    return false;
}

/* Are the keys of the mapping those of the type? */
static bool check_keys (const struct literal *map, const struct yaml_node *node)
{
    const struct type_field *field = map->type->fields;
    bool good = true;

    for (size_t i = 0; field && i < node->n; i++) {
        if (!type_field_find (map->type, node->keys[i]->text))
            good = complain_of_key (map, node->keys[i]);
    }
    for (; field && field->name; field++) {
        if (!field->optional && !yaml_get (node, field->name))
            good = complain_of_missing (map, field, node);
    }
    return good;
}

/* A mapping whose values have types; an optional one that is null is absent. */
static struct json *read_map (const struct literal *map,
                              const struct yaml_node *node)
{
    bool good = check_keys (map, node);
    struct json *all = json_object ();

    for (size_t i = 0; i < node->n; i++) {
        const char *key = node->keys[i]->text;
        const struct type_field *field = type_field_find (map->type, key);
        const struct type *type = field ? &field->type : map->type->of;
        struct json *v;

        if (!type
            || (field && field->optional && yaml_is_null (node->items[i])))
            continue;
        if ((v = read_value (map, type, key, node->items[i])))
            json_set (all, key, v);
        good = good && v;
    }
    if (good)
        return all;
    json_unref (all);
    return NULL;
}

/* --- values --- */

static struct json *read_one (const struct literal *literal,
                              const struct yaml_node *node)
{
    enum type_kind kind = literal->type->kind;
    struct json *v = NULL;

    if (kind == TYPE_MAP && node->kind == YAML_MAPPING
        && (literal->type->fields || literal->type->of))
        return read_map (literal, node);
    if ((kind == TYPE_ANY && !yaml_is_null (node))
        || (kind == TYPE_LIST && node->kind == YAML_SEQUENCE)
        || (kind == TYPE_MAP && node->kind == YAML_MAPPING))
        return yaml_to_json (node);
    if (node->kind != YAML_SCALAR || yaml_is_null (node))
        return refuse (literal, node, 0);
    if (type_is_artifact (literal->type))
        return read_path (literal, node);
    if (kind == TYPE_DURATION && field_refuse_clock (node, literal->name) < 0)
        return NULL;
    v = read_scalar (kind, node);
    return v ? v : refuse (literal, node, 0);
}

/* The parser of YAML limits the nesting, the depth of a type this recursion. */
static struct json *read_depth (const struct literal *literal,
                                const struct yaml_node *node, int depth)
{
    bool list = node->kind == YAML_SEQUENCE;
    struct json *items;
    bool good = true;

    if (depth > 0 && !list)
        return refuse (literal, node, depth);
    if (depth <= 0
        && !(depth == 0 && list && literal->type->kind == TYPE_FRAMES))
        return read_one (literal, node);
    items = json_array ();
    for (size_t i = 0; i < node->n; i++) {
        struct json *item = read_depth (literal, node->items[i], depth - 1);

        if (item)
            json_push (items, item);
        good = good && item;
    }
    if (good)
        return items;
    json_unref (items);
    return NULL;
}

struct json *literal_read (const struct yaml_node *node,
                           const struct type *type, int flags, const char *name)
{
    const struct literal literal = { type, flags, name, false };

    return read_depth (&literal, node, type->depth);
}

/* --- inputs --- */

struct json *literal_read_input (const struct yaml_node *node,
                                 const struct port *port,
                                 const char *const *fan_out, int flags,
                                 const char *name)
{
    struct type type = port_bound_type (port, fan_out);
    struct error err = ERROR_INIT;
    struct json *numbers;
    int64_t n;

    if (!port_counts (port, fan_out) || yaml_to_int (node, &n) < 0)
        return literal_read (node, &type, flags, name);
    if (!(numbers = value_numbers (n, &err)))
        field_problem (node, "%s: %s", name, err.text);
    return numbers;
}
