/* SPDX-License-Identifier: BSD-3-Clause */
/* test_group.c - groups: there and back, and refused */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"
#include "signature/group.h"

#include "quoted_json.h"

#define TASK                                                                   \
    "'task':{'ranks':1,'cores':2,'gpus':1,'memory_bytes':0,"                   \
    "'walltime_s':0.0,'nodes':1,'gpu_share':2},"

/* Everything a group can have. */
static const char whole[] =
    "{'workspace':'global','nodes':['local','far'],"
    "'setup':[['mkdir','{workspace}/inbox'],['touch','x']],"
    "'exit':[['rm','x']],"
    "'report':{'command':['progress','{workspace}'],'every_s':0.5},"
    "'programs':["
    "{'name':'driver','node':'far','instances':1," TASK
    "'commands':[['driver','{outputs.params}'],['driver','again']]},"
    "{'name':'force','node':'local','instances':4," TASK
    "'setup':[['make_input']],'exit':[['pack']],"
    "'per_instance':{'setup':[['mkdir','{instance}']],"
    "'exit':[['rmdir','{instance}']],"
    "'report':{'command':['tail','{instance}'],'every_s':2.0}},"
    "'commands':[['lmp','']]}]}";

static void expect_same (const char *text)
{
    struct arena *arena = arena_create ();
    struct json *v = json_of (text);
    struct error err = ERROR_INIT;
    struct group_spec group;

    if (group_from_json (v, arena, &group, &err) < 0)
        fail_msg ("%s", err.text);
    json_unref (v); /* nothing of it is needed any more */
    v = group_to_json (&group);
    assert_json (v, text);
    json_unref (v);
    arena_destroy (arena);
}

static void test_there_and_back (void **state)
{
    (void)state;
    expect_same (whole);
    expect_same ("{'workspace':'private','nodes':['local'],'programs':[]}");
}

static void test_members (void **state)
{
    struct arena *arena = arena_create ();
    struct json *v = json_of (whole);
    struct group_spec group;

    (void)state;
    assert_int_equal (group_from_json (v, arena, &group, NULL), 0);
    json_unref (v);
    assert_true (group.workspace_global);
    assert_string_equal (group.setup[1][0], "touch");
    assert_null (group.setup[2]);
    assert_true (group.report.every_s == 0.5);
    assert_int_equal (group.n_programs, 2);
    assert_ptr_equal (group.programs[0].node, group.nodes[1]);
    assert_null (group.programs[0].setup);
    assert_null (group.programs[0].report.command);
    assert_string_equal (group.programs[0].commands[1][1], "again");
    assert_int_equal (group.programs[1].instances, 4);
    assert_int_equal (group.programs[1].needs.gpu_share, 2);
    assert_string_equal (group.programs[1].instance_setup[0][0], "mkdir");
    assert_string_equal (group.programs[1].report.command[1], "{instance}");
    assert_int_equal (group_node_find (&group, "far"), 1);
    assert_int_equal (group_node_find (&group, "near"), -1);
    arena_destroy (arena);
}

#define ALONE(program)                                                         \
    "{'workspace':'private','nodes':['local'],'programs':[{'name':'a'"         \
    "," program "}]}"

static void test_refused (void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        { "{'nodes':['local'],'programs':[]}", "key 'workspace': missing" },
        { "{'workspace':'shared','nodes':['local'],'programs':[]}",
          "key 'workspace': expected private or global, got 'shared'" },
        { "{'workspace':'private','nodes':[],'programs':[]}",
          "key 'nodes': expected at least one" },
        { "{'workspace':'private','nodes':['local'],'setup':[[]],"
          "'programs':[]}",
          "key 'setup': [0]: expected a list of words" },
        { "{'workspace':'private','nodes':['local'],"
          "'report':{'command':[],'every_s':1},'programs':[]}",
          "key 'report': command: expected a program" },
        { "{'workspace':'private','nodes':['local'],"
          "'report':{'command':['a'],'every_s':0},'programs':[]}",
          "key 'report': every_s: expected more than 0" },
        { ALONE ("'node':'far','instances':1," TASK "'commands':[['a']]"),
          "key 'programs': [0]: key 'node': there is no node 'far'" },
        { ALONE ("'node':'local','instances':0," TASK "'commands':[['a']]"),
          "key 'programs': [0]: key 'instances': expected" },
        { ALONE ("'node':'local','instances':1,'task':{},'commands':[['a']]"),
          "key 'programs': [0]: key 'task': key 'ranks'" },
        { ALONE ("'node':'local','instances':1," TASK "'setup':[]"),
          "key 'programs': [0]: key 'commands'" },
        { ALONE ("'node':'local','instances':1," TASK
                 "'per_instance':{'exit':7},'commands':[['a']]"),
          "key 'programs': [0]: key 'per_instance': key 'exit'" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct arena *arena = arena_create ();
        struct json *v = json_of (rows[i].text);
        struct error err = ERROR_INIT;
        struct group_spec group = { .n_programs = 4711 };

        assert_int_equal (group_from_json (v, arena, &group, &err), -1);
        if (strncmp (err.text, rows[i].message, strlen (rows[i].message)) != 0)
            fail_msg ("%s, not %s", err.text, rows[i].message);
        assert_int_equal (group.n_programs, 4711);
        json_unref (v);
        arena_destroy (arena);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_there_and_back),
        cmocka_unit_test (test_members),
        cmocka_unit_test (test_refused),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
