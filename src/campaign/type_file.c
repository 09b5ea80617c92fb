/* SPDX-License-Identifier: BSD-3-Clause */
/* type_file.c - the type of a port, and of what is in a map, as it is declared
 */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/field_reader.h"
#include "campaign/type_file.h"
#include "signature/type.h"

static void read_kind (const struct yaml_node *node, void *member)
{
    struct type *type = member;
    const char *word;
    int i = -1;

    if (field_text (node, &word) == 0)
        i = field_choose (node, word, type_kind_names + TYPE_INT, TYPE_NPY,
                          sizeof (*type_kind_names), "unknown type '%s'", word);
    if (i >= 0)
        type->kind = (enum type_kind) (TYPE_INT + i);
}

/* `list: true`, or how many lists deep. */
static void read_list (const struct yaml_node *node, void *member)
{
    /* one level is left for stacking */
    static const struct field depth =
        FIELD (struct type, depth, COUNT, .most = TYPE_MAX_DEPTH - 1);
    struct type *type = member;
    bool list;

    if (yaml_to_bool (node, &list) == 0)
        type->depth = list ? 1 : 0;
    else
        field_value (node, &depth, &type->depth);
}

/* --- arrays --- */

/* What only arrays have; of a type that is not known nothing is said. */
static bool is_npy (const struct yaml_node *node, const struct type *type)
{
    if (type->kind != TYPE_NPY && type->kind != TYPE_NONE)
        field_problem (node,
                       "only the type npy has a dtype and a shape; remove it");
    return type->kind == TYPE_NPY;
}

void type_file_read_dtype (const struct yaml_node *node, void *member)
{
    const char *dtype;
    int i;

    if (field_text (node, &dtype) < 0)
        return;
    if (strcmp (dtype, "any") == 0) {
        *(const char **)member = NULL;
        return;
    }
    i = field_choose (node, dtype, type_dtypes, TYPE_DTYPES,
                      sizeof (*type_dtypes), "unknown dtype '%s'", dtype);
    if (i >= 0)
        *(const char **)member = type_dtypes[i];
}

static void read_dtype (const struct yaml_node *node, void *member)
{
    struct type *type = member;

    if (is_npy (node, type))
        type_file_read_dtype (node, &type->dtype);
}

static void read_extent (const struct yaml_node *node, struct type *type, int i)
{
    const char *text = node->kind == YAML_SCALAR ? node->text : NULL;
    int64_t extent = -1;

    type->shape[i] = -1;
    if (text && strcmp (text, "any") == 0)
        return;
    if (text && word_is_name (text) && !yaml_is_null (node))
        type->sizes[i] = arena_strdup (field_arena (node), text);
    else if (yaml_to_int (node, &extent) == 0 && extent >= 0)
        type->shape[i] = extent;
    else
        field_problem (node,
                       "shape: got %s%s%s; write a whole number, any, or a "
                       "name for an extent that ports share",
                       text ? "'" : "", text ? text : yaml_kind_name (node),
                       text ? "'" : "");
}

static void read_shape (const struct yaml_node *node, void *member)
{
    struct type *type = member;

    if (!is_npy (node, type) || field_list (node) < 0)
        return;
    if (node->n == 0 || node->n > TYPE_MAX_DIMS) {
        field_problem (node, "shape: %zu dimensions; write 1 to %d of them",
                       node->n, TYPE_MAX_DIMS);
        return;
    }
    for (size_t i = 0; i < node->n; i++)
        read_extent (node->items[i], type, (int)i);
    type->n_dims = (int)node->n;
}

/* --- maps --- */

static bool is_map (const struct yaml_node *node, const struct type *type)
{
    if (type->kind != TYPE_MAP && type->kind != TYPE_NONE)
        field_problem (node,
                       "only the type map has fields, or values of a type; "
                       "remove it");
    return type->kind == TYPE_MAP;
}

/* A word, or a mapping with what a port has for its type; 'what' is what
 * messages call it.
 */
static void read_inside (const struct yaml_node *node, const char *what,
                         const struct field *keys, struct type_field *field)
{
    const struct yaml_node *kind = node;

    if (node->kind == YAML_SEQUENCE) {
        field_problem (node,
                       "%s: got a list; write a type, or {type: ..., list: "
                       "true}",
                       what);
        return;
    }
    if (node->kind == YAML_SCALAR) {
        read_kind (node, &field->type);
    } else {
        if (field_record (node, what, keys, field) < 0)
            return;
        type_file_read (node, NULL, &field->type);
        kind = field_find (node, "type");
        if (!kind)
            field_problem (node, "%s has no type; add type: float, ...", what);
    }
    if (kind && type_is_artifact (&field->type))
        field_problem (kind,
                       "%s: a map holds parameters, and %s is a file; declare "
                       "an input or output of its own",
                       what, type_kind_name (field->type.kind));
}

static void read_fields (const struct yaml_node *node, void *member)
{
    static const struct field keys[] = {
        TYPE_KEYS,
        FIELD (struct type_field, optional, BOOL),
        FIELD_BY_RECORD ("doc", field_remark),
        FIELDS_END,
    };
    struct type *type = member;
    struct type_field *fields;

    if (!is_map (node, type) || field_any_mapping (node) < 0)
        return;
    if (node->n == 0) {
        field_problem (node, "fields: there are none; write {NAME: TYPE, ...}, "
                             "or remove it");
        return;
    }
    fields = arena_array (field_arena (node), node->n + 1, sizeof (*fields));
    for (size_t i = 0; i < node->n; i++) {
        const char *name = node->keys[i]->text;

        fields[i].name = arena_strdup (field_arena (node), name);
        read_inside (node->items[i],
                     arena_printf (field_arena (node), "the field '%s'", name),
                     keys, &fields[i]);
    }
    type->fields = fields;
}

static void read_of (const struct yaml_node *node, void *member)
{
    static const struct field keys[] = {
        TYPE_KEYS,
        FIELD_BY_RECORD ("doc", field_remark),
        FIELDS_END,
    };
    struct type *type = member;
    struct type_field *value;

    if (!is_map (node, type))
        return;
    if (type->fields) {
        field_problem (node, "of: a map has either fields or values of one "
                             "type; remove one of them");
        return;
    }
    value = arena_alloc (field_arena (node), sizeof (*value));
    read_inside (node, "of", keys, value);
    type->of = &value->type;
}

/* --- the type --- */

void type_file_read (const struct yaml_node *node, const char *dtype,
                     struct type *type)
{
    static const struct field keys[] = {
        FIELD_BY_RECORD ("type", read_kind),
        FIELD_BY_RECORD ("list", read_list),
        FIELD_BY_RECORD ("dtype", read_dtype),
        FIELD_BY_RECORD ("shape", read_shape),
        FIELD_BY_RECORD ("fields", read_fields),
        FIELD_BY_RECORD ("of", read_of),
        FIELDS_END,
    };

    field_members (node, keys, type);
    if (type->kind == TYPE_NPY && !field_find (node, "dtype"))
        type->dtype = dtype;
}
