/* SPDX-License-Identifier: BSD-3-Clause */
/* type.c - the types of operator inputs and outputs */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_record.h"
#include "base/strbuf.h"
#include "signature/type.h"

const char *const type_kind_names[] = {
    [TYPE_INT] = "int",           [TYPE_FLOAT] = "float",
    [TYPE_STRING] = "string",     [TYPE_BOOL] = "bool",
    [TYPE_DURATION] = "duration", [TYPE_BYTES] = "bytes",
    [TYPE_LIST] = "list",         [TYPE_MAP] = "map",
    [TYPE_ANY] = "any",           [TYPE_FILE] = "file",
    [TYPE_DIR] = "dir",           [TYPE_FRAMES] = "frames",
    [TYPE_NPY] = "npy",
};

enum type_kind type_kind_from_name (const char *name)
{
    for (size_t i = TYPE_INT; i < ARRAY_SIZE (type_kind_names); i++) {
        if (strcmp (type_kind_names[i], name) == 0)
            return (enum type_kind)i;
    }
    return TYPE_NONE;
}

const char *type_kind_name (enum type_kind kind)
{
    return kind == TYPE_NONE ? "none" : type_kind_names[kind];
}

bool type_is_artifact (const struct type *type)
{
    return type->kind >= TYPE_FILE;
}

/* "(f8,[?,3])"; nothing when the type does not care. */
static void describe_npy (const struct type *type, struct strbuf *out)
{
    if (!type->dtype && type->n_dims == 0)
        return;
    strbuf_addf (out, "(%s", type->dtype ? type->dtype : "?");
    for (int i = 0; i < type->n_dims; i++) {
        strbuf_add_str (out, i == 0 ? ",[" : ",");
        if (type->shape[i] < 0)
            strbuf_add_char (out, '?');
        else
            strbuf_addf (out, "%" PRId64, type->shape[i]);
    }
    strbuf_add_str (out, type->n_dims ? "])" : ")");
}

void type_describe (const struct type *type, struct strbuf *out)
{
    for (int i = 0; i < type->depth; i++)
        strbuf_add_str (out, "list of ");
    strbuf_add_str (out, type_kind_name (type->kind));
    if (type->kind == TYPE_NPY)
        describe_npy (type, out);
}

static bool npy_accepts (const struct type *to, const struct type *from)
{
    if (to->dtype && (!from->dtype || strcmp (to->dtype, from->dtype) != 0))
        return false;
    if (to->n_dims == 0)
        return true;
    if (to->n_dims != from->n_dims)
        return false;
    for (int i = 0; i < to->n_dims; i++) {
        if (to->shape[i] >= 0 && to->shape[i] != from->shape[i])
            return false;
    }
    return true;
}

bool type_accepts (const struct type *to, const struct type *from)
{
    if (to->kind == TYPE_ANY && to->depth <= from->depth)
        return !type_is_artifact (from);
    if (to->kind == TYPE_LIST && from->depth > to->depth)
        return !type_is_artifact (from);
    if (to->kind == TYPE_FRAMES && from->kind == TYPE_FRAMES && to->depth == 0)
        return from->depth <= 1;
    if (to->depth != from->depth)
        return false;
    if (to->kind == TYPE_FLOAT && from->kind == TYPE_INT)
        return true;
    if (to->kind != from->kind)
        return false;
    return to->kind != TYPE_NPY || npy_accepts (to, from);
}

struct json *type_to_json (const struct type *type)
{
    struct json *v = json_object ();

    json_set (v, "kind", json_string (type_kind_name (type->kind)));
    json_set (v, "depth", json_int (type->depth));
    if (type->dtype)
        json_set (v, "dtype", json_string (type->dtype));
    if (type->n_dims > 0) {
        struct json *shape = json_array ();

        for (int i = 0; i < type->n_dims; i++)
            json_push (shape, json_int (type->shape[i]));
        json_set (v, "shape", shape);
    }
    return v;
}

static int shape_from_json (const struct json *v, struct type *type,
                            struct error *err)
{
    struct json *shape;

    if (json_want_array (v, "shape", &shape, err) < 0)
        return -1;
    if (json_count (shape) > TYPE_MAX_DIMS)
        return error_set (err, "key 'shape': more than %d dimensions",
                          TYPE_MAX_DIMS);
    for (size_t i = 0; i < json_count (shape); i++) {
        const struct json *extent = json_at (shape, i);

        if (json_kind (extent) != JSON_KIND_INT || json_as_int (extent) < -1)
            return error_set (err, "key 'shape': an extent is not a count");
        type->shape[i] = json_as_int (extent);
    }
    type->n_dims = (int)json_count (shape);
    return 0;
}

int type_from_json (const struct json *v, struct type *type, struct error *err)
{
    struct type read = { .kind = TYPE_NONE };
    const char *kind;
    int64_t depth;

    if (json_want_string (v, "kind", &kind, err) < 0
        || json_want_in (v, "depth", 0, TYPE_MAX_DEPTH, &depth, err) < 0)
        return -1;
    read.kind = type_kind_from_name (kind);
    if (read.kind == TYPE_NONE)
        return error_set (err, "key 'kind': unknown type '%s'", kind);
    read.depth = (int)depth;
    if (json_get (v, "dtype")
        && json_want_string (v, "dtype", &read.dtype, err) < 0)
        return -1;
    if (json_get (v, "shape") && shape_from_json (v, &read, err) < 0)
        return -1;
    *type = read;
    return 0;
}
