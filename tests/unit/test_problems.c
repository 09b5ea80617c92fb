/* SPDX-License-Identifier: BSD-3-Clause */
/* test_problems.c - collecting, ordering, and guessing what was meant */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/problems.h"

static void assert_format (const struct problems *problems,
                           const char *expected)
{
    struct strbuf out = STRBUF_INIT;

    problems_format (problems, &out);
    assert_string_equal (out.buf, expected);
    strbuf_release (&out);
}

static void test_add (void **state)
{
    struct problems problems = PROBLEMS_INIT;
    char file[] = "a.yaml";

    (void)state;
    assert_int_equal (problems_add (&problems, (struct mark){ file, 3, 7 },
                                    "unknown key '%s'; did you mean '%s'; yes",
                                    "coers", "cores"),
                      -1);
    file[0] = 'b'; /* it was copied */
    problems_add (&problems, (struct mark){ "a.yaml", 0, 0 }, "is empty");
    problems_add (&problems, (struct mark){ NULL, 0, 0 }, "no site; add one");
    assert_int_equal (problems.n, 3);
    assert_string_equal (problems.v[0].message, "unknown key 'coers'");
    assert_string_equal (problems.v[0].remedy, "did you mean 'cores'; yes");
    assert_string_equal (problems.v[1].remedy, "");
    assert_format (&problems,
                   "a.yaml:3:7: unknown key 'coers'; did you mean 'cores'; "
                   "yes\n"
                   "a.yaml: is empty\n"
                   "no site; add one\n");
    problems_release (&problems);
    problems_release (&problems);
    assert_format (&problems, "");
}

static void test_one_line_each (void **state)
{
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    problems_add (&problems, (struct mark){ "a", 1, 2 }, "'%s'; write one line",
                  "x\ny\x1b[2J\x7f\tz\xc3\xa9");
    assert_format (&problems, "a:1:2: 'x?y?[2J??z\xc3\xa9'; write one line\n");
    problems_release (&problems);
}

static void test_null_collector (void **state)
{
    (void)state;
    assert_int_equal (problems_add (NULL, (struct mark){ "a", 1, 1 }, "x"), -1);
}

static void test_warnings (void **state)
{
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    problems_warn (&problems, (struct mark){ "a", 2, 1 }, "'>'; write sh");
    assert_int_equal (problems_errors (&problems), 0);
    problems_add (&problems, (struct mark){ "a", 1, 1 }, "no %s; add it", "x");
    assert_int_equal (problems_errors (&problems), 1);
    problems_sort (&problems);
    assert_format (&problems, "a:1:1: no x; add it\n"
                              "a:2:1: warning: '>'; write sh\n");
    problems_warn (NULL, (struct mark){ "a", 1, 1 }, "x");
    problems_release (&problems);
    assert_int_equal (problems_errors (&problems), 0);
}

static void test_said_once (void **state)
{
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    for (int i = 0; i < 3; i++) {
        problems_warn (&problems, (struct mark){ "a", 1, 1 }, "w; x");
        problems_add (&problems, (struct mark){ "a", 1, 1 }, "e; x");
        problems_add (&problems, (struct mark){ "a", 1, 1 + i }, "e; y");
        problems_add (&problems, (struct mark){ NULL, 0, 0 }, "e; x");
    }
    assert_int_equal (problems_errors (&problems), 9);
    problems_sort (&problems);
    assert_format (&problems, "e; x\n"
                              "a:1:1: warning: w; x\n"
                              "a:1:1: e; x\n"
                              "a:1:1: e; y\n"
                              "a:1:2: e; y\n"
                              "a:1:3: e; y\n");
    assert_int_equal (problems_errors (&problems), 5);
    problems_release (&problems);
}

static void test_sort_is_stable (void **state)
{
    static const struct mark marks[] = {
        { "b", 1, 1 }, { "a", 2, 9 },  { "a", 2, 1 }, { NULL, 0, 0 },
        { "a", 2, 9 }, { "a", 10, 1 }, { "a", 0, 0 },
    };
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    problems_sort (&problems);
    for (size_t i = 0; i < ARRAY_SIZE (marks); i++)
        problems_add (&problems, marks[i], "%zu", i);
    problems_sort (&problems);
    assert_format (&problems, "3\n"
                              "a: 6\n"
                              "a:2:1: 2\n"
                              "a:2:9: 1\n"
                              "a:2:9: 4\n"
                              "a:10:1: 5\n"
                              "b:1:1: 0\n");
    problems_release (&problems);
}

static void test_sort_drops_copies (void **state)
{
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    for (int i = 0; i < 3; i++) {
        problems_add (&problems, (struct mark){ "a", 2, 1 }, "b; fix it");
        problems_add (&problems, (struct mark){ "a", 2, 1 }, "a; fix it");
        problems_add (&problems, (struct mark){ "a", 2, 1 }, "a; fix this");
        problems_add (&problems, (struct mark){ "a", 1, 1 }, "b; fix it");
    }
    problems_sort (&problems);
    assert_format (&problems, "a:1:1: b; fix it\n"
                              "a:2:1: b; fix it\n"
                              "a:2:1: a; fix it\n"
                              "a:2:1: a; fix this\n");
    problems_release (&problems);
}

static void test_sort_many (void **state)
{
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++)
        problems_add (&problems, (struct mark){ "a", 1 + i * 7 % 100, 1 }, "%d",
                      i);
    problems_sort (&problems);
    for (size_t i = 1; i < problems.n; i++)
        assert_true (problems.v[i - 1].line <= problems.v[i].line);
    problems_release (&problems);
}

static void test_nearest_word (void **state)
{
    static const struct {
        const char *word;
        const char *nearest;
    } cases[] = {
        { "cores", "cores" },
        { "coers", "cores" }, /* neighbours swapped */
        { "core", "cores" },  /* one short */
        { "walltimes", "walltime" },
        { "waltime", "walltime" },
        { "wall_time", "walltime" },
        { "memroy", "memory" },
        { "gpu", "gpus" },
        { "g", NULL },        /* 3 of 4 letters: another word */
        { "nodes", "cores" }, /* 2 of 5 may differ */
        { "account", NULL },
        { "", NULL },
        { "completely different", NULL },
    };
    struct strvec candidates = STRVEC_INIT;

    (void)state;
    assert_null (nearest_word ("cores", &candidates));
    strvec_split (&candidates, "cores gpus memory walltime", " ");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *nearest = nearest_word (cases[i].word, &candidates);

        if (!cases[i].nearest)
            assert_null (nearest);
        else
            assert_string_equal (nearest, cases[i].nearest);
    }
    strvec_release (&candidates);
}

static void test_nearest_word_hostile (void **state)
{
    struct strvec candidates = STRVEC_INIT;
    struct strbuf word = STRBUF_INIT;

    (void)state;
    strbuf_addf (&word, "%100000s", "");
    strvec_push (&candidates, word.buf);
    assert_null (nearest_word (word.buf, &candidates));
    assert_null (nearest_word ("x", &candidates));
    strbuf_release (&word);
    strvec_release (&candidates);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_add),
        cmocka_unit_test (test_one_line_each),
        cmocka_unit_test (test_null_collector),
        cmocka_unit_test (test_warnings),
        cmocka_unit_test (test_said_once),
        cmocka_unit_test (test_sort_is_stable),
        cmocka_unit_test (test_sort_drops_copies),
        cmocka_unit_test (test_sort_many),
        cmocka_unit_test (test_nearest_word),
        cmocka_unit_test (test_nearest_word_hostile),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
