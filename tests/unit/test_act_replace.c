/* SPDX-License-Identifier: BSD-3-Clause */
/* test_act_replace.c - what makes way, whatever a killed driver has done of it
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/history/engine.h"
#include "history.h"
#include "in_temp_dir.h"
#include "space/layout.h"

#define TO ".fanfold/replaced/000001/label"

/* The driver that replaces 'label'. */
static void replace (void)
{
    static const char *const history[] = {
        "{'ev':'iteration','iteration':0}",
        "{'ev':'request','id':'r','kind':'redo','to':0,'stages':[],"
        "'fresh':[],'number':1,'moves':['label']}",
    };
    struct plan plan = { .dir = dir.path, .name = "c" };
    struct error err = ERROR_INIT;
    struct engine engine;

    if (engine_open (&engine, plan.dir, "fanfold", &err) < 0)
        fail_msg ("%s", err.text);
    engine_take_plan (&engine, &plan);
    assert_int_equal (engine_take_lease (&engine, &err), 0);
    for (size_t i = 0; i < ARRAY_SIZE (history); i++) {
        if (engine_record (&engine, json_of (history[i]), &err) < 0)
            fail_msg ("%s", err.text);
    }
    if (act_replace (&engine, NULL, &err) != ACT_DONE)
        fail_msg ("%s", err.text);
    engine_close (&engine);
}

/* No directory can take its place. */
static void assert_taken (void)
{
    assert_int_equal (file_make_dirs ("late/job", NULL), 0);
    assert_int_equal (rename ("late", TO), -1);
}

static void test_moved (void **unused)
{
    (void)unused;
    assert_int_equal (file_make_dirs ("label/job", NULL), 0);
    replace ();
    assert_true (file_exists (TO "/job"));
    assert_false (file_exists ("label"));
    assert_taken ();
}

static void test_nothing_was_there (void **unused)
{
    (void)unused;
    replace ();
    assert_taken ();
}

/* Its directory is there, and nothing in it. */
static void test_half_of_that (void **unused)
{
    (void)unused;
    assert_int_equal (file_make_dirs (TO, NULL), 0);
    replace ();
    assert_taken ();
}

/* It was moved; what is in its place now is new. */
static void test_moved_before (void **unused)
{
    (void)unused;
    assert_int_equal (file_make_dirs (TO "/job", NULL), 0);
    assert_int_equal (file_make_dirs ("label/new", NULL), 0);
    replace ();
    assert_true (file_exists ("label/new"));
    assert_false (file_exists (TO "/nothing-was-here"));
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_moved),
        IN_DIR (test_nothing_was_there),
        IN_DIR (test_half_of_that),
        IN_DIR (test_moved_before),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
