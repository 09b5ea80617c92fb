/* SPDX-License-Identifier: BSD-3-Clause */
/* value.c - does a value fit its type? */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "formats/npy/npy.h"
#include "signature/frame_slice.h"
#include "signature/value.h"

struct checking {
    int flags;
    const char *dir;
    const struct heartbeat *heartbeat;
    struct strbuf where; /* of the value being looked at: "[3].path" */
};

/* 'depth' lists of 'type' were expected. */
static int wrong_kind (const struct type *type, int depth,
                       const struct json *value, struct error *err)
{
    struct type wanted = *type;
    struct strbuf text = STRBUF_INIT;

    wanted.depth = depth;
    type_describe (&wanted, &text);
    error_set (err, "expected %s, got %s", text.buf, json_kind_name (value));
    strbuf_release (&text);
    return -1;
}

static int check_mode (enum type_kind kind, const char *name, const char *path,
                       struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            error_set (err, "no such %s '%s'",
                       kind == TYPE_DIR ? "directory" : "file", name);
            if (err)
                err->number = ENOENT;
            return -1;
        }
        return error_errno (err, "cannot look at '%s'", name);
    }
    if (kind == TYPE_DIR && !S_ISDIR (st.st_mode))
        return error_set (err, "'%s' is not a directory", name);
    if (kind != TYPE_DIR && !S_ISREG (st.st_mode))
        return error_set (err, "'%s' is not a regular file", name);
    return 0;
}

static int check_npy (const struct type *type, const char *name,
                      const char *path, struct error *err)
{
    struct npy_header header;
    struct type wanted = *type, found = { .kind = TYPE_NPY };
    struct strbuf text = STRBUF_INIT;

    if (npy_check_file (path, &header, err) < 0)
        return -1;
    found.dtype = header.dtype + 1; /* without the byte order */
    found.n_dims = header.n_dims;
    for (int i = 0; i < header.n_dims; i++)
        found.shape[i] = (int64_t)header.shape[i];
    wanted.depth = 0;
    if (type_accepts (&wanted, &found))
        return 0;
    type_describe (&wanted, &text);
    strbuf_add_str (&text, ", got ");
    type_describe (&found, &text);
    error_set (err, "'%s': expected %s", name, text.buf);
    strbuf_release (&text);
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

/* --- absolute paths --- */

static struct json *absolute_path (const struct json *value, const char *dir)
{
    char *path = path_join (dir, json_as_string (value));
    struct json *v = json_string (path);

    free (path);
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
