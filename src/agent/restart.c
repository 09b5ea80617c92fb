/* SPDX-License-Identifier: BSD-3-Clause */
/* restart.c - where a try begins: what an earlier one left
 *
 * A driver has put it in the task's place when that try was recorded.  Where
 * the scheduler runs an element again, the first run may not have been
 * recorded, and its agent may still be there: what lies in its working
 * directory is copied.
 */
#include "base/base.h"

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/restart.h"
#include "agent/task.h"
#include "handover/task_checkpoint.h"

/* Of the element's older agents, the latest that has something. */
static int copy_of_older (struct task *task, bool *taken, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    int rc = 0;

    *taken = false;
    for (int64_t n = task->element->claim->n; rc == 0 && !*taken && n-- > 0;) {
        _cleanup_free_ char *from =
            xasprintf ("%s/" LAYOUT_WORK LAYOUT_WORK_TASK, a->run_dir,
                       a->element, n, task->number);

        rc = task_checkpoint_copy (from, a->stage.checkpoint, task->dir, taken,
                                   err);
    }
    return rc;
}

int restart_begin (struct task *task, struct error *err)
{
    const struct assignment *a = task->element->assignment;
    _cleanup_free_ char *place = NULL;
    int rc;

    if (!a->stage.checkpoint)
        return 0;
    place = task_checkpoint_place (a->campaign_dir, a->stage.place.generation,
                                   task->number);
    rc = task_checkpoint_take (place, task->dir, &task->restart, err);
    if (rc == 0 && !task->restart)
        rc = copy_of_older (task, &task->restart, err);
    return rc;
}
