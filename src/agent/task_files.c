/* SPDX-License-Identifier: BSD-3-Clause */
/* task_files.c - a task's directory: what goes in, what comes out */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/restart.h"
#include "agent/group_task.h"
#include "agent/task.h"
#include "agent/task_commands.h"
#include "agent/task_files.h"
#include "handover/list_file.h"
#include "handover/slice_file.h"
#include "handover/task_file.h"
#include "handover/task_result.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "signature/frame_slice.h"
#include "signature/operator.h"
#include "signature/task_uses.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "signature/value.h"

#define TASK_FILE "task.json"
#define IN "in"

/* --- inputs, checked and made real --- */

struct maker {
    const char *campaign_dir;
    const char *in_dir;
    const struct port *port;
    int n_cut, n_copied;
};

static enum prepared make_frame (struct maker *maker, const struct json *frame,
                                 struct json **made, struct error *err)
{
    _cleanup_free_ char *target =
        maker->n_cut == 0
            ? xasprintf ("%s/%s.extxyz", maker->in_dir, maker->port->name)
            : xasprintf ("%s/%s.%d.extxyz", maker->in_dir, maker->port->name,
                         maker->n_cut);
    enum frame_cut rc =
        frame_slice_cut (frame, maker->campaign_dir, target, err);

    maker->n_cut++;
    if (rc == FRAME_CUT_OK && maker->port->copy)
        (void)chmod (target, 0644);
    if (rc == FRAME_CUT_OK)
        *made = json_string (target);
    return rc == FRAME_CUT_OK           ? PREPARE_OK
           : rc == FRAME_CUT_BAD_SOURCE ? PREPARE_BAD_INPUT
                                        : PREPARE_FAILED;
}

/* in/NAME/FILE, of the second in/NAME.1/FILE: names tell programs what is what.
 */
static enum prepared make_copy (struct maker *maker, const char *from,
                                struct json **made, struct error *err)
{
    _cleanup_free_ char *dir =
        maker->n_copied == 0 ? path_join (maker->in_dir, maker->port->name)
                             : xasprintf ("%s/%s.%d", maker->in_dir,
                                          maker->port->name, maker->n_copied);
    _cleanup_free_ char *to = path_join (dir, path_base (from));
    enum prepared rc = PREPARE_FAILED;

    maker->n_copied++;
    if (file_make_dirs (dir, err) == 0)
        rc = file_copy_tree (from, to, NULL, err) == 0 ? PREPARE_OK
                                                       : PREPARE_BAD_INPUT;
    if (rc == PREPARE_OK)
        *made = json_string (to);
    return rc;
}

/* An artifact value that was found good: a path, a frame, a hole, or a list of
 * these (as deep as types nest).
 */
static enum prepared make_artifact (struct maker *maker,
                                    const struct json *value,
                                    struct json **made, struct error *err)
{
    enum prepared rc = PREPARE_OK;
    char *path;

    switch (json_kind (value)) {
    case JSON_KIND_STRING:
        path = path_join (maker->campaign_dir, json_as_string (value));
        if (maker->port->copy)
            rc = make_copy (maker, path, made, err);
        else
            *made = json_string (path);
        free (path);
        return rc;
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
                                 const struct port *port, const char *in_dir,
                                 struct json **made, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    struct maker maker = { a->campaign_dir, in_dir, port, 0, 0 };
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

/* Set *inputs to {NAME: value} as the task sees them: paths absolute, frames
 * cut out of their files into 'in_dir'; and task->sizes.  Optional inputs that
 * are not there are left out.  Caller unrefs.
 */
static enum prepared make_inputs (struct task *task, const char *in_dir,
                                  struct json **inputs, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    const struct port *port = a->stage.inputs;
    struct json *all = json_object ();

    for (; port->name; port++) {
        struct json *made = NULL;
        enum prepared rc = make_input (task, port, in_dir, &made, err);

        if (rc != PREPARE_OK)
            error_prefix (err, "input '%s'", port->name);
        else if (sizes_note_value (&task->sizes, &port->type, made,
                                   a->campaign_dir, "input", port->name, NULL,
                                   err)
                 < 0)
            rc = PREPARE_BAD_INPUT;
        if (rc != PREPARE_OK) {
            json_unref (made);
            json_unref (all);
            return rc;
        }
        if (made)
            json_set (all, port->name, made);
    }
    *inputs = all;
    return PREPARE_OK;
}

/* --- what goes in --- */

static int64_t seed_of (const struct task *task)
{
    return stage_manifest_seed (&task->element->assignment->stage,
                                task->number);
}

/* Write a file that only this task reads: it need not outlive a crash. */
static int write_file (const char *dir, const char *name,
                       const struct strbuf *text, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, name);
    int fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0444);
    int rc = -1;

    if (fd < 0)
        error_errno (err, "cannot create '%s'", path);
    else if ((rc = file_write_all (fd, text->buf, text->len, err)) < 0)
        error_prefix (err, "cannot write '%s'", path);
    if (fd >= 0 && close (fd) < 0 && errno != EINTR && rc == 0)
        rc = error_errno (err, "cannot write '%s'", path);
    return rc;
}

int task_file_write (const struct task *task, const char *name,
                     const struct json *v, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_PRETTY, &text);
    return write_file (task->dir, name, &text, err);
}

static int make_dirs (const struct task *task, const char *in_dir,
                      struct error *err)
{
    const struct stage_manifest *stage = &task->element->assignment->stage;
    _cleanup_free_ char *out_dir = path_join (task->dir, TASK_OUT);
    int rc = file_make_dirs (task->dir, err);

    if (rc == 0 && stage->sliced)
        rc = file_make_dirs (in_dir, err);
    if (rc == 0 && outputs_have_artifacts (stage->outputs))
        rc = file_make_dirs (out_dir, err);
    return rc;
}

/* The lists that commands want as files. */
static int write_lists (struct task *task, const char *in_dir,
                        struct error *err)
{
    _cleanup_json_ struct json *templates =
        list_file_templates (&task->element->assignment->stage);

    return list_files_write (templates, in_dir, task->values, err);
}

/* Set task->values and write task.json. */
static enum prepared describe (struct task *task, struct json *inputs,
                               const char *in_dir, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    const struct task_file file = { .campaign = a->stage.campaign,
                                    .campaign_dir = a->campaign_dir,
                                    .called = a->stage.called,
                                    .program = a->program,
                                    .programs = a->stage.programs,
                                    .place = a->stage.place,
                                    .task = task->number,
                                    .seed = seed_of (task),
                                    .uses = a->stage.uses,
                                    .needs = &a->job.task,
                                    .launcher = a->stage.launcher,
                                    .on_nodes = getenv ("FANFOLD_ON_NODES"),
                                    .keeps_raw = a->stage.keeps_raw,
                                    .restart = task->restart,
                                    .inputs = inputs,
                                    .outputs = a->stage.outputs };
    struct json *v = task_file_make (&file, &task->values, err);
    int rc;

    if (!v)
        return PREPARE_BAD_INPUT;
    if (write_lists (task, in_dir, err) < 0
        || task_commands_prepare (task, err) < 0) {
        json_unref (v);
        return PREPARE_BAD_INPUT;
    }
    rc = task_file_write (task, TASK_FILE, v, err);
    json_unref (v);
    if (rc == 0 && is_group_task (task))
        rc = group_task_prepare (task, err);
    return rc < 0 ? PREPARE_FAILED : PREPARE_OK;
}

enum prepared task_files_prepare (struct task *task, struct error *err)
{
    _cleanup_free_ char *in_dir = path_join (task->dir, IN);
    _cleanup_json_ struct json *inputs = NULL;
    enum prepared rc = PREPARE_FAILED;

    if (restart_begin (task, err) == 0 && make_dirs (task, in_dir, err) == 0)
        rc = make_inputs (task, in_dir, &inputs, err);
    if (rc == PREPARE_OK)
        rc = describe (task, inputs, in_dir, err);
    if (rc == PREPARE_BAD_INPUT && error_is_machine_error (err))
        rc = PREPARE_FAILED;
    return rc;
}

/* --- what comes out --- */

static struct json *make_result (const struct task *task,
                                 const struct json *checked, struct json *run)
{
    const struct assignment *a = task->element->assignment;
    const char *identity = slice_identity (task->slice, a->stage.identity);
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string (a->stage.place.stage));
    json_set (v, "iteration", json_int (a->stage.place.iteration));
    json_set (v, "task", json_int (task->number));
    if (identity)
        json_set (v, "identity", json_string (identity));
    if (a->stage.uses & USES_SEED)
        json_set (v, "seed", json_int (seed_of (task)));
    json_set (v, "attempt", json_int (a->job.attempt));
    json_set (v, "claim", json_stringf ("%" PRId64, task->element->claim->n));
    json_set (v, "params", json_ref (json_get (checked, "params")));
    json_set (v, "artifacts", json_ref (json_get (checked, "artifacts")));
    json_set (v, "run", json_ref (run));
    return v;
}

/* Write result.json into out/, which the task may have removed if nothing was
 * to be there.
 */
static enum checked write_result (const char *out_dir,
                                  const struct json *result, struct error *err)
{
    struct error why = ERROR_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_make_dirs (out_dir, &why);

    json_dump (result, JSON_PRETTY, &text);
    if (rc == 0)
        rc = write_file (out_dir, LAYOUT_RESULT_FILE, &text, &why);
    if (rc < 0 && why.number == EEXIST)
        error_set (err, "the task wrote out/" LAYOUT_RESULT_FILE
                        ", a name that is Fanfold's; use another one");
    else if (rc < 0)
        error_copy (err, &why);
    return rc == 0                ? CHECK_OK
           : why.number == EEXIST ? CHECK_BAD_OUTPUT
                                  : CHECK_FAILED;
}

char *task_files_place (const char *dir)
{
    return xasprintf ("%s" LAYOUT_WORK_PLACE, dir);
}

/* Put the task's new place together. */
static enum checked make_place (const char *dir, const char *out_dir,
                                struct error *err)
{
    _cleanup_free_ char *place = task_files_place (dir);
    _cleanup_free_ char *to = path_join (place, LAYOUT_OUT);
    int rc = file_make_dirs (place, err);

    if (rc == 0 && rename (out_dir, to) < 0)
        rc = error_errno (err, "cannot rename '%s' to '%s'", out_dir, to);
    return rc == 0 ? CHECK_OK : CHECK_FAILED;
}

static enum checked keep_artifacts (const struct task *task,
                                    const struct json *checked,
                                    struct json *run, struct json **result,
                                    struct error *err)
{
    _cleanup_free_ char *out_dir = path_join (task->dir, TASK_OUT);
    _cleanup_json_ struct json *made = make_result (task, checked, run);
    enum checked rc = write_result (out_dir, made, err);

    if (rc == CHECK_OK)
        rc = make_place (task->dir, out_dir, err);
    if (rc == CHECK_OK)
        *result = json_ref (made);
    return rc;
}

enum checked task_files_check (struct task *task, struct json *run,
                               struct json **result, struct error *err)
{
    const struct port *outputs = task->element->assignment->stage.outputs;
    _cleanup_json_ struct json *checked = NULL;
    enum checked rc = CHECK_BAD_OUTPUT;
    int there = file_look (task->dir, err);

    if (there == 0)
        error_set (err, "the task removed its own directory");
    if (there > 0 && output_tree_take (outputs, task->dir, err) == 0)
        checked = outputs_check (outputs, task->dir, &task->sizes, NULL, err);
    if (checked && outputs_have_artifacts (outputs)) {
        rc = keep_artifacts (task, checked, run, result, err);
    } else if (checked) {
        rc = CHECK_OK;
        *result = json_ref (json_get (checked, "params"));
        task_files_remove (task->dir);
    } else if (there != 0 && error_is_machine_error (err)
               && err->number != EACCES) {
        rc = CHECK_FAILED; /* what may not be read is the task's doing */
    }
    json_unref (run);
    return rc;
}

void task_files_remove (const char *dir)
{
    _cleanup_free_ char *path = path_join (dir, TASK_FILE);

    /* Mostly nothing else is in it. */
    if ((unlink (path) < 0 && errno != ENOENT) || rmdir (dir) < 0)
        file_remove_tree (dir, NULL, NULL);
}
