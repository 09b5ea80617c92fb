/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_check.c - what can be said of rules before the systems are known, and
 * rules that change in the course of a campaign
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_levels.h"

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

/* Then the complaint is theirs. */
static bool companions_are_bad (const struct json *v, const char *key)
{
    for (const char *const *other = companions (key); *other; other++) {
        if (strcmp (*other, key) != 0 && rules_check_key (v, *other, NULL) < 0)
            return true;
    }
    return false;
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
    if (companions_are_bad (v, key))
        return 0;
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

/* Of 'known' a key that is not there comes from somebody else. */
static int check_any_levels (const struct json *v, const struct json *known,
                             struct error *err)
{
    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = rules_quantity_names[q];

        if (rules_given (v, key) || !json_get (known, key))
            return 0;
    }
    return error_set (err, "there are no levels; write force: {low: A, high: "
                           "B}, or levels for the virial or the energy");
}

int rules_check_any_levels (const struct json *v, struct error *err)
{
    if (json_count (json_get (v, "iterations")) > 0)
        return 0; /* rules_check_iterations */
    return check_any_levels (v, v, err);
}

int rules_check (const struct json *v, struct error *err)
{
    for (size_t i = 0; rules_keys[i]; i++) {
        if (rules_check_key (v, rules_keys[i], err) < 0)
            return -1;
    }
    return 0;
}

/* --- iterations --- */

/* When an entry of "iterations" holds. */
struct span {
    int64_t from;
    int64_t to;
};

static int read_span (const struct json *entry, struct span *span,
                      struct error *err)
{
    span->to = INT64_MAX;
    if (json_kind (entry) != JSON_KIND_OBJECT)
        return error_set (err, "expected an object, got %s",
                          json_kind_name (entry));
    JSON_FOREACH (entry, it) {
        const char *key = json_iter_key (it);

        if (strcmp (key, "from") != 0 && strcmp (key, "to") != 0
            && !words_contain (rules_keys, key))
            return error_set (err, "unknown key '%s'", key);
    }
    if (json_want_int (entry, "from", &span->from, err) < 0
        || (json_get (entry, "to")
            && json_want_int (entry, "to", &span->to, err) < 0))
        return -1;
    if (span->from < 0 || span->to < span->from)
        return error_set (err, "from %lld to %lld; write 0 <= from <= to",
                          (long long)span->from, (long long)span->to);
    return 0;
}

static void copy_rules (const struct json *from, struct json *to)
{
    for (size_t i = 0; rules_keys[i]; i++) {
        struct json *value = json_get (from, rules_keys[i]);

        if (value && json_is_null (value))
            json_delete (to, rules_keys[i]);
        else if (value)
            json_set (to, rules_keys[i], json_ref (value));
    }
}

struct json *rules_of_iteration (const struct json *v, int64_t iteration,
                                 struct error *err)
{
    const struct json *entries = json_get (v, "iterations");
    struct json *made = json_object ();
    struct span span;

    JSON_FOREACH (v, it) {
        if (strcmp (json_iter_key (it), "iterations") != 0
            && !(words_contain (rules_keys, json_iter_key (it))
                 && json_is_null (json_iter_value (it))))
            json_set (made, json_iter_key (it),
                      json_ref (json_iter_value (it)));
    }
    if (!json_is_null (entries) && json_kind (entries) != JSON_KIND_ARRAY) {
        error_set (err, "iterations: expected a list, got %s",
                   json_kind_name (entries));
        json_unref (made);
        return NULL;
    }
    for (size_t i = 0; i < json_count (entries); i++) {
        if (read_span (json_at (entries, i), &span, err) < 0) {
            error_prefix (err, "iterations[%zu]", i);
            json_unref (made);
            return NULL;
        }
        if (span.from <= iteration && iteration <= span.to)
            copy_rules (json_at (entries, i), made);
    }
    return made;
}

static int check_from (const struct json *v, int64_t from, struct error *err)
{
    struct json *made = rules_of_iteration (v, from, err);
    int rc = made && rules_check (made, err) == 0
                 ? check_any_levels (made, v, err)
                 : -1;

    if (made && rc < 0)
        error_prefix (err, "from iteration %lld on", (long long)from);
    json_unref (made);
    return rc;
}

/* Rules change where an entry begins and after its end. */
int rules_check_iterations (const struct json *v, struct error *err)
{
    const struct json *entries = json_get (v, "iterations");
    struct span span;

    if (json_is_null (entries)
        || (json_kind (entries) == JSON_KIND_ARRAY && json_count (entries) == 0)
        || rules_check (v, NULL) < 0) /* which is said where that stands */
        return 0;
    if (check_from (v, 0, err) < 0)
        return -1;
    for (size_t i = 0; i < json_count (entries); i++) {
        if (read_span (json_at (entries, i), &span, err) < 0
            || check_from (v, span.from, err) < 0
            || (span.to < INT64_MAX && check_from (v, span.to + 1, err) < 0))
            return -1;
    }
    return 0;
}
