/* SPDX-License-Identifier: BSD-3-Clause */
/* test_structures_construction.c - what may be said of how frames are made */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "structures/construction.h"
#include "structures_scene.h"

static void test_counts (void **state)
{
    static const struct {
        const char *inputs;
        int variants;
    } cases[] = {
        { "{}", 1 },
        { "{'scale': [0.96, 1, 1.04]}", 3 },
        { "{'strain': [0.01, 0, 0, 0, 0, 0]}", 1 },
        { "{'strain': [[0.01, 0, 0, 0, 0, 0], [0, 0, 0, 0.02, 0, 0]]}", 2 },
        { "{'strain': {'elastic': 0.01}}", 6 },
        { "{'strain': {'elastic': [-0.01, 0.01]}}", 12 },
        { "{'displace': {'sigma': 0.05, 'count': 10}}", 10 },
        { "{'scale': [1, 2], 'strain': {'elastic': 0.01}, 'draws': 4, "
          "'displace': {'sigma': 0.05, 'count': 10}, 'vacancies': 1}",
          480 },
        { "{'supercell': [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}", 1 },
        { "{'supercell': {'atoms': 64}, 'vacancies': 2}", 1 },
        { "{'surface': {'miller': [1, -1, 0], 'layers': 6, 'vacuum': 15}, "
          "'supercell': [3, 3, 1]}",
          1 },
        { "{'substitute': {'Al': {'Mg': 0.25, 'H': 0.75}, 'Mg': {'Al': 1}}, "
          "'interstitials': {'H': 1}, 'draws': 3}",
          3 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct construction c = CONSTRUCTION_INIT;
        struct error err = ERROR_INIT;
        struct json *v = scene_json (cases[i].inputs);

        if (construction_read (v, &c, &err) < 0)
            fail_msg ("%s: %s", cases[i].inputs, err.text);
        assert_true (construction_variants (&c) == cases[i].variants);
        construction_release (&c);
        json_unref (v);
    }
}

static const struct {
    const char *inputs, *why;
} refused[] = {
    { "{'surface': {'miller': [0, 0, 0], 'layers': 6, 'vacuum': 15}}",
      "[0, 0, 0] is no plane" },
    { "{'surface': {'miller': [2, 2, -4], 'layers': 6, 'vacuum': 15}}",
      "write [1, 1, -2]" },
    { "{'surface': {'miller': [1, 1], 'layers': 6, 'vacuum': 15}}",
      "expected three whole numbers" },
    { "{'surface': {'miller': [1, 1, 1], 'layers': 0, 'vacuum': 15}}",
      "layers: 0" },
    { "{'surface': {'miller': [1, 1, 1], 'layers': 6, 'vacuum': 0}}",
      "vacuum: 0" },
    { "{'supercell': 2}", "supercell: expected" },
    { "{'supercell': [2, 2]}", "supercell: expected" },
    { "{'supercell': [2, 2, 0]}", "supercell: expected" },
    { "{'supercell': [2, 2, 2.5]}", "supercell: expected" },
    { "{'supercell': {'atom': 64}}", "supercell: expected" },
    { "{'supercell': {'atoms': 0}}", "supercell: atoms: 0" },
    { "{'supercell': [[1, 0, 0], [0, 1, 0], [1, 1, 0]]}", "span no volume" },
    { "{'supercell': [[0, 1, 0], [1, 0, 0], [0, 0, 1]]}", "left-handed" },
    { "{'vacancies': 0}", "vacancies: 0; write a number from 1" },
    { "{'interstitials': {'Xx': 1}}", "'Xx' is no element" },
    { "{'substitute': {'Al': {'Cu': 0.5}}}",
      "Cu is none of the campaign's elements" },
    { "{'substitute': {'Al': {'Mg': 1.5}}}", "the shares are above 0" },
    { "{'substitute': {'Al': {'Mg': 0}}}", "the shares are above 0" },
    { "{'substitute': {'Al': {'Mg': 0.6, 'H': 0.6}}}", "the sum is 1.2" },
    { "{'substitute': {'Al': {'Al': 0.6}}}", "it becomes itself" },
    { "{'interstitials': {'H': -1}}", "interstitials.H: expected" },
    { "{'interstitials': {'H': 101}}", "interstitials.H: expected" },
    { "{'draws': 2}", "nothing is drawn" },
    { "{'draws': 0, 'vacancies': 1}", "draws: 0" },
    { "{'scale': []}", "scale: there is none" },
    { "{'scale': [1, -1]}", "scale: -1" },
    { "{'strain': []}", "strain[0]: expected six numbers" },
    { "{'strain': [[1, 2]]}", "strain[0]: expected six numbers" },
    { "{'strain': [-1.1, 0, 0, 0, 0, 0]}", "inside out" },
    { "{'strain': [-1.1, -1.1, 0, 0, 0, 0]}", "inside out" },
    { "{'strain': [0, 0, 0, 0, 0, 2.5]}", "inside out" },
    { "{'strain': {'elastic': 0}}", "strain: elastic" },
    { "{'strain': {'elastic': ['x']}}", "strain: elastic" },
    { "{'strain': {'elastic': 0.01, 'b': 1}}", "expected six numbers" },
    { "{'displace': {'sigma': 0, 'count': 10}}", "sigma: 0" },
    { "{'displace': {'sigma': 0.1, 'count': 0}}", "count: 0" },
    { "{'least_distance': 0}", "least_distance: 0" },
    { "{'surface': {'miller': [1, 1, 1], 'layers': 6, 'vacuum': 15}, "
      "'supercell': [2, 2, 2]}",
      "repeat the vacuum" },
    { "{'displace': {'sigma': 0.1, 'count': 9999}, 'scale': [1, 2]}",
      "19998 frames" },
};

static void test_refused (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (refused); i++) {
        struct construction c = CONSTRUCTION_INIT;
        struct error err = ERROR_INIT;
        struct json *v = scene_json (refused[i].inputs);
        struct json *elements = scene_json ("['Al', 'Mg', 'H']");

        json_set (v, "elements", elements);
        assert_int_equal (construction_read (v, &c, &err), -1);
        if (!strstr (err.text, refused[i].why))
            fail_msg ("%s: %s", refused[i].inputs, err.text);
        construction_release (&c);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_counts),
        cmocka_unit_test (test_refused),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
