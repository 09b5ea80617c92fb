/* SPDX-License-Identifier: BSD-3-Clause */
/* committee_rules.c - how a committee's files are made deviations of */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "selection/deviations/committee_rules.h"

const char *const committee_rules_keys[] = { "relative", "columns", NULL };

static const struct {
    const char *name;
    int quantity;
} relatives[] = {
    { "force", DEVIATION_FORCE },
    { "virial", DEVIATION_VIRIAL },
};

/* An object with keys among two names; NULL where it is absent or null. */
static int want_map (const struct json *v,
                     const char *key,
                     const char *const names[2],
                     struct json **map,
                     struct error *err)
{
    struct json *value = json_get (v, key);

    *map = NULL;
    if (!value || json_is_null (value))
        return 0;
    if (json_want_object (v, key, map, err) < 0)
        return -1;
    JSON_FOREACH (*map, it) {
        const char *name = json_iter_key (it);

        if (strcmp (name, names[0]) != 0 && strcmp (name, names[1]) != 0)
            return error_set (err,
                              "key '%s': unknown key '%s'; %s and %s are "
                              "known",
                              key, name, names[0], names[1]);
    }
    return 0;
}

static int read_relative (const struct json *v,
                          struct committee_rules *rules,
                          struct error *err)
{
    static const char *const names[] = { "force", "virial" };
    struct json *map;

    if (want_map (v, "relative", names, &map, err) < 0)
        return -1;
    for (size_t i = 0; map && i < ARRAY_SIZE (relatives); i++) {
        int q = relatives[i].quantity;

        if (!json_get (map, relatives[i].name))
            continue;
        if (json_want_double (map, relatives[i].name, &rules->level[q], err)
            < 0)
            return error_prefix (err, "key 'relative'");
        if (!isfinite (rules->level[q]) || rules->level[q] < 0)
            return error_set (err,
                              "key 'relative': %s: %g; expected a level "
                              "from 0 on",
                              relatives[i].name, rules->level[q]);
        rules->is_relative[q] = true;
    }
    return 0;
}

static int want_columns (const struct json *map,
                         const char *name,
                         const char **columns,
                         struct error *err)
{
    if (!json_get (map, name))
        return 0;
    if (json_want_string (map, name, columns, err) < 0)
        return error_prefix (err, "key 'columns'");
    return 0;
}

static int read_columns (const struct json *v,
                         struct committee_rules *rules,
                         struct error *err)
{
    static const char *const names[] = { "trajectory", "forces" };
    struct json *map;

    if (want_map (v, "columns", names, &map, err) < 0)
        return -1;
    if (map
        && (want_columns (map, names[0], &rules->position_columns, err) < 0
            || want_columns (map, names[1], &rules->force_columns, err) < 0))
        return -1;
    return 0;
}

int committee_rules_from_json (const struct json *v,
                               struct committee_rules *rules,
                               struct error *err)
{
    struct committee_rules made = { 0 };

    if (read_relative (v, &made, err) < 0 || read_columns (v, &made, err) < 0)
        return -1;
    *rules = made;
    return 0;
}
