/* SPDX-License-Identifier: BSD-3-Clause */
/* task_log.h - job/<task>/log/<attempt>-<claim>.log: all a task's commands say
 */
#ifndef AGENT_TASK_LOG_H
#define AGENT_TASK_LOG_H

struct error;
struct strbuf;
struct strvec;
struct task;

/* Create it: sets task->log_fd. */
int task_log_open (struct task *task, struct error *err);

/* Append the line that names the command to come; sets task->log_mark. */
int task_log_header (struct task *task,
                     const struct strvec *argv,
                     struct error *err);

/* Append "; its last line: '...'" of the running command's output to
 * 'message', or that there was none.
 */
void task_log_last_line (const struct task *task, struct strbuf *message);

#endif /* !AGENT_TASK_LOG_H */
