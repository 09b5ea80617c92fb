/* SPDX-License-Identifier: BSD-3-Clause */
/* scenario.h - a seed's campaign and its site */
#ifndef TESTS_SIM_SCENARIO_H
#define TESTS_SIM_SCENARIO_H

#include "sim/sim.h"

struct disk;
struct plan;
struct world;

#define SCENARIO_DIR "/sim/campaign"
#define SCENARIO_SOURCE "/sim/source" /* of which results are taken */

enum { VERSIONS_MAX = 3 };

/* Does the campaign of the seed take results of another one? */
bool scenario_takes (uint64_t seed);

struct scenario {
    struct plan *plan; /* the last of 'versions' */
    /* The definitions that campaign.yaml has one after the other; in a calm
     * world it has the last one from the beginning.
     */
    struct plan *versions[VERSIONS_MAX];
    char *texts[VERSIONS_MAX];
    int n_versions;
    int version;  /* that campaign.yaml is now */
    bool changed; /* results depend on an edit: after the last one everything
                     is to be done again */
    struct sim_site site;
    double advance_s; /* between two `fanfold advance` of cron; 0: none */
    double run_s;     /* how soon `fanfold run` is started again; 0: never */
    int tasks;        /* of the widest stage */
    struct world *world;
    bool takes;   /* results of SCENARIO_SOURCE; not in a calm world */
    bool chained; /* jobs drive it, nobody else; but for who looks after
                     them now and then */
};

/* Write campaign.yaml and site.yaml of 'seed' onto the disk and compile them:
 * stages that fan out over a list, over another stage's results and over what
 * prepare made, one that collects, in two or three iterations.  Everything may
 * be retried more often than anything goes wrong.
 * 'otherwise': tasks have an environment in which they make other values.
 */
void scenario_make (uint64_t seed, bool calm, bool otherwise, struct disk *disk,
                    struct world *world, struct scenario *s);
void scenario_release (struct scenario *s);

/* Somebody writes the next version. */
void scenario_edit (struct disk *disk, struct scenario *s);

/* A plan of the version that the file is now, or of a recorded configuration;
 * the caller's.
 */
struct plan *scenario_compile (const struct scenario *s, struct json *recorded);

/* With the name that the first stage had before it was renamed. */
char *scenario_first_names (const char *text);

#endif /* !TESTS_SIM_SCENARIO_H */
