/* SPDX-License-Identifier: BSD-3-Clause */
/* task_run.h - what a task had and used, as it is recorded */
#ifndef AGENT_TASK_RUN_H
#define AGENT_TASK_RUN_H

#include "agent/claim.h"

struct rusage;
struct task;

/* Its first command has started: note on which CPUs it really may run, and from
 * which NUMA nodes its memory really is.
 */
void task_run_note_binding (struct task *task);

/* A command has ended; 'usage' is its own and that of what it waited for. */
void task_run_note_command (struct task *task, const struct rusage *usage);

/* What it has, and was to have; lent by the task. */
struct task_start task_run_start (const struct task *task);

/* Log the start, once: it charges a try. */
int task_run_log_start (struct task *task, struct error *err);

/* Set what was measured up to now. */
void task_run_measure (const struct task *task, struct task_end *end);

/* Its commands have ended: look for the line in which its code tells its
 * version, once.
 */
void task_run_note_version (struct task *task);

/* What result.json tells of the run; the caller unrefs. */
struct json *task_run_describe (const struct task *task);

#endif /* !AGENT_TASK_RUN_H */
