/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_check.c - what can be said of rules before the systems are known */
#include "base/base.h"

#include "base/json.h"
#include "selection/rules/rule_fields.h"
#include "selection/rules/rules.h"
#include "selection/rules/rules_levels.h"

/* Higher levels are most likely in meV/angstrom. */
#define FORCE_LEVEL_MAX_EV_A 50

/* What trajectories that explode have, and what a committee is never sure of.
 */
#define FORCE_LEVEL_WILD_EV_A 5
#define FORCE_LEVEL_MIN_EV_A 0.005

/* More are a campaign of their own. */
#define QUOTA_MANY 5000

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

typedef void doubt_fn (const struct json *v, int q, const struct levels *levels,
                       struct strbuf *says);

/* 'doubt' (may be NULL) is asked of the first system. */
static int read_levels (const struct json *v, int q, doubt_fn *doubt,
                        struct strbuf *says, struct error *err)
{
    const char *name = rules_quantity_names[q];
    const struct json *levels = json_get (json_get (v, "levels"), name);
    _cleanup_ (strvec_release) struct strvec systems = STRVEC_INIT;
    _cleanup_ (rules_release) struct rules rules = RULES_INIT;
    int rc = 0;

    if (json_is_null (levels))
        return 0;
    guess_systems (levels, &systems);
    rules.criteria = xcalloc (systems.n, sizeof (*rules.criteria));
    rules.adaptive = rules_given (v, "levels.adaptive");
    if (rules_read_quantity (levels, q, &systems, &rules, err) < 0)
        rc = error_prefix (err, "levels: %s", name);
    else if (doubt)
        doubt (v, q, &rules.criteria[0].levels[q], says);
    return rc;
}

/* The quantity whose levels are under 'key'; DEVIATION_DISTANCE: none. */
static int quantity_of (const char *key)
{
    int q = 0;

    while (q < DEVIATION_DISTANCE
           && (strncmp (key, "levels.", 7) != 0
               || strcmp (key + 7, rules_quantity_names[q]) != 0))
        q++;
    return q;
}

/* Keys whose rules look at the values of others. */
static const struct companions {
    const char *key;
    const char *others[8];
} companions[] = {
    { "levels.adaptive",
      { "semantics", "levels.force", "levels.virial", "levels.energy" } },
    { "levels.error",
      { "levels.force", "levels.virial", "levels.energy", "levels.adaptive",
        "levels.distance", "levels.avg_relative", "clusters.cutoff" } },
    { "pick.soft", { "pick.hard" } },
    { "pick.pool", { "pick.how", "pick.quota" } },
    { "pick.radius", { "pick.how" } },
    { "pick.weight", { "pick.how" } },
    { "pick.power", { "pick.how", "pick.weight" } },
    { "clusters.cutoff",
      { "levels.virial", "levels.energy", "levels.distance", "levels.adaptive",
        "levels.avg_relative" } },
    { "clusters.hard", { "clusters.cutoff" } },
    { "convergence.drift",
      { "levels.adaptive", "semantics", "levels.force", "levels.virial",
        "levels.energy" } },
    { "convergence.steps",
      { "convergence.accurate", "convergence.drift", "levels.adaptive",
        "semantics" } },
};

static const char *const *companions_of (const char *key)
{
    static const char *const none[] = { NULL };

    for (size_t i = 0; i < ARRAY_SIZE (companions); i++) {
        if (strcmp (key, companions[i].key) == 0)
            return companions[i].others;
    }
    return none;
}

static void copy_given (struct json *to, const struct json *v, const char *key)
{
    if (rules_given (v, key))
        json_set_path (to, key, json_ref (json_get_path (v, key)));
}

int rules_check_key (const struct json *v, const char *key, struct error *err)
{
    struct strvec none = STRVEC_INIT;
    _cleanup_ (rules_release) struct rules rules = RULES_INIT;
    struct json *known;
    int rc;

    if (quantity_of (key) < DEVIATION_DISTANCE)
        return read_levels (v, quantity_of (key), NULL, NULL, err);
    known = json_object ();
    if (strcmp (key, "levels.error") != 0)
        json_set_path (known, "levels.force", json_object ());
    json_set_path (known, "pick.quota", json_int (0));
    for (const char *const *other = companions_of (key); *other; other++) {
        if (rules_check_key (v, *other, NULL) < 0) {
            json_unref (known);
            return 0; /* the complaint is that one's */
        }
        copy_given (known, v, *other);
    }
    copy_given (known, v, key);
    rc = rules_from_json (known, &none, &rules, err);
    json_unref (known);
    return rc;
}

static void doubt_levels (const struct json *v, int q,
                          const struct levels *levels, struct strbuf *says)
{
    if (q == DEVIATION_FORCE && levels->high > FORCE_LEVEL_MAX_EV_A
        && !rules_given (v, "levels.avg_relative"))
        strbuf_addf (says,
                     "levels: force: high is %g, and levels are in "
                     "eV/angstrom; write %g if that is in meV/angstrom",
                     levels->high, levels->high / 1000);
    else if (q == DEVIATION_FORCE && levels->high > FORCE_LEVEL_WILD_EV_A
             && !rules_given (v, "levels.avg_relative")
             && !rules_given (v, "levels.relative"))
        strbuf_addf (says,
                     "levels: force: up to high, %g eV/angstrom, frames of "
                     "an MD that explodes are candidates, too; write 0.2 to 1",
                     levels->high);
    else if (q == DEVIATION_FORCE && levels->high < FORCE_LEVEL_MIN_EV_A
             && levels->high > 0)
        strbuf_addf (says,
                     "levels: force: high is %g eV/angstrom, and members of a "
                     "good committee differ by more, so all frames fail; write "
                     "0.2 to 1",
                     levels->high);
    else if (levels->low == levels->high && !rules_given (v, "levels.adaptive"))
        strbuf_addf (says,
                     "levels: %s: low and high are both %g, so no frame is a "
                     "candidate by it; write low < high",
                     rules_quantity_names[q], levels->low);
}

/* Lengths that are in angstrom, and what is not meant by them. */
static const struct {
    const char *key;
    double least, most;
} lengths[] = {
    { "filters.closest", 0.3, 4 },
    { "duplicates.tolerance", 0, 0.5 },
    { "clusters.cutoff", 2, 20 },
    { "filters.vacuum", 1, 100 },
};

static void doubt_length (const struct json *v, const char *key,
                          struct strbuf *says)
{
    double length = json_as_double (json_get_path (v, key));

    for (size_t i = 0; i < ARRAY_SIZE (lengths); i++) {
        if (strcmp (key, lengths[i].key) == 0
            && (length < lengths[i].least || length > lengths[i].most))
            strbuf_addf (says,
                         "%s: %g is in angstrom, where %g to %g are usual; "
                         "write that, unless it is meant",
                         key, length, lengths[i].least, lengths[i].most);
    }
}

void rules_doubt_key (const struct json *v, const char *key,
                      struct strbuf *says)
{
    const struct json *quota = json_get_path (v, "pick.quota");
    const struct json *minimum = json_get_path (v, "pick.minimum");

    doubt_length (v, key, says);
    if (strcmp (key, "pick.minimum") == 0 && json_kind (quota) == JSON_KIND_INT
        && json_as_int (quota) > 0
        && json_as_int (minimum) > json_as_int (quota))
        strbuf_addf (says,
                     "pick: minimum: %lld is above quota, %lld, so no frame is "
                     "ever selected where there is one system; write less",
                     (long long)json_as_int (minimum),
                     (long long)json_as_int (quota));

    if (quantity_of (key) < DEVIATION_DISTANCE)
        read_levels (v, quantity_of (key), doubt_levels, says, NULL);
    else if (strcmp (key, "pick.quota") == 0
             && json_as_int (quota) > QUOTA_MANY)
        strbuf_addf (says,
                     "pick: quota: up to %lld frames are labelled in an "
                     "iteration, or of each system; write as many as are "
                     "calculated in a day or two",
                     (long long)json_as_int (quota));
    else if (strcmp (key, "pick.quota") == 0
             && json_kind (quota) == JSON_KIND_INT && json_as_int (quota) == 0)
        strbuf_add_str (says, "pick: quota: 0 selects no frame, and stages "
                              "that take frames of it are skipped; write 1 or "
                              "more, unless it is only to judge");
}

int rules_check_any_levels (const struct json *v, struct error *err)
{
    const struct json *levels = json_get (v, "levels");

    for (int q = 0; q < DEVIATION_DISTANCE; q++) {
        const char *key = rules_quantity_names[q];

        if (rules_given (levels, key) || !json_get (levels, key))
            return 0;
    }
    if (!json_get (levels, "error") || rules_given (levels, "error"))
        return 0;
    return error_set (err, "there are no levels; write levels: {force: [LOW, "
                           "HIGH]}, or levels for the virial or the energy, or "
                           "error: {...}");
}
