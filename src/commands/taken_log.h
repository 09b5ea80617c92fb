/* SPDX-License-Identifier: BSD-3-Clause */
/* taken_log.h - the try of a task whose result was taken, where that ran: in an
 * earlier generation of its stage, or in another campaign
 */
#ifndef COMMANDS_TAKEN_LOG_H
#define COMMANDS_TAKEN_LOG_H

struct engine;
struct stage_state;
struct task_record;

/* Find it, as task_record_find does: without 'start' its log is gone.  *task
 * becomes the number it had there; 'from' gets "task 2 of stage 'train' of
 * iteration 0 in DIR".
 */
void taken_record_find (const struct engine *engine,
                        const struct stage_state *state, int iteration,
                        int *task, struct task_record *record,
                        struct strbuf *from);

/* {"campaign", "stage", "iteration", "task"}: where the result of a task is
 * from that ran in another campaign; without "task" where its files do not
 * tell. Caller unrefs.
 */
struct json *taken_origin (const struct engine *engine,
                           const struct stage_state *state, int iteration,
                           int task);

#endif /* !COMMANDS_TAKEN_LOG_H */
