/* SPDX-License-Identifier: BSD-3-Clause */
/* live_scene.h - a campaign in the middle of an iteration, as a live_view of
 * constants: it is not to be released
 */
#ifndef TESTS_LIVE_SCENE_H
#define TESTS_LIVE_SCENE_H

#include "report/live_view.h"

static inline struct live_view live_scene (struct live_stage stages[4],
                                           double values[4],
                                           struct live_accuracy *accuracy)
{
    stages[0] = (struct live_stage){ .name = "train",
                                     .status = STAGE_DONE,
                                     .tasks = 4,
                                     .n = { [BAR_OK] = 4 },
                                     .wall_s = 7500 };
    stages[1] = (struct live_stage){
        .name = "explore",
        .status = STAGE_PREPARED,
        .tasks = 1000,
        .n = { [BAR_OK] = 600,
               [BAR_RUNNING] = 20,
               [BAR_QUEUED] = 360,
               [BAR_FAILED] = 20 },
        .tasks_per_s = 130.0 / 3600,
        .queued_s = 780,
        .left = { true, 9900, 12000 },
    };
    stages[2] = (struct live_stage){ .name = "label", .status = STAGE_WAITING };
    stages[3] = (struct live_stage){ .name = "select",
                                     .status = STAGE_SKIPPED,
                                     .why = "explore.n is 0\033[2J" };
    values[0] = 0.02;
    values[1] = 0.51;
    values[2] = NAN;
    values[3] = 0.931;
    *accuracy =
        (struct live_accuracy){ "accurate frames of select", values, 4 };
    return (struct live_view){
        .campaign = "silicon",
        .status = "running",
        .driver = "driven by pid 4711 on login1",
        .iteration = 3,
        .iterations = 10,
        .phase = "refine",
        .stages = stages,
        .n_stages = 4,
        .iteration_left = { true, 14400, 27000 },
        .campaign_left = { true, 14400, 300000 },
        .node_hours = 512.4,
        .lost_node_hours = 31,
        .submitted_node_hours = 120.25,
        .accuracy = accuracy,
        .n_accuracy = 1,
    };
}

#endif /* !TESTS_LIVE_SCENE_H */
