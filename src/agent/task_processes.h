/* SPDX-License-Identifier: BSD-3-Clause */
/* task_processes.h - the processes of a task
 *
 * The kernel tells the children of a process (proc_pid_children(5)), so that
 * nothing but what the agent started is looked at.  Processes are numbers in a
 * list of strings; any may have ended since.
 */
#ifndef AGENT_TASK_PROCESSES_H
#define AGENT_TASK_PROCESSES_H

#include <sys/types.h>

struct task;

/* Append the children of this process; -1 where the kernel does not tell. */
int own_children (struct strvec *pids);

/* Append process 'leader' and its descendants.  With 'orphans' also what came
 * to this process when its parent ended: of the leader's process group, or with
 * the entry 'tag' in its environment.  Returns how many children the one has
 * that has most.
 */
size_t task_processes (pid_t leader, const char *tag, bool orphans,
                       struct strvec *pids);

/* What of process 'leader', its descendants and what has the entry 'tag' shares
 * the task's device by MPS is about to be killed: tell the daemon.
 */
void task_leave_mps (const struct task *task, pid_t leader, const char *tag);

/* SIGKILL to the command that runs, with its process group. */
void task_kill (const struct task *task);

/* End what the task left running; 'others' as in task.h.  What a worker that
 * goes on has started is its own.
 */
void task_kill_orphan_processes (struct task *task, int others);

#endif /* !AGENT_TASK_PROCESSES_H */
