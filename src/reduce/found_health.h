/* SPDX-License-Identifier: BSD-3-Clause */
/* found_health.h - which of the trajectories are sound
 *
 *   {"closest": 0.8, "trajectories": 40, "healthy": 38, "missing_tasks": 0,
 *    "ended_early": 1, "broken": 0, "too_close": 2,
 *    "labelled": [{"pair": ["H", "O"], "distance": 0.93}],   A
 *    "groups": [{"system": "water", "conditions": {"temperature": 300},
 *                "trajectories": 20, "healthy": 20, "ended_early": 0,
 *                "broken": 0, "too_close": 0}], "more_groups": 0,
 *    "worst": [{"task": 7, "system": "water", "conditions": {..},
 *               "finding": "too_close", "step": 120, "pair": ["H", "O"],
 *               "distance": 0.41, "labelled": 0.93},
 *              {.., "finding": "ended_early", "frames": 3, "expected": 50},
 *              {.., "finding": "broken", "step": 60}]}
 *
 * How many there are of groups and of the worst is bounded
 * (selection/health/health.h).
 */
#ifndef REDUCE_FOUND_HEALTH_H
#define REDUCE_FOUND_HEALTH_H

#include "selection/health/health.h"

struct layout;
struct selection_input;

struct found_health {
    bool any; /* it was asked for */
    struct closeness closeness;
    struct health_case *cases; /* of each trajectory */
    size_t n;
    struct strvec texts; /* of conditions */
    struct health health;
};

#define FOUND_HEALTH_INIT                                                      \
    {                                                                          \
        .texts = STRVEC_INIT                                                   \
    }

void found_health_release (struct found_health *found);

/* Collective: read labelled frames, then all trajectories where there are any
 * of these; layout->found is that of all frames.  -1 on all ranks when a file
 * is malformed.
 */
int found_health_find (const struct selection_input *input,
                       const struct layout *layout, struct found_health *found,
                       struct error *err);

/* The part of the trajectories, and of the tasks that left none, that is sound;
 * 0 of none.
 */
double found_health_share (const struct found_health *found,
                           const struct selection_input *input);

/* The object above; caller unrefs. */
struct json *found_health_json (const struct found_health *found,
                                const struct selection_input *input);

#endif /* !REDUCE_FOUND_HEALTH_H */
