/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_params.h - the parameters of tasks, from the agents' result logs
 *
 * Of a stage without output artifacts nothing else is kept.  The journal tells
 * how much of which log counts.
 */
#ifndef ENGINE_LOGGED_PARAMS_H
#define ENGINE_LOGGED_PARAMS_H

#include <stdint.h>

struct error;
struct heartbeat;
struct json;
struct stage_place;
struct stage_state;

/* By task: the parameters of each that is ok, as its first `end` in the order
 * of logs tells, NULL of the others.  NULL with 'err' when a log is gone, is
 * not as it was, or tells nothing of a task that is ok.
 */
struct json **logged_params (const char *campaign_dir,
                             const struct stage_place *place,
                             const struct stage_state *stage,
                             const struct heartbeat *heartbeat,
                             struct error *err);
void logged_params_release (struct json **params, int32_t n_tasks);

#endif /* !ENGINE_LOGGED_PARAMS_H */
