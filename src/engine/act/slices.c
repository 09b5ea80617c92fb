/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - a stage's inputs cut into tasks */
#include "base/base.h"

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "engine/act/slices.h"
#include "signature/frame_slice.h"
#include "signature/operator.h"
#include "signature/value.h"

struct port *slices_ports (const struct operator_spec *op)
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

bool slices_name (const struct operator_spec *op, const char *name)
{
    return words_contain (op->fan_out, name) || port_find (op->slices, name);
}

/* The type of the whole value that is sliced. */
static struct type whole_type (const struct operator_spec *op,
                               const struct port *port)
{
    struct type type = port->type;

    if (slices_name (op, port->name)
        && !(type.kind == TYPE_FRAMES && type.depth == 0))
        type.depth++;
    return type;
}

/* Frames may be one file or a list of them where one is declared. */
static int check_value (const struct operator_spec *op, const struct port *port,
                        const struct json *value, const char *dir,
                        const struct heartbeat *heartbeat, struct error *err)
{
    struct type type = whole_type (op, port);
    int flags = VALUE_ON_DISK | (port->holes ? VALUE_ALLOW_HOLES : 0);

    if (type.kind == TYPE_FRAMES && type.depth == 0
        && json_kind (value) == JSON_KIND_ARRAY)
        type.depth = 1;
    return value_check (&type, value, flags, dir, heartbeat, err);
}

int slices_check (const struct operator_spec *op, const struct json *values,
                  const char *dir, const struct heartbeat *heartbeat,
                  struct error *err)
{
    for (size_t i = 0; op->inputs && op->inputs[i].name; i++) {
        const struct port *port = &op->inputs[i];
        const struct json *value = json_get (values, port->name);

        if (!value && !port->optional && !port->default_json)
            return error_set (err, "input '%s' has no value", port->name);
        if (value && check_value (op, port, value, dir, heartbeat, err) < 0)
            return error_prefix (err, "input '%s'", port->name);
    }
    return 0;
}

/* Does every path in an artifact's value stay below the directory it is seen
 * from?
 */
static int check_inside (const struct json *value, struct error *err)
{
    if (json_kind (value) == JSON_KIND_STRING
        && !path_is_inside (json_as_string (value)))
        return error_set (err,
                          "'%s' is not below out/; write paths as seen from "
                          "there",
                          json_as_string (value));
    for (size_t i = 0; i < json_count (value); i++) {
        if (check_inside (json_at (value, i), err) < 0)
            return -1;
    }
    return 0;
}

static int check_made (const struct operator_spec *op, const struct port *port,
                       const struct json *value, const char *out_dir,
                       struct error *err)
{
    if (!value)
        return error_set (err, "prepare made no list '%s'", port->name);
    if ((type_is_artifact (&port->type) && check_inside (value, err) < 0)
        || check_value (op, port, value, out_dir, NULL, err) < 0)
        return error_prefix (err, "'%s', which prepare made", port->name);
    return 0;
}

struct json *slices_made (const struct operator_spec *op,
                          const struct json *made, const char *out_dir,
                          const char *place, struct error *err)
{
    struct json *placed = json_object ();

    for (size_t i = 0; op->slices && op->slices[i].name; i++) {
        const struct port *port = &op->slices[i];
        const struct json *value = json_get (made, port->name);

        if (check_made (op, port, value, out_dir, err) < 0) {
            json_unref (placed);
            return NULL;
        }
        json_set (placed, port->name,
                  value_absolute (&port->type, value, place));
    }
    return placed;
}

/* --- what is sliced --- */

/* One input that is sliced: a list, or the frames of files. */
struct sliced {
    const char *name;
    const struct json *list; /* NULL: frames */
    struct frame_file *files;
    size_t n_files, alloc;
    size_t file, frame; /* the next one */
    size_t n;
};

static void sliced_release (struct sliced *sliced)
{
    for (size_t i = 0; i < sliced->n_files; i++)
        frame_file_release (&sliced->files[i]);
    free (sliced->files);
}

/* The slice of the task after the last one asked for; a new reference. */
static struct json *sliced_next (struct sliced *sliced, size_t task)
{
    if (sliced->list)
        return json_ref (json_at (sliced->list, task));
    while (sliced->frame == sliced->files[sliced->file].index.n) {
        sliced->file++;
        sliced->frame = 0;
    }
    return frame_slice (&sliced->files[sliced->file], sliced->frame++);
}

static int add_frames_of (struct sliced *sliced, const char *path,
                          const char *dir, struct error *err)
{
    struct frame_file file;

    if (frame_file_open (&file, path, dir, err) < 0)
        return -1;
    sliced->files = grow_array (sliced->files, sliced->n_files, &sliced->alloc,
                                sizeof (*sliced->files));
    sliced->files[sliced->n_files++] = file;
    sliced->n += file.index.n;
    return 0;
}

/* A frames value: a file or a list of files. */
static int add_frames (struct sliced *sliced, const struct json *value,
                       const char *dir, const struct heartbeat *heartbeat,
                       struct error *err)
{
    bool many = json_kind (value) == JSON_KIND_ARRAY;
    size_t n = many ? json_count (value) : 1;

    for (size_t i = 0; i < n; i++) {
        const struct json *path = many ? json_at (value, i) : value;

        heartbeat_send (heartbeat);
        if (!json_is_null (path) /* else a hole: nothing to cut */
            && add_frames_of (sliced, json_as_string (path), dir, err) < 0)
            return -1;
    }
    return 0;
}

static int sliced_open (struct sliced *sliced, const struct port *port,
                        const struct json *value, const char *dir,
                        const struct heartbeat *heartbeat, struct error *err)
{
    sliced->name = port->name;
    if (port->type.kind == TYPE_FRAMES && port->type.depth == 0)
        return add_frames (sliced, value, dir, heartbeat, err);
    if (json_kind (value) != JSON_KIND_ARRAY)
        return error_set (err, "'%s' is sliced, but is %s; give a list",
                          port->name, json_kind_name (value));
    sliced->list = value;
    sliced->n = json_count (value);
    return 0;
}

/* --- cutting --- */

struct cutting {
    struct sliced *v; /* in the order of the signature */
    size_t n;
};

static void cutting_release (struct cutting *cutting)
{
    for (size_t i = 0; i < cutting->n; i++)
        sliced_release (&cutting->v[i]);
    free (cutting->v);
}

/* All that are sliced together are equally long. */
static int check_lengths (const struct cutting *cutting, struct error *err)
{
    const struct sliced *first = &cutting->v[0];

    if (cutting->n == 0)
        return error_set (err,
                          "nothing to slice: no input of fan_out has a value");
    for (size_t i = 1; i < cutting->n; i++) {
        if (cutting->v[i].n != first->n)
            return error_set (err,
                              "'%s' has %zu items but '%s' has %zu; inputs "
                              "sliced together must be equally long",
                              first->name, first->n, cutting->v[i].name,
                              cutting->v[i].n);
    }
    return 0;
}

static int open_all (struct cutting *cutting, const struct operator_spec *op,
                     const struct json *values, const struct json *made,
                     const char *dir, const struct heartbeat *heartbeat,
                     struct error *err)
{
    _cleanup_free_ struct port *ports = slices_ports (op);
    int rc = 0;

    cutting->v = xcalloc (port_count (ports) + 1, sizeof (*cutting->v));
    for (size_t i = 0; rc == 0 && ports[i].name; i++) {
        const char *name = ports[i].name;
        const struct json *value = port_find (op->slices, name)
                                       ? json_get (made, name)
                                       : json_get (values, name);

        if (slices_name (op, name) && value)
            rc = sliced_open (&cutting->v[cutting->n++], &ports[i], value, dir,
                              heartbeat, err);
    }
    return rc < 0 ? -1 : check_lengths (cutting, err);
}

static int put_slices (struct cutting *cutting, slice_put *put, void *arg,
                       struct error *err)
{
    int rc = 0;

    for (size_t task = 0; rc == 0 && task < cutting->v[0].n; task++) {
        _cleanup_json_ struct json *slice = json_object ();

        for (size_t i = 0; i < cutting->n; i++)
            json_set (slice, cutting->v[i].name,
                      sliced_next (&cutting->v[i], task));
        rc = put (slice, arg, err);
    }
    return rc;
}

struct json *slices_same (const struct operator_spec *op,
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

struct json *slices_cut (const struct operator_spec *op,
                         const struct json *values, const struct json *made,
                         const char *dir, slice_put *put, void *arg,
                         size_t *n_tasks, const struct heartbeat *heartbeat,
                         struct error *err)
{
    _cleanup_ (cutting_release) struct cutting cutting = { 0 };
    struct json *same = NULL;

    if (operator_fans_out (op)
        && (open_all (&cutting, op, values, made, dir, heartbeat, err) < 0
            || (put && put_slices (&cutting, put, arg, err) < 0)))
        return NULL;
    *n_tasks = cutting.n > 0 ? cutting.v[0].n : 1;
    same = slices_same (op, values);
    return same;
}
