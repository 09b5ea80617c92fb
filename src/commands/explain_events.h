/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_events.h - what happened to a stage, as the journal has it */
#ifndef COMMANDS_EXPLAIN_EVENTS_H
#define COMMANDS_EXPLAIN_EVENTS_H

struct error;
struct stage;
struct stage_place;

/* Print a line for each event of the campaign in 'dir' that concerned 'stage'
 * in the iteration of 'place', where it may have had another name, or task
 * 'task' of it there (-1: any), in order.  -1 where
 * the journal cannot be read.
 */
int explain_events (const char *dir, const struct stage *stage,
                    const struct stage_place *place, int task,
                    struct error *err);

#endif /* !COMMANDS_EXPLAIN_EVENTS_H */
