/* SPDX-License-Identifier: BSD-3-Clause */
/* test_store_documents.c - documents of the store */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "store_scene.h"

enum { CREATORS = 8 };

/* What a process tells that creates the document "n" with its own number. */
static int create_document (int number)
{
    struct store *store = store_open ("s", NULL);
    struct json *v = json_object ();
    int rc;

    json_set (v, "by", json_int (number));
    rc = store_record_create (store, "numbers", "n", v, NULL);
    json_unref (v);
    store_close (store);
    return rc;
}

/* Of several who create a document one does, and the others change nothing. */
static void test_create (void **state)
{
    int created = 0, status;
    pid_t children[CREATORS];

    (void)state;
    for (int i = 0; i < CREATORS; i++) {
        if ((children[i] = fork ()) == 0)
            _exit (create_document (i) == 0 ? 0 : 1);
    }
    for (int i = 0; i < CREATORS; i++) {
        waitpid (children[i], &status, 0);
        created += WIFEXITED (status) && WEXITSTATUS (status) == 0;
    }
    assert_int_equal (created, 1);
    assert_int_equal (create_document (CREATORS), 1);
}

static void test_records (void **state)
{
    struct store *store = ((struct scene *)*state)->store;
    struct strvec names = STRVEC_INIT;
    struct error err = ERROR_INIT;
    struct json *v = NULL, *read = NULL;

    assert_int_equal (store_record_read (store, "models", "a", &read, &err), 0);
    assert_int_equal (store_record_names (store, "models", &names, &err), 0);
    assert_int_equal (names.n, 0);
    v = json_parse ("{\"n\": 1}", 8, "test", NULL);
    assert_int_equal (store_record_write (store, "models", "b", v, &err), 0);
    assert_int_equal (store_record_write (store, "models", "a.1", v, &err), 0);
    assert_int_equal (store_record_read (store, "models", "b", &read, &err), 1);
    assert_true (json_equal (v, read));
    assert_int_equal (store_record_names (store, "models", &names, &err), 0);
    assert_int_equal (names.n, 2);
    assert_string_equal (names.v[0], "a.1");
    assert_string_equal (names.v[1], "b");
    assert_int_equal (store_record_write (store, "models", "../x", v, &err),
                      -1);
    assert_int_equal (store_record_write (store, "", "x", v, &err), -1);
    assert_int_equal (store_record_create (store, "a/b", "x", v, &err), -1);
    assert_int_equal (store_record_write (store, "a/b", "x", v, &err), -1);
    strvec_release (&names);
    json_unref (read);
    json_unref (v);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        TEST (test_create),
        TEST (test_records),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
