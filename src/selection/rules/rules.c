/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c - how frames are selected: what a user may ask for */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rules.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules_defaults.h"
#include "selection/rules/rules_levels.h"

enum { BINS_MAX = 1000 };

const char *const rules_keys[] = {
    "semantics",   "levels",   "pick",        "features", "filters",
    "duplicates",  "clusters", "convergence", "skip",     "seed",
    "calibration", "count",    NULL,
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
    [PICK_FPS] = "fps",
    [PICK_COVER] = "cover",
    [PICK_DOPTIMAL] = "doptimal",
    NULL,
};

#define RULE(member, key, what, ...)                                           \
    RULE_FIELD (struct rules, member, key, what, __VA_ARGS__)

static const struct rule_field pick_fields[] = {
    RULE (quota, "quota", COUNT, .needed = true),
    RULE (quota_per, "per", CHOICE, .names = per),
    RULE (minimum, "minimum", COUNT),
    RULE (hard, "hard", REAL, .most = 1),
    RULE (soft, "soft", REAL, .most = 1),
    RULE (pick, "how", CHOICE, .names = rules_picks),
    RULE (n_bins, "bins", COUNT, .least = 1, .most = BINS_MAX),
    RULE_FIELD_OTHER ("pool"),
    RULE (batch.weight, "weight", CHOICE, .names = rules_weights),
    RULE (batch.radius, "radius", REAL, .above = true),
    RULE (batch.power, "power", REAL, .most = BATCH_POWER_MAX),
    RULE_FIELDS_END,
};

static const struct rule_field skip_fields[] = {
    RULE (skip_steps, "steps", COUNT),
    RULE (skip_frames, "frames", COUNT),
    RULE_FIELD_OTHER ("dump_every"),
    RULE_FIELDS_END,
};

static const struct rule_field duplicates_fields[] = {
    RULE (duplicates, "tolerance", REAL, .above = true),
    RULE_FIELD_OTHER ("labelled"),
    RULE_FIELDS_END,
};

static const struct rule_field seed_fields[] = {
    RULE (seed, "seed", COUNT, .least = -0x1p63),
    RULE_FIELDS_END,
};

static const struct rule_field count_fields[] = {
    RULE (quota, "count", COUNT, .least = 1),
    RULE_FIELDS_END,
};

static int read_pick (const struct json *pick, struct rules *rules,
                      struct error *err)
{
    if (rules_read_only (pick, pick_fields, rules, err) < 0)
        return -1;
    if (rules_read_batch (pick, rules, err) < 0)
        return -1;
    if (!rules_given (pick, "soft"))
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

static int read_skip (const struct json *skip, struct rules *rules,
                      struct error *err)
{
    return rules_read_only (skip, skip_fields, rules, err);
}

static int read_filters (const struct json *filters, struct rules *rules,
                         struct error *err)
{
    return geometry_limits_from_json (filters, &rules->filters, err);
}

static int read_duplicates (const struct json *duplicates, struct rules *rules,
                            struct error *err)
{
    return rules_read_only (duplicates, duplicates_fields, rules, err);
}

static int read_clusters (const struct json *clusters, struct rules *rules,
                          struct error *err)
{
    return cluster_limits_from_json (clusters, &rules->clusters, err);
}

static int read_convergence (const struct json *convergence,
                             struct rules *rules, struct error *err)
{
    return convergence_from_json (convergence, &rules->convergence, err);
}

/* In this order; one of which nothing is written is not read. */
static const struct section {
    const char *name;
    int (*read) (const struct json *v, struct rules *rules, struct error *err);
} sections[] = {
    { "levels", rules_read_levels },     { "pick", read_pick },
    { "features", rules_read_features }, { "skip", read_skip },
    { "filters", read_filters },         { "duplicates", read_duplicates },
    { "clusters", read_clusters },       { "convergence", read_convergence },
};

static int read_sections (const struct json *v, struct rules *rules,
                          struct error *err)
{
    for (size_t i = 0; i < ARRAY_SIZE (sections); i++) {
        const struct section *section = &sections[i];
        const struct json *own = json_get (v, section->name);

        if (!json_is_null (own) && json_kind (own) != JSON_KIND_OBJECT)
            return error_set (err,
                              "%s: expected an object, got %s; write {KEY: "
                              "VALUE}",
                              section->name, json_kind_name (own));
        if (rules_any_given (v, section->name)
            && section->read (own, rules, err) < 0)
            return error_prefix (err, "%s", section->name);
    }
    return 0;
}

/* Atoms have a deviation of the force and no other. */
static int check_clusters (const struct json *v, struct error *err)
{
    static const char *const others[] = { "virial", "energy", "distance",
                                          "adaptive", "avg_relative" };
    const struct json *levels = json_get (v, "levels");

    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (rules_given (levels, others[i]))
            return error_set (err,
                              "clusters: atoms are judged by fixed levels for "
                              "the force; remove %s from levels",
                              others[i]);
    }
    return 0;
}

/* What sections say of each other. */
static int check_together (const struct json *v, const struct rules *rules,
                           struct error *err)
{
    if (rules->clusters.any && check_clusters (v, err) < 0)
        return -1;
    if (rules->clusters.any && rules->batch.features)
        return error_set (err, "features: they are of frames, not of the "
                               "surroundings of atoms; remove clusters or "
                               "features");
    if (rules->convergence.drift > 0 && !rules->adaptive)
        return error_set (err, "convergence: only adaptive levels drift; write "
                               "levels: {adaptive: ...}, or remove drift");
    return 0;
}

/* Everything that is valid is a candidate. */
static int read_draw (const struct json *v, struct rules *rules,
                      struct error *err)
{
    static const char *const kept[] = { "count", "seed", "skip", "levels",
                                        NULL };
    static const char *const levels[] = { "relative", NULL };

    for (size_t i = 0; rules_keys[i]; i++) {
        if (!words_contain (kept, rules_keys[i])
            && rules_given (v, rules_keys[i]))
            return error_set (err,
                              "count and %s: count draws from all valid "
                              "frames; remove %s",
                              rules_keys[i], rules_keys[i]);
    }
    if (rules_given (v, "levels")
        && rules_only_keys (json_get (v, "levels"), levels, err) < 0)
        return error_prefix (err, "count and levels");
    rules->draws = true;
    rules->hard = rules->soft = 1;
    rules->n_bins = rules->pool = 1;
    for (size_t i = 0; i < rules->n_systems; i++) {
        rules->criteria[i].has[DEVIATION_FORCE] = true;
        rules->criteria[i].levels[DEVIATION_FORCE] =
            (struct levels){ 0, INFINITY };
    }
    if (rules_read (v, count_fields, rules, err) < 0
        || rules_read (v, seed_fields, rules, err) < 0)
        return -1;
    if (rules_any_given (v, "skip")
        && read_skip (json_get (v, "skip"), rules, err) < 0)
        return error_prefix (err, "skip");
    return 0;
}

static int read_rules (const struct json *v, const struct strvec *systems,
                       struct rules *rules, struct error *err)
{
    if (rules_read_semantics (v, &rules->semantics, err) < 0
        || rules_read (v, seed_fields, rules, err) < 0
        || error_levels_from_json (v, &rules->error, err) < 0
        || read_sections (v, rules, err) < 0)
        return -1;
    if (rules_read_criteria (json_get (v, "levels"), systems, rules, err) < 0)
        return error_prefix (err, "levels");
    return check_together (v, rules, err);
}

int rules_from_json (const struct json *v, const struct strvec *systems,
                     struct rules *rules, struct error *err)
{
    struct rules made = { .n_systems = systems->n };
    bool draws = rules_given (v, "count");
    _cleanup_json_ struct json *completed = draws ? NULL : rules_completed (v);
    int rc;

    made.criteria = xcalloc (systems->n, sizeof (*made.criteria));
    rc = draws ? read_draw (v, &made, err)
               : read_rules (completed, systems, &made, err);
    if (rc < 0) {
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
