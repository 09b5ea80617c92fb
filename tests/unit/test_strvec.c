/* SPDX-License-Identifier: BSD-3-Clause */
/* test_strvec.c - lists of strings */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

/* Assert that 'sv' holds exactly these, NULL-terminated. */
static void assert_list (const struct strvec *sv, const char *const *expected)
{
    size_t n = 0;

    for (; expected[n]; n++) {
        assert_true (n < sv->n);
        assert_string_equal (sv->v[n], expected[n]);
    }
    assert_int_equal (sv->n, n);
    assert_null (sv->v[n]);
}

static void test_empty (void **state)
{
    struct strvec sv = STRVEC_INIT;

    (void)state;
    assert_null (sv.v[0]);
    strvec_sort (&sv);
    assert_false (strvec_contains (&sv, ""));
    strvec_release (&sv);
    strvec_release (&sv);
    strvec_init (&sv);
    assert_null (sv.v[0]);
}

static void test_push (void **state)
{
    struct strvec sv = STRVEC_INIT;
    char *more[] = { "c", "d", NULL };
    char text[] = "a";

    (void)state;
    strvec_push (&sv, text);
    text[0] = 'x'; /* it was copied */
    strvec_pushf (&sv, "%s%d", "b", 2);
    strvec_push_all (&sv, more);
    assert_list (&sv, (const char *[]){ "a", "b2", "c", "d", NULL });
    assert_true (strvec_contains (&sv, "b2"));
    assert_false (strvec_contains (&sv, "b"));
    strvec_release (&sv);
}

static void test_many (void **state)
{
    struct strvec sv = STRVEC_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        strvec_pushf (&sv, "%d", i);
        assert_null (sv.v[sv.n]);
    }
    assert_string_equal (sv.v[999], "999");
    strvec_release (&sv);
}

static void test_sort_by_bytes (void **state)
{
    struct strvec sv = STRVEC_INIT;

    (void)state;
    strvec_split (&sv, "b a10 a9 B \xc3\xa4", " ");
    strvec_sort (&sv);
    assert_list (&sv,
                 (const char *[]){ "B", "a10", "a9", "b", "\xc3\xa4", NULL });
    strvec_release (&sv);
}

static void test_list (void **state)
{
    static const char *const cases[][2] = { { "", ">" },
                                            { "a", ">a" },
                                            { "b a b", ">b, a, b" } };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strvec sv = STRVEC_INIT;
        struct strbuf out = STRBUF_INIT;

        strbuf_add_char (&out, '>');
        strvec_split (&sv, cases[i][0], " ");
        strvec_list (&sv, &out);
        assert_string_equal (out.buf, cases[i][1]);
        strbuf_release (&out);
        strvec_release (&sv);
    }
}

static void test_split (void **state)
{
    static const struct {
        const char *text;
        const char *separators;
        const char *pieces[4];
    } cases[] = {
        { "", " ", { NULL } },
        { "   ", " ", { NULL } },
        { "one", " ", { "one", NULL } },
        { "a b", " ", { "a", "b", NULL } },
        { " a\t b ", " \t", { "a", "b", NULL } },
        { "a,b,,c", ",", { "a", "b", "c", NULL } },
        { "/usr//bin/", "/", { "usr", "bin", NULL } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strvec sv = STRVEC_INIT;

        strvec_split (&sv, cases[i].text, cases[i].separators);
        assert_list (&sv, cases[i].pieces);
        strvec_release (&sv);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_empty), cmocka_unit_test (test_push),
        cmocka_unit_test (test_many),  cmocka_unit_test (test_sort_by_bytes),
        cmocka_unit_test (test_split), cmocka_unit_test (test_list),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
