/* SPDX-License-Identifier: BSD-3-Clause */
/* group_task.c - a task whose body is a group of programs */
#include "base/base.h"

#include "agent/assignment.h"
#include "agent/group_task.h"
#include "agent/task.h"
#include "agent/task_files.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "handover/group_file.h"
#include "placement/slots.h"
#include "signature/container.h"
#include "space/layout.h"

bool is_group_task (const struct task *task)
{
    return task->element->assignment->stage.group != NULL;
}

/* On this node, as TMPDIR says: sites that have a disk for it set that. */
static char *private_dir (void)
{
    const char *dir = getenv ("TMPDIR");

    return path_absolute (dir && *dir ? dir : "/tmp");
}

static char *global_dir (const struct task *task)
{
    const struct assignment *a = task->element->assignment;
    struct strbuf path = STRBUF_INIT;

    strbuf_addf (&path, "%s/", a->campaign_dir);
    layout_workspace (a->stage.place.stage, task->number, &path);
    return strbuf_detach (&path);
}

int group_task_prepare (struct task *task, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    const struct group_spec *group = a->stage.group;
    _cleanup_free_ char *dir =
        group->workspace_global ? global_dir (task) : private_dir ();
    _cleanup_free_ char *id =
        xasprintf ("%012" PRIx64, hash_string (0, task->tag) & 0xffffffffffff);
    _cleanup_free_ char *image = image_path (a->stage.image, a->campaign_dir);
    const struct group_file file = { .group = *group,
                                     .values = task->values,
                                     .needs = a->job.task,
                                     .launcher = a->stage.launcher,
                                     .dir = task->dir,
                                     .image = image,
                                     .container = a->stage.container,
                                     .env = a->stage.env,
                                     .agents = a->stage.agents,
                                     .grace_s = a->job.grace_s,
                                     .bind = a->job.rules.bind != BIND_NONE
                                             && task->slot->set,
                                     .id = id,
                                     .workspace_dir = dir };
    _cleanup_json_ struct json *v = group_file_to_json (&file);
    int rc = task_file_write (task, GROUP_FILE, v, err);

    if (!group->workspace_global)
        task->workspace = group_workspace_path (dir, id);
    return rc;
}

void group_task_reaped (struct task *task)
{
    _cleanup_free_ char *path = path_join (task->dir, GROUP_END_FILE);
    _cleanup_json_ struct json *v = json_read_file (path, NULL);

    if (v)
        (void)group_end_from_json (v, &task->group_end, NULL);
}

void group_task_describe (const struct task *task, struct json *run)
{
    JSON_FOREACH (task->group_end.run, it)
        json_set (run, json_iter_key (it), json_ref (json_iter_value (it)));
}

void group_task_clear (struct task *task)
{
    if (task->workspace)
        file_remove_tree (task->workspace, NULL, NULL);
    free (task->workspace);
    task->workspace = NULL;
    group_end_release (&task->group_end);
}
