/* SPDX-License-Identifier: BSD-3-Clause */
/* task_process.h - the commands of tasks: what agents spawn
 *
 * A command takes the time its task's seed says, then writes what its inputs
 * make of it (so that a task gives the same whenever it runs) and ends.
 */
#ifndef TESTS_SIM_TASK_PROCESS_H
#define TESTS_SIM_TASK_PROCESS_H

#include <sys/types.h>

/* What tries of sim.item leave for the next ones. */
#define CHECKPOINT_FILE "state"

/* With the value "other" the values that tasks make are others. */
#define TASK_ENV "SIM_VALUES"

struct disk;
struct process;
struct spawn;
struct world;

pid_t task_process_start (struct world *world, const struct spawn *spec);

/* As waitpid (pid, status, WNOHANG) of 'agent'; -1: no such child. */
pid_t task_process_reap (struct process *agent, pid_t pid, int *status);

/* kill() of the child 'pid'. */
void task_process_kill (struct process *agent, pid_t pid, int sig);

/* SIGKILL to all of them. */
void task_processes_kill (struct process *agent);

/* 'agent' is no more: its children die with it. */
void task_processes_end (struct process *agent);

/* task.json in 'dir', as a program reads it whose disk is well; caller unrefs.
 */
struct json *task_json_read (const struct disk *disk, const char *dir);

/* What a task with 'seed' makes of 'inputs' (of task.json). */
struct json *task_value (int64_t seed, const struct json *inputs);

/* The text of a labelled frame that follows from 'value'.  Caller frees. */
char *task_frame (const struct json *value);

#endif /* !TESTS_SIM_TASK_PROCESS_H */
