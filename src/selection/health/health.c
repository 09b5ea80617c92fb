/* SPDX-License-Identifier: BSD-3-Clause */
/* health.c - which trajectories are sound, of what was seen of each */
#include "base/base.h"

#include "base/json.h"
#include "selection/health/health.h"
#include "selection/rules/rule_fields.h"

const char *const health_finding_names[HEALTH_FINDINGS] = {
    [HEALTH_ENDED_EARLY] = "ended_early",
    [HEALTH_BROKEN] = "broken",
    [HEALTH_TOO_CLOSE] = "too_close",
};

int health_rules_from_json (const struct json *v, struct health_rules *rules,
                            struct error *err)
{
    static const struct rule_field fields[] = {
        RULE_FIELD (struct health_rules, closest, "closest", REAL,
                    .above = true, .most = 1),
        RULE_FIELDS_END,
    };

    return rules_read (v, fields, rules, err);
}

static double ended_early (const struct health_case *one)
{
    if (one->expected > one->frames)
        return 1 - (double)one->frames / (double)one->expected;
    return one->blown_up ? 0 : -1;
}

double health_severity (const struct health_case *one,
                        enum health_finding finding)
{
    switch (finding) {
    case HEALTH_ENDED_EARLY:
        return ended_early (one);
    case HEALTH_BROKEN:
        return isfinite (one->broken_step) ? 1 : -1;
    case HEALTH_TOO_CLOSE:
        return isfinite (one->closest.ratio) ? 1 - one->closest.ratio : -1;
    case HEALTH_FINDINGS:
        break;
    }
    return -1;
}

/* --- the worst --- */

/* The worst first; of equal ones the first. */
static bool is_before (const struct health_worst *a,
                       const struct health_worst *b)
{
    if (a->severity != b->severity)
        return a->severity > b->severity;
    return a->at != b->at ? a->at < b->at : a->finding < b->finding;
}

static void note_worst (struct health *health, const struct health_worst *one)
{
    size_t at = health->n_worst;

    while (at > 0 && is_before (one, &health->worst[at - 1]))
        at--;
    if (at == HEALTH_WORST)
        return;
    if (health->n_worst < HEALTH_WORST)
        health->n_worst++;
    memmove (&health->worst[at + 1], &health->worst[at],
             (health->n_worst - at - 1) * sizeof (*one));
    health->worst[at] = *one;
}

/* --- groups --- */

static void add_case (const struct health_case *one, struct health_group *group)
{
    bool healthy = true;

    for (int f = 0; f < HEALTH_FINDINGS; f++) {
        bool found = health_severity (one, (enum health_finding)f) >= 0;

        group->findings[f] += found;
        healthy &= !found;
    }
    group->n++;
    group->healthy += healthy;
}

/* A case of a group; those of one come together, its first one in front. */
struct placed {
    const struct health_case *one;
    size_t at;
};

static int compare_groups (const struct health_case *a,
                           const struct health_case *b)
{
    if (a->system != b->system)
        return a->system < b->system ? -1 : 1;
    return strcmp (a->conditions, b->conditions);
}

static int compare_placed (const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int rc = compare_groups (x->one, y->one);

    return rc != 0 ? rc : (x->at > y->at) - (x->at < y->at);
}

/* Most that are not healthy first; of equal ones the first. */
static int compare_worst (const void *a, const void *b)
{
    const struct health_group *x = a, *y = b;
    uint64_t bad_x = x->n - x->healthy, bad_y = y->n - y->healthy;

    if (bad_x != bad_y)
        return bad_x > bad_y ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static int compare_first (const void *a, const void *b)
{
    const struct health_group *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* All of them; *n is how many.  Caller frees. */
static struct health_group *make_groups (const struct health_case *cases,
                                         size_t n_cases, size_t *n)
{
    _cleanup_free_ struct placed *placed = xcalloc (n_cases, sizeof (*placed));
    struct health_group *groups = xcalloc (n_cases, sizeof (*groups));

    *n = 0;
    for (size_t i = 0; i < n_cases; i++)
        placed[i] = (struct placed){ &cases[i], i };
    if (n_cases > 1)
        qsort (placed, n_cases, sizeof (*placed), compare_placed);
    for (size_t i = 0; i < n_cases; i++) {
        if (i == 0 || compare_groups (placed[i - 1].one, placed[i].one) != 0)
            groups[(*n)++].first = placed[i].at;
        add_case (placed[i].one, &groups[*n - 1]);
    }
    return groups;
}

void health_sum (const struct health_case *cases, size_t n,
                 struct health *health)
{
    size_t n_groups;
    _cleanup_free_ struct health_group *groups =
        make_groups (cases, n, &n_groups);
    size_t kept = n_groups < HEALTH_GROUPS ? n_groups : HEALTH_GROUPS;

    *health = (struct health){ .n_groups = kept, .n_more = n_groups - kept };
    for (size_t i = 0; i < n; i++) {
        add_case (&cases[i], &health->all);
        for (int f = 0; f < HEALTH_FINDINGS; f++) {
            const struct health_worst one = {
                i, (enum health_finding)f,
                health_severity (&cases[i], (enum health_finding)f)
            };

            if (one.severity >= 0)
                note_worst (health, &one);
        }
    }
    if (n_groups > 1)
        qsort (groups, n_groups, sizeof (*groups), compare_worst);
    if (kept > 1)
        qsort (groups, kept, sizeof (*groups), compare_first);
    if (kept > 0)
        memcpy (health->groups, groups, kept * sizeof (*groups));
}
