/* SPDX-License-Identifier: BSD-3-Clause */
/* test_structures_variants.c - the frames that are made of a structure */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "structures/construction.h"
#include "base/random_stream.h"
#include "structures/variants.h"
#include "structures_scene.h"

/* Of aluminium, or a molecule, as the first structure; its error, or "". */
static void make (const char *inputs, bool molecule, struct variants *made,
                  struct error *err)
{
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct construction c = CONSTRUCTION_INIT;
    const struct variant_source source = { &frame, "al.vasp", { 0, 0 } };
    struct json *v = scene_json (inputs);

    if (molecule)
        scene_hydrogen (&frame);
    else
        scene_aluminium (&frame);
    json_set (v, "least_distance", json_real (0.5));
    assert_int_equal (construction_read (v, &c, NULL), 0);
    variants_add (&c, &source, made, err);
    construction_release (&c);
    json_unref (v);
}

static void test_products (void **state)
{
    static const struct {
        const char *inputs;
        size_t n, n_equal, n_atoms; /* of the last */
        const char *info;           /* of the last */
    } cases[] = {
        { "{}", 1, 0, 4, "structure=\"al.vasp\" number=0" },
        { "{'scale': [0.96, 1, 1.04]}", 3, 0, 4,
          "structure=\"al.vasp\" number=0 made=\"scale 1.04\"" },
        { "{'scale': [1, 1.0001, 1.01]}", 2, 1, 4,
          "structure=\"al.vasp\" number=0 made=\"scale 1.01\"" },
        { "{'supercell': [2, 2, 2], 'vacancies': 1, 'scale': [1, 1.1]}", 2, 0,
          31,
          "structure=\"al.vasp\" number=0 made=\"supercell 2 2 2, vacancies 1, "
          "scale "
          "1.1\"" },
        { "{'supercell': [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}", 1, 0, 8,
          "structure=\"al.vasp\" number=0 made=\"supercell 0 1 1 1 0 1 1 1 "
          "0\"" },
        { "{'supercell': {'atoms': 64}, 'strain': {'elastic': 0.01}, "
          "'displace': {'sigma': 0.02, 'count': 2}}",
          12, 0, 32,
          "structure=\"al.vasp\" number=0 made=\"supercell 2 2 2, strain 0 0 0 "
          "0 0 "
          "0.01, displaced 2\"" },
        { "{'surface': {'miller': [1, 1, 1], 'layers': 3, 'vacuum': 10}, "
          "'supercell': {'atoms': 50}}",
          1, 0, 48,
          "structure=\"al.vasp\" number=0 made=\"surface 1 1 1 of 3 layers, "
          "supercell "
          "2 2 1\"" },
        { "{'interstitials': {'H': 2}, 'draws': 3}", 3, 0, 6,
          "structure=\"al.vasp\" number=0 made=\"interstitials 2 of H, draw "
          "3\"" },
        { "{'substitute': {'Al': {'Mg': 1}}, 'draws': 5}", 1, 4, 4,
          "structure=\"al.vasp\" number=0 made=\"1 of Al is Mg, draw 1\"" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct variants made = VARIANTS_INIT;
        struct error err = ERROR_INIT;

        make (cases[i].inputs, false, &made, &err);
        assert_string_equal (err.text, "");
        assert_int_equal (made.n, cases[i].n);
        assert_int_equal (made.n_equal, cases[i].n_equal);
        assert_int_equal (made.v[made.n - 1].n_atoms, cases[i].n_atoms);
        assert_string_equal (made.v[made.n - 1].info, cases[i].info);
        variants_release (&made);
    }
}

static void test_refused (void **state)
{
    static const struct {
        const char *inputs;
        bool molecule;
        const char *why;
    } cases[] = {
        { "{'scale': [1, 0.15]}", false,
          "frame 1 (al.vasp, scale 0.15): atoms 1 (Al) and" },
        { "{'scale': [0.5]}", true,
          "frame 0 (al.vasp, scale 0.5): atoms 1 (H) and 2 (H) are 0.37 A" },
        { "{'supercell': [2, 1, 1]}", true, "al.vasp: it has no cell" },
        { "{'supercell': {'atoms': 64}}", true, "al.vasp: it has no cell" },
        { "{'supercell': {'atoms': 2}}", false, "it has 4 atoms" },
        { "{'strain': [0.1, 0, 0, 0, 0, 0]}", true, "strain: it has no cell" },
        { "{'interstitials': {'H': 1}}", true, "interstitials: it has no" },
        { "{'vacancies': 4}", false, "vacancies: there are 4 atoms, and 4" },
        { "{'substitute': {'Mg': {'Al': 1}}}", false, "there is no Mg" },
        { "{'substitute': {'Al': {'Mg': 0.3}}}", false,
          "substitute: 0.3 of 4 atoms of Al is 1.2, no whole number of them; "
          "write 0.25 (1 of Mg)" },
        { "{'substitute': {'Al': {'Mg': 0.1}}}", false, "(1 of Mg)" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct variants made = VARIANTS_INIT;
        struct error err = ERROR_INIT;

        make (cases[i].inputs, cases[i].molecule, &made, &err);
        if (!strstr (err.text, cases[i].why))
            fail_msg ("%s: '%s'", cases[i].inputs, err.text);
        variants_release (&made);
    }
}

static void test_singular_cells (void **state)
{
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    struct construction c = CONSTRUCTION_INIT;
    const struct variant_source source = { &frame, "al.vasp", { 0, 0 } };
    struct variants made = VARIANTS_INIT;
    struct error err = ERROR_INIT;
    struct json *v = scene_json ("{'least_distance': 0.5}");

    (void)state;
    scene_aluminium (&frame);
    frame.cell[8] = 0;
    assert_int_equal (construction_read (v, &c, NULL), 0);
    assert_int_equal (variants_add (&c, &source, &made, &err), -1);
    assert_non_null (strstr (err.text, "its cell has no volume"));
    assert_int_equal (made.n, 0);
    construction_release (&c);
    json_unref (v);
}

/* Two lists of which one goes on where the other ends: what both have is the
 * same; another seed gives other places.
 */
static void test_seeds (void **state)
{
    static const char *const texts[] = {
        "{'seed': 1, 'displace': {'sigma': 0.05, 'count': 3}}",
        "{'seed': 1, 'displace': {'sigma': 0.05, 'count': 4}}",
        "{'seed': 2, 'displace': {'sigma': 0.05, 'count': 3}}",
    };
    struct variants made[3] = { VARIANTS_INIT, VARIANTS_INIT, VARIANTS_INIT };

    (void)state;
    for (size_t i = 0; i < 3; i++)
        make (texts[i], false, &made[i], NULL);
    assert_int_equal (made[0].n, 3);
    assert_int_equal (made[1].n, 4);
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal (made[0].v[i].positions, made[1].v[i].positions,
                             12 * sizeof (double));
        assert_memory_not_equal (made[0].v[i].positions, made[2].v[i].positions,
                                 12 * sizeof (double));
    }
    for (size_t i = 0; i < 3; i++)
        variants_release (&made[i]);
}

/* The same defects at every scale; others in every draw. */
static void test_draws (void **state)
{
    struct variants made = VARIANTS_INIT;

    (void)state;
    make ("{'supercell': [3, 3, 3], 'substitute': {'Al': {'Mg': 0.25}}, "
          "'draws': 2, 'scale': [1, 1.1]}",
          false, &made, NULL);
    assert_int_equal (made.n, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal (scene_count (&made.v[i], "Mg"), 27);
        assert_int_equal (scene_count (&made.v[i], "Al"), 81);
    }
    assert_memory_equal (made.v[0].symbols, made.v[1].symbols,
                         108 * SYMBOL_SIZE);
    assert_memory_not_equal (made.v[0].symbols, made.v[2].symbols,
                             108 * SYMBOL_SIZE);
    variants_release (&made);
}

/* 30,000 deviates: mean and width to five standard errors. */
static void test_normal (void **state)
{
    struct random_stream random = { 7, 0 };
    double sum = 0, squares = 0;
    const int n = 30000;

    (void)state;
    for (int i = 0; i < n; i++) {
        double x = random_normal (&random);

        sum += x;
        squares += x * x;
    }
    assert_true (fabs (sum / n) < 5 / sqrt (n));
    assert_true (fabs (squares / n - 1) < 5 * sqrt (2.0 / n));
}

/* Each atom is taken out about equally often. */
static void test_choices (void **state)
{
    int taken[6] = { 0 };

    (void)state;
    for (uint64_t key = 0; key < 6000; key++) {
        struct random_stream random = { key, 0 };
        size_t items[6] = { 0, 1, 2, 3, 4, 5 };

        random_choose (&random, items, 6, 2);
        assert_int_not_equal (items[0], items[1]);
        taken[items[0]]++;
        taken[items[1]]++;
    }
    for (size_t i = 0; i < 6; i++)
        assert_in_range (taken[i], 1800, 2200);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_products),       cmocka_unit_test (test_refused),
        cmocka_unit_test (test_singular_cells), cmocka_unit_test (test_seeds),
        cmocka_unit_test (test_draws),          cmocka_unit_test (test_normal),
        cmocka_unit_test (test_choices),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
