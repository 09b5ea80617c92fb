/* SPDX-License-Identifier: BSD-3-Clause */
/* worker_task.h - a task whose body is a worker
 *
 * The slot has the worker (agent/worker.h): what one task leaves running the
 * next task of the slot is given.  While a worker has a task it is the task's
 * command, task->pid; what of it is to be kept, bound and ended is that of any
 * command.
 */
#ifndef AGENT_WORKER_TASK_H
#define AGENT_WORKER_TASK_H

#include <sys/types.h>

struct rusage;
struct spawn;
struct task;

bool is_worker_task (const struct task *task);

/* Where the worker of the slot runs, and the entry in the environment of its
 * processes; the caller frees.
 */
char *worker_task_dir (const struct task *task);
char *worker_task_tag (const struct task *task);

/* Give the task to the worker of its slot, or start one as 'spec' says, which
 * gets the task when it has said hello.  'others' other processes of the agent
 * are known.  Returns the worker's pid, or -1.
 */
pid_t worker_task_start (struct task *task, const struct spawn *spec,
                         int others, struct error *err);

enum worker_word {
    WORKER_GOES_ON,
    WORKER_SAID_RESULT,
    WORKER_SAID_ERROR, /* of its task: task->told */
};

/* Take what the worker wrote; *more: there may be more of it.  A worker that
 * breaks the protocol is killed, and what it did is in task->told when it is
 * reaped.
 */
enum worker_word worker_task_hear (struct task *task, bool *more);

/* The worker was reaped: forget it, having taken what it wrote last.  Its
 * directory stays until what it left running is ended.
 */
enum worker_word worker_task_reaped (struct task *task);

/* What of the worker's times is the task's: 'usage' is that of a worker that
 * was reaped; NULL: it goes on.
 */
void worker_task_usage (const struct task *task, const struct rusage *usage,
                        struct rusage *own);

/* Remove the directory of a worker that is no more. */
void worker_task_remove_dir (const struct task *task);

/* One that was given time to exit did not: kill it. */
void worker_task_kill_silent (struct task *task);

/* Tell a worker that has no task that no more come; tell it to end now. */
void worker_task_dismiss (struct task *task);
void worker_task_terminate (const struct task *task);

/* Read and forget what a worker without a task writes; true: there may be more
 * of it.
 */
bool worker_task_drain (struct task *task);

/* End the worker of the slot, if there is one, and what it left running: at
 * once, or with up to 'wait_s' to end by itself; 'others' other processes of
 * the agent are known.
 */
void worker_task_end (struct task *task, int others, double wait_s);

/* What one that has no task is waited for when its slot is needed, in seconds,
 * at most: nothing else is looked at meanwhile.
 */
double worker_task_wait_s (const struct task *task);

/* May a worker that is no more have left anything running? */
bool worker_task_may_leave (const struct task *task, int others);

#endif /* !AGENT_WORKER_TASK_H */
