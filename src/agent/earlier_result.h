/* SPDX-License-Identifier: BSD-3-Clause */
/* earlier_result.h - was a task done before this element began? */
#ifndef AGENT_EARLIER_RESULT_H
#define AGENT_EARLIER_RESULT_H

struct assignment;
struct claim;

/* Is the result of 'task', at 'index' in the bundle, in its place?  1, 0, or -1
 * when that cannot be known.  What is there but is none, or was made by another
 * definition, is set aside: it would be in the way of the rename.  *way_synced
 * as in task_results_make_last.
 */
int earlier_result (const struct assignment *assignment,
                    const struct claim *claim, int task, size_t index,
                    bool *way_synced, struct error *err);

#endif /* !AGENT_EARLIER_RESULT_H */
