/* SPDX-License-Identifier: BSD-3-Clause */
/* decide.h - what to do next (pure)
 *
 * decide (plan, state, observations) -> actions: no I/O, no clock.  Doing the
 * actions in order and deciding again leads to a finished campaign from any
 * state that a crash may have left.
 */
#ifndef ENGINE_DECIDE_H
#define ENGINE_DECIDE_H

#include "engine/decide/actions.h"
#include "engine/decide/observations.h"

struct plan;
struct state;

void decide (const struct plan *plan, const struct state *state,
             const struct observations *observations, struct actions *actions);

#endif /* !ENGINE_DECIDE_H */
