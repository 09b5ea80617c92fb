/* SPDX-License-Identifier: BSD-3-Clause */
/* test_health.c - which trajectories are sound, against a count of all */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "selection/dataset/closest_pairs.h"
#include "selection/geometry/geometry.h"
#include "selection/health/health.h"

static const struct health_case sound = { .conditions = "",
                                          .frames = 10,
                                          .expected = 10,
                                          .broken_step = INFINITY,
                                          .closest = CLOSE_PAIR_NONE };

static uint64_t random_state = 7;

static uint64_t below (uint64_t n)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return (random_state >> 33) % n;
}

/* --- findings --- */

static void test_severity (void **state)
{
    static const struct {
        uint64_t frames, expected;
        bool blown_up;
        double broken_step, ratio;
        double severity[HEALTH_FINDINGS];
    } rows[] = {
        { 10, 10, false, INFINITY, INFINITY, { -1, -1, -1 } },
        { 12, 10, false, INFINITY, INFINITY, { -1, -1, -1 } },
        { 0, 0, false, INFINITY, INFINITY, { -1, -1, -1 } },
        { 10, 10, true, INFINITY, INFINITY, { 0, -1, -1 } },
        { 4, 10, true, INFINITY, INFINITY, { 0.6, -1, -1 } },
        { 0, 10, false, INFINITY, INFINITY, { 1, -1, -1 } },
        { 10, 10, false, 0, INFINITY, { -1, 1, -1 } },
        { 10, 10, false, INFINITY, 0.25, { -1, -1, 0.75 } },
        { 10, 10, false, INFINITY, 0, { -1, -1, 1 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct health_case one = sound;

        one.frames = rows[i].frames;
        one.expected = rows[i].expected;
        one.blown_up = rows[i].blown_up;
        one.broken_step = rows[i].broken_step;
        one.closest.ratio = rows[i].ratio;
        for (int f = 0; f < HEALTH_FINDINGS; f++)
            assert_float_equal (health_severity (&one, (enum health_finding)f),
                                rows[i].severity[f], 1e-12);
    }
}

static void test_rules (void **state)
{
    static const struct {
        const char *text, *says;
        double closest;
    } rows[] = {
        { "{}", NULL, 0.8 },
        { "{\"closest\": null}", NULL, 0.8 },
        { "{\"closest\": 0.5}", NULL, 0.5 },
        { "{\"closest\": 1}", NULL, 1 },
        { "{\"closest\": 0}", "closest: 0; write 0 to 1", 0.8 },
        { "{\"closest\": 1.5}", "closest: 1.5; write 0 to 1", 0.8 },
        { "{\"closest\": \"near\"}", "closest", 0.8 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct error err = ERROR_INIT;
        struct health_rules rules = { .closest = HEALTH_CLOSEST };
        struct json *v =
            json_parse (rows[i].text, strlen (rows[i].text), "test", &err);
        int rc = health_rules_from_json (v, &rules, &err);

        json_unref (v);
        assert_int_equal (rc, rows[i].says ? -1 : 0);
        if (rows[i].says)
            assert_non_null (strstr (err.text, rows[i].says));
        else
            assert_float_equal (rules.closest, rows[i].closest, 0);
    }
}

/* --- sums --- */

enum { CASES = 3000 };

static char conditions[200][8];

static void make_cases (struct health_case *cases, size_t n, uint64_t groups)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t group = below (groups);

        cases[i] = sound;
        cases[i].task = (int64_t)(2 * i);
        cases[i].system = group / ARRAY_SIZE (conditions);
        cases[i].conditions = conditions[group % ARRAY_SIZE (conditions)];
        cases[i].frames = below (4) > 0 ? 10 : below (11);
        cases[i].broken_step = below (50) > 0 ? INFINITY : (double)below (100);
        if (below (5) == 0)
            cases[i].closest.ratio = (double)below (8) / 10;
    }
}

static bool are_together (const struct health_case *a,
                          const struct health_case *b)
{
    return a->system == b->system && strcmp (a->conditions, b->conditions) == 0;
}

static bool is_healthy (const struct health_case *one)
{
    return one->frames >= one->expected && isinf (one->broken_step)
           && isinf (one->closest.ratio);
}

static void check_group (const struct health_case *cases, size_t n,
                         const struct health_group *group)
{
    uint64_t all = 0, healthy = 0, close = 0;

    for (size_t i = 0; i < n; i++) {
        if (!are_together (&cases[i], &cases[group->first]))
            continue;
        assert_true (i >= group->first);
        all++;
        healthy += is_healthy (&cases[i]);
        close += isfinite (cases[i].closest.ratio);
    }
    assert_int_equal (group->n, all);
    assert_int_equal (group->healthy, healthy);
    assert_int_equal (group->findings[HEALTH_TOO_CLOSE], close);
}

/* How many findings of all cases are worse than that one. */
static size_t rank_of (const struct health_case *cases, size_t n,
                       const struct health_worst *one)
{
    size_t rank = 0;

    for (size_t i = 0; i < n; i++) {
        for (int f = 0; f < HEALTH_FINDINGS; f++) {
            double severity =
                health_severity (&cases[i], (enum health_finding)f);

            rank += severity > one->severity
                    || (severity == one->severity
                        && (i < one->at
                            || (i == one->at && f < (int)one->finding)));
        }
    }
    return rank;
}

static void test_sum (void **state)
{
    static const uint64_t groups[] = { 1, 3, 90, 100, 101, 1000 };
    struct health_case *cases = xcalloc (CASES, sizeof (*cases));

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (conditions); i++)
        snprintf (conditions[i], sizeof (conditions[i]), "T=%zu", i);
    for (size_t k = 0; k < ARRAY_SIZE (groups); k++) {
        struct health health;
        uint64_t n_groups = 0, kept_bad = UINT64_MAX;

        make_cases (cases, CASES, groups[k]);
        health_sum (cases, CASES, &health);
        assert_int_equal (health.all.n, CASES);
        for (size_t i = 0; i < health.n_groups; i++) {
            const struct health_group *group = &health.groups[i];

            check_group (cases, CASES, group);
            assert_true (i == 0 || group[-1].first < group->first);
            if (group->n - group->healthy < kept_bad)
                kept_bad = group->n - group->healthy;
        }
        for (size_t i = 0; i < CASES; i++) {
            size_t first = 0, bad = 0;
            bool kept = false;

            while (!are_together (&cases[first], &cases[i]))
                first++;
            n_groups += first == i;
            for (size_t j = i; first == i && j < CASES; j++)
                bad += are_together (&cases[j], &cases[i])
                       && !is_healthy (&cases[j]);
            for (size_t j = 0; j < health.n_groups; j++)
                kept |= health.groups[j].first == i;
            assert_true (first != i || kept || bad <= kept_bad);
        }
        assert_int_equal (health.n_groups + health.n_more, n_groups);
        assert_true (health.n_groups == HEALTH_GROUPS || health.n_more == 0);
        assert_int_equal (health.n_worst, HEALTH_WORST);
        for (size_t i = 0; i < health.n_worst; i++)
            assert_int_equal (rank_of (cases, CASES, &health.worst[i]), i);
    }
    free (cases);
}

static void test_none (void **state)
{
    struct health health;

    (void)state;
    health_sum (NULL, 0, &health);
    assert_int_equal (health.all.n + health.n_groups + health.n_worst, 0);
    health_sum (&sound, 1, &health);
    assert_int_equal (health.all.healthy, 1);
    assert_int_equal (health.n_worst, 0);
}

/* --- distances --- */

static const bool periodic[3] = { true, true, true };
static const bool isolated[3] = { false, false, false };

struct look {
    const double *cell;
    const bool *periodic;
    const double *positions;
    size_t n, element[2];
    bool seen;
    double ratio, pair;
};

static void expect_look (const struct closeness *closeness,
                         const struct look *row)
{
    const struct geometry geometry = { .n_atoms = row->n,
                                       .positions = row->positions,
                                       .cell = row->cell,
                                       .periodic = row->periodic };
    struct close_pair worst = CLOSE_PAIR_NONE;

    assert_int_equal (
        closeness_look (closeness, &geometry, row->element, 40, &worst),
        row->seen);
    if (isinf (row->ratio)) {
        assert_true (isinf (worst.ratio));
        return;
    }
    assert_float_equal (worst.ratio, row->ratio, 1e-12);
    assert_float_equal (worst.pair, row->pair, 0);
    assert_float_equal (worst.step, 40, 0);
}

static void test_look (void **state)
{
    static const double cube[9] = { 10, 0, 0, 0, 10, 0, 0, 0, 10 };
    static const double thin[9] = { 1.5, 0, 0, 0, 10, 0, 0, 0, 10 };
    static const double flat[9] = { 0.4, 0, 0, 0, 10, 0, 0, 0, 10 };
    static const double none[9] = { 0 };
    static const double apart[] = { 1, 1, 1, 4, 1, 1 };
    static const double near[] = { 1, 1, 1, 2, 1, 1 };
    static const double across[] = { 0.4, 1, 1, 9.6, 1, 1 };
    static const double bad[] = { 1, 1, 1, 2, NAN, 1 };
    static const double huge[9] = { 1e5, 0, 0, 0, 1e5, 0, 0, 0, 1e5 };
    static const double away[] = { 1e150, 1e150, 1, -1e150, -1e150, 1 };
    static const struct look rows[] = {
        /* least: 0-0 2 A, 0-1 1.5 A, 1-1 none */
        { cube, periodic, apart, 2, { 0, 0 }, true, INFINITY, 0 },
        { cube, periodic, near, 2, { 0, 0 }, true, 0.5, 0 },
        { cube, periodic, near, 2, { 1, 0 }, true, 1 / 1.5, 1 },
        { cube, periodic, near, 2, { 1, 1 }, true, INFINITY, 0 },
        { cube, periodic, near, 2, { 0, 2 }, true, INFINITY, 0 },
        { cube, periodic, near, 2, { 2, 2 }, true, INFINITY, 0 },
        { cube, periodic, across, 2, { 0, 1 }, true, 0.8 / 1.5, 1 },
        { cube, isolated, across, 2, { 0, 1 }, true, INFINITY, 0 },
        { thin, periodic, near, 1, { 0, 0 }, true, 0.75, 0 },
        { thin, isolated, near, 1, { 0, 0 }, true, INFINITY, 0 },
        { none, isolated, near, 2, { 0, 1 }, true, 1 / 1.5, 1 },
        { none, isolated, near, 0, { 0, 1 }, true, INFINITY, 0 },
        { none, periodic, near, 2, { 0, 1 }, false, INFINITY, 0 },
        { flat, periodic, near, 2, { 0, 1 }, false, INFINITY, 0 },
        { flat, isolated, near, 2, { 0, 1 }, true, 1 / 1.5, 1 },
        { cube, periodic, bad, 2, { 0, 1 }, false, INFINITY, 0 },
        { huge, periodic, near, 2, { 0, 1 }, true, 1 / 1.5, 1 },
        { none, isolated, away, 2, { 0, 1 }, true, INFINITY, 0 },
    };
    double least[] = { 2, 1.5, 1.5, INFINITY };
    struct closeness closeness = { .n = 2, .least = least, .part = 0.8 };

    (void)state;
    closeness_find_reach (&closeness);
    assert_float_equal (closeness.reach, 1.6, 1e-12);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++)
        expect_look (&closeness, &rows[i]);
}

/* The worst of several frames; of equal ones the first step. */
static void test_order (void **state)
{
    static const struct close_pair rows[] = {
        { 0.3, 9, 9, 9 }, { 0.4, 1, 2, 1 }, { 0.4, 1, 3, 0.5 },
        { 0.4, 1, 3, 1 }, { 0.4, 2, 0, 0 }, CLOSE_PAIR_NONE,
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        for (size_t j = 0; j < ARRAY_SIZE (rows); j++) {
            int order = close_pair_compare (&rows[i], &rows[j]);

            assert_int_equal ((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
}

/* Other elements, and pairs beyond what is looked for, are left out. */
static void test_take (void **state)
{
    static struct closest_pair found[] = {
        { .symbols = { "O", "Si" }, .distance = 1.6 },
        { .symbols = { "O", "O" }, .distance = 2.5 },
        { .symbols = { "Ge", "O" }, .distance = 1.7 },
        { .symbols = { "Si", "Si" }, .distance = 6.5 },
    };
    const struct closest_pairs pairs = { .v = found, .n = ARRAY_SIZE (found) };
    struct strvec elements = STRVEC_INIT;
    struct closeness closeness;

    (void)state;
    strvec_push (&elements, "Si");
    strvec_push (&elements, "O");
    closeness_init (&closeness, 2, 0.5);
    closeness_find_reach (&closeness);
    assert_float_equal (closeness.reach, 0, 0);
    closeness_take (&closeness, &pairs, &elements);
    found[0].distance = 1.8;
    closeness_take (&closeness, &pairs, &elements);
    closeness_find_reach (&closeness);
    assert_true (isinf (closeness.least[0]));
    assert_float_equal (closeness.least[1], 1.6, 0);
    assert_float_equal (closeness.least[2], 1.6, 0);
    assert_float_equal (closeness.least[3], 2.5, 0);
    assert_float_equal (closeness.reach, 1.25, 1e-12);
    closeness_release (&closeness);
    strvec_release (&elements);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_severity), cmocka_unit_test (test_rules),
        cmocka_unit_test (test_sum),      cmocka_unit_test (test_none),
        cmocka_unit_test (test_look),     cmocka_unit_test (test_order),
        cmocka_unit_test (test_take),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
