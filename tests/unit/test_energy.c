/* SPDX-License-Identifier: BSD-3-Clause */
/* test_energy.c - counters of energy, as the kernel shows them */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "agent/energy.h"
#include "base/file.h"
#include "temp_dir.h"

static void write_number (const char *counter, const char *name,
                          const char *text)
{
    char *dir = xasprintf ("cap/%s", counter);
    char *path = xasprintf ("%s/%s", dir, name);

    assert_int_equal (file_make_dirs (dir, NULL), 0);
    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
    free (dir);
}

static void set_counter (const char *counter, const char *name, const char *now)
{
    write_number (counter, "name", name);
    write_number (counter, "max_energy_range_uj", "10000000\n");
    write_number (counter, "energy_uj", now);
}

static void expect_joules (struct energy_meter *meter, double joules)
{
    assert_true (fabs (energy_meter_look (meter) - joules) < 1e-9);
}

static void test_counters (void **state)
{
    struct energy_meter meter;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    set_counter ("intel-rapl:0", "package-0\n", "9000000\n");
    set_counter ("intel-rapl:0:0", "core\n", "0\n");
    set_counter ("intel-rapl:0:1", "dram\n", "0\n");
    set_counter ("intel-rapl:1", "package-1\n", "0\n");
    set_counter ("intel-rapl:2", "psys\n", "0\n");
    set_counter ("intel-rapl-mmio:0", "package-0\n", "0\n");
    set_counter ("intel-rapl:3", "package-3\n", "not a number\n");
    energy_meter_open (&meter, "cap");
    assert_int_equal (meter.n, 3);
    expect_joules (&meter, 0);

    set_counter ("intel-rapl:0", "package-0\n", "9500000\n");
    set_counter ("intel-rapl:0:0", "core\n", "7000000\n");
    set_counter ("intel-rapl:2", "psys\n", "7000000\n");
    set_counter ("intel-rapl-mmio:0", "package-0\n", "7000000\n");
    expect_joules (&meter, 0.5);
    /* it begins again */
    set_counter ("intel-rapl:0", "package-0\n", "250000\n");
    set_counter ("intel-rapl:1", "package-1\n", "4000000\n");
    set_counter ("intel-rapl:0:1", "dram\n", "1000000\n");
    expect_joules (&meter, 0.5 + 0.75 + 4 + 1);
    expect_joules (&meter, 6.25);
    /* it is no longer there: what was seen stays */
    assert_int_equal (file_remove_tree ("cap/intel-rapl:1", NULL, NULL), 0);
    expect_joules (&meter, 6.25);
    energy_meter_release (&meter);
    assert_int_equal (meter.n, 0);
    temp_dir_leave (&dir);
}

static void test_none (void **state)
{
    struct energy_meter meter;

    (void)state;
    energy_meter_open (&meter, "no/such/directory");
    assert_int_equal (meter.n, 0);
    expect_joules (&meter, 0);
    energy_meter_release (&meter);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_counters),
        cmocka_unit_test (test_none),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
