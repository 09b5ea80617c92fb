/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_forecast.h - how many tasks of a stage would be reused, and why not all
 */
#ifndef ENGINE_REUSE_FORECAST_H
#define ENGINE_REUSE_FORECAST_H

struct engine;
struct stage;

/* Of 'stage' in 'iteration', as far as can be known before it is prepared:
 *   {"tasks": how many it has, or null, "reused": how many of them, or null,
 *    "waits_for": [INPUT] whose values other stages have to make first,
 *    "nearest": {"campaign", "stage", "iteration", "tasks"}, the known result
 *    that differs least, or null, "differs": [TEXT] in what, "in_items": is
 *    all of that in lists which are cut into tasks, so that some may be equal?}
 * Differences are "setup", "env", "image", "version", "file PATH", "parameter
 * NAME", "input NAME", "seed" and "iteration".  It takes no lease and journals
 * nothing.  NULL: nothing of the stage is reused, or no campaign is named.
 * Caller unrefs.
 */
struct json *reuse_forecast (struct engine *engine, const struct stage *stage,
                             int iteration);

#endif /* !ENGINE_REUSE_FORECAST_H */
