/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - how frames are selected: what a user may ask for */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "selection/rules.h"

enum { BINS_MAX = 1000, BINS = 10, POOL = 20 };

const char *const rules_keys[] = {
    "semantics",  "force",        "virial",      "energy",  "distance",
    "adaptive",   "quota",        "quota_per",   "minimum", "soft",
    "hard",       "pick",         "bins",        "pool",    "skip_steps",
    "filters",    "skip_frames",  "convergence", "seed",    "clusters",
    "duplicates", "avg_relative", NULL,
};

static const char *const quantity_names[] = {
    [DEVIATION_FORCE] = "force",
    [DEVIATION_VIRIAL] = "virial",
    [DEVIATION_ENERGY] = "energy",
    [DEVIATION_DISTANCE] = "distance",
};

void rules_release (struct rules *rules)
{
    free (rules->criteria);
    *rules = (struct rules)RULES_INIT;
}

static int only_keys (const struct json *v,
                      const char *const *keys,
                      struct error *err)
{
    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err, "expected an object, got %s",
                          json_kind_name (v));
    JSON_FOREACH (v, it) {
        const char *const *key = keys;

        while (*key && strcmp (*key, json_iter_key (it)) != 0)
            key++;
        if (!*key)
            return error_set (err, "unknown key '%s'", json_iter_key (it));
    }
    return 0;
}

/* --- values that may be absent: they keep what is there --- */

static bool is_given (const struct json *v, const char *key)
{
    return !json_is_null (json_get (v, key));
}

static int may_count (const struct json *v,
                      const char *key,
                      uint64_t *count,
                      struct error *err)
{
    const struct json *value = json_get (v, key);

    if (!is_given (v, key))
        return 0;
    if (json_kind (value) != JSON_KIND_INT)
        return error_set (err, "%s: expected an integer, got %s", key,
                          json_kind_name (value));
    if (json_as_int (value) < 0)
        return error_set (err, "%s: %lld is less than 0", key,
                          (long long)json_as_int (value));
    *count = (uint64_t)json_as_int (value);
    return 0;
}

static bool is_number (const struct json *v)
{
    return json_kind (v) == JSON_KIND_REAL || json_kind (v) == JSON_KIND_INT;
}

static int may_fraction (const struct json *v,
                         const char *key,
                         double *fraction,
                         struct error *err)
{
    const struct json *value = json_get (v, key);

    if (!is_given (v, key))
        return 0;
    if (!is_number (value) || !(json_as_double (value) >= 0)
        || !(json_as_double (value) <= 1))
        return error_set (err, "%s: expected a fraction, 0 to 1", key);
    *fraction = json_as_double (value);
    return 0;
}

/* One of 'names' (NULL-terminated). */
static int may_choose (const struct json *v,
                       const char *key,
                       const char *const *names,
                       int *choice,
                       struct error *err)
{
    const char *name = json_as_string (json_get (v, key));
    struct strbuf known = STRBUF_INIT;

    if (!is_given (v, key))
        return 0;
    for (int i = 0; names[i]; i++) {
        if (strcmp (name, names[i]) == 0) {
            strbuf_release (&known);
            *choice = i;
            return 0;
        }
        strbuf_addf (&known, "%s%s",
                     i == 0         ? ""
                     : names[i + 1] ? ", "
                                    : " or ",
                     names[i]);
    }
    error_set (err, "%s: '%s' is not known; use %s", key, name, known.buf);
    strbuf_release (&known);
    return -1;
}

/* --- levels --- */

/* A number, or the system's of a list or object. */
static int read_level (const struct json *v,
                       const char *key,
                       const struct strvec *systems,
                       size_t i,
                       double *level,
                       struct error *err)
{
    const struct json *value = json_get (v, key);

    if (json_kind (value) == JSON_KIND_ARRAY) {
        if (json_count (value) != systems->n)
            return error_set (err, "key '%s': %zu levels for %zu systems", key,
                              json_count (value), systems->n);
        value = json_at (value, i);
    } else if (json_kind (value) == JSON_KIND_OBJECT) {
        value = json_get (value, systems->v[i]);
        if (!value)
            return error_set (err, "key '%s': no level for the system '%s'",
                              key, systems->v[i]);
    }
    if (!value)
        return error_set (err, "key '%s': missing, expected a number", key);
    if (!is_number (value))
        return error_set (err,
                          "key '%s': expected a number, or one for each "
                          "system in a list or an object",
                          key);
    *level = json_as_double (value);
    return 0;
}

static int read_levels (const struct json *v,
                        int q,
                        bool needs_low,
                        const struct strvec *systems,
                        struct rules *rules,
                        struct error *err)
{
    static const char *const keys[] = { "low", "high", NULL };

    if (only_keys (v, keys, err) < 0)
        return -1;
    for (size_t i = 0; i < systems->n; i++) {
        struct levels levels = { 0, 0 };

        if ((needs_low || json_get (v, "low"))
            && read_level (v, "low", systems, i, &levels.low, err) < 0)
            return -1;
        if (read_level (v, "high", systems, i, &levels.high, err) < 0)
            return -1;
        if (!levels_valid (&levels))
            return error_set (err,
                              "low is %g and high %g; write 0 <= low <= high "
                              "(for the system '%s')",
                              levels.low, levels.high, systems->v[i]);
        rules->criteria[i].has[q] = true;
        rules->criteria[i].levels[q] = levels;
    }
    return 0;
}

static int read_distance (const struct json *v,
                          const struct strvec *systems,
                          struct rules *rules,
                          struct error *err)
{
    for (size_t i = 0; is_given (v, "distance") && i < systems->n; i++) {
        double distance;

        if (read_level (v, "distance", systems, i, &distance, err) < 0)
            return -1;
        if (!(distance >= 0) || !isfinite (distance))
            return error_set (err, "distance: %g is no distance", distance);
        rules->criteria[i].has[DEVIATION_DISTANCE] = true;
        rules->criteria[i].levels[DEVIATION_DISTANCE].high = distance;
    }
    return 0;
}

static int read_criteria (const struct json *v,
                          const struct strvec *systems,
                          struct rules *rules,
                          struct error *err)
{
    static const char *const names[] = { "dpgen", "dpgen2", "simplify", NULL };
    int semantics = SEMANTICS_DPGEN;
    bool any = false;

    if (may_choose (v, "semantics", names, &semantics, err) < 0)
        return -1;
    for (size_t i = 0; i < systems->n; i++)
        rules->criteria[i].semantics = (enum semantics)semantics;
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = quantity_names[q];

        if (!is_given (v, key))
            continue;
        any = true;
        if (read_levels (json_get (v, key), q, !rules->adaptive, systems, rules,
                         err)
            < 0)
            return error_prefix (err, "%s", key);
    }
    if (!any)
        return error_set (err, "force: there are no levels; write {low, high}");
    return read_distance (v, systems, rules, err);
}

/* --- the rest --- */

static int read_top (const struct json *v, struct top *top, struct error *err)
{
    static const char *const keys[] = { "count", "fraction", NULL };

    if (only_keys (v, keys, err) < 0
        || may_count (v, "count", &top->count, err) < 0
        || may_fraction (v, "fraction", &top->fraction, err) < 0)
        return -1;
    return 0;
}

/* DP-GEN's defaults: ten by force. */
static int read_adaptive (const struct json *v,
                          struct rules *rules,
                          struct error *err)
{
    static const char *const keys[] = { "force", "virial", "energy", NULL };
    const struct json *adaptive = json_get (v, "adaptive");

    rules->adaptive = !json_is_null (adaptive);
    if (!rules->adaptive)
        return 0;
    if (only_keys (adaptive, keys, err) < 0)
        return error_prefix (err, "adaptive");
    rules->top[DEVIATION_FORCE].count = 10;
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = quantity_names[q];

        if (!is_given (adaptive, key))
            continue;
        if (!is_given (v, key))
            return error_set (err, "adaptive: %s has no high level", key);
        rules->top[q].count = 0;
        if (read_top (json_get (adaptive, key), &rules->top[q], err) < 0)
            return error_prefix (err, "adaptive.%s", key);
    }
    return 0;
}

static int read_quota (const struct json *v,
                       struct rules *rules,
                       struct error *err)
{
    static const char *const per[] = { "iteration", "system", NULL };
    uint64_t quota = 0, minimum = 0;
    int per_system = 0;

    if (!is_given (v, "quota"))
        return error_set (err, "quota: missing, expected an integer");
    if (may_count (v, "quota", &quota, err) < 0
        || may_choose (v, "quota_per", per, &per_system, err) < 0
        || may_count (v, "minimum", &minimum, err) < 0
        || may_fraction (v, "hard", &rules->hard, err) < 0)
        return -1;
    rules->soft = rules->hard;
    if (may_fraction (v, "soft", &rules->soft, err) < 0)
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

    if (may_choose (v, "pick", names, &pick, err) < 0
        || may_count (v, "bins", &bins, err) < 0
        || may_count (v, "pool", &pool, err) < 0)
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
    if (!is_given (v, "avg_relative"))
        return 0;
    return json_want_bool (v, "avg_relative", &rules->avg_relative, err);
}

static int read_filters (const struct json *v,
                         struct rules *rules,
                         struct error *err)
{
    if (!is_given (v, "filters"))
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
    if (!is_given (v, "duplicates"))
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

    if (!is_given (v, "clusters"))
        return 0;
    if (cluster_limits_from_json (json_get (v, "clusters"), &rules->clusters,
                                  err)
        < 0)
        return error_prefix (err, "clusters");
    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (is_given (v, others[i]))
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
    if (!is_given (v, "convergence"))
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

    if (may_count (v, "skip_steps", &skip_steps, err) < 0
        || may_count (v, "skip_frames", &rules->skip_frames, err) < 0
        || (is_given (v, "seed") && json_want_int (v, "seed", &seed, err) < 0))
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
    if (read_adaptive (v, &made, err) < 0
        || read_criteria (v, systems, &made, err) < 0
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

/* Systems that would have the levels of 'v': a list's are numbered, an object's
 * have its keys.
 */
static void guess_systems (const struct json *v, struct strvec *systems)
{
    for (int i = 0; i < 2; i++) {
        const struct json *level = json_get (v, i == 0 ? "low" : "high");

        for (size_t j = systems->n; j < json_count (level); j++) {
            if (json_kind (level) == JSON_KIND_ARRAY)
                strvec_pushf (systems, "%zu", j);
        }
        if (json_kind (level) == JSON_KIND_OBJECT && systems->n == 0) {
            JSON_FOREACH (level, it)
                strvec_push (systems, json_iter_key (it));
        }
    }
    if (systems->n == 0)
        strvec_push (systems, "all");
}

static int check_levels (const struct json *v, int q, struct error *err)
{
    const struct json *levels = json_get (v, quantity_names[q]);
    struct strvec systems = STRVEC_INIT;
    struct rules rules = RULES_INIT;
    int rc = 0;

    if (json_is_null (levels))
        return 0;
    guess_systems (levels, &systems);
    rules.criteria = xcalloc (systems.n, sizeof (*rules.criteria));
    if (read_levels (levels, q, json_is_null (json_get (v, "adaptive")),
                     &systems, &rules, err)
        < 0)
        rc = error_prefix (err, "%s", quantity_names[q]);
    rules_release (&rules);
    strvec_release (&systems);
    return rc;
}

/* Keys whose rules look at the values of others. */
static const char *const *companions (const char *key)
{
    static const char *const levels[] = { "force", "virial", "energy",
                                          "adaptive", NULL };
    static const char *const quotas[] = { "hard", NULL };
    static const char *const nobody[] = { NULL };

    if (strcmp (key, "adaptive") == 0 || strcmp (key, "convergence") == 0
        || strcmp (key, "clusters") == 0)
        return levels;
    return strcmp (key, "soft") == 0 ? quotas : nobody;
}

static void copy_given (struct json *to, const struct json *v, const char *key)
{
    if (is_given (v, key))
        json_set (to, key, json_ref (json_get (v, key)));
}

int rules_check_key (const struct json *v, const char *key, struct error *err)
{
    struct strvec none = STRVEC_INIT;
    struct rules rules = RULES_INIT;
    struct json *known;
    int rc;

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        if (strcmp (key, quantity_names[q]) == 0)
            return check_levels (v, q, err);
    }
    known = json_object ();
    json_set (known, "force", json_object ());
    json_set (known, "quota", json_int (0));
    for (const char *const *other = companions (key); *other; other++)
        copy_given (known, v, *other);
    copy_given (known, v, key);
    rc = rules_from_json (known, &none, &rules, err);
    rules_release (&rules);
    json_unref (known);
    return rc;
}

int rules_check (const struct json *v, struct error *err)
{
    for (size_t i = 0; rules_keys[i]; i++) {
        if (rules_check_key (v, rules_keys[i], err) < 0)
            return -1;
    }
    return 0;
}
