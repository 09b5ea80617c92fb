/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_range.c - sets of task numbers, against a plain array */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/task_range.h"
#include "base/hash.h"

static void test_parse_and_format (void **state)
{
    static const struct {
        const char *in;
        const char *out; /* NULL: refused */
        size_t count;
    } cases[] = {
        { "", "", 0 },
        { "0", "0", 1 },
        { "0-9,15", "0-9,15", 11 },
        { "3-3", "3", 1 },
        { "0,1,2,3", "0-3", 4 },
        { "0-1,2-3,5", "0-3,5", 5 },
        { "999999", "999999", 1 },
        { "0-999999", "0-999999", 1000000 },
        { "007", "7", 1 },
        { "1000000", "1000000", 1 },
        { "0-1000000,1234567", "0-1000000,1234567", 1000002 },
        { "0-99999999", "0-99999999", 100000000 },
        { "100000000", NULL, 0 },
        { "2147483648", NULL, 0 },
        { "99999999999999999999", NULL, 0 },
        { "-1", NULL, 0 },
        { "1-", NULL, 0 },
        { "5-3", NULL, 0 },
        { "1,", NULL, 0 },
        { ",1", NULL, 0 },
        { "1,,2", NULL, 0 },
        { "1,1", NULL, 0 },
        { "5,1", NULL, 0 },
        { "0-5,5-6", NULL, 0 },
        { "1 ", NULL, 0 },
        { " 1", NULL, 0 },
        { "1\r", NULL, 0 },
        { "a", NULL, 0 },
        { "1-2-3", NULL, 0 },
        { "0x10", NULL, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_range range = TASK_RANGE_INIT;
        struct error err = ERROR_INIT;
        struct strbuf text = STRBUF_INIT;

        task_range_add (&range, 4711);
        if (!cases[i].out) {
            assert_int_equal (task_range_parse (cases[i].in, &range, &err), -1);
            assert_string_not_equal (err.text, "");
            assert_true (task_range_contains (&range, 4711));
        } else {
            assert_int_equal (task_range_parse (cases[i].in, &range, &err), 0);
            task_range_format (&range, &text);
            assert_string_equal (text.buf, cases[i].out);
            assert_int_equal (task_range_count (&range), cases[i].count);
        }
        strbuf_release (&text);
        task_range_release (&range);
    }
}

enum { MODEL = 64 };

static void compare (const struct task_range *range, const bool *model)
{
    size_t count = 0;
    int32_t walk = -1;

    for (int32_t i = 0; i < MODEL; i++) {
        assert_int_equal (task_range_contains (range, i), model[i]);
        if (!model[i])
            continue;
        walk = task_range_next (range, walk);
        assert_int_equal (walk, i);
        count++;
    }
    assert_int_equal (task_range_next (range, walk), -1);
    assert_int_equal (task_range_count (range), count);
    for (size_t i = 1; i < range->n_spans; i++)
        assert_true (range->spans[i].first > range->spans[i - 1].last + 1);
}

/* Two thousand random additions and removals keep the set right. */
static void test_against_a_model (void **state)
{
    struct task_range range = TASK_RANGE_INIT;
    bool model[MODEL] = { false };

    (void)state;
    for (uint64_t step = 0; step < 2000; step++) {
        uint64_t h = hash_words (1, &step, 1);
        int32_t task = (int32_t)(h % MODEL);
        int32_t last = task + (int32_t)(h >> 32) % 5;

        if (last < task || last >= MODEL)
            last = task;
        if (h >> 16 & 1) {
            task_range_remove (&range, task);
            model[task] = false;
        } else {
            task_range_add_span (&range, task, last);
            memset (model + task, true, (size_t)(last - task) + 1);
        }
        compare (&range, model);
    }
    task_range_release (&range);
}

static void test_next_from_anywhere (void **state)
{
    struct task_range range = TASK_RANGE_INIT;

    (void)state;
    assert_int_equal (task_range_parse ("3-5,9", &range, NULL), 0);
    assert_int_equal (task_range_next (&range, -1), 3);
    assert_int_equal (task_range_next (&range, 2), 3);
    assert_int_equal (task_range_next (&range, 4), 5);
    assert_int_equal (task_range_next (&range, 5), 9);
    assert_int_equal (task_range_next (&range, 9), -1);
    assert_int_equal (task_range_next (&range, INT32_MAX), -1);
    task_range_release (&range);
}

/* In pieces of any size they are all of it, in order. */
static void test_take (void **state)
{
    (void)state;
    for (int count = 1; count <= 20; count++) {
        struct task_range range = TASK_RANGE_INIT, taken = TASK_RANGE_INIT;
        struct task_cursor cursor = { 0 };

        task_range_add_span (&range, 2, 12);
        task_range_add (&range, 15);
        task_range_add_span (&range, 20, 23);
        for (int n = 0; n < 16; n += count) {
            struct task_range piece = TASK_RANGE_INIT;

            task_range_take (&range, &cursor, count, &piece);
            assert_int_equal (task_range_count (&piece),
                              16 - n < count ? 16 - n : count);
            for (int32_t t = task_range_next (&piece, -1); t >= 0;
                 t = task_range_next (&piece, t)) {
                assert_true (task_range_contains (&range, t));
                assert_false (task_range_contains (&taken, t));
                task_range_add (&taken, t);
            }
            task_range_release (&piece);
        }
        assert_int_equal (task_range_count (&taken), 16);
        task_range_release (&taken);
        task_range_release (&range);
    }
}

static void test_copy (void **state)
{
    struct task_range from = TASK_RANGE_INIT;
    struct task_range to = TASK_RANGE_INIT;

    (void)state;
    task_range_add (&to, 1);
    task_range_copy (&to, &from);
    assert_int_equal (task_range_count (&to), 0);
    task_range_add_span (&from, 2, 7);
    task_range_copy (&to, &from);
    task_range_release (&from);
    assert_int_equal (task_range_count (&to), 6);
    task_range_add (&to, 9);
    assert_int_equal (task_range_count (&to), 7);
    task_range_release (&to);
    task_range_release (&to);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_parse_and_format),
        cmocka_unit_test (test_against_a_model),
        cmocka_unit_test (test_next_from_anywhere),
        cmocka_unit_test (test_take),
        cmocka_unit_test (test_copy),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
