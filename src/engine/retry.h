/* SPDX-License-Identifier: BSD-3-Clause */
/* retry.h - which tasks run again, and with what (pure) */
#ifndef ENGINE_RETRY_H
#define ENGINE_RETRY_H

#include "arrays/task_range.h"
#include "signature/resources.h"

struct json;
struct stage;
struct stage_state;

/* The tasks that still have to run: those without an outcome, and those whose
 * outcome's rule leaves them a try.  A cancelled task waits for a person.
 */
void retry_pending (const struct stage *stage,
                    const struct stage_state *state,
                    struct task_range *pending);

/* What each of 'tasks' gets at its next try: the stage's needs, with walltime
 * and memory raised for the task among them that ran out most often, up to what
 * the profile's limits and nodes have.
 */
struct resources retry_resources (const struct stage *stage,
                                  const struct stage_state *state,
                                  const struct task_range *tasks);

/* Of what a "results" event says, the nodes at which a task ended in a way
 * whose rule is to exclude them: [NODE...], or NULL for none.  Caller unrefs.
 */
struct json *retry_nodes_to_avoid (const struct stage *stage,
                                   const struct json *results);

/* Are enough tasks ok? */
int retry_quorum_met (const struct stage *stage,
                      const struct stage_state *state);

#endif /* !ENGINE_RETRY_H */
