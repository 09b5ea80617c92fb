/* SPDX-License-Identifier: BSD-3-Clause */
/* test_file_system.c - kinds of file systems, and what a spool needs of one */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file_system.h"
#include "base/findings.h"
#include "local/local.h"

static void test_names (void **state)
{
    enum file_system_reach reach;

    (void)state;
    assert_string_equal (file_system_name (0x6969, &reach), "nfs");
    assert_int_equal (reach, REACH_SHARED);
    assert_string_equal (file_system_name (0x0bd00bd0, &reach), "lustre");
    assert_int_equal (reach, REACH_SHARED);
    assert_string_equal (file_system_name (0xef53, &reach), "ext4");
    assert_int_equal (reach, REACH_LOCAL);
    assert_null (file_system_name (0x4711, &reach));
    assert_int_equal (reach, REACH_UNKNOWN);
}

static void test_look (void **state)
{
    struct file_system fs = { .type = "untouched" };
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (file_system_look ("/no/such", &fs, &err), -1);
    assert_non_null (strstr (err.text, "'/no/such'"));
    assert_string_equal (fs.type, "untouched");
    assert_int_equal (file_system_look (".", &fs, NULL), 0);
    assert_true (fs.type[0] != '\0');
    assert_true (fs.size_bytes > 0 && fs.free_bytes <= fs.size_bytes);
}

static void test_spool (void **state)
{
    static const struct {
        struct file_system fs;
        enum grade grade;
        const char *text, *advice;
    } rows[] = {
        { { "ext4", REACH_LOCAL, 1 << 30, 1 << 30, 0, 0 },
          GRADE_GOOD,
          "'/spool' (ext4), 1.0 GiB free",
          "" },
        { { "nfs", REACH_SHARED, 1 << 30, 1 << 30, 0, 0 },
          GRADE_BAD,
          "(nfs)",
          "`spool:`" },
        { { "tmpfs", REACH_LOCAL, 1024, 1 << 30, 0, 0 },
          GRADE_BAD,
          "1.0 KiB left",
          "free some" },
        { { "0x4711", REACH_UNKNOWN, 1 << 30, 1 << 30, 0, 0 },
          GRADE_GOOD,
          "(0x4711)",
          "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct findings findings = FINDINGS_INIT;

        local_judge_spool ("/spool", &rows[i].fs, &findings);
        assert_int_equal (findings.n, 1);
        assert_int_equal (findings.v[0].grade, rows[i].grade);
        assert_non_null (strstr (findings.v[0].text, rows[i].text));
        assert_non_null (strstr (findings.v[0].advice, rows[i].advice));
        findings_release (&findings);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_names),
        cmocka_unit_test (test_look),
        cmocka_unit_test (test_spool),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
