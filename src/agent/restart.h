/* SPDX-License-Identifier: BSD-3-Clause */
/* restart.h - where a try begins: what an earlier one left */
#ifndef AGENT_RESTART_H
#define AGENT_RESTART_H

struct task;

/* Of an operator with checkpoints: make the task's working directory out of
 * what an earlier try left (handover/task_checkpoint.h), and set task->restart.
 * With nothing left the directory is still to be made.
 */
int restart_begin (struct task *task, struct error *err);

#endif /* !AGENT_RESTART_H */
