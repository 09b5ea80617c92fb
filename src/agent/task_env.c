/* SPDX-License-Identifier: BSD-3-Clause */
/* task_env.c - the environment of a task's commands */
#include "base/base.h"

#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/task.h"
#include "agent/task_env.h"
#include "base/environment.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/python_path.h"
#include "placement/slots.h"
#include "signature/template.h"

/* Where its temporary files go, which go with its directory: that, by a way as
 * short as there is.
 */
static char *temporary_dir (const struct task *task)
{
    const struct element *element = task->element;

    return element->short_dir
               ? path_join (element->short_dir, path_base (task->start_dir))
               : xstrdup (task->start_dir);
}

/* What the profile's launcher asks for. */
static void add_launcher (const struct task *task, struct strvec *env)
{
    const char *const *entries = task->element->assignment->stage.environment;
    _cleanup_json_ struct json *values = json_object ();

    json_set (values, "dir", json_string (task->start_dir));
    for (; entries && *entries; entries++)
        (void)template_expand (*entries, values, env, NULL);
}

static void add_own (const struct task *task, struct strvec *env)
{
    const struct assignment *a = task->element->assignment;
    int threads = a->job.task.cores / a->job.task.ranks;
    _cleanup_free_ char *tmpdir = temporary_dir (task);

    strvec_push (env, task->tag);
    if (a->stage.worker)
        strvec_push (env, "FANFOLD_WORKER=1"); /* for our Python package */
    strvec_pushf (env, "FANFOLD_TAG=%s.%" PRId64 ".%s", a->job.token,
                  a->element, task->element->claim->tag);
    strvec_pushf (env, "PWD=%s", task->start_dir);
    strvec_pushf (env, "TMPDIR=%s", tmpdir);
    strvec_pushf (env, "OMP_NUM_THREADS=%d", threads);
    strvec_pushf (env, "OPENBLAS_NUM_THREADS=%d", threads);
    strvec_push_all (env, task->slot->env.v);
    add_launcher (task, env);
}

/* What the operator says, over all that. */
static void add_operator (const struct task *task, struct strvec *env)
{
    const char *const *entries = task->element->assignment->stage.env;

    for (; entries && *entries; entries++)
        environment_set (env, *entries);
    script_variables_join (&task->variables, env);
    python_path_append (task->element->assignment->python_path, env);
}

static bool is_unwanted (const struct task *task, const char *entry)
{
    const char *const *entries = task->element->assignment->stage.not_inherited;

    for (; entries && *entries; entries++) {
        if (strcmp (*entries, entry) == 0)
            return true;
    }
    return false;
}

void task_env (const struct task *task, struct strvec *env)
{
    size_t n_own;

    add_own (task, env);
    n_own = env->n;
    for (char **entry = environ; *entry; entry++) {
        if (!environment_has (env, n_own, *entry)
            && !is_unwanted (task, *entry))
            strvec_push (env, *entry);
    }
    add_operator (task, env);
}
