/* SPDX-License-Identifier: BSD-3-Clause */
/* test_identity_index.c - which task has an identity, and is given out once */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/act/identity_index.h"
#include "handover/slice_file.h"
#include "in_temp_dir.h"
#include "quoted_json.h"
#include "space/layout.h"

/* 64 hex digits, of which 'n' are the first: half of them is looked at. */
static const char *identity_of (unsigned n)
{
    static char text[65];

    snprintf (text, sizeof (text), "%08x%056x", n, 0U);
    return text;
}

/* slices.jsonl of tasks with these identities; 0: of one that is not known. */
static void write_slices (const unsigned *identities, size_t n)
{
    struct slice_writer writer = SLICE_WRITER_INIT;
    struct json *slice = json_of ("{'x':1}");

    assert_int_equal (slice_writer_open (&writer, dir.path, NULL), 0);
    for (size_t i = 0; i < n; i++)
        assert_int_equal (
            slice_writer_add (
                &writer, slice,
                identities[i] > 0 ? identity_of (identities[i]) : NULL, NULL),
            0);
    assert_int_equal (slice_writer_commit (&writer, NULL), 0);
    slice_writer_release (&writer);
    json_unref (slice);
}

static struct identity_index index_of (const char *text)
{
    struct identity_index index = IDENTITY_INDEX_INIT;
    struct json *manifest = json_of (text);
    struct error err = ERROR_INIT;

    if (identity_index_build (&index, dir.path, manifest, NULL, &err) < 0)
        fail_msg ("%s", err.text);
    json_unref (manifest);
    return index;
}

static void test_order (void **unused)
{
    static const unsigned identities[] = { 7, 0xffffffff, 3, 0xa0000000, 0, 5 };
    struct identity_index index;

    (void)unused;
    write_slices (identities, 6);
    index = index_of ("{'sliced':true,'tasks':6}");
    assert_int_equal (index.n, 5); /* but for what is not known */
    for (size_t i = 1; i < index.n; i++)
        assert_true (memcmp (index.v[i - 1].digest, index.v[i].digest,
                             sizeof (index.v[i].digest))
                     < 0);
    for (int t = 5; t >= 0; t--) {
        if (identities[t] > 0)
            assert_int_equal (
                identity_index_take (&index, identity_of (identities[t])), t);
    }
    assert_int_equal (identity_index_take (&index, identity_of (4)), -1);
    identity_index_release (&index);
}

/* Each of two equal tasks stands for one. */
static void test_equal (void **unused)
{
    static const unsigned identities[] = { 9, 4, 9, 9 };
    struct identity_index index;

    (void)unused;
    write_slices (identities, 4);
    index = index_of ("{'sliced':true,'tasks':4}");
    assert_int_equal (identity_index_take (&index, identity_of (9)), 0);
    assert_int_equal (identity_index_take (&index, identity_of (9)), 2);
    assert_int_equal (identity_index_take (&index, identity_of (4)), 1);
    assert_int_equal (identity_index_take (&index, identity_of (9)), 3);
    assert_int_equal (identity_index_take (&index, identity_of (9)), -1);
    assert_int_equal (identity_index_take (&index, identity_of (4)), -1);
    identity_index_release (&index);
}

/* More than are read at once. */
static void test_many (void **unused)
{
    enum { MANY = 2500 };
    static unsigned identities[MANY];
    struct identity_index index;

    (void)unused;
    for (unsigned i = 0; i < MANY; i++)
        identities[i] = 1 + i * 7919 % 2503;
    write_slices (identities, MANY);
    index = index_of ("{'sliced':true,'tasks':2500}");
    assert_int_equal (index.n, MANY);
    for (int i = 0; i < MANY; i++)
        assert_int_equal (
            identity_index_take (&index, identity_of (identities[i])), i);
    identity_index_release (&index);
}

/* The identity of its one task is the stage's. */
static void test_not_sliced (void **unused)
{
    char text[128];
    struct identity_index index;

    (void)unused;
    snprintf (text, sizeof (text), "{'tasks':1,'identity':'%s'}",
              identity_of (6));
    index = index_of (text);
    assert_int_equal (identity_index_take (&index, identity_of (5)), -1);
    assert_int_equal (identity_index_take (&index, identity_of (6)), 0);
    assert_int_equal (identity_index_take (&index, identity_of (6)), -1);
    identity_index_release (&index);

    index = index_of ("{'tasks':1}"); /* not known */
    assert_int_equal (identity_index_take (&index, identity_of (6)), -1);
    assert_int_equal (identity_index_take (&index, "no digest"), -1);
    assert_int_equal (identity_index_take (&index, NULL), -1);
    identity_index_release (&index);
}

/* A number of tasks that no stage has is that of none. */
static void test_no_number (void **unused)
{
    struct identity_index index = index_of ("{'sliced':true,'tasks':-3}");

    (void)unused;
    assert_int_equal (index.n, 0);
    identity_index_release (&index);
    index = index_of ("{'sliced':true,'tasks':99999999999}");
    assert_int_equal (index.n, 0);
    identity_index_release (&index);
}

static void assert_unreadable (const char *text)
{
    struct identity_index index = IDENTITY_INDEX_INIT;
    struct json *manifest = json_of (text);
    struct error err = ERROR_INIT;

    assert_int_equal (
        identity_index_build (&index, dir.path, manifest, NULL, &err), -1);
    assert_true (err.text[0] != '\0');
    identity_index_release (&index);
    json_unref (manifest);
}

static void test_damaged (void **unused)
{
    static const unsigned identities[] = { 1, 2, 3 };

    (void)unused;
    assert_unreadable ("{'sliced':true,'tasks':3}"); /* none are there */
    write_slices (identities, 3);
    assert_unreadable ("{'sliced':true,'tasks':4}"); /* too few */
    assert_int_equal (truncate (LAYOUT_SLICES, 40), 0);
    assert_unreadable ("{'sliced':true,'tasks':3}");
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_order),     IN_DIR (test_equal),
        IN_DIR (test_many),      IN_DIR (test_not_sliced),
        IN_DIR (test_no_number), IN_DIR (test_damaged),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
