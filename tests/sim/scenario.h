/* SPDX-License-Identifier: BSD-3-Clause */
/* scenario.h - a seed's campaign and its site */
#ifndef TESTS_SIM_SCENARIO_H
#define TESTS_SIM_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim.h"

struct disk;
struct plan;

#define SCENARIO_DIR "/sim/campaign"

struct scenario {
    struct plan *plan;
    struct sim_site site;
    double advance_s; /* between two `fanfold advance` of cron; 0: none */
    double run_s;     /* how soon `fanfold run` is started again; 0: never */
    int tasks;        /* of the widest stage */
    bool chained;     /* jobs drive it, nobody else; but for who looks after
                         them now and then */
};

/* Write campaign.yaml and site.yaml of 'seed' onto the disk and compile them:
 * stages that fan out over a list, over another stage's results and over what
 * prepare made, one that collects, in two or three iterations.  Everything may
 * be retried more often than anything goes wrong.
 */
void scenario_make (uint64_t seed, struct disk *disk, struct scenario *s);
void scenario_release (struct scenario *s);

#endif /* !TESTS_SIM_SCENARIO_H */
