/* SPDX-License-Identifier: BSD-3-Clause */
/* test_cluster.c - what is cut out around an atom, against all images */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "formats/element.h"
#include "selection/geometry/cluster.h"
#include "selection/geometry/geometry.h"

enum { ATOMS_MAX = 40, IMAGES = 4 };

static uint64_t random_state = 7;

static double uniform (double low, double high)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static const bool everywhere[3] = { true, true, true };

/* Two waters, one across the border of the cell, and an argon. */
static void test_water (void **state)
{
    static const double cell[9] = { 12, 0, 0, 0, 12, 0, 0, 0, 12 };
    static const char symbols[7][SYMBOL_SIZE] = { "O", "H", "H", "O",
                                                  "H", "H", "Ar" };
    static const double positions[21] = {
        0.1, 6, 6, 11.3, 6.5, 6, 0.7, 6.6, 6, /* H at -0.7 */
        3,   6, 6, 3.6,  6.7, 6, 3.6, 5.3, 6, /* 2.9 from the first */
        9,   6, 6,                            /* 3.1 from the first */
    };
    static const struct {
        size_t centre;
        double cutoff, hard;
        size_t n, atoms[7];
    } cases[] = {
        { 0, 0.5, INFINITY, 3, { 0, 1, 2 } },
        { 0, 2.9, INFINITY, 3, { 0, 1, 2 } }, /* nearer than, not at */
        { 0, 2.91, INFINITY, 6, { 0, 1, 2, 3, 4, 5 } },
        { 0, 2.91, 3, 4, { 0, 1, 2, 3 } }, /* truncated: no whole second */
        { 0, 3.2, INFINITY, 7, { 0, 1, 2, 3, 4, 5, 6 } },
        { 6, 2.0, INFINITY, 1, { 6 } },
        { 6, 3.0, INFINITY, 4, { 0, 1, 2, 6 } },
        { 4, 0.1, INFINITY, 3, { 3, 4, 5 } },
    };
    const struct geometry g = { 7, positions, cell, everywhere, NULL };
    size_t atoms[7];
    double found[21];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct cluster_limits limits = { true, cases[i].cutoff,
                                               cases[i].hard };
        size_t n =
            cluster_cut (&g, symbols, cases[i].centre, &limits, atoms, found);

        if (n != cases[i].n
            || memcmp (atoms, cases[i].atoms, n * sizeof (*atoms)) != 0)
            fail_msg ("case %zu: %zu atoms", i, n);
    }
    assert_int_equal (cluster_cut (&g, symbols, 0,
                                   &(struct cluster_limits){ true, 0.5, 9 },
                                   atoms, found),
                      3);
    assert_true (fabs (found[3] - (-0.7)) < 1e-12); /* beside its oxygen */
    assert_true (found[0] == 0.1 && found[7] == 6.6);
}

/* The square of the smallest distance of two atoms, over all images. */
static double nearest (const struct geometry *g, size_t a, size_t b)
{
    double least = INFINITY;
    int n[3];

    for (int i = 0; i < 3; i++)
        n[i] = g->periodic[i] ? IMAGES : 0;
    for (int x = -n[0]; x <= n[0]; x++)
        for (int y = -n[1]; y <= n[1]; y++)
            for (int z = -n[2]; z <= n[2]; z++) {
                double squared = 0;

                for (int j = 0; j < 3; j++) {
                    double d = g->positions[3 * b + (size_t)j]
                               - g->positions[3 * a + (size_t)j]
                               + x * g->cell[j] + y * g->cell[3 + j]
                               + z * g->cell[6 + j];

                    squared += d * d;
                }
                least = fmin (least, squared);
            }
    return least;
}

/* The definition: whole molecules that reach into the cutoff, less what is
 * beyond the hard one.
 */
static size_t expected (const struct geometry *g,
                        const char (*symbols)[SYMBOL_SIZE], size_t centre,
                        const struct cluster_limits *limits, size_t *atoms)
{
    bool together[ATOMS_MAX][ATOMS_MAX];
    size_t n = 0, N = g->n_atoms;

    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double ri = covalent_radius (symbols[i]);
            double rj = covalent_radius (symbols[j]);

            together[i][j] = i == j
                             || (ri > 0 && rj > 0
                                 && sqrt (nearest (g, i, j)) < ri + rj + 0.45);
        }
    for (size_t k = 0; k < N; k++)
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                together[i][j] |= together[i][k] && together[k][j];
    for (size_t i = 0; i < N; i++) {
        bool taken = false;

        for (size_t j = 0; j < N; j++) {
            double d = j == centre ? 0 : sqrt (nearest (g, centre, j));

            taken |= together[i][j] && d < limits->cutoff;
        }
        if (taken
            && (i == centre || sqrt (nearest (g, centre, i)) < limits->hard))
            atoms[n++] = i;
    }
    return n;
}

static void test_random (void **state)
{
    static const char names[][SYMBOL_SIZE] = { "H", "C", "O", "Xx", "Cs" };

    (void)state;
    for (int round = 0; round < 120; round++) {
        double cell[9] = { 0 }, positions[3 * ATOMS_MAX], found[3 * ATOMS_MAX];
        size_t wanted[ATOMS_MAX], atoms[ATOMS_MAX], n, centre;
        char symbols[ATOMS_MAX][SYMBOL_SIZE];
        bool periodic[3];
        struct geometry g = { (size_t)uniform (1, 30), positions, cell,
                              periodic, NULL };
        struct cluster_limits limits = { true, uniform (0.5, 5), INFINITY };

        if (round % 2)
            limits.hard = limits.cutoff + uniform (0, 3);
        for (int i = 0; i < 3; i++) {
            cell[4 * i] = uniform (4, 14);
            periodic[i] = uniform (0, 1) < 0.8;
        }
        cell[3] = uniform (-3, 3);
        for (size_t i = 0; i < g.n_atoms; i++) {
            memcpy (symbols[i], names[(size_t)uniform (0, 5)], SYMBOL_SIZE);
            for (size_t j = 0; j < 3; j++)
                positions[3 * i + j] = uniform (-2, 14);
        }
        centre = (size_t)uniform (0, (double)g.n_atoms);
        n = cluster_cut (&g, (const char (*)[SYMBOL_SIZE])symbols, centre,
                         &limits, atoms, found);
        assert_int_equal (n, expected (&g, (const char (*)[SYMBOL_SIZE])symbols,
                                       centre, &limits, wanted));
        assert_memory_equal (atoms, wanted, n * sizeof (*atoms));
    }
}

static void test_no_volume (void **state)
{
    static const double flat[9] = { 5, 0, 0, 0, 5, 0, 5, 5, 0 };
    static const char symbols[1][SYMBOL_SIZE] = { "H" };
    static const double position[3] = { 0 };
    const struct geometry g = { 1, position, flat, everywhere, NULL };
    const struct cluster_limits limits = { true, 1, INFINITY };
    size_t atom;
    double found[3];

    (void)state;
    assert_int_equal (cluster_cut (&g, symbols, 0, &limits, &atom, found), 0);
}

static void test_limits (void **state)
{
    static const struct {
        const char *text;
        const char *says; /* NULL: good */
    } cases[] = {
        { "{\"cutoff\": 5}", NULL },
        { "{\"cutoff\": 5, \"hard\": 5}", NULL },
        { "{\"cutoff\": 5, \"hard\": 4.5}", "hard: 4.5 is below cutoff" },
        { "{\"hard\": 5}", "key 'cutoff': missing" },
        { "{\"cutoff\": 0}", "cutoff: 0; write a number above 0" },
        { "{\"cutoff\": 5, \"minify\": true}", "minify is not offered" },
        { "5", "expected an object, got an integer" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *v =
            json_parse (cases[i].text, strlen (cases[i].text), "v", NULL);
        struct cluster_limits limits = { .cutoff = 77 };
        struct error err = ERROR_INIT;
        int rc = cluster_limits_from_json (v, &limits, &err);

        assert_int_equal (rc, cases[i].says ? -1 : 0);
        assert_true (limits.cutoff == (cases[i].says ? 77 : 5));
        if (cases[i].says && !strstr (err.text, cases[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, cases[i].says);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_water),
        cmocka_unit_test (test_random),
        cmocka_unit_test (test_no_volume),
        cmocka_unit_test (test_limits),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
