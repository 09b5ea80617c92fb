/* SPDX-License-Identifier: BSD-3-Clause */
/* test_generation.c - a generation appears and is superseded once, whoever
 * comes late
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/act/generation.h"
#include "engine/history/engine.h"
#include "engine/history/generations.h"
#include "in_temp_dir.h"
#include "space/layout.h"

#define PLACE "label/toy/iter/000000"
#define REPLACED ".fanfold/replaced/000003"
#define MAKING ".fanfold/making/000003"

static struct engine engine;
static struct plan plan;

static int begin (void **unused)
{
    struct error err = ERROR_INIT;

    enter (unused);
    plan = (struct plan){ .dir = dir.path, .name = "c" };
    if (engine_open (&engine, plan.dir, "fanfold", &err) < 0)
        fail_msg ("%s", err.text);
    engine_take_plan (&engine, &plan);
    assert_int_equal (engine_take_lease (&engine, &err), 0);
    return 0;
}

static int end (void **unused)
{
    engine_close (&engine);
    return leave (unused);
}

/* 'name' in 'at', of generation 'number'. */
static void put_generation (const char *at, int number, const char *name)
{
    char *manifest = xasprintf ("{\"generation\": %d}\n", number);
    char *file = xasprintf ("%s/%s", at, LAYOUT_STAGE_MANIFEST);

    temp_dir_put (dir.path, file, manifest);
    free (file);
    file = xasprintf ("%s/%s", at, name);
    temp_dir_put (dir.path, file, name);
    free (file);
    free (manifest);
}

static int number_at (const char *at)
{
    struct error err = ERROR_INIT;
    int number = -1;

    if (generation_at (&engine, at, &number, &err) < 0)
        fail_msg ("%s", err.text);
    return number;
}

/* --- what is there --- */

static void test_number (void **unused)
{
    (void)unused;
    assert_int_equal (number_at (PLACE), 0);
    assert_int_equal (file_make_dirs (PLACE, NULL), 0);
    assert_int_equal (number_at (PLACE), 0); /* somebody made a directory */
    put_generation (PLACE, 3, "old");
    assert_int_equal (number_at (PLACE), 3);
}

static void assert_refused (void)
{
    struct error err = ERROR_INIT;
    int number = 0;

    assert_int_equal (generation_at (&engine, PLACE, &number, &err), -1);
    assert_int_equal (number, 0);
    assert_string_equal (
        err.text, "'" PLACE "' holds results of no generation (no number in "
                  "its stage.json): an older program made them, or a file was "
                  "taken away; move the directory somewhere else, then run "
                  "the command again");
}

static void test_no_number (void **unused)
{
    (void)unused;
    temp_dir_put (dir.path, PLACE "/outputs.json", "{}\n");
    assert_refused ();
    temp_dir_put (dir.path, PLACE "/stage.json", "{\"format\": 1}\n");
    assert_refused ();
    temp_dir_put (dir.path, PLACE "/stage.json", "{\"generation\": -4}\n");
    assert_refused ();
}

/* No number is given twice where the journal is lost. */
static void test_highest (void **unused)
{
    (void)unused;
    assert_int_equal (generations_scan (dir.path), 0);
    put_generation (PLACE, 3, "old");
    assert_int_equal (generations_scan (dir.path), 3);
    put_generation ("select.pick/toy/iter/000002", 4, "old");
    assert_int_equal (generations_scan (dir.path), 4);
    assert_int_equal (file_make_dirs (".fanfold/run/000005", NULL), 0);
    assert_int_equal (generations_scan (dir.path), 5);
    assert_int_equal (file_make_dirs (".fanfold/replaced/000006", NULL), 0);
    assert_int_equal (generations_scan (dir.path), 6);
    assert_int_equal (file_make_dirs (".fanfold/making/000007", NULL), 0);
    assert_int_equal (generations_scan (dir.path), 7);
}

/* --- it appears --- */

static void test_appears (void **unused)
{
    struct error err = ERROR_INIT;
    char *making;

    (void)unused;
    making = generation_begin (&engine, 3, &err);
    assert_non_null (making);
    put_generation (MAKING, 3, "new");
    if (generation_appear (&engine, making, PLACE, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (number_at (PLACE), 3);
    assert_true (file_exists (PLACE "/new"));
    assert_false (file_exists (MAKING));
    assert_int_equal (access (PLACE "/new", W_OK) == 0 && geteuid () != 0, 0);
    free (making);
}

/* What killed drivers left goes; what one that came after makes stays. */
static void test_begin (void **unused)
{
    struct error err = ERROR_INIT;
    char *making;

    (void)unused;
    put_generation (".fanfold/making/000002", 2, "killed");
    put_generation (MAKING, 3, "garbage");
    put_generation (".fanfold/making/000004", 4, "another driver's");
    making = generation_begin (&engine, 3, &err);
    assert_non_null (making);
    assert_false (file_exists (".fanfold/making/000002"));
    assert_true (file_exists (MAKING));
    assert_false (file_exists (MAKING "/garbage"));
    assert_true (file_exists (".fanfold/making/000004/another driver's"));
    free (making);
}

/* Its driver goes on in the middle of that, and finds nothing to rename. */
static void go_on_late (void *tries)
{
    assert_int_equal (rename (".fanfold/making/000002", "half"), -1);
    ++*(int *)tries;
}

static void test_begin_against_late (void **unused)
{
    struct heartbeat before = engine.heartbeat;
    struct error err = ERROR_INIT;
    int tries = 0;
    char *making;

    (void)unused;
    put_generation (".fanfold/making/000002", 2, "killed");
    engine.heartbeat = (struct heartbeat){ go_on_late, &tries };
    making = generation_begin (&engine, 3, &err);
    engine.heartbeat = before;
    assert_non_null (making);
    assert_true (tries > 0);
    free (making);
}

/* One that was replaced before it let the generation appear. */
static void test_appears_late (void **unused)
{
    struct error err = ERROR_INIT;
    char *making = generation_begin (&engine, 3, &err), *other;

    (void)unused;
    assert_non_null (making);
    put_generation (MAKING, 3, "late");
    other = generation_begin (&engine, 4, &err);
    assert_non_null (other);
    put_generation (".fanfold/making/000004", 4, "new");
    assert_int_equal (generation_appear (&engine, other, PLACE, &err), 0);
    assert_int_equal (generation_appear (&engine, making, PLACE, &err), -1);
    assert_int_equal (number_at (PLACE), 4);

    put_generation (MAKING, 3, "late"); /* the source is there, still */
    assert_int_equal (generation_appear (&engine, making, PLACE, &err), -1);
    assert_int_equal (number_at (PLACE), 4);
    assert_false (file_exists (PLACE "/late"));
    free (making);
    free (other);
}

/* --- it is superseded --- */

static void supersede (void)
{
    struct error err = ERROR_INIT;

    if (generation_supersede (&engine, PLACE, 3, &err) < 0)
        fail_msg ("%s", err.text);
}

static void test_superseded (void **unused)
{
    char *replaced = generation_replaced_dir (&engine, 3);

    (void)unused;
    put_generation (PLACE, 3, "old");
    supersede ();
    assert_true (file_exists (REPLACED "/old"));
    assert_false (file_exists (PLACE));
    assert_true (file_exists (replaced));
    free (replaced);
}

/* After a crash: what is in its place then is another one. */
static void test_superseded_twice (void **unused)
{
    (void)unused;
    put_generation (PLACE, 3, "old");
    supersede ();
    put_generation (PLACE, 4, "new");
    supersede ();
    assert_int_equal (number_at (PLACE), 4);
    assert_true (file_exists (REPLACED "/old"));
    assert_false (file_exists (REPLACED "/nothing-was-here"));
}

/* Who is late, with what appeared since, finds the name taken. */
static void test_marker (void **unused)
{
    (void)unused;
    supersede ();
    assert_true (file_exists (REPLACED "/nothing-was-here"));
    put_generation (PLACE, 4, "new");
    assert_int_equal (rename (PLACE, REPLACED), -1);
    assert_int_equal (number_at (PLACE), 4);
}

/* What another host has just made is there and is not seen, like what a link to
 * nowhere is: it may be in there.
 */
static void test_no_marker_for_unseen (void **unused)
{
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (symlink ("nowhere", "label"), 0);
    assert_int_equal (generation_supersede (&engine, PLACE, 3, &err), -1);
    assert_non_null (strstr (err.text, "cannot be told yet"));
    assert_false (file_exists (REPLACED));
    unlink ("label");
    put_generation (PLACE, 3, "old");
    supersede ();
    assert_true (file_exists (REPLACED "/old"));
}

/* Killed between its directory and what is in it. */
static void test_half_marker (void **unused)
{
    (void)unused;
    assert_int_equal (file_make_dirs (REPLACED, NULL), 0);
    supersede ();
    assert_true (file_exists (REPLACED "/nothing-was-here"));
}

static void test_superseded_late (void **unused)
{
    (void)unused;
    put_generation (PLACE, 3, "old");
    supersede ();
    put_generation (PLACE, 4, "new");
    assert_int_equal (rename (PLACE, REPLACED), -1);
    assert_true (file_exists (PLACE "/new"));
    assert_true (file_exists (REPLACED "/old"));
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, begin, end)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_number),
        IN_DIR (test_no_number),
        IN_DIR (test_highest),
        IN_DIR (test_appears),
        IN_DIR (test_begin),
        IN_DIR (test_appears_late),
        IN_DIR (test_superseded),
        IN_DIR (test_superseded_twice),
        IN_DIR (test_marker),
        IN_DIR (test_half_marker),
        IN_DIR (test_superseded_late),
        IN_DIR (test_begin_against_late),
        IN_DIR (test_no_marker_for_unseen),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
