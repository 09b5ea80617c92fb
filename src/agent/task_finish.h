/* SPDX-License-Identifier: BSD-3-Clause */
/* task_finish.h - a task is over: its end is judged, logged, and handed over
 *
 * Afterwards the task is cleared.  Where its inputs changed while it ran that
 * counts more than how it ended.  All return -1 only when the agent itself
 * cannot go on.
 */
#ifndef AGENT_TASK_FINISH_H
#define AGENT_TASK_FINISH_H

#include "arrays/outcome.h"

struct task;
struct task_end;

/* It ended by itself, or was ended, as 'end' tells. */
int task_finish (struct task *task, struct task_end *end, struct error *err);

/* The same without a command's status. */
int task_finish_with (struct task *task, enum outcome outcome,
                      const char *message, struct error *err);

/* It ended badly, by itself: who ends a job tells all its processes, one after
 * the other, so the agent may be told now.  Then that is why it ended: 'stop'.
 */
int task_hears_end (struct task *task, const struct task_end *end,
                    struct error *err);

/* As task_finish, for a task that did something wrong, unless it had no room to
 * do it right.
 */
int task_finish_failure (struct task *task, struct task_end *end,
                         struct error *err);

/* All commands exited with 0: check what came out. */
int task_finish_commands (struct task *task, struct error *err);

/* The machine failed it: hand it back. */
int task_give_back (struct task *task, const struct error *why,
                    struct error *err);

/* Cut its log for the last time and say so, after a semicolon if anything was
 * said before.
 */
void task_finish_log (struct task *task, struct strbuf *message);

#endif /* !AGENT_TASK_FINISH_H */
