/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - how frames are selected: what a user may ask for */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_levels.h"
#include "selection/rules/rules_values.h"

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

static int read_quota (const struct json *v,
                       struct rules *rules,
                       struct error *err)
{
    static const char *const per[] = { "iteration", "system", NULL };
    uint64_t quota = 0, minimum = 0;
    int per_system = 0;

    if (!rules_given (v, "quota"))
        return error_set (err, "quota: missing, expected an integer");
    if (rules_count (v, "quota", &quota, err) < 0
        || rules_choose (v, "quota_per", per, &per_system, err) < 0
        || rules_count (v, "minimum", &minimum, err) < 0
        || rules_fraction (v, "hard", &rules->hard, err) < 0)
        return -1;
    rules->soft = rules->hard;
    if (rules_fraction (v, "soft", &rules->soft, err) < 0)
        return -1;
    if (rules->soft > rules->hard)
        return error_set (err, "soft: %g is above hard, which is %g",
                          rules->soft, rules->hard);
    rules->quota = quota;
    rules->minimum = minimum;
    rules->per_system = per_system == 1;
    return 0;
}

static int read_pick (const struct json *v,
                      struct rules *rules,
                      struct error *err)
{
    static const char *const names[] = { "random",     "max",
                                         "stratified", "inverse_population",
                                         "diverse",    NULL };
    int pick = PICK_RANDOM;
    uint64_t bins = BINS, pool = POOL;

    if (rules_choose (v, "pick", names, &pick, err) < 0
        || rules_count (v, "bins", &bins, err) < 0
        || rules_count (v, "pool", &pool, err) < 0)
        return -1;
    if (bins < 1 || bins > BINS_MAX)
        return error_set (err, "bins: %llu; write 1 to %d",
                          (unsigned long long)bins, BINS_MAX);
    if (pool < 1)
        return error_set (err, "pool: write 1 or more");
    rules->pick = (enum pick)pick;
    rules->n_bins =
        pick == PICK_STRATIFIED || pick == PICK_INVERSE_POPULATION ? bins : 1;
    rules->pool = pool;
    return 0;
}

static int read_relative (const struct json *v,
                          struct rules *rules,
                          struct error *err)
{
    if (!rules_given (v, "avg_relative"))
        return 0;
    return json_want_bool (v, "avg_relative", &rules->avg_relative, err);
}

static int read_filters (const struct json *v,
                         struct rules *rules,
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

static int read_duplicates (const struct json *v,
                            struct rules *rules,
                            struct error *err)
{
    if (!rules_given (v, "duplicates"))
        return 0;
    if (json_want_double (v, "duplicates", &rules->duplicates, err) < 0)
        return -1;
    if (!(rules->duplicates > 0) || !isfinite (rules->duplicates))
        return error_set (err, "duplicates: %g; write a tolerance in angstrom",
                          rules->duplicates);
    return 0;
}

/* Atoms have a deviation of the force and no other. */
static int read_clusters (const struct json *v,
                          struct rules *rules,
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
static int read_convergence (const struct json *v,
                             struct rules *rules,
                             struct error *err)
{
    if (!rules_given (v, "convergence"))
        return 0;
    if (convergence_from_json (json_get (v, "convergence"), &rules->convergence,
                               err)
        < 0)
        return error_prefix (err, "convergence");
    if (rules->convergence.tests_drift && !rules->adaptive)
        return error_set (err, "convergence: only adaptive levels drift; write "
                               "adaptive, or remove drift");
    return 0;
}

static int read_skips (const struct json *v,
                       struct rules *rules,
                       struct error *err)
{
    uint64_t skip_steps = 0;
    int64_t seed = 0;

    if (rules_count (v, "skip_steps", &skip_steps, err) < 0
        || rules_count (v, "skip_frames", &rules->skip_frames, err) < 0
        || (rules_given (v, "seed")
            && json_want_int (v, "seed", &seed, err) < 0))
        return -1;
    rules->skip_steps = (int64_t)skip_steps;
    rules->seed = (uint64_t)seed;
    return 0;
}

int rules_from_json (const struct json *v,
                     const struct strvec *systems,
                     struct rules *rules,
                     struct error *err)
{
    struct rules made = { .n_systems = systems->n, .hard = 1, .soft = 1 };

    made.criteria = xcalloc (systems->n, sizeof (*made.criteria));
    if (rules_read_adaptive (v, &made, err) < 0
        || rules_read_criteria (v, systems, &made, err) < 0
        || read_quota (v, &made, err) < 0 || read_pick (v, &made, err) < 0
        || read_relative (v, &made, err) < 0 || read_filters (v, &made, err) < 0
        || read_duplicates (v, &made, err) < 0
        || read_clusters (v, &made, err) < 0
        || read_convergence (v, &made, err) < 0
        || read_skips (v, &made, err) < 0) {
        rules_release (&made);
        return -1;
    }
    rules_release (rules);
    *rules = made;
    return 0;
}
