/* SPDX-License-Identifier: BSD-3-Clause */
/* test_manifests.c - job.json, stage.json and seeds: there and back, and
 * refused
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "handover/job_manifest.h"
#include "handover/stage_manifest.h"
#include "handover/task_file.h"
#include "base/json.h"
#include "quoted_json.h"
#include "signature/task_uses.h"
#include "signature/group.h"

static struct task_span many = { 0, 1000000 };

static const struct job_manifest job = {
    .token = "a23456789012345",
    .stage_dir = (char *)"train/deepmd/iter/000003",
    .generation = 17,
    .attempt = 2,
    .chunk = 1,
    .elements = 1000,
    .tasks = { .spans = &many, .n_spans = 1 },
    .slots = 4,
    .cores = 32,
    .node = { 64, 4, 8 },
    .rules = { .bind = BIND_SPREAD, .reserved_cores = 2 },
    .task = { .ranks = 2,
              .cores = 4,
              .gpus = 1,
              .memory_bytes = (int64_t)1 << 33,
              .walltime_s = 600 },
    .element_walltime_s = 3660.5,
    .visibility_s = 60,
    .grace_s = 10,
    .log_bytes = 65536,
};

/* Through text, as between two programs. */
static struct json *through_text (struct json *v)
{
    struct strbuf text = STRBUF_INIT;
    struct json *back;

    json_dump (v, JSON_PRETTY, &text);
    back = json_parse (text.buf, text.len, "text", NULL);
    assert_non_null (back);
    json_unref (v);
    strbuf_release (&text);
    return back;
}

static void test_job_manifest (void **state)
{
    struct json *v = through_text (job_manifest_to_json (&job));
    struct job_manifest got;

    (void)state;
    assert_int_equal (job_manifest_from_json (v, &got, NULL), 0);
    assert_string_equal (got.token, job.token);
    assert_string_equal (got.stage_dir, job.stage_dir);
    assert_int_equal (got.generation, job.generation);
    assert_int_equal (got.attempt, 2);
    assert_int_equal (got.chunk, 1);
    assert_int_equal (got.elements, 1000);
    assert_int_equal (task_range_count (&got.tasks), 1000001);
    assert_int_equal (got.slots, 4);
    assert_int_equal (got.cores, 32);
    assert_int_equal (got.node.cores, 64);
    assert_int_equal (got.node.numas, 4);
    assert_int_equal (got.node.gpus, 8);
    assert_int_equal (got.rules.bind, BIND_SPREAD);
    assert_int_equal (got.rules.reserved_cores, 2);
    assert_int_equal (got.task.ranks, 2);
    assert_int_equal (got.task.memory_bytes, (int64_t)1 << 33);
    assert_true (got.element_walltime_s == 3660.5);
    assert_true (got.visibility_s == 60);
    assert_true (got.grace_s == 10);
    assert_int_equal (got.log_bytes, 65536);
    job_manifest_release (&got);
    json_unref (v);
}

/* Every key is needed, but those that were added later, and has its type. */
static void test_job_manifest_refuses (void **state)
{
    struct json *whole = job_manifest_to_json (&job);
    struct error err = ERROR_INIT;

    (void)state;
    JSON_FOREACH (whole, it) {
        const char *key = json_iter_key (it);
        struct json *v = json_deep_copy (whole);
        struct job_manifest got = { .slots = 4711 };
        bool added = strcmp (key, "cores") == 0 || strcmp (key, "rules") == 0
                     || strncmp (key, "node_", 5) == 0;

        json_delete (v, key);
        assert_int_equal (job_manifest_from_json (v, &got, &err),
                          added ? 0 : -1);
        if (added)
            job_manifest_release (&got);
        else
            assert_non_null (strstr (err.text, key));
        got = (struct job_manifest){ .slots = 4711 };
        json_set (v, key, json_array ());
        assert_int_equal (job_manifest_from_json (v, &got, &err), -1);
        assert_int_equal (got.slots, 4711);
        json_unref (v);
    }
    json_set (whole, "tasks", json_string ("0-998"));
    assert_int_equal (
        job_manifest_from_json (whole, &(struct job_manifest){ 0 }, &err), -1);
    assert_string_equal (err.text, "key 'elements': 1000 of 999 tasks");
    json_set (whole, "format", json_int (2));
    assert_int_equal (
        job_manifest_from_json (whole, &(struct job_manifest){ 0 }, NULL), -1);
    json_unref (whole);
}

static const struct port inputs[] = {
    { .name = "frame", .type = { .kind = TYPE_FRAMES } },
    { .name = "cells",
      .type = { .kind = TYPE_NPY,
                .depth = 1,
                .dtype = "f8",
                .n_dims = 2,
                .shape = { -1, 3 } },
      .optional = true,
      .holes = true },
    { .name = NULL },
};

static const struct port outputs[] = {
    { .name = "potential",
      .type = { .kind = TYPE_DIR },
      .path = "model",
      .take = "run/model" },
    { .name = NULL },
};

static const char *const fit[] = { "fit", "--seed", "{seed}", NULL };
static const char *const check[] = { "check", NULL };
static const char *const *const commands[] = { fit, check, NULL };
static const char *const launcher[] = { "mpirun", "-n", "{ranks}", "{on_nodes}",
                                        NULL };

static const char *const environment[] = { "A=1", "B={dir}", NULL };
static const char *const not_inherited[] = { "C=2", NULL };
static const int fatal_exits[] = { 2, 3, 0 };

static const char *const nodes[] = { "local", "far", NULL };
static const char *const serve[] = { "serve", "{workspace}", NULL };
static const char *const *const serving[] = { serve, NULL };
static const struct group_program programs[] = {
    { .name = "driver",
      .node = "far",
      .instances = 2,
      .needs = { .ranks = 1, .cores = 3, .nodes = 1 },
      .commands = serving },
};
static const struct group_spec group = { .nodes = nodes,
                                         .programs = programs,
                                         .n_programs = 1 };

static struct stage_manifest stage (void)
{
    return (struct stage_manifest){
        .campaign = "silicon",
        .place = { "train", "linear", 12 },
        .seed = 9007199254740991,
        .tasks = 4,
        .sliced = true,
        .inputs = inputs,
        .outputs = outputs,
        .commands = commands,
        .group = &group,
        .fatal_exits = fatal_exits,
        .launcher = launcher,
        .agents = launcher,
        .checkpoint = launcher,
        .keeps_logs = true,
        .keeps_raw = true,
        .input_files = launcher,
        .environment = environment,
        .not_inherited = not_inherited,
    };
}

static void test_stage_manifest (void **state)
{
    struct stage_manifest order = stage ();
    struct stage_manifest got = STAGE_MANIFEST_INIT;
    struct json *v;

    (void)state;
    order.values = json_object ();
    json_set (order.values, "ridge", json_real (1e-7));
    v = through_text (stage_manifest_to_json (&order));
    assert_int_equal (stage_manifest_from_json (v, &got, NULL), 0);
    json_unref (v); /* nothing of it is needed any more */
    assert_string_equal (got.campaign, "silicon");
    assert_string_equal (got.place.stage, "train");
    assert_string_equal (got.place.code, "linear");
    assert_int_equal (got.place.iteration, 12);
    assert_true (got.seed == 9007199254740991);
    assert_int_equal (got.tasks, 4);
    assert_true (got.sliced);
    assert_string_equal (got.inputs[0].name, "frame");
    assert_int_equal (got.inputs[0].type.kind, TYPE_FRAMES);
    assert_false (got.inputs[0].optional);
    assert_string_equal (got.inputs[1].type.dtype, "f8");
    assert_int_equal (got.inputs[1].type.shape[1], 3);
    assert_true (got.inputs[1].optional);
    assert_true (got.inputs[1].holes);
    assert_null (got.inputs[2].name);
    assert_string_equal (got.outputs[0].path, "model");
    assert_string_equal (got.outputs[0].take, "run/model");
    assert_null (got.outputs[1].name);
    assert_true (json_as_double (json_get (got.values, "ridge")) == 1e-7);
    assert_string_equal (got.commands[0][2], "{seed}");
    assert_null (got.commands[0][3]);
    assert_string_equal (got.commands[1][0], "check");
    assert_null (got.commands[2]);
    assert_string_equal (got.group->nodes[1], "far");
    assert_string_equal (got.group->programs[0].commands[0][0], "serve");
    assert_int_equal (got.group->programs[0].needs.cores, 3);
    assert_int_equal (got.fatal_exits[1], 3);
    assert_int_equal (got.fatal_exits[2], 0);
    assert_string_equal (got.launcher[0], "mpirun");
    assert_string_equal (got.agents[2], "{ranks}");
    assert_string_equal (got.checkpoint[0], "mpirun");
    assert_true (got.keeps_logs);
    assert_true (got.keeps_raw);
    assert_string_equal (got.input_files[0], "mpirun");
    assert_string_equal (got.environment[1], "B={dir}");
    assert_null (got.environment[2]);
    assert_string_equal (got.not_inherited[0], "C=2");
    stage_manifest_release (&got);
    stage_manifest_release (&got);
    json_unref (order.values);
}

static void test_stage_manifest_without (void **state)
{
    struct stage_manifest order = stage ();
    struct stage_manifest got = STAGE_MANIFEST_INIT;
    struct json *v;

    (void)state;
    order.inputs = order.outputs = NULL;
    order.commands = NULL;
    order.group = NULL;
    order.fatal_exits = NULL;
    order.launcher = NULL;
    order.agents = NULL;
    order.checkpoint = NULL;
    order.environment = NULL;
    order.not_inherited = NULL;
    v = through_text (stage_manifest_to_json (&order));
    assert_int_equal (stage_manifest_from_json (v, &got, NULL), 0);
    assert_null (got.inputs[0].name);
    assert_null (got.outputs[0].name);
    assert_null (got.commands[0]);
    assert_null (got.group);
    assert_null (got.fatal_exits);
    assert_null (got.launcher);
    assert_null (got.agents);
    assert_null (got.checkpoint);
    assert_null (got.environment);
    assert_null (got.not_inherited);
    assert_int_equal (json_count (got.values), 0);
    stage_manifest_release (&got);
    json_unref (v);
}

static void test_stage_manifest_refuses (void **state)
{
    static const struct {
        const char *key, *json;
    } bad[] = {
        { "format", "2" },
        { "iteration", "-1" },
        { "tasks", "100000001" },
        { "inputs", "[{\"name\": \"x\"}]" },
        { "inputs", "[7]" },
        { "commands", "[[]]" },
        { "commands", "[[\"a\", 1]]" },
        { "commands", "[\"a\"]" },
        { "group", "[]" },
        { "group", "{\"workspace\": \"private\"}" },
        { "fatal_exits", "[0]" },
        { "fatal_exits", "[256]" },
        { "fatal_exits", "[\"3\"]" },
        { "launcher", "[null]" },
        { "agents", "7" },
        { "environment", "[1]" },
        { "not_inherited", "null" },
        { "values", "[]" },
    };
    struct stage_manifest order = stage ();
    struct json *whole = stage_manifest_to_json (&order);

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct json *v = json_deep_copy (whole);
        struct stage_manifest got = { .tasks = 4711 };
        struct error err = ERROR_INIT;

        json_set (v, bad[i].key,
                  json_parse (bad[i].json, strlen (bad[i].json), "x", NULL));
        assert_int_equal (stage_manifest_from_json (v, &got, &err), -1);
        assert_non_null (strstr (err.text, bad[i].key));
        json_delete (v, bad[i].key);
        if (strcmp (bad[i].key, "group") != 0)
            assert_int_equal (stage_manifest_from_json (v, &got, &err), -1);
        assert_int_equal (got.tasks, 4711);
        json_unref (v);
    }
    json_unref (whole);
}

static void test_seeds (void **state)
{
    int64_t seed = task_seed (1, "train", 0, 0);

    (void)state;
    for (int i = 0; i < 5000; i++)
        assert_in_range (task_seed (i, "explore", i % 7, i), 1, 900000000);
    assert_int_equal (task_seed (1, "train", 0, 0), seed);
    assert_int_not_equal (task_seed (2, "train", 0, 0), seed);
    assert_int_not_equal (task_seed (1, "label", 0, 0), seed);
    assert_int_not_equal (task_seed (1, "train", 1, 0), seed);
    assert_int_not_equal (task_seed (1, "train", 0, 1), seed);
    /* Campaigns are repeated with other versions: this must never change. */
    assert_int_equal (seed, 701371194);
}

/* --- task.json --- */

static void make_task_file (int task, unsigned uses, struct json **v,
                            struct json **values)
{
    static const struct port outputs_of_task[] = {
        { .name = "frames", .type = { .kind = TYPE_FRAMES } },
        { .name = "n", .type = { .kind = TYPE_INT } },
        { .name = NULL },
    };
    const struct resources needs = { .ranks = 4, .cores = 8, .nodes = 2 };
    const struct task_file file = {
        .campaign = "silicon",
        .campaign_dir = "/c",
        .program = "/bin/fanfold",
        .place = { "train", "linear", 3 },
        .task = task,
        .seed = 7,
        .uses = uses,
        .needs = &needs,
        .launcher = launcher,
        .on_nodes = "--nodelist=a,b -x",
        .inputs = json_object (),
        .outputs = outputs_of_task,
    };
    struct error err = ERROR_INIT;

    json_set (file.inputs, "ridge", json_real (0.5));
    *v = task_file_make (&file, values, &err);
    if (!*v)
        fail_msg ("%s", err.text);
    json_unref (file.inputs);
}

/* Every placeholder that check knows has a value, and no other. */
static void expect_placeholders (const struct json *values,
                                 const char *const *known, size_t n_more)
{
    size_t n = 0;

    for (; known[n]; n++) {
        if (!json_get (values, known[n]))
            fail_msg ("no value for {%s}", known[n]);
    }
    assert_int_equal (json_count (values), n + n_more);
}

static void test_task_file (void **state)
{
    struct json *v, *values;

    (void)state;
    make_task_file (2, USES_TASK, &v, &values);
    /* ridge, outputs.frames, outputs.params; on_nodes, for launchers */
    expect_placeholders (values, operator_placeholders, 4);
    /* A word each; none where the element has a job of its own. */
    assert_string_equal (json_as_string (json_at (json_get (v, "launcher"), 3)),
                         "--nodelist=a,b");
    assert_string_equal (json_as_string (json_at (json_get (v, "launcher"), 4)),
                         "-x");
    assert_int_equal (json_count (json_get (v, "launcher")), 5);
    assert_int_equal (json_as_int (json_get (values, "cores_per_rank")), 2);
    assert_int_equal (json_as_int (json_get (values, "ranks_per_node")), 2);
    assert_string_equal (json_as_string (json_get (values, "outputs.frames")),
                         "out/frames.extxyz");
    assert_string_equal (json_as_string (json_at (json_get (v, "launcher"), 2)),
                         "4");
    assert_int_equal (json_as_int (json_get (v, "task")), 2);
    assert_null (json_get (v, "stacked"));
    json_unref (values);
    json_unref (v);
    make_task_file (TASK_FRONT, USES_ALL, &v, &values);
    /* and outputs.slices */
    expect_placeholders (values, operator_front_placeholders, 4);
    assert_true (json_is_null (json_get (v, "task")));
    assert_int_equal (json_count (json_get (v, "launcher")), 0);
    json_unref (values);
    json_unref (v);
}

/* What no program of the operator uses is not told, and need not be known. */
static void test_uses (void **state)
{
    static const struct {
        int task;
        unsigned uses;
        bool seed, number, iteration;
    } rows[] = {
        { 2, 0, false, false, false },
        { 2, USES_SEED, true, false, false },
        { 2, USES_TASK, false, true, false },
        { 2, USES_ITERATION, false, false, true },
        { 2, USES_ALL, true, true, true },
        { TASK_FRONT, 0, false, true, false }, /* null: there is none */
        { TASK_FRONT, USES_ALL, true, true, true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *v, *values;

        make_task_file (rows[i].task, rows[i].uses, &v, &values);
        assert_int_equal (json_get (v, "seed") != NULL, rows[i].seed);
        assert_int_equal (json_get (v, "task") != NULL, rows[i].number);
        assert_int_equal (json_get (v, "iteration") != NULL, rows[i].iteration);
        json_unref (values);
        json_unref (v);
    }
}

/* Those of a stage that an older program prepared are not told: all. */
static void test_uses_of_manifest (void **state)
{
    struct json *some = json_of ("['seed','iteration']");
    struct json *bad = json_of ("['seed','sed']");
    struct json *v = task_uses_to_json (USES_SEED | USES_ITERATION);
    struct error err = ERROR_INIT;
    unsigned uses = 0;

    (void)state;
    assert_true (json_equal (v, some));
    assert_int_equal (task_uses_from_json (some, &uses, &err), 0);
    assert_int_equal (uses, USES_SEED | USES_ITERATION);
    assert_int_equal (task_uses_from_json (NULL, &uses, &err), 0);
    assert_int_equal (uses, USES_ALL);
    assert_int_equal (task_uses_from_json (bad, &uses, &err), -1);
    assert_non_null (strstr (err.text, "key 'uses': [1]"));
    json_unref (v);
    json_unref (bad);
    json_unref (some);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_job_manifest),
        cmocka_unit_test (test_job_manifest_refuses),
        cmocka_unit_test (test_stage_manifest),
        cmocka_unit_test (test_stage_manifest_without),
        cmocka_unit_test (test_stage_manifest_refuses),
        cmocka_unit_test (test_seeds),
        cmocka_unit_test (test_task_file),
        cmocka_unit_test (test_uses),
        cmocka_unit_test (test_uses_of_manifest),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
