/* SPDX-License-Identifier: BSD-3-Clause */
/* type.c - the types of operator inputs and outputs */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/json_record.h"
#include "signature/type.h"

const char *const type_kind_names[] = {
    [TYPE_INT] = "int",           [TYPE_FLOAT] = "float",
    [TYPE_STRING] = "string",     [TYPE_BOOL] = "bool",
    [TYPE_DURATION] = "duration", [TYPE_BYTES] = "bytes",
    [TYPE_LIST] = "list",         [TYPE_MAP] = "map",
    [TYPE_ANY] = "any",           [TYPE_FILE] = "file",
    [TYPE_DIR] = "dir",           [TYPE_FRAMES] = "frames",
    [TYPE_NPY] = "npy",           [TYPE_PATH] = "path",
};

const char *const type_dtypes[TYPE_DTYPES] = { "f8", "f4", "f2", "i8", "i4",
                                               "i2", "i1", "u1", "b1" };

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

const struct type_field *type_field_find (const struct type *type,
                                          const char *name)
{
    for (const struct type_field *f = type->fields; f && f->name; f++) {
        if (strcmp (f->name, name) == 0)
            return f;
    }
    return NULL;
}

void type_field_names (const struct type *type, struct strvec *names)
{
    for (const struct type_field *f = type->fields; f && f->name; f++)
        strvec_push (names, f->name);
}

/* --- in words --- */

bool type_is_list (const struct type *type)
{
    return type->depth > 0 || type->kind == TYPE_LIST
           || type->kind == TYPE_FRAMES;
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
            strbuf_add_str (out, type->sizes[i] ? type->sizes[i] : "?");
        else
            strbuf_addf (out, "%" PRId64, type->shape[i]);
    }
    strbuf_add_str (out, type->n_dims ? "])" : ")");
}

/* "{low: float, high?: float}", " of float"; types nest as a file does. */
static void describe_map (const struct type *type, struct strbuf *out)
{
    const struct type_field *f = type->fields;

    for (; f && f->name; f++) {
        strbuf_addf (out, "%s%s%s: ", f == type->fields ? "{" : ", ", f->name,
                     f->optional ? "?" : "");
        type_describe (&f->type, out);
    }
    if (type->fields)
        strbuf_add_char (out, '}');
    if (type->of) {
        strbuf_add_str (out, " of ");
        type_describe (type->of, out);
    }
}

void type_describe (const struct type *type, struct strbuf *out)
{
    for (int i = 0; i < type->depth; i++)
        strbuf_add_str (out, "list of ");
    strbuf_add_str (out, type_kind_name (type->kind));
    if (type->kind == TYPE_NPY)
        describe_npy (type, out);
    if (type->kind == TYPE_MAP)
        describe_map (type, out);
}

/* --- what fits what --- */

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

/* May what 'from' has under a key be what 'to' has there?  Either may have
 * nothing to say of it (NULL).
 */
static bool value_accepts (const struct type *to, const struct type *from)
{
    return !to || !from || type_accepts (to, from);
}

static const struct type *type_under (const struct type *map, const char *key)
{
    const struct type_field *field = type_field_find (map, key);

    return field ? &field->type : map->of;
}

static bool map_accepts (const struct type *to, const struct type *from)
{
    if (!to->fields && !from->fields && !value_accepts (to->of, from->of))
        return false;
    for (const struct type_field *f = to->fields; f && f->name; f++) {
        if (!f->optional && from->fields && !type_field_find (from, f->name))
            return false; /* it is never there */
        if (!f->optional
            && !value_accepts (&f->type, type_under (from, f->name)))
            return false;
    }
    for (const struct type_field *f = from->fields; f && f->name; f++) {
        const struct type *wanted = type_under (to, f->name);

        if (!f->optional
            && ((to->fields && !wanted) || !value_accepts (wanted, &f->type)))
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
    if (to->kind == TYPE_PATH && type_is_artifact (from))
        return from->kind != TYPE_FRAMES;
    if (to->kind != from->kind)
        return false;
    if (to->kind == TYPE_MAP)
        return map_accepts (to, from);
    return to->kind != TYPE_NPY || npy_accepts (to, from);
}

/* --- as JSON --- */

static struct json *shape_to_json (const struct type *type)
{
    struct json *shape = json_array ();

    for (int i = 0; i < type->n_dims; i++)
        json_push (shape, type->sizes[i] ? json_string (type->sizes[i])
                                         : json_int (type->shape[i]));
    return shape;
}

static struct json *fields_to_json (const struct type_field *fields)
{
    struct json *all = json_object ();

    for (; fields->name; fields++) {
        struct json *v = type_to_json (&fields->type);

        if (fields->optional)
            json_set (v, "optional", json_bool (true));
        json_set (all, fields->name, v);
    }
    return all;
}

struct json *type_to_json (const struct type *type)
{
    struct json *v = json_object ();

    json_set (v, "kind", json_string (type_kind_name (type->kind)));
    json_set (v, "depth", json_int (type->depth));
    if (type->dtype)
        json_set (v, "dtype", json_string (type->dtype));
    if (type->n_dims > 0)
        json_set (v, "shape", shape_to_json (type));
    if (type->fields)
        json_set (v, "fields", fields_to_json (type->fields));
    if (type->of)
        json_set (v, "of", type_to_json (type->of));
    return v;
}

/* A named extent is one that may be any. */
static void drop_sizes (struct json *v)
{
    const struct json *shape = json_get (v, "shape");
    struct json *plain = json_array ();

    for (size_t i = 0; i < json_count (shape); i++) {
        struct json *extent = json_at (shape, i);

        json_push (plain, json_kind (extent) == JSON_KIND_STRING
                              ? json_int (-1)
                              : json_ref (extent));
    }
    json_set (v, "shape", plain);
}

void type_json_drop_checks (struct json *v)
{
    json_delete (v, "fields");
    json_delete (v, "of");
    if (json_get (v, "shape"))
        drop_sizes (v);
}

static int extent_from_json (const struct json *v, struct arena *arena,
                             struct type *type, int i, struct error *err)
{
    if (json_kind (v) == JSON_KIND_STRING) {
        type->shape[i] = -1;
        type->sizes[i] = arena_strdup (arena, json_as_string (v));
        return 0;
    }
    if (json_kind (v) != JSON_KIND_INT || json_as_int (v) < -1)
        return error_set (err, "key 'shape': an extent is not a count");
    type->shape[i] = json_as_int (v);
    return 0;
}

static int shape_from_json (const struct json *v, struct arena *arena,
                            struct type *type, struct error *err)
{
    struct json *shape;

    if (json_want_array (v, "shape", &shape, err) < 0)
        return -1;
    if (json_count (shape) > TYPE_MAX_DIMS)
        return error_set (err, "key 'shape': more than %d dimensions",
                          TYPE_MAX_DIMS);
    type->n_dims = (int)json_count (shape);
    for (int i = 0; i < type->n_dims; i++) {
        if (extent_from_json (json_at (shape, (size_t)i), arena, type, i, err)
            < 0)
            return -1;
    }
    return 0;
}

static int fields_from_json (const struct json *v, struct arena *arena,
                             struct type *type, struct error *err)
{
    struct json *all;
    struct type_field *field;

    if (json_want_object (v, "fields", &all, err) < 0)
        return -1;
    type->fields = field =
        arena_array (arena, json_count (all) + 1, sizeof (*field));
    JSON_FOREACH (all, it) {
        const struct json *one = json_iter_value (it);

        field->name = arena_strdup (arena, json_iter_key (it));
        field->optional = json_as_bool (json_get (one, "optional"));
        if (type_from_json (one, arena, &field->type, err) < 0)
            return error_prefix (err, "key 'fields': '%s'", field->name);
        field++;
    }
    return 0;
}

static int of_from_json (const struct json *v, struct arena *arena,
                         struct type *type, struct error *err)
{
    struct type *of = arena_alloc (arena, sizeof (*of));

    if (type_from_json (json_get (v, "of"), arena, of, err) < 0)
        return error_prefix (err, "key 'of'");
    type->of = of;
    return 0;
}

int type_from_json (const struct json *v, struct arena *arena,
                    struct type *type, struct error *err)
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
    if (read.dtype)
        read.dtype = arena_strdup (arena, read.dtype);
    if ((json_get (v, "shape") && shape_from_json (v, arena, &read, err) < 0)
        || (json_get (v, "fields")
            && fields_from_json (v, arena, &read, err) < 0)
        || (json_get (v, "of") && of_from_json (v, arena, &read, err) < 0))
        return -1;
    *type = read;
    return 0;
}
