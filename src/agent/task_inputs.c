/* SPDX-License-Identifier: BSD-3-Clause */
/* task_inputs.c - the inputs of one task, checked and made real */
#include "config.h"

#include <stdlib.h>

#include "agent/assignment.h"
#include "agent/task.h"
#include "agent/task_inputs.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "signature/frame_slice.h"
#include "signature/operator.h"
#include "signature/value.h"

struct maker {
    const char *campaign_dir;
    const char *in_dir;
    const char *name; /* of the input */
    int n_cut;
};

static enum prepared make_frame (struct maker *maker,
                                 const struct json *frame,
                                 struct json **made,
                                 struct error *err)
{
    char *target = maker->n_cut == 0
                       ? xasprintf ("%s/%s.extxyz", maker->in_dir, maker->name)
                       : xasprintf ("%s/%s.%d.extxyz", maker->in_dir,
                                    maker->name, maker->n_cut);
    enum frame_cut rc =
        frame_slice_cut (frame, maker->campaign_dir, target, err);

    maker->n_cut++;
    if (rc == FRAME_CUT_OK)
        *made = json_string (target);
    free (target);
    return rc == FRAME_CUT_OK           ? PREPARE_OK
           : rc == FRAME_CUT_BAD_SOURCE ? PREPARE_BAD_INPUT
                                        : PREPARE_FAILED;
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
    if (value_check (&port->type, value, flags, a->campaign_dir, NULL, err) < 0)
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
