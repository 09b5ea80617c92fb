/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.h - how frames are selected: what a user may ask for
 *
 *   {"semantics": "dpgen",         or dpgen2, simplify: statistics/classes.h,
 *                                  and rules_defaults.h
 *    "levels": {
 *      "force": [0.2, 0.8],        eV/A; or {"low": 0.2, "high": 0.8}
 *      "virial": .., "energy": .., the same in eV/atom
 *      "relative": {..},           deviations/committee_rules.h
 *      "avg_relative": true,       deviations of forces are divided by the root
 *                                  mean square of the trajectory's forces
 *      "distance": 1.2,            A; frames with closer atoms failed
 *      "error": {..},              instead of all these: error_levels.h
 *      "adaptive": {"force": {"count": 10, "fraction": 0.01}, "virial": {..}}},
 *    "pick": {
 *      "how": "random",            max, stratified, inverse_population,
 *                                  diverse; fps, cover, doptimal:
 *                                  rules_batch.h
 *      "quota": 16, "per": "iteration",   or "system"
 *      "minimum": 0,               fewer frames than that are none
 *      "soft": 0.9, "hard": 0.95,  fractions of accurate frames
 *      "bins": 10,                 of stratified and inverse_population
 *      "pool": 20,                 times the quota are drawn for diverse and
 *                                  for a batch, of which "all" may be
 *      "weight": "score", "power": 1,       of fps: rules_batch.h
 *      "radius": 0.5},             of cover
 *    "features": {..},             that a batch differs in: rules_batch.h
 *    "filters": {"closest": 0.8, ..},     structures refused: geometry.h
 *    "duplicates": {"tolerance": 0.01},   A; structures that have a label
 *                                  refused, to that tolerance: duplicate.h
 *    "clusters": {"cutoff": 5, ..},       atoms for frames: cluster.h
 *    "convergence": {"accurate": 0.9, ..},     convergence.h
 *    "calibration": {..},          of "error"
 *    "skip": {"steps": 1, "frames": 0},   of each trajectory
 *    "seed": 4711}
 *
 * Or, to draw evenly at random from all valid frames of all systems:
 *
 *   {"count": 40, "skip": {..}, "seed": 4711}
 *
 * There must be levels for one quantity, and a quota; of the rest, and of these
 * in some, the semantics have defaults.  The values of {"low", "high"} are
 * numbers, lists with one for each system, or objects with one for each
 * system's name.
 *
 * With "adaptive" the low levels are not used: of the frames that are not above
 * a high level (DP-GEN: strictly), those with the largest deviations are the
 * candidates, max (count, fraction of them) for each quantity.
 *
 * With r the fraction of accurate frames (of a system, or of all), no frame is
 * selected from r >= hard on, and the quota falls linearly between soft and
 * hard (DP-GEN's fp_accurate_threshold and fp_accurate_soft_threshold).
 *
 * With "clusters" it is atoms that have a class, by the levels for the force
 * and their own deviations, and wherever frames are counted atoms are; what is
 * selected are their surroundings (DP-GEN's cluster_cutoff).
 */
#ifndef SELECTION_RULES_H
#define SELECTION_RULES_H

#include "selection/rules/error_levels.h"
#include "selection/geometry/cluster.h"
#include "selection/geometry/geometry.h"
#include "selection/rules/rules_batch.h"
#include "selection/statistics/classes.h"
#include "selection/statistics/convergence.h"

enum pick {
    PICK_RANDOM,
    PICK_MAX,
    PICK_STRATIFIED,
    PICK_INVERSE_POPULATION,
    PICK_DIVERSE,
    PICK_FPS,
    PICK_COVER,
    PICK_DOPTIMAL,
};

/* How many of the largest are candidates: the larger of both. */
struct top {
    uint64_t count;
    double fraction;
};

struct rules {
    int semantics;             /* enum semantics */
    struct criteria *criteria; /* one for each system */
    size_t n_systems;
    bool avg_relative; /* DP-GEN's model_devi_f_avg_relative: rms_force.h */
    struct error_levels error;
    bool draws; /* "count": levels are 0 and INFINITY */
    bool adaptive;
    struct top top[DEVIATION_QUANTITIES]; /* of adaptive */
    size_t quota;
    int quota_per; /* 1: system */
    size_t minimum;
    double soft;
    double hard;
    int pick;      /* enum pick */
    size_t n_bins; /* 1 unless the pick has bins */
    size_t pool;   /* times the quota; 0: all */
    struct batch_rules batch;
    struct geometry_limits filters;
    double duplicates; /* 0: not looked for */
    struct cluster_limits clusters;
    struct convergence convergence;
    int64_t skip_steps;
    uint64_t skip_frames; /* of each file */
    uint64_t seed;
};

#define RULES_INIT                                                             \
    {                                                                          \
        0                                                                      \
    }

/* The keys above, and the words for 'how'; NULL-terminated. */
extern const char *const rules_keys[];
extern const char *const rules_picks[];

/* Legal twice. */
void rules_release (struct rules *rules);

/* Read the keys of 'v' that are ours (others are the caller's) for the systems
 * named in 'systems', in the order that lists are in.  'rules' must be
 * initialised; untouched on failure.
 */
int rules_from_json (const struct json *v, const struct strvec *systems,
                     struct rules *rules, struct error *err);

/* Check what is written under one key ("pick.quota"), as far as can be without
 * knowing the systems; null is taken as absent, and what is absent is no error.
 */
int rules_check_key (const struct json *v, const char *key, struct error *err);

/* Append what looks as if it were not meant in levels or the quota. */
void rules_doubt_key (const struct json *v, const char *key,
                      struct strbuf *says);

/* Check that there are levels for one quantity at least; a key that 'v' lacks
 * is not known yet, null is none.
 */
int rules_check_any_levels (const struct json *v, struct error *err);

/* Which quantities have levels, in all systems: DEVIATION_QUANTITIES; lent. */
const bool *rules_quantities (const struct rules *rules);

/* Groups of systems that have a quota together: one, or one for each. */
size_t rules_n_groups (const struct rules *rules);
size_t rules_group (const struct rules *rules, size_t system);

/* The quota of a group with so many frames of each class. */
size_t rules_quota (const struct rules *rules,
                    const uint64_t frames[FRAME_CLASSES]);

/* How many of n frames are candidates by quantity q. */
uint64_t rules_top (const struct rules *rules, int q, uint64_t n);

#endif /* !SELECTION_RULES_H */
