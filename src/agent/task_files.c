/* SPDX-License-Identifier: BSD-3-Clause */
/* task_files.c - a task's directory: what goes in, what comes out */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/task.h"
#include "agent/task_files.h"
#include "agent/task_inputs.h"
#include "arrays/task_result.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "signature/outputs.h"
#include "signature/template.h"

#define TASK_FILE "task.json"
#define IN "in"
#define OUT "out"

/* --- what goes in --- */

static int64_t seed_of (const struct task *task)
{
    const struct stage_order *stage = &task->assignment->stage;

    return task_seed (stage->seed, stage->place.stage, stage->place.iteration,
                      task->number);
}

/* Where output artifacts go, seen from the task's directory: {NAME: path}. */
static struct json *output_paths (const struct task *task)
{
    const struct port *port = task->assignment->stage.outputs;
    struct json *paths = json_object ();
    struct strbuf path = STRBUF_INIT;

    for (; port->name; port++) {
        if (!type_is_artifact (&port->type))
            continue;
        strbuf_reset (&path);
        strbuf_add_str (&path, OUT "/");
        output_path (port, &path);
        json_set (paths, port->name, json_string (path.buf));
    }
    strbuf_release (&path);
    return paths;
}

/* The placeholders of argv templates, all but {launcher}. */
static struct json *placeholders (const struct task *task,
                                  const struct json *inputs,
                                  const struct json *outputs)
{
    const struct assignment *a = task->assignment;
    const struct resources *needs = &a->job.task;
    struct json *v = json_object ();
    struct strbuf name = STRBUF_INIT;

    JSON_FOREACH (inputs, it)
        json_set (v, json_iter_key (it), json_ref (json_iter_value (it)));
    JSON_FOREACH (outputs, it) {
        strbuf_reset (&name);
        strbuf_addf (&name, "outputs.%s", json_iter_key (it));
        json_set (v, name.buf, json_ref (json_iter_value (it)));
    }
    json_set (v, "outputs.params", json_string ("params.json"));
    json_set (v, "seed", json_int (seed_of (task)));
    json_set (v, "task", json_int (task->number));
    json_set (v, "iteration", json_int (a->stage.place.iteration));
    json_set (v, "campaign", json_string (a->campaign_dir));
    json_set (v, "fanfold", json_string (a->program));
    json_set (v, "cores", json_int (needs->cores));
    json_set (v, "ranks", json_int (needs->ranks));
    json_set (v, "cores_per_rank", json_int (needs->cores / needs->ranks));
    json_set (v, "nodes", json_int (needs->nodes));
    json_set (v, "ranks_per_node", json_int (needs->ranks / needs->nodes));
    json_set (v, "gpus", json_int (needs->gpus));
    json_set (v, "memory_bytes", json_int (needs->memory_bytes));
    strbuf_release (&name);
    return v;
}

/* The launcher's argv; empty for a single rank.  NULL with 'err'. */
static struct json *expand_launcher (const struct task *task,
                                     const struct json *values,
                                     struct error *err)
{
    const struct assignment *a = task->assignment;
    struct strvec argv = STRVEC_INIT;
    struct json *launcher = NULL;

    if (a->job.task.ranks > 1 && a->stage.launcher
        && template_expand_argv (a->stage.launcher, values, &argv, err) < 0) {
        error_prefix (err, "launcher");
        goto done;
    }
    launcher = json_array ();
    for (size_t i = 0; i < argv.n; i++)
        json_push (launcher, json_string (argv.v[i]));
done:
    strvec_release (&argv);
    return launcher;
}

static struct json *describe_task (const struct task *task,
                                   struct json *inputs,
                                   struct json *outputs,
                                   struct json *launcher)
{
    const struct assignment *a = task->assignment;
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "campaign", json_string (a->stage.campaign));
    json_set (v, "campaign_dir", json_string (a->campaign_dir));
    json_set (v, "stage", json_string (a->stage.place.stage));
    json_set (v, "code", json_string (a->stage.place.code));
    json_set (v, "iteration", json_int (a->stage.place.iteration));
    json_set (v, "task", json_int (task->number));
    json_set (v, "seed", json_int (seed_of (task)));
    json_set (v, "resources", resources_to_json (&a->job.task));
    json_set (v, "launcher", json_ref (launcher));
    json_set (v, "inputs", json_ref (inputs));
    json_set (v, "outputs", json_ref (outputs));
    return v;
}

/* Write a file that only this task reads: it need not outlive a crash. */
static int write_file (const char *dir,
                       const char *name,
                       const struct strbuf *text,
                       struct error *err)
{
    char *path = path_join (dir, name);
    int fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0444);
    int rc = -1;

    if (fd < 0)
        error_errno (err, "cannot create '%s'", path);
    else if ((rc = file_write_all (fd, text->buf, text->len, err)) < 0)
        error_prefix (err, "cannot write '%s'", path);
    if (fd >= 0 && close (fd) < 0 && errno != EINTR && rc == 0)
        rc = error_errno (err, "cannot write '%s'", path);
    free (path);
    return rc;
}

/* task.json, for the task and, with its inputs, for whoever looks later. */
static int write_task_json (const struct task *task,
                            const char *in_dir,
                            const struct json *v,
                            struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc;

    json_dump (v, JSON_PRETTY, &text);
    rc = write_file (task->dir, TASK_FILE, &text, err);
    if (rc == 0)
        rc = write_file (in_dir, TASK_FILE, &text, err);
    strbuf_release (&text);
    return rc;
}

static int make_dirs (const struct task *task,
                      const char *in_dir,
                      struct error *err)
{
    char *out_dir = path_join (task->dir, OUT);
    int rc = file_make_dirs (in_dir, err);

    if (rc == 0)
        rc = file_make_dirs (out_dir, err);
    free (out_dir);
    return rc;
}

/* Set task->values and write task.json. */
static enum prepared describe (struct task *task,
                               const char *in_dir,
                               struct json *inputs,
                               struct error *err)
{
    struct json *outputs = output_paths (task);
    struct json *launcher;
    struct json *v;
    enum prepared rc = PREPARE_BAD_INPUT;

    task->values = placeholders (task, inputs, outputs);
    launcher = expand_launcher (task, task->values, err);
    if (!launcher)
        goto done;
    json_set (task->values, "launcher", launcher);
    v = describe_task (task, inputs, outputs, launcher);
    rc = write_task_json (task, in_dir, v, err) < 0 ? PREPARE_FAILED
                                                    : PREPARE_OK;
    json_unref (v);
done:
    json_unref (outputs);
    return rc;
}

enum prepared task_files_prepare (struct task *task, struct error *err)
{
    char *in_dir = path_join (task->dir, IN);
    struct json *inputs = NULL;
    enum prepared rc = PREPARE_FAILED;

    if (make_dirs (task, in_dir, err) == 0)
        rc = task_inputs (task, in_dir, &inputs, err);
    if (rc == PREPARE_OK)
        rc = describe (task, in_dir, inputs, err);
    if (rc == PREPARE_BAD_INPUT && error_is_trouble (err))
        rc = PREPARE_FAILED;
    json_unref (inputs);
    free (in_dir);
    return rc;
}

/* --- what comes out --- */

static struct json *make_result (const struct task *task,
                                 const struct json *checked,
                                 struct json *run)
{
    const struct assignment *a = task->assignment;
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "stage", json_string (a->stage.place.stage));
    json_set (v, "iteration", json_int (a->stage.place.iteration));
    json_set (v, "task", json_int (task->number));
    json_set (v, "seed", json_int (seed_of (task)));
    json_set (v, "attempt", json_int (a->job.attempt));
    json_set (v, "claim", json_string (task->claim->name));
    json_set (v, "params", json_ref (json_get (checked, "params")));
    json_set (v, "artifacts", json_ref (json_get (checked, "artifacts")));
    json_set (v, "run", json_ref (run));
    return v;
}

/* Write result.json into out/, which the task may have removed if nothing was
 * to be there.
 */
static enum committed write_result (const char *out_dir,
                                    const struct json *result,
                                    struct error *err)
{
    char *path = path_join (out_dir, LAYOUT_RESULT_FILE);
    struct strbuf text = STRBUF_INIT;
    int rc = file_make_dirs (out_dir, err);

    json_dump (result, JSON_PRETTY, &text);
    if (rc == 0)
        rc = file_create (path, text.buf, text.len, err);
    if (rc == 1)
        error_set (err, "the task wrote out/" LAYOUT_RESULT_FILE
                        ", a name that is Fanfold's; use another one");
    strbuf_release (&text);
    free (path);
    return rc == 0 ? COMMIT_OK : rc == 1 ? COMMIT_BAD_OUTPUT : COMMIT_FAILED;
}

/* Rename in/ to where it stays, unless an earlier try's is there: it is the
 * same.
 */
static int commit_in (const struct task *task,
                      const char *job_dir,
                      struct error *err)
{
    char *from = path_join (task->dir, IN);
    char *to = path_join (job_dir, IN);
    int made = file_look (to, err);
    int left = made == 0 ? file_look (from, err) : 0;
    int rc = made < 0 || left < 0 ? -1 : 0;

    if (left > 0)
        rc = file_sync_tree (from, err);
    if (left > 0 && rc == 0 && rename (from, to) < 0 && !file_exists (to))
        rc = error_errno (err, "cannot rename '%s' to '%s'", from, to);
    free (to);
    free (from);
    return rc;
}

/* The rename that makes the task ok.  After any error what is there decides:
 * another claim was first, or it was done and the reply was lost.
 */
static enum committed commit_out (const struct task *task,
                                  const char *out_dir,
                                  const char *job_dir,
                                  struct json **result,
                                  struct error *err)
{
    const struct assignment *a = task->assignment;
    char *to = path_join (job_dir, OUT);
    struct json *found = NULL;
    enum committed rc = COMMIT_OK;

    if (file_sync_tree (out_dir, err) < 0) {
        rc = COMMIT_FAILED;
    } else if (file_rename (out_dir, to, err) < 0) {
        task_result_read (a->campaign_dir, &a->stage.place, task->number,
                          &found, NULL);
        rc = !found                        ? COMMIT_FAILED
             : json_equal (found, *result) ? COMMIT_OK
                                           : COMMIT_FOUND;
        if (found) {
            json_unref (*result);
            *result = found;
        }
    }
    free (to);
    return rc;
}

/* job/<task>, absolute. */
static char *job_dir_of (const struct task *task)
{
    const struct assignment *a = task->assignment;
    struct strbuf path = STRBUF_INIT;

    strbuf_addf (&path, "%s/", a->campaign_dir);
    layout_task_dir (&a->stage.place, task->number, &path);
    return strbuf_detach (&path);
}

/* From checked outputs to the rename; *result is made here. */
static enum committed commit (const struct task *task,
                              const struct json *checked,
                              struct json *run,
                              struct json **result,
                              struct error *err)
{
    char *out_dir = path_join (task->dir, OUT);
    char *job_dir = job_dir_of (task);
    struct json *made = make_result (task, checked, run);
    enum committed rc = write_result (out_dir, made, err);

    if (rc == COMMIT_OK && commit_in (task, job_dir, err) < 0)
        rc = COMMIT_FAILED;
    if (rc == COMMIT_OK)
        rc = commit_out (task, out_dir, job_dir, &made, err);
    if (rc == COMMIT_OK || rc == COMMIT_FOUND)
        *result = made;
    else
        json_unref (made);
    free (job_dir);
    free (out_dir);
    return rc;
}

enum committed task_files_commit (struct task *task,
                                  struct json *run,
                                  struct json **result,
                                  struct error *err)
{
    struct json *checked = NULL;
    enum committed rc = COMMIT_BAD_OUTPUT;
    int there = file_look (task->dir, err);

    if (there == 0)
        error_set (err, "the task removed its own directory");
    if (there > 0)
        checked =
            outputs_check (task->assignment->stage.outputs, task->dir, err);
    if (checked)
        rc = commit (task, checked, run, result, err);
    else if (there != 0 && error_is_trouble (err) && err->number != EACCES)
        rc = COMMIT_FAILED; /* what may not be read is the task's doing */
    if (rc == COMMIT_OK || rc == COMMIT_FOUND)
        file_remove_tree (task->dir, NULL);
    json_unref (checked);
    json_unref (run);
    return rc;
}
