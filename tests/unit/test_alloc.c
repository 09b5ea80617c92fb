/* SPDX-License-Identifier: BSD-3-Clause */
/* test_alloc.c - growing, copying, and refusing impossible sizes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_zero_sizes_give_memory (void **state)
{
    void *p;

    (void)state;
    p = xmalloc (0);
    assert_non_null (p);
    p = xrealloc (p, 0);
    assert_non_null (p);
    free (p);
    p = xcalloc (0, 8);
    assert_non_null (p);
    free (p);
    p = try_calloc (0, 8, "nothing", NULL);
    assert_non_null (p);
    free (p);
}

static void test_calloc_zeroes (void **state)
{
    unsigned char *p = xcalloc (100, 3);

    (void)state;
    for (size_t i = 0; i < 300; i++)
        assert_int_equal (p[i], 0);
    free (p);
}

static void test_copies (void **state)
{
    char *s;

    (void)state;
    s = xstrdup ("silicon");
    assert_string_equal (s, "silicon");
    free (s);
    s = xstrndup ("silicon", 3);
    assert_string_equal (s, "sil");
    free (s);
    s = xstrndup ("si", 3);
    assert_string_equal (s, "si");
    free (s);
    s = xasprintf ("%06d/%s", 7, "out");
    assert_string_equal (s, "000007/out");
    free (s);
}

static void test_grow_array (void **state)
{
    int *v = NULL;
    size_t alloc = 0, moves = 0;

    (void)state;
    for (size_t n = 0; n < 1000; n++) {
        size_t before = alloc;

        v = grow_array (v, n, &alloc, sizeof (*v));
        assert_true (alloc > n);
        moves += alloc != before;
        v[n] = (int)n;
    }
    for (int n = 0; n < 1000; n++)
        assert_int_equal (v[n], n);
    assert_true (moves <= 10);
    free (v);
}

static void test_try_calloc_names_what_and_how_much (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    assert_null (try_calloc (SIZE_MAX / 2, 4, "frames", &err));
    assert_non_null (strstr (err.text, "frames"));
    assert_null (try_calloc (SIZE_MAX / 16, 8, "atoms", &err));
    assert_non_null (strstr (err.text, "bytes for atoms"));
}

/* The signal that ended a child that asked for too much. */
static int signal_of (void (*ask) (void))
{
    int status = 0;
    pid_t pid = fork ();

    if (pid == 0) {
        close (2);
        ask ();
        _exit (0);
    }
    assert_int_equal (waitpid (pid, &status, 0), pid);
    return WIFSIGNALED (status) ? WTERMSIG (status) : 0;
}

static void ask_overflow (void)
{
    free (xreallocarray (NULL, SIZE_MAX / 2, 3));
}

static void ask_failed (void)
{
    alloc_failed (1);
}

static void test_exhaustion_aborts (void **state)
{
    (void)state;
    assert_int_equal (signal_of (ask_overflow), SIGABRT);
    assert_int_equal (signal_of (ask_failed), SIGABRT);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_zero_sizes_give_memory),
        cmocka_unit_test (test_calloc_zeroes),
        cmocka_unit_test (test_copies),
        cmocka_unit_test (test_grow_array),
        cmocka_unit_test (test_try_calloc_names_what_and_how_much),
        cmocka_unit_test (test_exhaustion_aborts),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
