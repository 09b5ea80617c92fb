/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slice_file.c - slices of any tasks, read without those before them */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "arrays/task_range.h"
#include "base/json.h"
#include "handover/slice_file.h"
#include "in_temp_dir.h"

enum { MANY = 1000001 };

/* Task t is given {"n": t}. */
static void write_many (int n)
{
    struct slice_writer writer = SLICE_WRITER_INIT;
    struct error err = ERROR_INIT;

    unlink ("slices.index");
    assert_int_equal (slice_writer_open (&writer, ".", &err), 0);
    for (int t = 0; t < n; t++) {
        struct json *slice = json_object ();

        json_set (slice, "n", json_int (t));
        assert_int_equal (slice_writer_add (&writer, slice,
                                            t > 3 && t % 2 ? "e1" : NULL, &err),
                          0);
        json_unref (slice);
    }
    assert_int_equal (access ("slices.index", F_OK), -1);
    assert_int_equal (slice_writer_commit (&writer, &err), 0);
    slice_writer_release (&writer);
}

/* Every second one but the first has an identity; without a slice that of the
 * stage counts.
 */
static void assert_task (const struct json *slice, int32_t t)
{
    const char *identity = slice_identity (slice, "of the stage");

    assert_int_equal (json_as_int (json_get (slice, "n")), t);
    if (t > 3 && t % 2)
        assert_string_equal (identity, "e1");
    else
        assert_null (identity);
    assert_string_equal (slice_identity (NULL, "of the stage"), "of the stage");
}

/* Read 'text'; the i-th slice must be of the i-th task. */
static int read_tasks (const char *text, struct error *err)
{
    struct task_range tasks = TASK_RANGE_INIT;
    struct json *slices[64] = { NULL };
    size_t i = 0;
    int rc;

    assert_int_equal (task_range_parse (text, &tasks, NULL), 0);
    rc = slice_file_read (".", &tasks, slices, err);
    for (int32_t t = -1; (t = task_range_next (&tasks, t)) >= 0; i++) {
        if (rc == 0)
            assert_task (slices[i], t);
        json_unref (slices[i]);
    }
    task_range_release (&tasks);
    return rc;
}

/* What an element costs does not depend on where its tasks lie: the bytes
 * before them may even be gone.
 */
static void test_a_million_and_one (void **state)
{
    struct stat st;

    (void)state;
    write_many (MANY);
    assert_int_equal (stat ("slices.index", &st), 0);
    assert_int_equal (st.st_size, 8 * (MANY + 1));
    assert_int_equal (read_tasks ("0,7-9,999999-1000000", NULL), 0);
    assert_int_equal (read_tasks ("1000000", NULL), 0);
    assert_int_equal (read_tasks ("", NULL), 0);
}

static void test_no_such_task (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    write_many (3);
    assert_int_equal (read_tasks ("0-2", &err), 0);
    assert_int_equal (read_tasks ("2-3", &err), -1);
    assert_non_null (strstr (err.text, "task 000003"));
    assert_non_null (strstr (err.text, "slices.index"));
    assert_int_equal (read_tasks ("1000001", &err), -1);
    assert_non_null (strstr (err.text, "task 1000001"));
}

static void test_cut_files (void **state)
{
    struct error err = ERROR_INIT;

    (void)state;
    write_many (3);
    assert_int_equal (truncate ("slices.jsonl", 20), 0);
    assert_int_equal (read_tasks ("0-1", &err), 0);
    assert_int_equal (read_tasks ("2", &err), -1);
    assert_non_null (strstr (err.text, "slices.jsonl"));
    write_many (3);
    assert_int_equal (truncate ("slices.index", 17), 0);
    assert_int_equal (read_tasks ("0", &err), 0);
    assert_int_equal (read_tasks ("1", &err), -1);
}

/* An index of other lines is noticed, not believed. */
static void test_a_foreign_index (void **state)
{
    static const char *const lines[] = { "{\"n\":0}\n{\"n\":1}{\"n\":2}\n",
                                         "\n\n\n\n", "{\"n\":0 \n{\"n\":1}\n" };
    struct error err = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (lines); i++) {
        write_many (3);
        write_text ("slices.jsonl", lines[i]);
        err.text[0] = '\0';
        assert_int_equal (read_tasks ("0-2", &err), -1);
        assert_string_not_equal (err.text, "");
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_a_million_and_one),
        cmocka_unit_test (test_no_such_task),
        cmocka_unit_test (test_cut_files),
        cmocka_unit_test (test_a_foreign_index),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, enter, leave);
}
