/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_record.h - why a stage or a task has the state it has, for programs
 * and for people
 *
 *   stage iteration state tasks{all ok}
 *   task outcome tries [checkpoint]    of a task: status_checkpoint
 *   [removed]                          {OUTPUT: removal} (removal.h)
 *   [unsteady]                         what of its work changed while it ran
 *   [reused]                           of a task: taken_origin
 *   [operator version]                 what it was prepared with,
 *   [definition]                       and by which file
 *   [group]                            group_view_json
 *   values | bindings, arrays          of a stage: what its inputs have, or
 *                                      where they are from; what it declares
 *                                      of arrays (inputs_view.h)
 *   events                             explain_events
 *   [newest_try | not_known]           of a task: host, cores, memory, gpus and
 *                                      what it used, by the log (result_log.h);
 *                                      or why that cannot be read
 *   [task_dir] run_dir                 where to look next, in the campaign
 */
#ifndef COMMANDS_EXPLAIN_RECORD_H
#define COMMANDS_EXPLAIN_RECORD_H

struct attempt_logs;
struct campaign;
struct engine;
struct stage;

/* Of 'stage' in the iteration, or of its task 'task' (-1: none).  'logs': of
 * the open attempt; NULL: there is none.  NULL with 'err' where the journal
 * cannot be read, or there is no such task.  Caller unrefs.
 */
struct json *explain_record (const struct campaign *campaign,
                             const struct stage *stage, int iteration,
                             const struct attempt_logs *logs, int task,
                             struct error *err);

/* [{"at_s", "event", "what" (happened, in words), "detail" (more of it)}]: each
 * event that concerned 'stage' in the iteration, where it may have had another
 * name, or task 'task' of it there (-1: any), in order.  Of a stage also what
 * the journal has as "outcomes", "why", "remarks", "retired" and "reused".
 * NULL where the journal cannot be read.  Caller unrefs.
 */
struct json *explain_events (const struct engine *engine,
                             const struct stage *stage, int iteration, int task,
                             struct error *err);

/* Append lines for a person: all that the record has. */
void explain_text (const struct json *record, struct strbuf *out);

#endif /* !COMMANDS_EXPLAIN_RECORD_H */
