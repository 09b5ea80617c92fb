/* SPDX-License-Identifier: BSD-3-Clause */
/* task_commands.h - what commands of a task find beside their arguments: the
 * container, the files of scripts, and the variables of these
 */
#ifndef AGENT_TASK_COMMANDS_H
#define AGENT_TASK_COMMANDS_H

struct task;

/* Make them in the task's directory, when task->values are known: sets
 * task->variables.  -1: the machine failed, or an input is not fit for it.
 */
int task_commands_prepare (struct task *task, struct error *err);

#endif /* !AGENT_TASK_COMMANDS_H */
