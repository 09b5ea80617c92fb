/* SPDX-License-Identifier: BSD-3-Clause */
/* task_outcome.h - what the end of a command says of its task */
#ifndef AGENT_TASK_OUTCOME_H
#define AGENT_TASK_OUTCOME_H

#include "arrays/outcome.h"

struct task;
struct task_end;

/* The template of the command that is next, or runs; NULL after the last. */
const char *const *task_argv (const struct task *task);

/* Append "command 2 of 3, 'fit'", "the worker 'fit'", or "the group". */
void task_name_command (const struct task *task, struct strbuf *out);

/* The command did not exit with 0, or was ended by us: append why.  Of a group
 * 'end' is then that of the program that failed.
 */
void task_outcome_describe (const struct task *task, struct task_end *end,
                            struct strbuf *message);

/* A runner of a group that was not killed and left no word could not do its
 * work.
 */
bool is_machine_error_of_group (const struct task *task,
                                const struct task_end *end);

/* The outcome of such a task. */
enum outcome task_outcome_of (const struct task *task,
                              const struct task_end *end);

/* How a command that did not exit with 0, and that we did not end, ended its
 * task: 'oom_kill' when the kernel ended something for want of memory since the
 * task started.
 */
enum outcome task_end_outcome (int exit_code, int signal, bool oom_kill,
                               const int *fatal_exits);

#endif /* !AGENT_TASK_OUTCOME_H */
