/* SPDX-License-Identifier: BSD-3-Clause */
/* test_path.c - joining and making absolute */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/path_similar.h"
#include "temp_dir.h"

static void test_join (void **state)
{
    static const char *const cases[][3] = {
        { "a", "b", "a/b" },   { "a/", "b", "a/b" }, { "", "b", "b" },
        { ".", "b", "b" },     { "a", "/b", "/b" },  { "/", "b", "/b" },
        { "..", "b", "../b" }, { "a", "", "a/" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *joined = path_join (cases[i][0], cases[i][1]);

        assert_string_equal (joined, cases[i][2]);
        free (joined);
    }
}

static void test_absolute (void **state)
{
    static const char *const cases[][2] = {
        { "/", "/" },
        { "/a/b", "/a/b" },
        { "/a//b/", "/a/b" },
        { "/a/./b/.", "/a/b" },
        { "/a/../b", "/b" },
        { "/../../a", "/a" },
        { "/a/b/c/../../d/..", "/a" },
        { "/a/..", "/" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *absolute = path_absolute (cases[i][0]);

        assert_string_equal (absolute, cases[i][1]);
        free (absolute);
    }
}

static void test_absolute_from_here (void **state)
{
    struct temp_dir dir;
    struct strbuf expected = STRBUF_INIT;
    char here[PATH_MAX];
    char *absolute;

    (void)state;
    temp_dir_enter (&dir);
    assert_non_null (getcwd (here, sizeof (here)));
    strbuf_addf (&expected, "%s/x", here);
    absolute = path_absolute ("y/../x");
    assert_string_equal (absolute, expected.buf);
    free (absolute);
    absolute = path_absolute (".");
    assert_string_equal (absolute, here);
    free (absolute);
    strbuf_release (&expected);
    temp_dir_leave (&dir);
}

static void test_inside (void **state)
{
    static const char *const inside[] = { "a", "a/b", "a..", ".a", "a//b/" };
    static const char *const outside[] = { "",          "/",    "/a", "..",
                                           "a/../../b", "a/..", ".",  "./a" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (inside); i++)
        assert_true (path_is_inside (inside[i]));
    for (size_t i = 0; i < ARRAY_SIZE (outside); i++)
        assert_false (path_is_inside (outside[i]));
}

static void test_base (void **state)
{
    (void)state;
    assert_string_equal (path_base ("a/b/c"), "c");
    assert_string_equal (path_base ("c"), "c");
    assert_string_equal (path_base ("/c"), "c");
    assert_string_equal (path_base ("c/"), "");
}

/* Names with the same ending are compared without it. */
static void test_similar (void **state)
{
    static const char *const there[] = { "Carbon.UPF", "C.UPF", "md.in",
                                         "initial.extxyz" };
    static const char *const cases[][2] = {
        { "Si.UPF", NULL },        { "Carbn.UPF", "Carbon.UPF" },
        { "dm.in", "md.in" },      { "initial.xyz", "initial.extxyz" },
        { "labels.extxyz", NULL }, { "md", NULL },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (there); i++)
        write_text (there[i], "");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *similar = path_similar (".", cases[i][0]);

        if (cases[i][1])
            assert_string_equal (similar, cases[i][1]);
        else
            assert_null (similar);
        free (similar);
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_join),
        cmocka_unit_test (test_absolute),
        cmocka_unit_test (test_absolute_from_here),
        cmocka_unit_test (test_inside),
        cmocka_unit_test (test_base),
        cmocka_unit_test (test_similar),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
