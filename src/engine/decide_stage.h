/* SPDX-License-Identifier: BSD-3-Clause */
/* decide_stage.h - the part of decide that looks at one stage (pure) */
#ifndef ENGINE_DECIDE_STAGE_H
#define ENGINE_DECIDE_STAGE_H

#include "engine/decide.h"

/* What one stage's decision needs. */
struct deciding {
    const struct plan *plan;
    const struct state *state;
    const struct observations *observations;
    struct outputs_store *outputs;
    struct actions *actions;
    int iteration;
};

/* Append an action and return it. */
struct action *actions_add (struct actions *actions,
                            enum action_kind kind,
                            int stage,
                            int iteration);

/* Append ACT_RECORD, taking over 'event'. */
void actions_record (struct actions *actions, struct json *event);

/* Look again no later than in 's' seconds (> 0). */
void actions_wait (struct actions *actions, double s);

/* Submissions of the open attempt: submit, find, release, record results,
 * end, close.
 */
void decide_attempt (const struct deciding *d, int stage);

/* A stage without an open attempt: skip, prepare, open an attempt, judge. */
void decide_stage (const struct deciding *d, int stage);

#endif /* !ENGINE_DECIDE_STAGE_H */
