/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_params.h - the parameters of tasks, from the agents' result logs
 *
 * Of a stage without output artifacts nothing else is kept.  The journal tells
 * how much of which log counts; what was adopted is in one of them
 * (logged_adoption.h).
 */
#ifndef ENGINE_LOGGED_PARAMS_H
#define ENGINE_LOGGED_PARAMS_H

#include <stdint.h>

struct error;
struct heartbeat;
struct json;
struct stage_place;
struct stage_state;

/* Call 'take' for each task that is ok, once, with the parameters that its
 * first `end` in the order of logs tells (lent; NULL: none); one log is in
 * memory at a time.  -1 with 'err' when a log is gone, is not as it was, or
 * when none tells of a task that is ok.
 */
int logged_params_read (
    const char *campaign_dir, const struct stage_place *place,
    const struct stage_state *stage,
    void (*take) (int32_t task, const struct json *params, void *arg),
    void *arg, const struct heartbeat *heartbeat, struct error *err);

#endif /* !ENGINE_LOGGED_PARAMS_H */
