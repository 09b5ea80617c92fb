/* SPDX-License-Identifier: BSD-3-Clause */
/* retry.h - which tasks run again, and with what (pure) */
#ifndef ENGINE_RETRY_H
#define ENGINE_RETRY_H

#include "arrays/task_range.h"
#include "signature/resources.h"

struct stage;
struct stage_state;

/* The tasks that still have to run: those without an outcome, and those whose
 * outcome's rule leaves them a try.  A cancelled task waits for a person.
 */
void retry_pending (const struct stage *stage, const struct stage_state *state,
                    struct task_range *pending);

/* What each of 'tasks' gets at its next try: 'first', with walltime and memory
 * raised for the task among them that ran out most often, up to what the
 * profile's limits and nodes have.  Who ran out of what was learned
 * (learned_needs.h) gets at least what was stated.
 */
struct resources retry_resources (const struct stage *stage,
                                  const struct resources *first,
                                  const struct stage_state *state,
                                  const struct task_range *tasks);

/* A bit 1 << OUTCOME for each outcome whose rule is to avoid the node. */
unsigned retry_avoid_after (const struct stage *stage);

/* How many tasks have to be ok, by `success:`, and are they? */
int retry_tasks_needed (const struct stage *stage,
                        const struct stage_state *state);
int retry_quorum_met (const struct stage *stage,
                      const struct stage_state *state);

/* The scheduler lets the user have so many elements queued, and other jobs of
 * his have some of them: how many are free it does not tell, and an array that
 * is larger never gets in.  So where two submissions of the last attempt in a
 * row came to nothing and none of its jobs is left, the next attempt's arrays
 * have at most half as many elements: that many; else 0.  Down to a sixteenth
 * of what was tried first: for less the stage waits.
 */
int64_t retry_smaller_arrays (const struct stage_state *state);

#endif /* !ENGINE_RETRY_H */
