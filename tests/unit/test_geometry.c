/* SPDX-License-Identifier: BSD-3-Clause */
/* test_geometry.c - structures refused, against all images of all pairs */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "selection/geometry/geometry.h"

enum { ATOMS_MAX = 60, IMAGES = 9 };

static uint64_t random_state = 99;

static double uniform (double low, double high)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* All images up to IMAGES cells away, of all pairs. */
static double smallest_distance (const struct geometry *g)
{
    double least = INFINITY;
    int n[3];

    for (int axis = 0; axis < 3; axis++)
        n[axis] = g->periodic[axis] ? IMAGES : 0;
    for (size_t i = 0; i < g->n_atoms * g->n_atoms; i++) {
        const double *a = g->positions + 3 * (i / g->n_atoms);
        const double *b = g->positions + 3 * (i % g->n_atoms);

        for (int x = -n[0]; x <= n[0]; x++)
            for (int y = -n[1]; y <= n[1]; y++)
                for (int z = -n[2]; z <= n[2]; z++) {
                    double squared = 0;

                    if (a == b && x == 0 && y == 0 && z == 0)
                        continue;
                    for (int j = 0; j < 3; j++) {
                        double d = b[j] - a[j] + x * g->cell[j]
                                   + y * g->cell[3 + j] + z * g->cell[6 + j];

                        squared += d * d;
                    }
                    least = fmin (least, squared);
                }
    }
    return sqrt (least);
}

static void make_cell (double cell[9], double size, double tilt)
{
    memset (cell, 0, 9 * sizeof (*cell));
    for (int i = 0; i < 3; i++)
        cell[4 * i] = size * uniform (0.5, 1.5);
    cell[3] = cell[0] * uniform (-tilt, tilt);
    cell[6] = cell[0] * uniform (-tilt, tilt);
    cell[7] = cell[4] * uniform (-tilt, tilt);
}

/* Large and small cells, tilted, with atoms outside, open directions. */
static void test_closest (void **state)
{
    (void)state;
    for (int round = 0; round < 150; round++) {
        double cell[9], positions[3 * ATOMS_MAX], least;
        bool periodic[3];
        bool small = round % 3 == 0;
        struct geometry g = { .n_atoms = (size_t)uniform (1, small ? 5 : 12),
                              .positions = positions,
                              .cell = cell,
                              .periodic = periodic };

        make_cell (cell, small ? 2 : 9, 0.5);
        for (int i = 0; i < 3; i++)
            periodic[i] = uniform (0, 1) < 0.7;
        for (size_t i = 0; i < 3 * g.n_atoms; i++)
            positions[i] = small ? uniform (-1.5, 3) : uniform (-9, 18);
        least = smallest_distance (&g);
        if (!isfinite (least)) {
            assert_false (geometry_has_closer (&g, 3));
            continue;
        }
        assert_true (geometry_has_closer (&g, least * 1.000001));
        assert_false (geometry_has_closer (&g, least * 0.999999));
        assert_false (geometry_has_closer (&g, least / 3));
    }
}

static void test_nobody (void **state)
{
    static const double cell[9] = { 5, 0, 0, 0, 5, 0, 0, 0, 5 };
    static const double flat[9] = { 5, 0, 0, 0, 5, 0, 5, 5, 0 };
    static const bool periodic[3] = { true, true, true };
    static const double position[3] = { 1, 2, 3 };
    struct geometry g = { 0, position, cell, periodic, NULL };

    (void)state;
    assert_false (geometry_has_closer (&g, 1));
    g.n_atoms = 1;
    assert_false (geometry_has_closer (&g, 4.999));
    assert_true (geometry_has_closer (&g, 5.001)); /* its own image */
    g.cell = flat;
    assert_true (geometry_has_closer (&g, 0.1));
}

static void read_limits (const char *text, struct geometry_limits *limits)
{
    struct json *v = json_parse (text, strlen (text), "limits", NULL);
    struct error err = ERROR_INIT;

    assert_non_null (v);
    if (geometry_limits_from_json (v, limits, &err) < 0)
        fail_msg ("%s", err.text);
    json_unref (v);
}

static void test_limits (void **state)
{
    static const struct {
        const char *limits;
        enum geometry_verdict verdict;
    } cases[] = {
        /* a = 10, b = (4, 5), c = (1, 2, 20), atoms at 1 1 1 and 4 1 1 */
        { "{}", GEOMETRY_GOOD },
        { "{\"length_ratio\": 3.14}", GEOMETRY_BAD_BOX }, /* 20.12 / 6.403 */
        { "{\"length_ratio\": 3.15}", GEOMETRY_GOOD },
        { "{\"height_ratio\": 4.04}", GEOMETRY_BAD_BOX }, /* 20.12 / 4.975 */
        { "{\"height_ratio\": 4.05}", GEOMETRY_GOOD },
        { "{\"wrap_ratio\": 0.39}", GEOMETRY_BAD_BOX }, /* 4 / 10 */
        { "{\"wrap_ratio\": 0.41}", GEOMETRY_GOOD },
        { "{\"tilt_ratio\": 0.79}", GEOMETRY_BAD_BOX }, /* 4 / 5 */
        { "{\"tilt_ratio\": 0.81}", GEOMETRY_GOOD },
        { "{\"side_ratio\": 3.99}", GEOMETRY_BAD_BOX }, /* 20 / 5 */
        { "{\"side_ratio\": 4.01}", GEOMETRY_GOOD },
        { "{\"skew_angle\": 38.6}", GEOMETRY_BAD_BOX }, /* atan (4 / 5) */
        { "{\"skew_angle\": 38.7}", GEOMETRY_GOOD },
        { "{\"vacuum\": 6.5}", GEOMETRY_NO_VACUUM }, /* 6.403 - 0 */
        { "{\"vacuum\": 6.4}", GEOMETRY_GOOD },
        { "{\"closest\": 3.1}", GEOMETRY_TOO_CLOSE },
        { "{\"closest\": 2.9}", GEOMETRY_GOOD },
        { "{\"closest\": 3.1, \"tilt_ratio\": 0.7}", GEOMETRY_BAD_BOX },
    };
    static const double cell[9] = { 10, 0, 0, 4, 5, 0, 1, 2, 20 };
    static const double positions[6] = { 1, 1, 1, 4, 1, 1 };
    static const bool periodic[3] = { true, true, true };
    const struct geometry g = { 2, positions, cell, periodic, NULL };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct geometry_limits limits;

        read_limits (cases[i].limits, &limits);
        if (geometry_judge (&g, &limits) != cases[i].verdict)
            fail_msg ("%s: %d", cases[i].limits,
                      (int)geometry_judge (&g, &limits));
    }
}

/* DPGEN2 turns a cell before it looks; DP-GEN does not. */
static void test_turned_cell (void **state)
{
    /* the cell above, a along y, b in the plane of y and z */
    static const double cell[9] = { 0, 10, 0, 0, 4, 5, 20, 1, 2 };
    static const double left_handed[9] = { 0, 10, 0, 0, 4, 5, -20, 1, 2 };
    static const double flat[9] = { 0, 10, 0, 0, 4, 5, 0, 1, 2 };
    static const double leaning[9] = { 10, 0, 0, 0, 5, 0, 0, 10, 20 };
    static const double nowhere[3] = { 0 };
    static const bool periodic[3] = { true, true, true };
    struct geometry g = { 1, nowhere, cell, periodic, NULL };
    struct geometry_limits limits;

    (void)state;
    read_limits ("{\"side_ratio\": 4.01, \"skew_angle\": 38.7}", &limits);
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_GOOD);
    g.cell = left_handed;
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_GOOD);
    read_limits ("{\"side_ratio\": 3.99}", &limits);
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_BAD_BOX);
    read_limits ("{\"skew_angle\": 38.6}", &limits);
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_BAD_BOX);
    read_limits ("{\"skew_angle\": 89}", &limits);
    g.cell = flat;
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_BAD_BOX);
    read_limits ("{\"skew_angle\": 26.5}", &limits); /* atan (10 / 20) */
    g.cell = leaning;
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_BAD_BOX);
    read_limits ("{\"skew_angle\": 26.6}", &limits);
    assert_int_equal (geometry_judge (&g, &limits), GEOMETRY_GOOD);
}

/* DPGEN2's radii: 2 r of silicon is 1.5517 A, of oxygen 1.1638 A, and their sum
 * is 1.3578 A.
 */
static void test_safe_ratio (void **state)
{
    static const struct {
        double apart;
        const char symbols[2][SYMBOL_SIZE];
        const char *limits;
        enum geometry_verdict verdict;
    } cases[] = {
        { 1.55, { "Si", "Si" }, "{\"safe_ratio\": 1}", GEOMETRY_TOO_CLOSE },
        { 1.56, { "Si", "Si" }, "{\"safe_ratio\": 1}", GEOMETRY_GOOD },
        { 1.35, { "Si", "O" }, "{\"safe_ratio\": 1}", GEOMETRY_TOO_CLOSE },
        { 1.36, { "O", "Si" }, "{\"safe_ratio\": 1}", GEOMETRY_GOOD },
        { 1.17, { "O", "O" }, "{\"safe_ratio\": 1}", GEOMETRY_GOOD },
        { 1.56, { "Si", "Si" }, "{\"safe_ratio\": 1.01}", GEOMETRY_TOO_CLOSE },
        { 0.01, { "Si", "Xx" }, "{\"safe_ratio\": 1}", GEOMETRY_GOOD },
        { 4.1, { "Si", "O" }, "{\"safe_ratio\": 1}", GEOMETRY_TOO_CLOSE },
        { 2, { "Si", "O" }, "{\"safe_ratio\": 3.3}", GEOMETRY_TOO_CLOSE },
    };
    static const double cell[9] = { 5, 0, 0, 0, 9, 0, 0, 0, 9 };
    static const bool periodic[3] = { true, true, true };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const double positions[6] = { 0, 0, 0, cases[i].apart, 0, 0 };
        const struct geometry g = { 2, positions, cell, periodic,
                                    cases[i].symbols };
        struct geometry_limits limits;

        read_limits (cases[i].limits, &limits);
        if (geometry_judge (&g, &limits) != cases[i].verdict)
            fail_msg ("case %zu", i);
    }
}

static void test_bad_limits (void **state)
{
    static const char *const texts[] = { "[]",
                                         "{\"nearest\": 1}",
                                         "{\"closest\": \"near\"}",
                                         "{\"closest\": 0}",
                                         "{\"skew_angle\": 90}",
                                         "{\"vacuum\": -1}" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct json *v = json_parse (texts[i], strlen (texts[i]), "v", NULL);
        struct geometry_limits limits = { .any = true };

        assert_int_equal (geometry_limits_from_json (v, &limits, NULL), -1);
        assert_true (limits.any);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_closest),    cmocka_unit_test (test_nobody),
        cmocka_unit_test (test_limits),     cmocka_unit_test (test_turned_cell),
        cmocka_unit_test (test_safe_ratio), cmocka_unit_test (test_bad_limits),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
