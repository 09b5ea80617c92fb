/* SPDX-License-Identifier: BSD-3-Clause */
/* test_bundles.c - the tasks of every element */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arrays/bundles.h"
#include "base/compiler.h"
#include "base/error.h"

enum { ELEMENTS = 3, TASKS = 20 };

static void release (struct task_range *bundles)
{
    for (int i = 0; i < ELEMENTS; i++)
        task_range_release (&bundles[i]);
}

static void test_good (void **state)
{
    static const char *const texts[] = { "0-9,15\n10\n11-14,19\n",
                                         "0-9,15\n10\n11-14,19" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct task_range bundles[ELEMENTS] = { { 0 } };

        assert_int_equal (bundles_parse (texts[i], strlen (texts[i]), TASKS,
                                         bundles, ELEMENTS, NULL),
                          0);
        assert_int_equal (task_range_count (&bundles[0]), 11);
        assert_true (task_range_contains (&bundles[0], 15));
        assert_int_equal (task_range_at (&bundles[1], 0), 10);
        assert_int_equal (task_range_count (&bundles[2]), 5);
        release (bundles);
    }
}

static void test_bad (void **state)
{
    static const struct {
        const char *text;
        size_t len; /* 0: all of it */
        const char *says;
    } cases[] = {
        { "", 0, "0 bundles for 3 elements" },
        { "0\n1\n", 0, "2 bundles for 3 elements" },
        { "0\n1\n2\n3\n", 0, "4 bundles for 3 elements" },
        { "0\n1\n20\n", 0, "line 3: there is no task 20" },
        { "0\n1\nx\n", 0, "line 3: 'x'" },
        { "0\n5-3\n2\n", 0, "line 2: '5-3'" },
        { "0\n1\r\n2\n", 0, "line 2: '1\r'" },
        { "0\n1\0,2\n3\n", 9, "line 2: a NUL character" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_range bundles[ELEMENTS] = { { 0 } };
        struct error err = ERROR_INIT;
        size_t len = cases[i].len ? cases[i].len : strlen (cases[i].text);

        assert_int_equal (
            bundles_parse (cases[i].text, len, TASKS, bundles, ELEMENTS, &err),
            -1);
        assert_non_null (strstr (err.text, cases[i].says));
        release (bundles);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_bad),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
