/* SPDX-License-Identifier: BSD-3-Clause */
/* value.c - does a value fit its type? */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/problems.h"
#include "formats/npy/npy.h"
#include "signature/frame_slice.h"
#include "signature/value.h"

struct checking {
    int flags;
    const char *dir;
    const struct heartbeat *heartbeat;
    struct strbuf where; /* of the value being looked at: "[3].path" */
};

/* 'depth' lists of 'type' were expected; of maps what is in them is no matter.
 */
static int wrong_kind (const struct type *type, int depth,
                       const struct json *value, struct error *err)
{
    struct type wanted = *type;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    wanted.depth = depth;
    wanted.fields = NULL;
    wanted.of = NULL;
    type_describe (&wanted, &text);
    error_set (err, "expected %s, got %s", text.buf, json_kind_name (value));
    return -1;
}

static int check_mode (enum type_kind kind, const char *name, const char *path,
                       struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            error_set (err, "no such %s '%s'",
                       kind == TYPE_DIR    ? "directory"
                       : kind == TYPE_PATH ? "file or directory"
                                           : "file",
                       name);
            if (err)
                err->number = ENOENT;
            return -1;
        }
        return error_errno (err, "cannot look at '%s'", name);
    }
    if (kind == TYPE_DIR && !S_ISDIR (st.st_mode))
        return error_set (err, "'%s' is not a directory", name);
    if (kind == TYPE_PATH && !S_ISDIR (st.st_mode) && !S_ISREG (st.st_mode))
        return error_set (err, "'%s' is no file and no directory", name);
    if (kind != TYPE_DIR && kind != TYPE_PATH && !S_ISREG (st.st_mode))
        return error_set (err, "'%s' is not a regular file", name);
    return 0;
}

int npy_read_type (const char *path, struct type *type, struct error *err)
{
    struct type found = { .kind = TYPE_NPY };
    struct npy_header header;

    if (npy_check_file (path, &header, err) < 0)
        return -1;
    for (size_t i = 0; i < TYPE_DTYPES; i++) { /* without the byte order */
        if (strcmp (type_dtypes[i], header.dtype + 1) == 0)
            found.dtype = type_dtypes[i];
    }
    found.n_dims = header.n_dims;
    for (int i = 0; i < header.n_dims; i++)
        found.shape[i] = (int64_t)header.shape[i];
    *type = found;
    return 0;
}

static int check_npy (const struct type *type, const char *name,
                      const char *path, struct error *err)
{
    struct type wanted = *type, found;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (npy_read_type (path, &found, err) < 0)
        return -1;
    wanted.depth = 0;
    if (type_accepts (&wanted, &found))
        return 0;
    type_describe (&wanted, &text);
    strbuf_add_str (&text, ", got ");
    type_describe (&found, &text);
    error_set (err, "'%s': expected %s", name, text.buf);
    return -1;
}

static int check_path (const struct checking *c, const struct type *type,
                       const struct json *value, struct error *err)
{
    const char *name = json_as_string (value);
    char *path;
    int rc;

    if (json_kind (value) != JSON_KIND_STRING)
        return wrong_kind (type, 0, value, err);
    if (name[0] == '\0')
        return error_set (err, "the path is empty");
    if (!(c->flags & VALUE_ON_DISK))
        return 0;
    path = path_join (c->dir, name);
    rc = check_mode (type->kind, name, path, err);
    if (rc == 0 && type->kind == TYPE_NPY)
        rc = check_npy (type, name, path, err);
    free (path);
    return rc;
}

static int check_frame (struct checking *c, const struct type *type,
                        const struct json *value, struct error *err)
{
    if (frame_slice_check (value, err) < 0)
        return -1;
    strbuf_add_str (&c->where, ".path");
    return check_path (c, type, json_get (value, "path"), err);
}

#define KIND(what) (1u << JSON_KIND_##what)

/* The kinds of JSON that a parameter may be. */
static const unsigned parameter_kinds[] = {
    [TYPE_INT] = KIND (INT),
    [TYPE_FLOAT] = KIND (INT) | KIND (REAL),
    [TYPE_STRING] = KIND (STRING),
    [TYPE_BOOL] = KIND (BOOL),
    [TYPE_DURATION] = KIND (INT) | KIND (REAL),
    [TYPE_BYTES] = KIND (INT),
    [TYPE_LIST] = KIND (ARRAY),
    [TYPE_MAP] = KIND (OBJECT),
    [TYPE_ANY] = ~KIND (NULL),
};

static int check_parameter (const struct type *type, const struct json *value,
                            struct error *err)
{
    if (!(parameter_kinds[type->kind] & 1u << json_kind (value)))
        return wrong_kind (type, 0, value, err);
    if ((type->kind == TYPE_BYTES || type->kind == TYPE_DURATION)
        && json_as_double (value) < 0)
        return error_set (err, "%s cannot be negative",
                          type_kind_name (type->kind));
    return 0;
}

static int check_value (struct checking *c, const struct type *type, int depth,
                        const struct json *value, struct error *err);

/* --- maps --- */

/* "did you mean 'low'?", or which there are. */
static void add_fields (const struct type *type, const char *word,
                        struct strbuf *out)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *near;

    type_field_names (type, &names);
    near = nearest_word (word, &names);
    if (near)
        strbuf_addf (out, "did you mean '%s'?", near);
    for (size_t i = 0; !near && i < names.n; i++)
        strbuf_addf (out, "%s%s", i == 0 ? "there is " : ", ", names.v[i]);
}

static int unknown_field (const struct type *type, const char *word,
                          struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf remedy = STRBUF_INIT;

    add_fields (type, word, &remedy);
    error_set (err, "unknown key '%s'; %s", word, remedy.buf);
    return -1;
}

static int missing_field (const struct type_field *field, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    type_describe (&field->type, &text);
    error_set (err, "'%s' (%s) is missing", field->name, text.buf);
    return -1;
}

static int check_field (struct checking *c, const struct type *type,
                        const char *key, const struct json *value,
                        struct error *err)
{
    size_t here = c->where.len;

    strbuf_addf (&c->where, "%s%s", here > 0 ? "." : "", key);
    if (check_value (c, type, type->depth, value, err) < 0)
        return -1;
    strbuf_truncate (&c->where, here);
    return 0;
}

static int check_fields (struct checking *c, const struct type *type,
                         const struct json *value, struct error *err)
{
    JSON_FOREACH (value, it) {
        if (!type_field_find (type, json_iter_key (it)))
            return unknown_field (type, json_iter_key (it), err);
    }
    for (const struct type_field *f = type->fields; f->name; f++) {
        const struct json *v = json_get (value, f->name);

        if (!v && !f->optional)
            return missing_field (f, err);
        if ((!f->optional || !json_is_null (v))
            && check_field (c, &f->type, f->name, v, err) < 0)
            return -1;
    }
    return 0;
}

/* What is in a map has no holes. */
static int check_map (struct checking *c, const struct type *type,
                      const struct json *value, struct error *err)
{
    int flags = c->flags;
    int rc = check_parameter (type, value, err);

    c->flags &= ~VALUE_ALLOW_HOLES;
    if (rc == 0 && type->fields)
        rc = check_fields (c, type, value, err);
    if (rc == 0 && type->of) {
        JSON_FOREACH (value, it) {
            if (check_field (c, type->of, json_iter_key (it),
                             json_iter_value (it), err)
                < 0)
                return -1;
        }
    }
    c->flags = flags;
    return rc;
}

/* --- values of any type --- */

/* Items are of depth 'depth'; -1: those of frames read one after the other,
 * which cannot be lists again.
 */
static int check_items (struct checking *c, const struct type *type, int depth,
                        const struct json *value, struct error *err)
{
    size_t here = c->where.len;

    for (size_t i = 0; i < json_count (value); i++) {
        const struct json *item = json_at (value, i);

        if (json_is_null (item) && c->flags & VALUE_ALLOW_HOLES)
            continue;
        heartbeat_send (c->heartbeat);
        strbuf_addf (&c->where, "[%zu]", i);
        if (check_value (c, type, depth, item, err) < 0)
            return -1;
        strbuf_truncate (&c->where, here);
    }
    return 0;
}

static int check_value (struct checking *c, const struct type *type, int depth,
                        const struct json *value, struct error *err)
{
    enum json_kind kind = json_kind (value);
    bool frames = type->kind == TYPE_FRAMES;

    if (depth > 0 && kind != JSON_KIND_ARRAY)
        return wrong_kind (type, depth, value, err);
    if (depth > 0 || (depth == 0 && frames && kind == JSON_KIND_ARRAY))
        return check_items (c, type, depth - 1, value, err);
    if (frames && kind == JSON_KIND_OBJECT)
        return check_frame (c, type, value, err);
    if (type_is_artifact (type))
        return check_path (c, type, value, err);
    if (type->kind == TYPE_MAP)
        return check_map (c, type, value, err);
    return check_parameter (type, value, err);
}

int value_check (const struct type *type, const struct json *value, int flags,
                 const char *dir, const struct heartbeat *heartbeat,
                 struct error *err)
{
    struct checking c = {
        .flags = flags, .dir = dir, .heartbeat = heartbeat, .where = STRBUF_INIT
    };
    int rc = check_value (&c, type, type->depth, value, err);

    if (rc < 0 && c.where.len > 0)
        error_prefix (err, "%s", c.where.buf);
    strbuf_release (&c.where);
    return rc;
}

struct json *value_numbers (int64_t n, struct error *err)
{
    struct json *numbers;

    if (n < 0 || n > VALUE_NUMBERS_MAX) {
        error_set (err,
                   "%" PRId64 " slices of a whole number; give 0 to %d, or a "
                   "list",
                   n, VALUE_NUMBERS_MAX);
        return NULL;
    }
    numbers = json_array ();
    for (int64_t i = 0; i < n; i++)
        json_push (numbers, json_int (i));
    return numbers;
}

/* --- absolute paths --- */

static struct json *absolute_path (const struct json *value, const char *dir)
{
    _cleanup_free_ char *path = path_join (dir, json_as_string (value));
    struct json *v = json_string (path);

    return v;
}

/* Depth is bounded by that of values, which JSON reading bounds. */
static struct json *absolute (const struct json *value, const char *dir)
{
    struct json *v;

    switch (json_kind (value)) {
    case JSON_KIND_STRING:
        return absolute_path (value, dir);
    case JSON_KIND_ARRAY:
        v = json_array ();
        for (size_t i = 0; i < json_count (value); i++)
            json_push (v, absolute (json_at (value, i), dir));
        return v;
    case JSON_KIND_OBJECT: /* one frame of a file */
        v = json_deep_copy (value);
        if (json_get (v, "path"))
            json_set (v, "path", absolute_path (json_get (v, "path"), dir));
        return v;
    default:
        return json_deep_copy (value);
    }
}

struct json *value_absolute (const struct type *type, const struct json *value,
                             const char *dir)
{
    return type_is_artifact (type) ? absolute (value, dir)
                                   : json_deep_copy (value);
}
