/* SPDX-License-Identifier: BSD-3-Clause */
/* task_watch.h - which task a person wants to see, and when it is over (pure)
 */
#ifndef REPORT_TASK_WATCH_H
#define REPORT_TASK_WATCH_H

#include "arrays/outcome.h"

struct attempt_logs;
struct stage;
struct stage_state;
struct state;

/* How a task ended, by the journal or else by the logs of the open attempt
 * (NULL: there is none).  What was told to end where it was asked to cancel
 * is cancelled.
 */
enum outcome task_outcome (const struct stage_state *state,
                           const struct attempt_logs *logs, int32_t task);

/* The same in a word, for a person: "pending", "running", "ok" ...; '*tries'
 * gets how often it was started, now included.
 */
const char *task_standing (const struct stage_state *state,
                           const struct attempt_logs *logs, int32_t task,
                           int *tries);

/* Has it failed, or did its newest try, and the next has not begun? */
bool task_failed (const struct stage_state *state,
                  const struct attempt_logs *logs, int32_t task);

/* Who wants to see a task without naming it wants the first that failed; else
 * the first that runs, else the first that ended, else the first.  To follow,
 * the first that runs, else the first that is still to run, else as before.
 * By number, not by time: the clocks of nodes differ.  -1: there are none.
 */
int32_t task_to_show (const struct stage_state *state,
                      const struct attempt_logs *logs, bool follow);

enum task_prospect {
    TASK_GOES_ON, /* it runs, or will */
    TASK_IS_OVER,
    TASK_IS_HELD_UP, /* not before a person does something */
};

/* What is to come of a task ('stage_state' NULL: of a stage that has not
 * begun); 'running': its newest try has not ended, by its log.
 */
enum task_prospect task_prospect (const struct state *state,
                                  const struct stage *stage,
                                  const struct stage_state *stage_state,
                                  int32_t task, bool running);

#endif /* !REPORT_TASK_WATCH_H */
