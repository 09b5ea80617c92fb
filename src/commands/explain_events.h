/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_events.h - what happened to a stage, as the journal has it */
#ifndef COMMANDS_EXPLAIN_EVENTS_H
#define COMMANDS_EXPLAIN_EVENTS_H

struct engine;
struct stage;

/* Print a line for each event that concerned 'stage' in the iteration, where it
 * may have had another name, or task 'task' of it there (-1: any), in order.
 * -1 where the journal cannot be read.
 */
int explain_events (const struct engine *engine, const struct stage *stage,
                    int iteration, int task, struct error *err);

#endif /* !COMMANDS_EXPLAIN_EVENTS_H */
