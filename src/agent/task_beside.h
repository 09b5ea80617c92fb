/* SPDX-License-Identifier: BSD-3-Clause */
/* task_beside.h - what lies beside `out` in a task's place
 *
 *   job/<task>/log   what it printed (`logs: keep`)
 *   job/<task>/in/   the input of its code as it was completed (`input_files`)
 *   job/<task>/raw/  what its code left, compressed by the task (`raw:`)
 *
 * Who looks at a result need not look for the try that made it.
 */
#ifndef AGENT_TASK_BESIDE_H
#define AGENT_TASK_BESIDE_H

struct task;

/* Copy or move them to the new place of a task that ended ok; nothing is
 * synced.  What is too large, or no file, is left out, which is appended to
 * 'message' after a semicolon if anything was said before.
 */
int task_beside_copy (const struct task *task, struct strbuf *message,
                      struct error *err);

#endif /* !AGENT_TASK_BESIDE_H */
