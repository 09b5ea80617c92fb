/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_check.c - what can be said of rules before the systems are known */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_levels.h"
#include "selection/rules/rules_values.h"

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
    const struct json *levels = json_get (v, rules_quantity_names[q]);
    struct strvec systems = STRVEC_INIT;
    struct rules rules = RULES_INIT;
    int rc = 0;

    if (json_is_null (levels))
        return 0;
    guess_systems (levels, &systems);
    rules.criteria = xcalloc (systems.n, sizeof (*rules.criteria));
    if (rules_read_levels (levels, q, json_is_null (json_get (v, "adaptive")),
                           &systems, &rules, err)
        < 0)
        rc = error_prefix (err, "%s", rules_quantity_names[q]);
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
    if (rules_given (v, key))
        json_set (to, key, json_ref (json_get (v, key)));
}

int rules_check_key (const struct json *v, const char *key, struct error *err)
{
    struct strvec none = STRVEC_INIT;
    struct rules rules = RULES_INIT;
    struct json *known;
    int rc;

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        if (strcmp (key, rules_quantity_names[q]) == 0)
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
