/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - a stage's inputs cut into tasks */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/slices.h"
#include "formats/extxyz.h"
#include "signature/operator.h"
#include "signature/value.h"

static size_t port_count (const struct port *ports)
{
    size_t n = 0;

    while (ports && ports[n].name)
        n++;
    return n;
}

struct port *slices_ports (const struct operator* op)
{
    size_t n_inputs = port_count (op->inputs);
    size_t n_slices = port_count (op->slices);
    struct port *ports = xcalloc (n_inputs + n_slices + 1, sizeof (*ports));

    for (size_t i = 0; i < n_inputs; i++)
        ports[i] = op->inputs[i];
    for (size_t i = 0; i < n_slices; i++)
        ports[n_inputs + i] = op->slices[i];
    return ports;
}

bool slices_name (const struct operator* op, const char *name)
{
    for (size_t i = 0; op->fan_out && op->fan_out[i]; i++) {
        if (strcmp (op->fan_out[i], name) == 0)
            return true;
    }
    return port_find (op->slices, name) != NULL;
}

/* The type of the whole value that is sliced. */
static struct type whole_type (const struct operator* op,
                               const struct port *port)
{
    struct type type = port->type;

    if (slices_name (op, port->name)
        && !(type.kind == TYPE_FRAMES && type.depth == 0))
        type.depth++;
    return type;
}

/* Frames may be one file or a list of them where one is declared. */
static int check_value (const struct operator* op,
                        const struct port *port,
                        const struct json *value,
                        const char *dir,
                        struct error *err)
{
    struct type type = whole_type (op, port);
    int flags = VALUE_ON_DISK | (port->holes ? VALUE_ALLOW_HOLES : 0);

    if (type.kind == TYPE_FRAMES && type.depth == 0
        && json_kind (value) == JSON_KIND_ARRAY)
        type.depth = 1;
    if (value_check (&type, value, flags, dir, err) < 0)
        return error_prefix (err, "input '%s'", port->name);
    return 0;
}

int slices_check (const struct operator* op,
                  const struct json *values,
                  const char *dir,
                  struct error *err)
{
    for (size_t i = 0; op->inputs && op->inputs[i].name; i++) {
        const struct port *port = &op->inputs[i];
        const struct json *value = json_get (values, port->name);

        if (!value && !port->optional && !port->default_json)
            return error_set (err, "input '%s' has no value", port->name);
        if (value && check_value (op, port, value, dir, err) < 0)
            return -1;
    }
    return 0;
}

static struct json *frame_slice (const char *path,
                                 const struct extxyz_index *index,
                                 size_t frame)
{
    struct json *v = json_object ();

    json_set (v, "path", json_string (path));
    json_set (v, "frame", json_int ((int64_t)frame));
    json_set (v, "offset", json_int ((int64_t)index->offset[frame]));
    json_set (
        v, "bytes",
        json_int ((int64_t)(index->offset[frame + 1] - index->offset[frame])));
    return v;
}

static int push_frames_of (const char *path,
                           const char *dir,
                           struct json *list,
                           struct error *err)
{
    struct extxyz_index index = EXTXYZ_INDEX_INIT;
    char *full = path_join (dir, path);
    int rc = extxyz_index_file (full, &index, err);

    for (size_t i = 0; rc == 0 && i < index.n; i++)
        json_push (list, frame_slice (path, &index, i));
    extxyz_index_release (&index);
    free (full);
    return rc;
}

/* A frames value (a file or a list of files) as a list of single frames. */
static struct json *list_frames (const struct json *value,
                                 const char *dir,
                                 struct error *err)
{
    struct json *list = json_array ();
    bool many = json_kind (value) == JSON_KIND_ARRAY;
    size_t n = many ? json_count (value) : 1;

    for (size_t i = 0; i < n; i++) {
        const struct json *path = many ? json_at (value, i) : value;

        if (json_is_null (path))
            continue; /* a hole: nothing to cut */
        if (push_frames_of (json_as_string (path), dir, list, err) < 0) {
            json_unref (list);
            return NULL;
        }
    }
    return list;
}

/* The list that 'port' is sliced over; a new reference. */
static struct json *sliced_list (const struct port *port,
                                 const struct json *value,
                                 const char *dir,
                                 struct error *err)
{
    if (port->type.kind == TYPE_FRAMES && port->type.depth == 0)
        return list_frames (value, dir, err);
    if (json_kind (value) == JSON_KIND_ARRAY)
        return json_ref ((struct json *)value);
    error_set (err, "'%s' is sliced, but is %s; give a list", port->name,
               json_kind_name (value));
    return NULL;
}

/* What prepare made must be there and fit its declaration. */
static int check_made (const struct operator* op,
                       const struct json *made,
                       struct error *err)
{
    for (size_t i = 0; op->slices && op->slices[i].name; i++) {
        const struct port *port = &op->slices[i];
        const struct json *value = json_get (made, port->name);
        struct type type = whole_type (op, port);

        if (!value)
            return error_set (err, "prepare made no list '%s'", port->name);
        if (value_check (&type, value, VALUE_SHAPE, "", err) < 0)
            return error_prefix (err, "'%s', which prepare made", port->name);
    }
    return 0;
}

/* Collect {NAME: list} of everything sliced and check equal lengths. */
static int gather_lists (const struct operator* op,
                         const struct json *values,
                         const struct json *made,
                         const char *dir,
                         struct json *lists,
                         size_t *n_tasks,
                         struct error *err)
{
    struct port *ports = slices_ports (op);
    const char *first = NULL;
    int rc = -1;

    for (size_t i = 0; ports[i].name; i++) {
        const char *name = ports[i].name;
        const struct json *value = port_find (op->slices, name)
                                       ? json_get (made, name)
                                       : json_get (values, name);
        struct json *list;

        if (!slices_name (op, name) || !value)
            continue;
        if (!(list = sliced_list (&ports[i], value, dir, err)))
            goto done;
        json_set (lists, name, list);
        if (!first) {
            first = name;
            *n_tasks = json_count (list);
        } else if (json_count (list) != *n_tasks) {
            error_set (err,
                       "'%s' has %zu items but '%s' has %zu; inputs sliced "
                       "together must be equally long",
                       first, *n_tasks, name, json_count (list));
            goto done;
        }
    }
    if (!first)
        error_set (err, "nothing to slice: no input of fan_out has a value");
    rc = first ? 0 : -1;
done:
    free (ports);
    return rc;
}

static void write_lines (const struct json *lists,
                         size_t n_tasks,
                         struct strbuf *lines)
{
    for (size_t task = 0; task < n_tasks; task++) {
        struct json *line = json_object ();

        JSON_FOREACH (lists, it) {
            json_set (line, json_iter_key (it),
                      json_ref (json_at (json_iter_value (it), task)));
        }
        json_dump (line, JSON_COMPACT, lines);
        strbuf_add_char (lines, '\n');
        json_unref (line);
    }
}

static struct json *unsliced_values (const struct operator* op,
                                     const struct json *values)
{
    struct json *same = json_object ();

    JSON_FOREACH (values, it) {
        if (!slices_name (op, json_iter_key (it)))
            json_set (same, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    return same;
}

struct json *slices_cut (const struct operator* op,
                         const struct json *values,
                         const struct json *made,
                         const char *dir,
                         struct strbuf *lines,
                         size_t *n_tasks,
                         struct error *err)
{
    struct json *lists = json_object ();
    struct json *same = NULL;
    size_t n = 1;

    if (operator_fans_out (op)) {
        if (check_made (op, made, err) < 0
            || gather_lists (op, values, made, dir, lists, &n, err) < 0)
            goto done;
        write_lines (lists, n, lines);
    }
    *n_tasks = n;
    same = unsliced_values (op, values);
done:
    json_unref (lists);
    return same;
}
