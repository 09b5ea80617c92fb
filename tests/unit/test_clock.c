/* SPDX-License-Identifier: BSD-3-Clause */
/* test_clock.c - dates, and sleeping that can be stopped */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <time.h>

#include "base/clock.h"

static void test_iso (void **state)
{
    static const struct {
        double wall_s;
        const char *text;
    } cases[] = {
        { 0, "1970-01-01T00:00:00Z" },
        { 1795232590, "2026-11-21T03:43:10Z" },
        { 1795232590.999, "2026-11-21T03:43:10Z" },
        { -1, "1969-12-31T23:59:59Z" },
        { 951782400, "2000-02-29T00:00:00Z" },
        { 1e300, "9999-12-31T23:59:59Z" },
    };
    char text[CLOCK_ISO_SIZE];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        clock_iso (cases[i].wall_s, text);
        assert_string_equal (text, cases[i].text);
    }
    clock_iso ((double)NAN, text); /* anything, but no crash */
}

/* Zones by rules of their own, which need no table of zones. */
static void test_iso_here (void **state)
{
    static const struct {
        const char *zone, *text;
    } cases[] = {
        { "UTC0", "2026-11-21T03:43:10Z" },
        { "ABC-1", "2026-11-21T04:43:10+01:00" },
        { "ABC3:30", "2026-11-21T00:13:10-03:30" },
    };
    char text[CLOCK_ISO_SIZE];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        setenv ("TZ", cases[i].zone, 1);
        clock_iso_here (1795232590, text);
        assert_string_equal (text, cases[i].text);
        clock_iso (1795232590, text);
        assert_string_equal (text, "2026-11-21T03:43:10Z");
    }
    clock_iso_here (1e300, text);
    unsetenv ("TZ");
}

static void test_wall_is_now (void **state)
{
    (void)state;
    assert_true (fabs (clock_wall_s () - (double)time (NULL)) < 5);
}

static void test_mono_does_not_go_back (void **state)
{
    double last = clock_mono_s ();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        double now = clock_mono_s ();

        assert_true (now >= last);
        last = now;
    }
}

static void test_sleep (void **state)
{
    double start_s = clock_mono_s ();

    (void)state;
    clock_sleep (0.05, NULL);
    assert_true (clock_mono_s () - start_s >= 0.05);
    clock_sleep (0, NULL);
    clock_sleep (-5, NULL);
}

static void test_stopped_sleep_returns (void **state)
{
    volatile int stop = 1;
    double start_s = clock_mono_s ();

    (void)state;
    clock_sleep (1e9, &stop);
    assert_true (clock_mono_s () - start_s < 60);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_iso),
        cmocka_unit_test (test_iso_here),
        cmocka_unit_test (test_wall_is_now),
        cmocka_unit_test (test_mono_does_not_go_back),
        cmocka_unit_test (test_sleep),
        cmocka_unit_test (test_stopped_sleep_returns),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
