/* SPDX-License-Identifier: BSD-3-Clause */
/* job_states.h - how jobs stand, as the schedulers say
 */
#ifndef ENGINE_JOB_STATES_H
#define ENGINE_JOB_STATES_H

#include "engine/decide/observations.h"

struct engine;

/* One poll for each profile that has anything released or a dependency job,
 * when it is due; fills in what 'observations' has of them.  A scheduler that
 * does not answer makes it 'unreachable'.
 */
void job_states_poll (struct engine *engine, struct observations *observations);

#endif /* !ENGINE_JOB_STATES_H */
