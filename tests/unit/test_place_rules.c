/* SPDX-License-Identifier: BSD-3-Clause */
/* test_place_rules.c - rules of placing: said, written and read */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "placement/place_rules.h"

static void expect_same (const struct place_rules *a,
                         const struct place_rules *b)
{
    assert_int_equal (a->bind, b->bind);
    assert_int_equal (a->one_thread, b->one_thread);
    assert_int_equal (a->strict_memory, b->strict_memory);
    assert_int_equal (a->reserve_one_per_l3, b->reserve_one_per_l3);
    assert_int_equal (a->reserved_cores, b->reserved_cores);
}

static const struct {
    const char *key, *value;
    struct place_rules rules;
} said[] = {
    { "bind", "close", { .bind = BIND_CLOSE } },
    { "bind", "spread", { .bind = BIND_SPREAD } },
    { "bind", "none", { .bind = BIND_NONE } },
    { "smt", "true", { 0 } },
    { "smt", "false", { .one_thread = true } },
    { "reserved_cores", "0", { 0 } },
    { "reserved_cores", "4", { .reserved_cores = 4 } },
    { "reserved_cores", "one_per_l3", { .reserve_one_per_l3 = true } },
    { "memory_binding", "preferred", { 0 } },
    { "memory_binding", "strict", { .strict_memory = true } },
};

static void test_said (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (said); i++) {
        struct place_rules rules = { 0 }, back = { .reserved_cores = 4711 };
        struct json *v;

        print_message ("# %s: %s\n", said[i].key, said[i].value);
        assert_int_equal (
            place_rules_set (said[i].key, said[i].value, &rules, NULL), 0);
        expect_same (&rules, &said[i].rules);
        v = place_rules_to_json (&rules);
        assert_int_equal (place_rules_from_json (v, &back, NULL), 0);
        expect_same (&back, &rules);
        json_unref (v);
    }
}

/* What is said later counts. */
static void test_said_again (void **state)
{
    struct place_rules rules = { .reserve_one_per_l3 = true,
                                 .one_thread = true,
                                 .strict_memory = true };

    (void)state;
    place_rules_set ("reserved_cores", "2", &rules, NULL);
    place_rules_set ("smt", "true", &rules, NULL);
    place_rules_set ("memory_binding", "preferred", &rules, NULL);
    expect_same (&rules, &(struct place_rules){ .reserved_cores = 2 });
}

static void test_nonsense (void **state)
{
    static const struct {
        const char *key, *value, *message;
    } cases[] = {
        { "bind", "tight", "bind: 'tight'; write close, spread or none" },
        { "smt", "yes", "smt: 'yes'; write true or false" },
        { "reserved_cores", "-1", "write a number of cores or one_per_l3" },
        { "reserved_cores", "", "write a number of cores" },
        { "reserved_cores", "4k", "write a number of cores" },
        { "reserved_cores", "10000", "write a number of cores" },
        { "memory_binding", "true", "write preferred or strict" },
        { "binds", "close", "there is no rule 'binds'" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct place_rules rules = { .reserved_cores = 4711 };
        struct error err = ERROR_INIT;

        assert_int_equal (
            place_rules_set (cases[i].key, cases[i].value, &rules, &err), -1);
        assert_non_null (strstr (err.text, cases[i].message));
        assert_int_equal (rules.reserved_cores, 4711);
    }
}

static void test_nonsense_in_json (void **state)
{
    static const char *const cases[] = { "{\"bind\": 3}", "{\"bind\": -1}",
                                         "{\"one_thread\": 1}",
                                         "{\"reserved_cores\": 10000}" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *v = json_parse (cases[i], strlen (cases[i]), "", NULL);
        struct place_rules rules = { .reserved_cores = 4711 };

        assert_int_equal (place_rules_from_json (v, &rules, NULL), -1);
        assert_int_equal (rules.reserved_cores, 4711);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_said),
        cmocka_unit_test (test_said_again),
        cmocka_unit_test (test_nonsense),
        cmocka_unit_test (test_nonsense_in_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
