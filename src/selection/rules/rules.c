/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - how frames are selected: what a user may ask for */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/rules/rules.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules_levels.h"

enum { BINS_MAX = 1000, BINS = 10, POOL = 20 };

const char *const rules_keys[] = {
    "semantics",  "force",        "virial",      "energy",  "distance",
    "adaptive",   "quota",        "quota_per",   "minimum", "soft",
    "hard",       "pick",         "bins",        "pool",    "skip_steps",
    "filters",    "skip_frames",  "convergence", "seed",    "clusters",
    "duplicates", "avg_relative", NULL,
};

void rules_release (struct rules *rules)
{
    free (rules->criteria);
    *rules = (struct rules)RULES_INIT;
}

static const char *const per[] = { "iteration", "system", NULL };

const char *const rules_picks[] = {
    [PICK_RANDOM] = "random",
    [PICK_MAX] = "max",
    [PICK_STRATIFIED] = "stratified",
    [PICK_INVERSE_POPULATION] = "inverse_population",
    [PICK_DIVERSE] = "diverse",
    NULL,
};

#define RULE(name, what, ...)                                                  \
    RULE_FIELD (struct rules, name, #name, what, __VA_ARGS__)

static const struct rule_field fields[] = {
    RULE (quota, COUNT, .needed = true),
    RULE (quota_per, CHOICE, .names = per),
    RULE (minimum, COUNT),
    RULE (hard, REAL, .most = 1),
    RULE (soft, REAL, .most = 1),
    RULE (pick, CHOICE, .names = rules_picks),
    RULE_FIELD (struct rules, n_bins, "bins", COUNT, .least = 1,
                .most = BINS_MAX),
    RULE (pool, COUNT, .least = 1),
    RULE (avg_relative, BOOL),
    RULE (duplicates, REAL, .above = true),
    RULE (skip_steps, COUNT),
    RULE (skip_frames, COUNT),
    RULE (seed, COUNT, .least = -0x1p63),
    RULE_FIELDS_END,
};

/* What no object of its own has. */
static int read_fields (const struct json *v, struct rules *rules,
                        struct error *err)
{
    rules->hard = 1;
    rules->n_bins = BINS;
    rules->pool = POOL;
    if (rules_read (v, fields, rules, err) < 0)
        return -1;
    if (!rules_given (v, "soft"))
        rules->soft = rules->hard;
    if (rules->soft > rules->hard)
        return error_set (err,
                          "soft: %g is above hard, which is %g; write soft <= "
                          "hard",
                          rules->soft, rules->hard);
    if (rules->pick != PICK_STRATIFIED
        && rules->pick != PICK_INVERSE_POPULATION)
        rules->n_bins = 1;
    return 0;
}

static int read_filters (const struct json *v, struct rules *rules,
                         struct error *err)
{
    if (!rules_given (v, "filters"))
        return 0;
    if (geometry_limits_from_json (json_get (v, "filters"), &rules->filters,
                                   err)
        < 0)
        return error_prefix (err, "filters");
    return 0;
}

/* Atoms have a deviation of the force and no other. */
static int read_clusters (const struct json *v, struct rules *rules,
                          struct error *err)
{
    static const char *const others[] = { "virial", "energy", "distance",
                                          "adaptive", "avg_relative" };

    if (!rules_given (v, "clusters"))
        return 0;
    if (cluster_limits_from_json (json_get (v, "clusters"), &rules->clusters,
                                  err)
        < 0)
        return error_prefix (err, "clusters");
    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (rules_given (v, others[i]))
            return error_set (err,
                              "clusters: atoms are judged by fixed levels for "
                              "the force; remove %s",
                              others[i]);
    }
    return 0;
}

/* Levels that are fixed never move. */
static int read_convergence (const struct json *v, struct rules *rules,
                             struct error *err)
{
    if (!rules_given (v, "convergence"))
        return 0;
    if (convergence_from_json (json_get (v, "convergence"), &rules->convergence,
                               err)
        < 0)
        return error_prefix (err, "convergence");
    if (rules->convergence.drift > 0 && !rules->adaptive)
        return error_set (err, "convergence: only adaptive levels drift; write "
                               "adaptive, or remove drift");
    return 0;
}

int rules_from_json (const struct json *v, const struct strvec *systems,
                     struct rules *rules, struct error *err)
{
    struct rules made = { .n_systems = systems->n };

    made.criteria = xcalloc (systems->n, sizeof (*made.criteria));
    if (rules_read_adaptive (v, &made, err) < 0
        || rules_read_criteria (v, systems, &made, err) < 0
        || read_fields (v, &made, err) < 0 || read_filters (v, &made, err) < 0
        || read_clusters (v, &made, err) < 0
        || read_convergence (v, &made, err) < 0) {
        rules_release (&made);
        return -1;
    }
    rules_release (rules);
    *rules = made;
    return 0;
}

const bool *rules_quantities (const struct rules *rules)
{
    static const bool force_only[DEVIATION_QUANTITIES] = { [DEVIATION_FORCE] =
                                                               true };

    return rules->n_systems > 0 ? rules->criteria[0].has : force_only;
}

/* --- quotas --- */

size_t rules_n_groups (const struct rules *rules)
{
    return rules->quota_per ? rules->n_systems : 1;
}

size_t rules_group (const struct rules *rules, size_t system)
{
    return rules->quota_per ? system : 0;
}

/* DP-GEN: r < S: all of it; S <= r < T: falls linearly; r >= T: none.  Its
 * frames are those that have a class: invalid ones would have stopped it.
 */
size_t rules_quota (const struct rules *rules,
                    const uint64_t frames[FRAME_CLASSES])
{
    uint64_t accurate = frames[FRAME_ACCURATE], all;
    double r;

    all = accurate + frames[FRAME_CANDIDATE] + frames[FRAME_FAILED];
    if (all == 0)
        return 0;
    r = (double)accurate / (double)all;
    if (r < rules->soft)
        return rules->quota;
    if (r >= rules->hard)
        return 0;
    return (size_t)((double)rules->quota * (r - rules->hard)
                    / (rules->soft - rules->hard));
}

uint64_t rules_top (const struct rules *rules, int q, uint64_t n)
{
    uint64_t top = (uint64_t)(rules->top[q].fraction * (double)n);

    if (top < rules->top[q].count)
        top = rules->top[q].count;
    return top < n ? top : n;
}
