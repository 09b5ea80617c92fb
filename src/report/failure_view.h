/* SPDX-License-Identifier: BSD-3-Clause */
/* failure_view.h - the tasks that failed, in a line (pure) */
#ifndef REPORT_FAILURE_VIEW_H
#define REPORT_FAILURE_VIEW_H

struct stage;
struct stage_state;

/* Append a line for each outcome but ok in a `results` event: the tasks, which
 * try of the first it was, and why.  'state' is that of the stage with the
 * event folded in, 'stage' tells how many tries there are; both may be NULL.
 * 'told' is {STAGE: the reason told last}: the same one is not told again.
 */
void failure_lines (const struct json *event, const struct stage *stage,
                    const struct stage_state *state, struct json *told,
                    struct strvec *lines);

/* Append "4 ok, 2 failed": how the tasks of a stage ended. */
void task_counts_text (const struct stage_state *state, struct strbuf *out);

#endif /* !REPORT_FAILURE_VIEW_H */
