/* SPDX-License-Identifier: BSD-3-Clause */
/* test_task_key.c - one name for a stage of an iteration, or for a task of it
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "space/task_key.h"

static const struct {
    const char *text, *stage; /* NULL: it is no key */
    int iteration, task;
} cases[] = {
    { "iter-000003--train.run-000002", "train.run", 3, 2 },
    { "iter-000003--train.run", "train.run", 3, -1 },
    { "iter-000000--a.b.c-000000", "a.b.c", 0, 0 },
    { "iter-1234567--label-1234567", "label", 1234567, 1234567 },
    { "iter-3--train-2", "train", 3, 2 },
    { "iter-", NULL, 0, 0 },
    { "iter-3", NULL, 0, 0 },
    { "iter-3-train", NULL, 0, 0 },
    { "iter-3--", NULL, 0, 0 },
    { "iter-3--train-", NULL, 0, 0 },
    { "iter-3--train-x", NULL, 0, 0 },
    { "iter-3--train-2-2", NULL, 0, 0 },
    { "iter-3--Train-2", NULL, 0, 0 },
    { "iter-3--train..run", NULL, 0, 0 },
    { "iter--3--train", NULL, 0, 0 },
    { "iter-3--dataset", NULL, 0, 0 },
    { "iter-9999999999--train", NULL, 0, 0 },
    { "train", NULL, 0, 0 },
    { "", NULL, 0, 0 },
};

static void test_parse (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct task_key key = { .iteration = -7 };
        int rc = task_key_parse (cases[i].text, &key);

        assert_int_equal (rc, cases[i].stage ? 0 : -1);
        assert_int_equal (key.iteration, rc < 0 ? -7 : cases[i].iteration);
        if (rc < 0)
            continue;
        assert_string_equal (key.stage, cases[i].stage);
        assert_int_equal (key.task, cases[i].task);
    }
}

static void test_text (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct task_key key;

    (void)state;
    task_key_text ("train.run", 3, 2, &text);
    assert_string_equal (text.buf, "iter-000003--train.run-000002");
    assert_int_equal (task_key_parse (text.buf, &key), 0);
    strbuf_reset (&text);
    task_key_text ("label", 0, -1, &text);
    assert_string_equal (text.buf, "iter-000000--label");
    strbuf_release (&text);
    assert_true (task_key_is_meant ("iter-0x"));
    assert_false (task_key_is_meant ("iteration"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_parse),
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
