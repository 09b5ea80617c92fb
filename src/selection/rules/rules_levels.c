/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_levels.c - the rules that say what a frame is judged by: levels */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_defaults.h"
#include "selection/rules/rules_levels.h"

const char *const rules_quantity_names[] = {
    [DEVIATION_FORCE] = "force",
    [DEVIATION_VIRIAL] = "virial",
    [DEVIATION_ENERGY] = "energy",
    [DEVIATION_DISTANCE] = "distance",
};

/* A number, or the system's of a list or object. */
static int read_level (const struct json *v, const char *key,
                       const struct strvec *systems, size_t i, double *level,
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
        return error_set (err, "key '%s': missing; write [LOW, HIGH]", key);
    if (json_kind (value) != JSON_KIND_REAL
        && json_kind (value) != JSON_KIND_INT)
        return error_set (err,
                          "key '%s': expected a number, got %s; write one, or "
                          "one for each system in a list or an object",
                          key, json_kind_name (value));
    *level = json_as_double (value);
    return 0;
}

struct json *rules_levels_of_pair (const struct json *pair, struct error *err)
{
    struct json *v;

    for (size_t i = 0; i < json_count (pair); i++) {
        enum json_kind kind = json_kind (json_at (pair, i));

        if (json_count (pair) != 2
            || (kind != JSON_KIND_INT && kind != JSON_KIND_REAL))
            break;
        if (i + 1 < json_count (pair))
            continue;
        v = json_object ();
        json_set (v, "low", json_ref (json_at (pair, 0)));
        json_set (v, "high", json_ref (json_at (pair, 1)));
        return v;
    }
    error_set (err, "expected two numbers, [LOW, HIGH]; write {low: .., high: "
                    "..} for systems with levels of their own");
    return NULL;
}

static int read_both (const struct json *v, int q, const struct strvec *systems,
                      struct rules *rules, struct error *err)
{
    static const char *const keys[] = { "low", "high", NULL };

    if (rules_only_keys (v, keys, err) < 0)
        return -1;
    for (size_t i = 0; i < systems->n; i++) {
        struct levels levels = { 0, 0 };

        if ((!rules->adaptive || json_get (v, "low"))
            && read_level (v, "low", systems, i, &levels.low, err) < 0)
            return -1;
        if (read_level (v, "high", systems, i, &levels.high, err) < 0)
            return -1;
        if (!levels_valid (&levels))
            return error_set (err,
                              "low is %g and high %g%s%s%s; write 0 <= low <= "
                              "high",
                              levels.low, levels.high,
                              systems->n > 1 ? " (of the system '" : "",
                              systems->n > 1 ? systems->v[i] : "",
                              systems->n > 1 ? "')" : "");
        rules->criteria[i].has[q] = true;
        rules->criteria[i].levels[q] = levels;
    }
    return 0;
}

int rules_read_quantity (const struct json *v, int q,
                         const struct strvec *systems, struct rules *rules,
                         struct error *err)
{
    struct json *both = NULL;
    int rc;

    if (json_kind (v) == JSON_KIND_ARRAY) {
        if (!(both = rules_levels_of_pair (v, err)))
            return -1;
        v = both;
    }
    if (json_kind (v) != JSON_KIND_OBJECT)
        return error_set (err,
                          "expected two numbers, got %s; write [LOW, "
                          "HIGH]",
                          json_kind_name (v));
    rc = read_both (v, q, systems, rules, err);
    json_unref (both);
    return rc;
}

static int read_distance (const struct json *levels,
                          const struct strvec *systems, struct rules *rules,
                          struct error *err)
{
    for (size_t i = 0; rules_given (levels, "distance") && i < systems->n;
         i++) {
        double distance;

        if (read_level (levels, "distance", systems, i, &distance, err) < 0)
            return -1;
        if (!(distance >= 0) || !isfinite (distance))
            return error_set (err,
                              "distance: %g is no distance; write angstroms, 0 "
                              "or more",
                              distance);
        rules->criteria[i].has[DEVIATION_DISTANCE] = true;
        rules->criteria[i].levels[DEVIATION_DISTANCE].high = distance;
    }
    return 0;
}

int rules_read_semantics (const struct json *v, int *semantics,
                          struct error *err)
{
    const struct rule_field field[] = {
        { .key = "semantics", .kind = RULE_CHOICE, .names = rules_semantics },
        RULE_FIELDS_END,
    };

    *semantics = SEMANTICS_DPGEN;
    return rules_read (v, field, semantics, err);
}

int rules_read_criteria (const struct json *levels,
                         const struct strvec *systems, struct rules *rules,
                         struct error *err)
{
    bool any = rules->error.any;

    for (size_t i = 0; i < systems->n; i++)
        rules->criteria[i].semantics = (enum semantics)rules->semantics;
    for (size_t i = 0; rules->error.any && i < systems->n; i++) {
        rules->criteria[i].has[DEVIATION_FORCE] = true;
        rules->criteria[i].levels[DEVIATION_FORCE] =
            (struct levels){ 0, INFINITY }; /* until they are found */
    }
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = rules_quantity_names[q];

        if (!rules_given (levels, key))
            continue;
        any = true;
        if (rules_read_quantity (json_get (levels, key), q, systems, rules, err)
            < 0)
            return error_prefix (err, "%s", key);
    }
    if (!any)
        return error_set (err, "there are none; write force: [LOW, HIGH]");
    return read_distance (levels, systems, rules, err);
}

/* --- adaptive --- */

static const struct rule_field top_fields[] = {
    RULE_FIELD (struct top, count, "count", COUNT),
    RULE_FIELD (struct top, fraction, "fraction", REAL, .most = 1),
    RULE_FIELDS_END,
};

/* How many by quantity q; what is not written is the family's. */
static int read_top (const struct json *levels, int q, struct rules *rules,
                     struct error *err)
{
    const char *key = rules_quantity_names[q];
    const struct json *v = json_get (json_get (levels, "adaptive"), key);

    rules->top[q] = rules_default_top (rules->semantics, q);
    if (json_is_null (v))
        return 0;
    if (!rules_given (levels, key))
        return error_set (err,
                          "adaptive: %s has no high level; write %s: {high: "
                          "B}",
                          key, key);
    if (rules_read_only (v, top_fields, &rules->top[q], err) < 0)
        return error_prefix (err, "adaptive.%s", key);
    return 0;
}

static int read_adaptive (const struct json *levels, struct rules *rules,
                          struct error *err)
{
    static const char *const keys[] = { "force", "virial", "energy", NULL };
    const struct json *adaptive = json_get (levels, "adaptive");
    bool any = json_count (adaptive) > 0;

    rules->adaptive = !json_is_null (adaptive);
    if (!rules->adaptive)
        return 0;
    if (rules_only_keys (adaptive, keys, err) < 0)
        return error_prefix (err, "adaptive");
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        if (read_top (levels, q, rules, err) < 0)
            return -1;
        any |= rules->top[q].count > 0 || rules->top[q].fraction > 0;
    }
    if (!any)
        return error_set (err,
                          "adaptive: %s has no number of candidates of "
                          "its own; write {force: {count: N}}",
                          rules_semantics[rules->semantics]);
    return 0;
}

int rules_read_levels (const struct json *levels, struct rules *rules,
                       struct error *err)
{
    static const char *const keys[] = { "force",        "virial",   "energy",
                                        "relative",     "adaptive", "distance",
                                        "avg_relative", "error",    NULL };
    static const struct rule_field fields[] = {
        RULE_FIELD (struct rules, avg_relative, "avg_relative", BOOL),
        RULE_FIELDS_END,
    };

    if (rules_only_keys (levels, keys, err) < 0
        || rules_read (levels, fields, rules, err) < 0)
        return -1;
    return read_adaptive (levels, rules, err);
}
