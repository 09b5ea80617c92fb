/* SPDX-License-Identifier: BSD-3-Clause */
/* task_log.h - what a task's commands print, while they run and when they
 * failed
 *
 * Each slot has one file, work/<element>.<n>/slot-<slot>.log, which its tasks
 * use one after the other.  It becomes work/<element>.<n>/<task>.log beside the
 * directory of a task that is kept.
 */
#ifndef AGENT_TASK_LOG_H
#define AGENT_TASK_LOG_H

struct task;

/* Make it, if the slot has none: sets task->log_fd. */
int task_log_open (struct task *task, struct error *err);

/* The task is over and its directory stays: let the file stay with it.  Of a
 * worker that goes on, and has the file open, it is a copy.
 */
void task_log_keep (struct task *task);

/* Make 'to', which must not be there, a copy of it as it is now. */
int task_log_copy (const struct task *task, const char *to, struct error *err);

/* The task is over and nothing of it stays.  With 'shared' some process may
 * still write to the file: the next task gets another one.
 */
void task_log_clear (struct task *task, bool shared);

/* The slot is done with: remove its file. */
void task_log_remove (struct task *task);

/* Append the line that names the command to come; sets task->log_mark. */
int task_log_header (struct task *task, const struct strvec *argv,
                     struct error *err);

/* Append "; its last line: '...'" of the running command's output to
 * 'message', or that there was none.
 */
void task_log_last_line (const struct task *task, struct strbuf *message);

#endif /* !AGENT_TASK_LOG_H */
