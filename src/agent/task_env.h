/* SPDX-License-Identifier: BSD-3-Clause */
/* task_env.h - the environment of a task's commands */
#ifndef AGENT_TASK_ENV_H
#define AGENT_TASK_ENV_H

struct task;

/* Append this process's environment with what a task has of its own: tags,
 * PWD, TMPDIR, thread counts, its devices, settings that keep MPI programs
 * apart, and what its operator and its script have.
 */
void task_env (const struct task *task, struct strvec *env);

#endif /* !AGENT_TASK_ENV_H */
