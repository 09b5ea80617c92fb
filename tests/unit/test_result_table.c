/* SPDX-License-Identifier: BSD-3-Clause */
/* test_result_table.c - results of tasks are found by their identity */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "engine/act/origins.h"
#include "engine/act/result_table.h"
#include "in_temp_dir.h"
#include "quoted_json.h"

/* 64 digits that sort by 'key'. */
static const char *identity (int key, char hex[DIGEST_HEX_SIZE])
{
    snprintf (hex, DIGEST_HEX_SIZE, "%08x%056d", (unsigned)key * 2654435761u,
              key);
    return hex;
}

/* Tasks 0 to n - 1, of which 'twins' have the identity of the one before. */
static void write_table (int n, int twin)
{
    struct table_writer writer = TABLE_WRITER_INIT;
    struct error err = ERROR_INIT;
    char hex[DIGEST_HEX_SIZE];

    if (table_writer_open (&writer, "lines", "index", &err) < 0)
        fail_msg ("%s", err.text);
    for (int t = 0; t < n; t++) {
        struct json *v = json_object ();

        json_set (v, "task", json_int (t));
        assert_int_equal (
            table_writer_add (&writer, identity (t == twin ? t - 1 : t, hex), t,
                              v, &err),
            0);
        json_unref (v);
    }
    if (table_writer_commit (&writer, &err) < 0)
        fail_msg ("%s", err.text);
    table_writer_release (&writer);
}

/* The task that has it, by the line, too; -1. */
static int32_t take (struct result_table *table, const char *wanted)
{
    int64_t number = result_table_take (table, wanted);
    struct error err = ERROR_INIT;
    struct table_entry entry;
    struct json *v;

    if (number < 0)
        return -1;
    assert_int_equal (result_table_entry (table, number, &entry, &err), 0);
    assert_string_equal (entry.identity, wanted);
    v = result_table_read (table, entry.offset, &err);
    assert_int_equal (json_get_int (v, "task"), entry.task);
    json_unref (v);
    return entry.task;
}

static void test_found (void **unused)
{
    struct result_table table = RESULT_TABLE_INIT;
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;

    (void)unused;
    write_table (1000, -1);
    assert_int_equal (result_table_open (&table, "lines", "index", &err), 0);
    assert_int_equal (table.n, 1000);
    unlink ("lines"); /* they are open */
    unlink ("index");
    for (int t = 999; t >= 0; t--)
        assert_int_equal (take (&table, identity (t, hex)), t);
    assert_int_equal (take (&table, identity (5, hex)), -1); /* was taken */
    assert_int_equal (take (&table, identity (1000, hex)), -1);
    result_table_release (&table);
}

static void test_equal_tasks (void **unused)
{
    struct result_table table = RESULT_TABLE_INIT;
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;

    (void)unused;
    write_table (10, 4);
    assert_int_equal (result_table_open (&table, "lines", "index", &err), 0);
    assert_int_equal (take (&table, identity (3, hex)), 3);
    assert_int_equal (take (&table, identity (3, hex)), 4);
    assert_int_equal (take (&table, identity (3, hex)), -1);
    assert_int_equal (take (&table, identity (4, hex)), -1);
    result_table_release (&table);
}

static void test_empty_and_long (void **unused)
{
    struct result_table table = RESULT_TABLE_INIT;
    struct table_writer writer = TABLE_WRITER_INIT;
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;
    struct json *v = json_object (), *list = json_array ();

    (void)unused;
    write_table (0, -1);
    assert_int_equal (result_table_open (&table, "lines", "index", &err), 0);
    assert_int_equal (take (&table, identity (0, hex)), -1);
    result_table_release (&table);
    for (int i = 0; i < 30000; i++)
        json_push (list, json_int (i));
    json_set (v, "task", json_int (7));
    json_set (v, "list", list);
    assert_int_equal (table_writer_open (&writer, "lines", "index", &err), 0);
    table_writer_add (&writer, identity (7, hex), 7, v, &err);
    assert_int_equal (table_writer_commit (&writer, &err), 0);
    table_writer_release (&writer);
    assert_int_equal (result_table_open (&table, "lines", "index", &err), 0);
    assert_int_equal (take (&table, hex), 7);
    result_table_release (&table);
    json_unref (v);
}

/* Nothing is taken from what is damaged. */
static void test_damaged (void **unused)
{
    struct result_table table = RESULT_TABLE_INIT;
    char hex[DIGEST_HEX_SIZE];
    struct error err = ERROR_INIT;
    struct table_entry entry;

    (void)unused;
    assert_int_equal (result_table_open (&table, "lines", "none", &err), -1);
    write_text ("lines", "{\"task\": 0}\n");
    write_text ("index", "short\n");
    assert_int_equal (result_table_open (&table, "lines", "index", &err), -1);
    assert_non_null (strstr (err.text, "no list of results"));
    write_text ("index",
                "no identity ------------------------------------------------"
                "-----------------------------------\n");
    assert_int_equal (result_table_open (&table, "lines", "index", &err), 0);
    assert_int_equal (take (&table, identity (0, hex)), -1);
    assert_int_equal (result_table_entry (&table, 0, &entry, &err), -1);
    assert_null (result_table_read (&table, 1000, &err));
    result_table_release (&table);
}

static void test_origins (void **unused)
{
    struct json *a =
        json_of ("{'campaign':'/a','stage':'s','iteration':0,'task':9}");
    struct json *b = json_of ("{'campaign':'/a','stage':'s','iteration':1}");
    struct origins origins = { 0 };
    struct json *v;

    (void)unused;
    assert_null (origins_to_json (&origins));
    origins_add (&origins, NULL, 0);
    assert_null (origins_to_json (&origins));
    origins_add (&origins, a, 1);
    origins_add (&origins, b, 2);
    origins_add (&origins, a, 3);
    origins_add (&origins, a, 4);
    v = origins_to_json (&origins);
    assert_json (v, "[{'campaign':'/a','stage':'s','iteration':0,"
                    "'tasks':'1,3-4'},"
                    "{'campaign':'/a','stage':'s','iteration':1,'tasks':'2'}]");
    json_unref (v);
    origins_release (&origins);
    json_unref (a);
    json_unref (b);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_found, enter, leave),
        cmocka_unit_test_setup_teardown (test_equal_tasks, enter, leave),
        cmocka_unit_test_setup_teardown (test_empty_and_long, enter, leave),
        cmocka_unit_test_setup_teardown (test_damaged, enter, leave),
        cmocka_unit_test (test_origins),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
