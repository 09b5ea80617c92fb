/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_levels.c - the rules that say what a frame is judged by: levels */
#include "config.h"

#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules.h"
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
        return error_set (err, "key '%s': missing; write {low: A, high: B}",
                          key);
    if (json_kind (value) != JSON_KIND_REAL
        && json_kind (value) != JSON_KIND_INT)
        return error_set (err,
                          "key '%s': expected a number, got %s; write one, or "
                          "one for each system in a list or an object",
                          key, json_kind_name (value));
    *level = json_as_double (value);
    return 0;
}

int rules_read_levels (const struct json *v, int q, bool needs_low,
                       const struct strvec *systems, struct rules *rules,
                       struct error *err)
{
    static const char *const keys[] = { "low", "high", NULL };

    if (rules_only_keys (v, keys, err) < 0)
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

static int read_distance (const struct json *v, const struct strvec *systems,
                          struct rules *rules, struct error *err)
{
    for (size_t i = 0; rules_given (v, "distance") && i < systems->n; i++) {
        double distance;

        if (read_level (v, "distance", systems, i, &distance, err) < 0)
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

int rules_read_criteria (const struct json *v, const struct strvec *systems,
                         struct rules *rules, struct error *err)
{
    static const char *const names[] = { "dpgen", "dpgen2", "simplify", NULL };
    static const struct rule_field field[] = {
        { .key = "semantics", .kind = RULE_CHOICE, .names = names },
        RULE_FIELDS_END,
    };
    int semantics = SEMANTICS_DPGEN;
    bool any = false;

    if (rules_read (v, field, &semantics, err) < 0)
        return -1;
    for (size_t i = 0; i < systems->n; i++)
        rules->criteria[i].semantics = (enum semantics)semantics;
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = rules_quantity_names[q];

        if (!rules_given (v, key))
            continue;
        any = true;
        if (rules_read_levels (json_get (v, key), q, !rules->adaptive, systems,
                               rules, err)
            < 0)
            return error_prefix (err, "%s", key);
    }
    if (!any)
        return error_set (err, "force: there are no levels; write {low, high}");
    return read_distance (v, systems, rules, err);
}

/* --- adaptive --- */

static const struct rule_field top_fields[] = {
    RULE_FIELD (struct top, count, "count", COUNT),
    RULE_FIELD (struct top, fraction, "fraction", REAL, .most = 1),
    RULE_FIELDS_END,
};

/* DP-GEN's defaults: ten by force. */
int rules_read_adaptive (const struct json *v, struct rules *rules,
                         struct error *err)
{
    static const char *const keys[] = { "force", "virial", "energy", NULL };
    const struct json *adaptive = json_get (v, "adaptive");

    rules->adaptive = !json_is_null (adaptive);
    if (!rules->adaptive)
        return 0;
    if (rules_only_keys (adaptive, keys, err) < 0)
        return error_prefix (err, "adaptive");
    rules->top[DEVIATION_FORCE].count = 10;
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = rules_quantity_names[q];

        if (!rules_given (adaptive, key))
            continue;
        if (!rules_given (v, key))
            return error_set (
                err,
                "adaptive: %s has no high level; write %s: {high: "
                "B}",
                key, key);
        rules->top[q].count = 0;
        if (rules_read_only (json_get (adaptive, key), top_fields,
                             &rules->top[q], err)
            < 0)
            return error_prefix (err, "adaptive.%s", key);
    }
    return 0;
}
