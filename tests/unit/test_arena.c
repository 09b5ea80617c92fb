/* SPDX-License-Identifier: BSD-3-Clause */
/* test_arena.c - alignment, zeroes, big and many pieces */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"

static void test_destroy_null (void **state)
{
    (void)state;
    arena_destroy (NULL);
    arena_destroy (arena_create ());
}

static void test_aligned_and_zeroed (void **state)
{
    struct arena *arena = arena_create ();

    (void)state;
    for (size_t size = 0; size < 5000; size += 37) {
        unsigned char *p = arena_alloc (arena, size);

        assert_int_equal ((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal (p[i], 0);
        memset (p, 0xff, size); /* the next one must not see it */
    }
    arena_destroy (arena);
}

static void test_bigger_than_a_block (void **state)
{
    struct arena *arena = arena_create ();
    char *small = arena_strdup (arena, "before");
    char *big = arena_alloc (arena, 1 << 20);
    char *after = arena_strdup (arena, "after");

    (void)state;
    memset (big, 'x', 1 << 20);
    assert_string_equal (small, "before");
    assert_string_equal (after, "after");
    arena_destroy (arena);
}

static void test_array (void **state)
{
    struct arena *arena = arena_create ();
    double *v = arena_array (arena, 1000, sizeof (*v));

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_true (v[i] == 0);
    assert_non_null (arena_array (arena, 0, sizeof (*v)));
    arena_destroy (arena);
}

static void test_text (void **state)
{
    struct arena *arena = arena_create ();

    (void)state;
    assert_string_equal (arena_strdup (arena, ""), "");
    assert_string_equal (arena_strndup (arena, "label", 3), "lab");
    assert_string_equal (arena_strndup (arena, "la", 3), "la");
    assert_string_equal (arena_printf (arena, "%s/%06d", "iter", 3),
                         "iter/000003");
    assert_int_equal (strlen (arena_printf (arena, "%50000s", "")), 50000);
    arena_destroy (arena);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_destroy_null),
        cmocka_unit_test (test_aligned_and_zeroed),
        cmocka_unit_test (test_bigger_than_a_block),
        cmocka_unit_test (test_array),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
