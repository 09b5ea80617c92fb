/* SPDX-License-Identifier: BSD-3-Clause */
/* group_task.h - a task whose body is a group of programs
 *
 * What runs is `fanfold group` (group/group.h), which is told by group.json
 * what to do and tells by group-end.json what came of it
 * (handover/group_file.h).
 */
#ifndef AGENT_GROUP_TASK_H
#define AGENT_GROUP_TASK_H

struct task;

bool is_group_task (const struct task *task);

/* Write group.json into the task's directory; sets task->workspace. */
int group_task_prepare (struct task *task, struct error *err);

/* The runner was reaped: fills task->group_end, if it left word. */
void group_task_reaped (struct task *task);

/* Add what result.json tells of a group's run. */
void group_task_describe (const struct task *task, struct json *run);

/* Remove the private workspace, which a runner that was killed leaves. */
void group_task_clear (struct task *task);

#endif /* !AGENT_GROUP_TASK_H */
