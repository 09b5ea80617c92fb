/* SPDX-License-Identifier: BSD-3-Clause */
/* test_python_path.c - where commands find the Python package */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "handover/python_path.h"
#include "temp_dir.h"

static void make_package (const char *dir, const char *at)
{
    _cleanup_free_ char *name = xasprintf ("%s/fanfold/__init__.py", at);

    temp_dir_put (dir, name, "");
}

static void assert_path (const char *program, const char *expected)
{
    _cleanup_free_ char *path = python_path (program);

    if (expected)
        assert_string_equal (path, expected);
    else
        assert_null (path);
}

static void test_places (void **state)
{
    const char *dir = *state;
    _cleanup_free_ char *program = xasprintf ("%s/bin/fanfold", dir);
    _cleanup_free_ char *built = xasprintf ("%s/bin/python", dir);
    _cleanup_free_ char *installed = xasprintf ("%s/share/fanfold/python", dir);

    assert_path (program, NULL);
    make_package (dir, "share/fanfold/python");
    assert_path (program, installed);
    make_package (dir, "bin/python");
    assert_path (program, built);
}

static char *with_package (const char *entry, const char *package)
{
    const char *at = strstr (entry, "%s");

    return at ? xasprintf ("%.*s%s%s", (int)(at - entry), entry, package,
                           at + 2)
              : xstrdup (entry);
}

static void test_add (void **state)
{
    const char *dir = *state;
    _cleanup_free_ char *package = xasprintf ("%s/python", dir);
    const struct {
        const char *before, *after; /* "%s": the package */
    } rows[] = {
        { NULL, "PYTHONPATH=%s" },
        { "PYTHONPATH=", "PYTHONPATH=%s" },
        { "PYTHONPATH=/mine", "PYTHONPATH=/mine:%s" },
        { "PYTHONPATH=/mine:/b", "PYTHONPATH=/mine:/b:%s" },
        { "PYTHONPATH=/mine:%s", "PYTHONPATH=/mine:%s" },
        { "PYTHONPATH=%s:/mine", "PYTHONPATH=%s:/mine" },
    };

    make_package (dir, "python");
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;
        _cleanup_free_ char *after = with_package (rows[i].after, package);
        _cleanup_free_ char *before =
            rows[i].before ? with_package (rows[i].before, package) : NULL;

        strvec_push (&env, "PYTHONPATHS=/no");
        if (before)
            strvec_push (&env, before);
        python_path_append (package, &env);
        assert_int_equal (env.n, 2);
        assert_string_equal (env.v[0], "PYTHONPATHS=/no");
        assert_string_equal (env.v[1], after);
    }
}

static void test_no_package (void **state)
{
    const char *dir = *state;
    _cleanup_free_ char *program = xasprintf ("%s/fanfold", dir);
    _cleanup_free_ char *colon = xasprintf ("%s/a:b/fanfold", dir);
    _cleanup_ (strvec_release) struct strvec env = STRVEC_INIT;

    assert_path (program, NULL);
    make_package (dir, "a:b/python");
    assert_path (colon, NULL); /* it would be two entries */
    python_path_append (NULL, &env);
    assert_int_equal (env.n, 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_places, temp_dir_setup,
                                         temp_dir_teardown),
        cmocka_unit_test_setup_teardown (test_add, temp_dir_setup,
                                         temp_dir_teardown),
        cmocka_unit_test_setup_teardown (test_no_package, temp_dir_setup,
                                         temp_dir_teardown),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
