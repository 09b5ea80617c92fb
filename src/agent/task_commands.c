/* SPDX-License-Identifier: BSD-3-Clause */
/* task_commands.c - what commands of a task find beside their arguments: the
 * container, the files of scripts, and the variables of these
 */
#include "base/base.h"

#include "agent/assignment.h"
#include "agent/group_task.h"
#include "agent/task.h"
#include "agent/task_commands.h"
#include "base/json.h"
#include "signature/container.h"
#include "signature/group.h"

static int write_script (struct task *task, const char *text,
                         const char *program, struct error *err)
{
    const struct stage_manifest *stage = &task->element->assignment->stage;

    return script_files_write (text, program, stage->inputs, task->dir,
                               task->values, err);
}

/* Its own, or those of its programs, whose variables the runner makes. */
static int prepare_scripts (struct task *task, struct error *err)
{
    const struct stage_manifest *stage = &task->element->assignment->stage;

    for (size_t i = 0; stage->group && i < stage->group->n_programs; i++) {
        const struct group_program *program = &stage->group->programs[i];

        if (program->script
            && write_script (task, program->script, program->name, err) < 0)
            return -1;
    }
    if (!stage->script)
        return 0;
    if (write_script (task, stage->script, NULL, err) < 0
        || script_variables_make (stage->script, task->values, task->dir,
                                  &task->variables, err)
               < 0)
        return -1;
    script_set_words (stage->script, NULL, task->values);
    return 0;
}

/* A group has its own, by node. */
static int prepare_container (struct task *task, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    _cleanup_free_ char *image = image_path (a->stage.image, a->campaign_dir);
    const struct container container = { .argv = a->stage.container,
                                         .image = image,
                                         .env = a->stage.env,
                                         .dir = task->start_dir };

    return is_group_task (task) ? 0
                                : container_set (&container, task->values, err);
}

int task_commands_prepare (struct task *task, struct error *err)
{
    return prepare_scripts (task, err) < 0 || prepare_container (task, err) < 0
               ? -1
               : 0;
}
