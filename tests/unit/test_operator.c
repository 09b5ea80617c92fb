/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operator.c - ports, output types and resources */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "signature/group.h"
#include "signature/operator.h"
#include "signature/operator_uses.h"

static const struct port outputs[] = {
    { .name = "model", .type = { .kind = TYPE_FILE } },
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { 0 },
};
static const struct port collected[] = {
    { .name = "dataset", .type = { .kind = TYPE_FRAMES } },
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { 0 },
};
static const struct port slices[] = {
    { .name = "scale", .type = { .kind = TYPE_FLOAT } },
    { 0 },
};
static const char *const fan_out[] = { "model", NULL };
static const char *const no_fan_out[] = { NULL };

static const struct operator_spec plain = { .outputs = outputs,
                                            .fan_out = no_fan_out };
static const struct operator_spec sliced = { .outputs = outputs,
                                             .fan_out = fan_out };
static const struct operator_spec prepared = { .outputs = outputs,
                                               .slices = slices,
                                               .collected = collected };

static void test_port_find (void **state)
{
    (void)state;
    assert_ptr_equal (port_find (outputs, "rmse"), &outputs[1]);
    assert_null (port_find (outputs, "rms"));
    assert_null (port_find (NULL, "rmse"));
}

static void test_fans_out (void **state)
{
    (void)state;
    assert_false (operator_fans_out (&plain));
    assert_true (operator_fans_out (&sliced));
    assert_true (operator_fans_out (&prepared));
}

static void test_output_types (void **state)
{
    static const struct {
        const struct operator_spec *op;
        const char *name, *type; /* NULL: there is none */
    } rows[] = {
        { &plain, "model", "file" },
        { &sliced, "model", "list of file" },
        { &sliced, "rmse", "list of float" },
        { &sliced, "count", "int" },
        { &plain, "proceed", "bool" },
        { &sliced, "dataset", NULL },
        { &prepared, "dataset", "frames" },
        { &prepared, "rmse", "float" },
        { &prepared, "model", "list of file" },
        { &prepared, "scale", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf text = STRBUF_INIT;
        struct type type = { .kind = TYPE_NONE };

        assert_int_equal (
            operator_output_type (rows[i].op, rows[i].name, &type),
            rows[i].type != NULL);
        type_describe (&type, &text);
        assert_string_equal (text.buf, rows[i].type ? rows[i].type : "none");
        strbuf_release (&text);
    }
}

static const char *const train[] = { "train", "--seed={seed}", NULL };
static const char *const freeze[] = { "freeze", "{model}", "{{task}}", NULL };
static const char *const watch[] = { "watch", "{iteration}", NULL };
static const char *const runner[] = { "{fanfold}", "group", NULL };
static const char *const *const both[] = { train, freeze, NULL };
static const char *const *const last[] = { freeze, NULL };
static const char *const *const run_group[] = { runner, NULL };
static const char *const reads[] = { "task", NULL };

static const struct group_program programs[] = {
    { .name = "first", .script = "work --seeds 3\n" },
    { .name = "second",
      .instance_setup = both,
      .report = { .command = watch } },
};

static const struct group_spec group = { .programs = programs,
                                         .n_programs = 2 };

static void test_uses (void **state)
{
    static const struct {
        struct operator_spec op;
        bool seed, task, iteration;
    } rows[] = {
        { { .name = "nothing" }, false, false, false },
        { { .commands = both }, true, false, false },
        { { .commands = last }, false, false, false },
        { { .commands = last, .reads = reads }, false, true, false },
        { { .script = "train --seed \"$seed\"\n" }, true, false, false },
        { { .script = "train $my_seed $seeds seed2\n" }, false, false, false },
        { { .script = "os.environ['iteration'],task" }, false, true, true },
        { { .script = "seed_of seed" }, true, false, false },
        { { .script = "json.load(open('task.json'))" }, false, false, false },
        { { .script = "cp in task.json; f $task.json" }, false, true, false },
        { { .script = "f ${task.seed}" }, true, true, false },
        { { .script = "#!/usr/bin/python3\n"
                      "  from fanfold import task, worker\n"
                      "print(task.inputs.a, f (task))" },
          false,
          false,
          false },
        { { .script = "from fanfold import task\nprint(task.seed)" },
          true,
          false,
          false },
        { { .script = "from fanfold import task\nprint(task.number)" },
          false,
          true,
          false },
        { { .script = "import fanfold\nfanfold.task.params (a=1)" },
          false,
          false,
          false },
        { { .script = "from fanfold import task\nos.environ['task']" },
          false,
          true,
          false },
        { { .script = "print(task.inputs)" }, false, true, false },
        { { .commands = run_group, .group = &group }, true, false, true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        assert_int_equal (operator_uses (&rows[i].op, "seed"), rows[i].seed);
        assert_int_equal (operator_uses (&rows[i].op, "task"), rows[i].task);
        assert_int_equal (operator_uses (&rows[i].op, "iteration"),
                          rows[i].iteration);
    }
}

static void test_resources_round_trip (void **state)
{
    const struct resources given = { .ranks = 4,
                                     .cores = 8,
                                     .gpus = 1,
                                     .memory_bytes = INT64_C (1) << 40,
                                     .walltime_s = 90.5,
                                     .nodes = 2 };
    struct resources back;
    struct json *v = resources_to_json (&given);

    (void)state;
    assert_int_equal (resources_from_json (v, &back, NULL), 0);
    assert_int_equal (back.ranks, 4);
    assert_int_equal (back.cores, 8);
    assert_int_equal (back.gpus, 1);
    assert_true (back.memory_bytes == given.memory_bytes);
    assert_true (back.walltime_s == given.walltime_s);
    assert_int_equal (back.nodes, 2);
    json_delete (v, "nodes");
    assert_int_equal (resources_from_json (v, &back, NULL), 0);
    assert_int_equal (back.nodes, 1);
    json_unref (v);
}

static void test_resources_of_node (void **state)
{
    const struct resources task = { .ranks = 6,
                                    .cores = 12,
                                    .gpus = 5,
                                    .memory_bytes = 7,
                                    .walltime_s = 60,
                                    .nodes = 3 };
    const struct resources one = {
        .ranks = 6, .cores = 12, .gpus = 5, .memory_bytes = 7, .walltime_s = 60
    };
    struct resources share = resources_of_node (&task);

    (void)state;
    assert_int_equal (share.nodes, 1);
    assert_int_equal (share.ranks, 2);
    assert_int_equal (share.cores, 4);
    assert_int_equal (share.gpus, 2);
    assert_int_equal (share.memory_bytes, 3);
    assert_true (share.walltime_s == 60);
    share = resources_of_node (&one);
    assert_int_equal (share.cores, 12);
    assert_int_equal (share.gpus, 5);
    assert_int_equal (share.nodes, 1);
}

static void test_bad_resources (void **state)
{
    static const struct {
        const char *key;
        int64_t value;
        const char *message;
    } rows[] = {
        { "ranks", 0, "key 'ranks': expected 1 or more, got 0" },
        { "cores", -1, "key 'cores': expected 1 or more, got -1" },
        { "cores", INT64_C (1) << 40, "key 'cores': " },
        { "gpus", -1, "key 'gpus': expected 0 or more, got -1" },
        { "memory_bytes", -1,
          "key 'memory_bytes': expected 0 or more, got -1" },
        { "walltime_s", -1, "key 'walltime_s': expected 0 or more, got -1" },
        { "cores", 3, "3 cores cannot be shared by 2 ranks" },
        { "nodes", 3, "2 ranks cannot be shared by 3 nodes" },
        { "nodes", 0, "key 'nodes': expected 1 or more, got 0" },
    };
    const struct resources given = { .ranks = 2, .cores = 2 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *v = resources_to_json (&given);
        struct resources back = { .gpus = 7 };
        struct error err = ERROR_INIT;

        json_set (v, rows[i].key, json_int (rows[i].value));
        assert_int_equal (resources_from_json (v, &back, &err), -1);
        if (!strstr (err.text, rows[i].message))
            fail_msg ("'%s' is not in '%s'", rows[i].message, err.text);
        assert_int_equal (back.gpus, 7);
        json_set (v, rows[i].key, json_string ("2"));
        assert_int_equal (resources_from_json (v, &back, &err), -1);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_port_find),
        cmocka_unit_test (test_fans_out),
        cmocka_unit_test (test_output_types),
        cmocka_unit_test (test_uses),
        cmocka_unit_test (test_resources_round_trip),
        cmocka_unit_test (test_resources_of_node),
        cmocka_unit_test (test_bad_resources),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
