/* SPDX-License-Identifier: BSD-3-Clause */
/* health.h - which trajectories are sound, of what was seen of each (pure)
 *
 * A finding is what speaks against a trajectory; one without any is healthy.
 * What is kept does not grow with the trajectories: of systems under conditions
 * the HEALTH_GROUPS that have most of those that are not healthy, of findings
 * the HEALTH_WORST worst.
 */
#ifndef SELECTION_HEALTH_H
#define SELECTION_HEALTH_H

#include "selection/health/closeness.h"

struct json;

/* The default of `closest`. */
#define HEALTH_CLOSEST 0.8

/* {"closest": 0.8}: of the least distance among labelled frames */
struct health_rules {
    bool any; /* is it asked for? */
    double closest;
};

/* Read the keys that are rules; others are the caller's.  What is not given
 * stays as it is.
 */
int health_rules_from_json (const struct json *v, struct health_rules *rules,
                            struct error *err);

enum health_finding {
    HEALTH_ENDED_EARLY, /* frames are missing, or the code said so */
    HEALTH_BROKEN,      /* a frame is no configuration */
    HEALTH_TOO_CLOSE,   /* two atoms are */
    HEALTH_FINDINGS,
};

enum { HEALTH_GROUPS = 100, HEALTH_WORST = 10 };

/* "ended_early", ..; by number. */
extern const char *const health_finding_names[HEALTH_FINDINGS];

/* A trajectory, as far as it was seen. */
struct health_case {
    int64_t task;
    size_t system;
    const char *conditions; /* a text that is equal where they are; lent */
    uint64_t frames;
    uint64_t expected;  /* frames; 0: not known */
    bool blown_up;      /* by what its task said, or it left no file */
    double broken_step; /* INFINITY: no frame is */
    struct close_pair closest;
};

/* How bad is it, from 0 to 1; negative: it is not so. */
double health_severity (const struct health_case *one,
                        enum health_finding finding);

/* Trajectories of a system under the same conditions. */
struct health_group {
    size_t first; /* of its cases */
    uint64_t n;
    uint64_t healthy;
    uint64_t findings[HEALTH_FINDINGS];
};

struct health_worst {
    size_t at; /* which case */
    enum health_finding finding;
    double severity;
};

struct health {
    struct health_group all;
    struct health_group groups[HEALTH_GROUPS]; /* in the order of cases */
    size_t n_groups;
    uint64_t n_more; /* groups that are left out */
    struct health_worst worst[HEALTH_WORST];
    size_t n_worst;
};

/* Cases are in the order of tasks. */
void health_sum (const struct health_case *cases, size_t n,
                 struct health *health);

#endif /* !SELECTION_HEALTH_H */
