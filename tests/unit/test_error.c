/* SPDX-License-Identifier: BSD-3-Clause */
/* test_error.c - the sentence, its prefix, errno and truncation */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_set (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    errno = EEXIST;
    assert_int_equal (error_set (&err, "%s:%d: no", "a.yaml", 3), -1);
    assert_string_equal (err.text, "a.yaml:3: no");
    assert_int_equal (errno, EEXIST);
}

static void test_null_is_allowed (void **state)
{
    (void)state;
    assert_int_equal (error_set (NULL, "x"), -1);
    assert_int_equal (error_errno (NULL, "x"), -1);
    assert_int_equal (error_prefix (NULL, "x"), -1);
}

static void test_errno (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    errno = ENOENT;
    assert_int_equal (error_errno (&err, "cannot open '%s'", "x"), -1);
    assert_string_equal (err.text,
                         "cannot open 'x': No such file or directory");
    assert_int_equal (errno, ENOENT);
}

static void test_prefix (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    error_set (&err, "no energy");
    assert_int_equal (error_prefix (&err, "task %06d", 7), -1);
    assert_string_equal (err.text, "task 000007: no energy");
}

static void test_its_own_text_may_be_an_argument (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    error_set (&err, "inner");
    error_set (&err, "outer (%s)", err.text);
    assert_string_equal (err.text, "outer (inner)");
    error_prefix (&err, "<%s>", err.text);
    assert_string_equal (err.text, "<outer (inner)>: outer (inner)");
}

static void test_cut_between_characters (void **state)
{
    struct error err = ERROR_INIT;
    char text[1100];

    (void)state;
    memset (text, 'a', sizeof (text));
    memcpy (text + 1021, "\xe2\x82\xac", 3); /* the cut is in the euro sign */
    text[sizeof (text) - 1] = '\0';
    error_set (&err, "%s", text);
    assert_int_equal (strlen (err.text), 1021);
    text[1021] = text[1022] = text[1023] = 'b';
    error_set (&err, "%s", text);
    assert_int_equal (strlen (err.text), 1023);
    error_prefix (&err, "p");
    assert_int_equal (strlen (err.text), 1023);
    assert_memory_equal (err.text, "p: aaaa", 7);
}

/* The end says what is wrong. */
static void test_middle_of_long_text_goes (void **state)
{
    struct error err = ERROR_INIT;
    char path[5000];

    (void)state;
    memset (path, 'd', sizeof (path));
    path[sizeof (path) - 1] = '\0';
    errno = ENAMETOOLONG;
    error_errno (&err, "cannot open '%s'", path);
    error_prefix (&err, "output 'dir'");
    assert_memory_equal (err.text, "output 'dir': cannot open 'dd", 29);
    assert_non_null (strstr (err.text, "ddd...ddd"));
    assert_non_null (strstr (err.text, ": File name too long"));
}

static void test_number (void **state)
{
    static const struct {
        int number;
        bool machine_error, no_space;
    } cases[] = {
        { 0, false, false },      { ENOENT, false, false },
        { EINVAL, false, false }, { ENAMETOOLONG, false, false },
        { EIO, true, false },     { ESTALE, true, false },
        { EROFS, true, false },   { EMFILE, true, false },
        { EACCES, true, false },  { ENOSPC, true, true },
        { EDQUOT, true, true },
    };
    struct error err = ERROR_INIT, copy = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        errno = cases[i].number;
        error_errno (&err, "cannot");
        error_prefix (&err, "so");
        assert_int_equal (error_copy (&copy, &err), -1);
        assert_int_equal (copy.number, cases[i].number);
        assert_int_equal (error_is_machine_error (&copy),
                          cases[i].machine_error);
        assert_int_equal (error_is_no_space (&copy), cases[i].no_space);
        assert_int_equal (error_is_absence (&copy), cases[i].number == ENOENT);
    }
    errno = ENOENT; /* of something else, before */
    error_set (&err, "another");
    assert_int_equal (err.number, 0);
    assert_false (error_is_absence (&err));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_set),
        cmocka_unit_test (test_null_is_allowed),
        cmocka_unit_test (test_errno),
        cmocka_unit_test (test_prefix),
        cmocka_unit_test (test_its_own_text_may_be_an_argument),
        cmocka_unit_test (test_cut_between_characters),
        cmocka_unit_test (test_middle_of_long_text_goes),
        cmocka_unit_test (test_number),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
