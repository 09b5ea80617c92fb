/* SPDX-License-Identifier: BSD-3-Clause */
/* task_inputs.c - the inputs of one task, checked and made real */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/task.h"
#include "agent/task_inputs.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "signature/operator.h"
#include "signature/value.h"

struct maker {
    const char *campaign_dir;
    const char *in_dir;
    const char *name; /* of the input */
    int n_cut;
};

/* Copy 'bytes' bytes at 'offset' of one open file to another. */
static enum prepared copy_range (int from,
                                 int64_t offset,
                                 int64_t bytes,
                                 int to,
                                 struct error *err)
{
    char chunk[1 << 16];

    while (bytes > 0) {
        size_t want =
            bytes < (int64_t)sizeof (chunk) ? (size_t)bytes : sizeof (chunk);
        ssize_t n = pread (from, chunk, want, offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            error_errno (err, "cannot read it");
            return PREPARE_BAD_INPUT;
        }
        if (n == 0) {
            error_set (err, "it is shorter than it was");
            return PREPARE_BAD_INPUT;
        }
        if (file_write_all (to, chunk, (size_t)n, err) < 0)
            return PREPARE_FAILED;
        offset += n;
        bytes -= n;
    }
    return PREPARE_OK;
}

/* Write one frame of the file 'source' to 'target'. */
static enum prepared cut_frame (const char *source,
                                const struct json *frame,
                                const char *target,
                                struct error *err)
{
    enum prepared rc = PREPARE_FAILED;
    int from = file_open (source, O_RDONLY, 0);
    int to;

    if (from < 0) {
        error_errno (err, "cannot open '%s'", source);
        return PREPARE_BAD_INPUT;
    }
    to = file_open (target, O_WRONLY | O_CREAT | O_EXCL, 0444);
    if (to < 0) {
        error_errno (err, "cannot create '%s'", target);
        goto done;
    }
    rc = copy_range (from, json_as_int (json_get (frame, "offset")),
                     json_as_int (json_get (frame, "bytes")), to, err);
    if (rc != PREPARE_OK)
        error_prefix (err, "cutting a frame out of '%s'", source);
    if (close (to) < 0 && errno != EINTR && rc == PREPARE_OK) {
        error_errno (err, "cannot write '%s'", target);
        rc = PREPARE_FAILED;
    }
done:
    close (from);
    return rc;
}

static enum prepared make_frame (struct maker *maker,
                                 const struct json *frame,
                                 struct json **made,
                                 struct error *err)
{
    char *source = path_join (maker->campaign_dir,
                              json_as_string (json_get (frame, "path")));
    char *target = maker->n_cut == 0
                       ? xasprintf ("%s/%s.extxyz", maker->in_dir, maker->name)
                       : xasprintf ("%s/%s.%d.extxyz", maker->in_dir,
                                    maker->name, maker->n_cut);
    enum prepared rc = cut_frame (source, frame, target, err);

    maker->n_cut++;
    if (rc == PREPARE_OK)
        *made = json_string (target);
    free (target);
    free (source);
    return rc;
}

/* An artifact value that was found good: a path, a frame, a hole, or a list of
 * these (as deep as types nest).
 */
static enum prepared make_artifact (struct maker *maker,
                                    const struct json *value,
                                    struct json **made,
                                    struct error *err)
{
    enum prepared rc = PREPARE_OK;
    char *path;

    switch (json_kind (value)) {
    case JSON_KIND_STRING:
        path = path_join (maker->campaign_dir, json_as_string (value));
        *made = json_string (path);
        free (path);
        return PREPARE_OK;
    case JSON_KIND_OBJECT:
        return make_frame (maker, value, made, err);
    case JSON_KIND_ARRAY:
        break;
    default:
        *made = json_null ();
        return PREPARE_OK;
    }
    *made = json_array ();
    for (size_t i = 0; rc == PREPARE_OK && i < json_count (value); i++) {
        struct json *item = NULL;

        rc = make_artifact (maker, json_at (value, i), &item, err);
        if (rc == PREPARE_OK)
            json_push (*made, item);
    }
    if (rc != PREPARE_OK) {
        json_unref (*made);
        *made = NULL;
    }
    return rc;
}

/* The value of one input; *made stays NULL when it is optional and absent. */
static enum prepared make_input (const struct task *task,
                                 const struct port *port,
                                 const char *in_dir,
                                 struct json **made,
                                 struct error *err)
{
    const struct assignment *a = task->assignment;
    struct maker maker = { a->campaign_dir, in_dir, port->name, 0 };
    struct json *value = json_get (task->slice, port->name);
    int flags = VALUE_ON_DISK | (port->holes ? VALUE_ALLOW_HOLES : 0);

    if (!value)
        value = json_get (a->stage.values, port->name);
    if (json_is_null (value) && port->optional)
        return PREPARE_OK;
    if (!value) {
        error_set (err, "it is missing");
        return PREPARE_BAD_INPUT;
    }
    if (value_check (&port->type, value, flags, a->campaign_dir, err) < 0)
        return PREPARE_BAD_INPUT;
    if (type_is_artifact (&port->type))
        return make_artifact (&maker, value, made, err);
    *made = json_ref (value);
    return PREPARE_OK;
}

enum prepared task_inputs (const struct task *task,
                           const char *in_dir,
                           struct json **inputs,
                           struct error *err)
{
    const struct port *port = task->assignment->stage.inputs;
    struct json *all = json_object ();

    for (; port->name; port++) {
        struct json *made = NULL;
        enum prepared rc = make_input (task, port, in_dir, &made, err);

        if (rc != PREPARE_OK) {
            error_prefix (err, "input '%s'", port->name);
            json_unref (all);
            return rc;
        }
        if (made)
            json_set (all, port->name, made);
    }
    *inputs = all;
    return PREPARE_OK;
}
