/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.h - what the world says: the scheduler first, then the logs
 *
 * Looks at every open attempt of the current iteration.  Reading only.
 */
#ifndef ENGINE_OBSERVE_H
#define ENGINE_OBSERVE_H

#include "engine/decide/observations.h"

struct engine;

/* To decide on: a profile's scheduler is asked, unless this driver did so less
 * than its poll_s ago, and the results that pending conditions look at are
 * read.  A log that is damaged is an error (-1), an unreachable scheduler is
 * not.  1 with 'err', which names the file, when results cannot be read now:
 * nothing can be decided before they can.
 */
int observe (struct engine *engine, struct observations *observations,
             struct error *err);

/* To show: only the logs (`status`). */
int observe_logs (struct engine *engine, struct observations *observations,
                  struct error *err);

#endif /* !ENGINE_OBSERVE_H */
