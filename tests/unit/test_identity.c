/* SPDX-License-Identifier: BSD-3-Clause */
/* test_identity.c - what the identity of a task tells apart, and what not */
#include "base/base.h"

#include <setjmp.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "base/tree_look.h"
#include "engine/act/identity.h"
#include "engine/history/outputs_store.h"
#include "handover/stage_manifest.h"
#include "quoted_json.h"
#include "signature/group.h"
#include "signature/task_uses.h"
#include "temp_dir.h"

static struct temp_dir dir;

static const struct port inputs[] = {
    { .name = "start", .type = { .kind = TYPE_FILE } },
    { .name = "frames", .type = { .kind = TYPE_FRAMES } },
    { .name = "n", .type = { .kind = TYPE_INT } },
    { 0 },
};
static const struct port outputs[] = { { .name = "energy",
                                         .type = { .kind = TYPE_FLOAT } },
                                       { 0 } };
static const char *const script[] = { "sh", "{campaign}/a.sh", "{start}",
                                      NULL };
static const char *const other_script[] = { "bash", "{campaign}/a.sh",
                                            "{start}", NULL };
static const char *const no_file[] = { "sh", "{campaign}/none", "{campaign}/",
                                       "{campaign}/{start}", NULL };
static const char *const *const commands[] = { script, NULL };
static const char *const *const other_commands[] = { other_script, NULL };
static const char *const *const no_files[] = { no_file, NULL };
static const char *const local[] = { "local", NULL };
static const char *const far[] = { "far", NULL };
static const struct group_program program_here = { .name = "a",
                                                   .node = "local",
                                                   .instances = 1,
                                                   .needs = { .cores = 1 },
                                                   .commands = commands };
static const struct group_program program_there = { .name = "a",
                                                    .node = "far",
                                                    .instances = 1,
                                                    .needs = { .cores = 1 },
                                                    .commands = commands };
static const struct group_spec group_here = { .nodes = local,
                                              .programs = &program_here,
                                              .n_programs = 1 };
/* The same work with other resources, watched. */
static const struct group_program program_large = {
    .name = "a",
    .node = "local",
    .instances = 1,
    .needs = { .cores = 8, .ranks = 4, .gpus = 1 },
    .report = { no_file, 1 },
    .commands = commands
};
static const struct group_spec group_large = { .nodes = local,
                                               .report = { no_file, 5 },
                                               .programs = &program_large,
                                               .n_programs = 1 };
/* A command that has a report. */
static const struct group_program program_reports = { .name = "command",
                                                      .node = "local",
                                                      .instances = 1,
                                                      .report = { no_file, 1 },
                                                      .commands = commands };
static const struct group_spec group_reports = { .nodes = local,
                                                 .programs = &program_reports,
                                                 .n_programs = 1 };
static const struct group_spec group_there = { .nodes = far,
                                               .programs = &program_there,
                                               .n_programs = 1 };
static const char *const launcher[] = { "mpirun", NULL };
static const int fatal_exits[] = { 3, 0 };
static const char *const files[] = { "tree", NULL };

static struct outputs_store *made;

/* What a stage made, and the digest that outputs.json has of it. */
#define MADE_FILE "label/qe/iter/000000/job/000001/out/f"
#define MADE "9ccbd3f1b19a1cdfd8d7c6ae48e9e822e2345f5be1a6187b19e41486c6941004"

static int enter (void **unused)
{
    (void)unused;
    temp_dir_enter (&dir);
    made = outputs_store_create (dir.path, NULL);
    write_text ("a.sh", "true\n");
    write_text ("start.in", "here\n");
    write_text ("copy.in", "here\n");
    write_text ("other.in", "there\n");
    assert_int_equal (file_make_dirs ("tree", NULL), 0);
    write_text ("tree/b", "one\n");
    assert_int_equal (file_make_dirs ("label/qe/iter/000000", NULL), 0);
    write_text ("label/qe/iter/000000/outputs.json",
                "{\"outputs\": {\"f\": [null, "
                "\"label/qe/iter/000000/job/000001/out/f\"]}, "
                "\"artifacts\": {\"f\": [null, {\"sha256\": \"" MADE "\"}]}}");
    assert_int_equal (
        file_make_dirs ("label/qe/iter/000000/job/000001/out", NULL), 0);
    write_text (MADE_FILE, "made\n");
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    outputs_store_destroy (made);
    temp_dir_leave (&dir);
    return 0;
}

static struct stage_manifest a_manifest (const char *values)
{
    return (struct stage_manifest){ .campaign = "c",
                                    .operator_name = "qe.label",
                                    .place = { "label", "qe", 3 },
                                    .seed = 7,
                                    .tasks = 2,
                                    .inputs = inputs,
                                    .outputs = outputs,
                                    .values = json_of (values),
                                    .commands = commands };
}

static void identity_of (struct stage_manifest *manifest,
                         char hex[DIGEST_HEX_SIZE])
{
    struct contents contents;
    struct error err = ERROR_INIT;
    struct json *parts;

    contents_init (&contents, dir.path, made, false, NULL);
    if (!(parts = identity_parts (&contents, manifest, &err)))
        fail_msg ("%s", err.text);
    stage_identity (parts, hex);
    json_unref (parts);
    contents_release (&contents);
    json_unref (manifest->values);
}

static const char values[] = "{'start':'start.in','n':4}";

static void test_same (void **unused)
{
    char base[DIGEST_HEX_SIZE], hex[DIGEST_HEX_SIZE];
    struct stage_manifest m = a_manifest (values);

    (void)unused;
    identity_of (&m, base);
    assert_int_equal (strlen (base), 64);
    m = a_manifest ("{'start':'copy.in','n':4}"); /* what is in it counts */
    m.campaign = "renamed";
    m.place = (struct stage_place){ "relabel", "other", 4, 7 };
    m.first_name = "first";
    m.seed = 8;
    m.tasks = 5;
    m.launcher = launcher;
    m.environment = launcher;
    m.not_inherited = launcher;
    m.agents = launcher;
    m.fatal_exits = fatal_exits;
    m.checkpoint = launcher;
    identity_of (&m, hex);
    assert_string_equal (hex, base);
    m = a_manifest (values);
    m.group = &group_here;
    identity_of (&m, base);
    m = a_manifest (values);
    m.group = &group_large;
    identity_of (&m, hex);
    assert_string_equal (hex, base);
    m = a_manifest (values);
    identity_of (&m, base);
    m = a_manifest (values);
    m.commands = other_commands; /* what starts a group */
    m.group = &group_reports;
    identity_of (&m, hex);
    assert_string_equal (hex, base);
}

/* What an input may hold changes no result, what an output may hold which of
 * them are taken.
 */
static void test_checks (void **unused)
{
    static const struct type_field fields[] = { { "low", ONE (FLOAT), false },
                                                { 0 } };
    static const struct type any = { .kind = TYPE_INT };
    static const struct port plain[] = {
        { .name = "map", .type = ONE (MAP) },
        { .name = "other", .type = ONE (MAP) },
        { .name = "array",
          .type = { .kind = TYPE_NPY, .n_dims = 2, .shape = { -1, 3 } } },
        { 0 },
    };
    static const struct port checked[] = {
        { .name = "map", .type = MAP_WITH (fields) },
        { .name = "other", .type = MAP_OF (any) },
        { .name = "array",
          .type = { .kind = TYPE_NPY,
                    .n_dims = 2,
                    .shape = { -1, 3 },
                    .sizes = { "batch" } } },
        { 0 },
    };
    char base[DIGEST_HEX_SIZE], hex[DIGEST_HEX_SIZE];
    struct stage_manifest m = a_manifest ("{'map':{'low':1}}");

    (void)unused;
    m.inputs = plain;
    m.outputs = plain;
    identity_of (&m, base);
    m = a_manifest ("{'map':{'low':1}}");
    m.inputs = checked;
    m.outputs = plain;
    identity_of (&m, hex);
    assert_string_equal (hex, base);
    m = a_manifest ("{'map':{'low':1}}");
    m.inputs = plain;
    m.outputs = checked;
    identity_of (&m, hex);
    assert_string_not_equal (hex, base);
}

/* By what its definition says: how many there are now. */
static size_t add_definitions (char (*hex)[DIGEST_HEX_SIZE])
{
    struct stage_manifest m = a_manifest (values);
    size_t n = 0;

    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.operator_name = "qe.other";
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.operator_version = 2; /* 0 does not state any */
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.operator_version = 3;
    identity_of (&m, hex[n++]);
    m = a_manifest ("{'start':'other.in','n':4}");
    identity_of (&m, hex[n++]);
    m = a_manifest ("{'start':'start.in','n':5}");
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.uses = USES_SEED;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.uses = USES_SEED;
    m.seed = 8;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.uses = USES_ITERATION;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.uses = USES_ITERATION;
    m.place.iteration = 4;
    identity_of (&m, hex[n++]);
    return n;
}

/* By its files and programs. */
static size_t add_programs (char (*hex)[DIGEST_HEX_SIZE], size_t n)
{
    struct stage_manifest m = a_manifest (values);

    m.files = files;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.commands = other_commands;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.commands = no_files;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.commands = no_files;
    m.group = &group_here;
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.commands = no_files;
    m.group = &group_there; /* as node_map: makes it */
    identity_of (&m, hex[n++]);
    write_text ("a.sh", "false\n"); /* what a command names */
    m = a_manifest (values);
    identity_of (&m, hex[n++]);
    m = a_manifest (values);
    m.commands = no_files;
    m.group = &group_here; /* ... and one of a group */
    identity_of (&m, hex[n++]);
    write_text ("tree/b", "other\n"); /* ... and what `files` names */
    m = a_manifest (values);
    m.files = files;
    identity_of (&m, hex[n++]);
    return n;
}

static void test_different (void **unused)
{
    char hex[20][DIGEST_HEX_SIZE];
    size_t n = add_programs (hex, add_definitions (hex));

    (void)unused;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            print_message ("# %zu and %zu\n", k, i);
            assert_string_not_equal (hex[i], hex[k]);
        }
    }
}

/* What a task is given tells it from others, and its place where that is used;
 * a frame is its text, whatever file it is in.
 */
static void test_tasks (void **unused)
{
    static const struct {
        unsigned uses;
        int task;
        const char *slice;
        int same_as; /* row */
    } rows[] = {
        { 0, 0, "{'frames':{'path':'start.in','offset':0,'bytes':4}}", 0 },
        { 0, 1, "{'frames':{'path':'start.in','offset':0,'bytes':4}}", 0 },
        { 0, 0, "{'frames':{'path':'start.in','offset':1,'bytes':4}}", 2 },
        { 0, 0, "{'frames':{'path':'other.in','offset':2,'bytes':4}}", 2 },
        { 0, 0, "{'frames':{'path':'other.in','offset':0,'bytes':4}}", 4 },
        { 0, 0, "{'n':3}", 5 },
        { 0, 7, "{'n':3}", 5 },
        { 0, 0, "{'start':null}", 7 },
        { USES_TASK, 0, "{'n':3}", 8 },
        { USES_TASK, 1, "{'n':3}", 9 },
        { USES_SEED, 0, "{'n':3}", 10 },
        { USES_SEED, 1, "{'n':3}", 11 },
        { USES_ITERATION, 1, "{'n':3}", 5 }, /* it is in the stage's */
    };
    char hex[ARRAY_SIZE (rows)][DIGEST_HEX_SIZE];
    struct stage_manifest m = a_manifest ("{}");
    struct contents contents;
    struct error err = ERROR_INIT;

    (void)unused;
    m.identity = "ef01";
    m.sliced = true;
    contents_init (&contents, dir.path, made, false, NULL);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *slice = json_of (rows[i].slice);

        m.uses = rows[i].uses;
        if (task_identity (&contents, &m, rows[i].task, slice, hex[i], &err)
            < 0)
            fail_msg ("%s", err.text);
        json_unref (slice);
        for (size_t k = 0; k <= i; k++) {
            print_message ("# %zu and %zu\n", k, i);
            assert_int_equal (strcmp (hex[i], hex[k]) == 0,
                              rows[i].same_as == rows[k].same_as);
        }
    }
    contents_release (&contents);
    json_unref (m.values);
}

/* The seed is one number, wherever it comes from. */
static void test_seed (void **unused)
{
    char hex[DIGEST_HEX_SIZE], other[DIGEST_HEX_SIZE];
    struct stage_manifest m = a_manifest (values);

    (void)unused;
    m.uses = USES_SEED;
    identity_of (&m, hex);
    m = a_manifest (values);
    m.uses = USES_SEED;
    m.place.stage = "renamed"; /* its seeds are by its first name */
    m.first_name = "label";
    identity_of (&m, other);
    assert_string_equal (hex, other);
    m = a_manifest (values);
    m.uses = USES_SEED;
    m.sliced = true; /* each task has another */
    identity_of (&m, hex);
    m = a_manifest (values);
    m.uses = USES_SEED;
    m.sliced = true;
    m.seed = 8;
    identity_of (&m, other);
    assert_string_equal (hex, other);
}

/* What two stages differ in is told by their parts. */
static void test_parts (void **unused)
{
    struct stage_manifest m = a_manifest (values);
    struct json *lists = json_of ("{'n':[1,2],'start':['start.in',null]}");
    struct contents contents;
    struct error err = ERROR_INIT;
    struct json *parts;

    (void)unused;
    m.uses = USES_ITERATION;
    contents_init (&contents, dir.path, made, false, NULL);
    parts = identity_parts (&contents, &m, &err);
    assert_non_null (parts);
    assert_int_equal (
        identity_add_sliced (&contents, inputs, lists, parts, &err), 0);
    assert_json (json_get (parts, "place"), "{'iteration':3}");
    assert_int_equal (json_count (json_get (parts, "parameters")), 1);
    assert_non_null (json_get (json_get (parts, "parameters"), "n"));
    assert_int_equal (json_count (json_get (parts, "inputs")), 1);
    assert_non_null (json_get (json_get (parts, "inputs"), "start"));
    assert_int_equal (json_count (json_get (parts, "sliced")), 2);
    assert_int_equal (json_count (json_get (parts, "files")), 1);
    assert_non_null (json_get (json_get (parts, "files"), "a.sh"));
    contents_release (&contents);
    json_unref (lists);
    json_unref (parts);
    json_unref (m.values);
}

/* What a stage made is not read again: outputs.json tells its digest. */
static void test_outputs_of_stages (void **unused)
{
    struct json *known =
        json_of ("['label/qe/iter/000000/job/000001/out/f',null]");
    struct json *gone = json_of ("['label/qe/iter/000000/out/other']");
    struct contents contents;
    struct error err = ERROR_INIT;
    struct json *v;

    (void)unused;
    contents_init (&contents, dir.path, made, false, NULL);
    v = contents_of (&contents, &inputs[0], known, &err);
    assert_json (v, "['" MADE "',null]");
    json_unref (v);
    assert_null (contents_of (&contents, &inputs[0], gone, &err));
    assert_non_null (strstr (err.text, "out/other"));
    contents_release (&contents);
    json_unref (gone);
    json_unref (known);
}

/* 1: it is what was recorded; 0: it is not, and what differs is told. */
static int made_is_same (bool always)
{
    struct json *value = json_of ("['" MADE_FILE "']");
    struct contents contents;
    struct error err = ERROR_INIT;
    struct json *v;

    contents_init (&contents, dir.path, made, always, NULL);
    v = contents_of (&contents, &inputs[0], value, &err);
    if (!v) {
        assert_non_null (strstr (err.text, MADE_FILE "' differs"));
        assert_non_null (strstr (err.text, "and was " MADE));
        assert_non_null (strstr (err.text, "redo label --iteration 0"));
    }
    json_unref (v);
    json_unref (value);
    contents_release (&contents);
    return v != NULL;
}

static void test_what_stages_made_is_compared (void **unused)
{
    struct tree_look look;
    char *seen;

    (void)unused;
    assert_true (made_is_same (false));
    write_text (MADE_FILE, "Made\n");
    assert_false (made_is_same (false));
    assert_int_equal (tree_look (MADE_FILE, &look, NULL, NULL), 0);
    seen = xasprintf ("{\"seen\": {\"" MADE_FILE "\": \"%s\"}}", look.hex);
    write_text ("label/qe/iter/000000/seen.json", seen);
    assert_true (made_is_same (false)); /* it is not read */
    assert_false (made_is_same (true));
    free (seen);
}

/* Nobody waits for what a pipe may yet tell. */
static void test_what_is_no_file_is_refused (void **unused)
{
    struct error err = ERROR_INIT;
    struct tree_look look;

    (void)unused;
    assert_int_equal (file_make_dirs ("piped/in", NULL), 0);
    assert_int_equal (mkfifo ("piped/in/pipe", 0600), 0);
    assert_int_equal (tree_look ("piped", &look, NULL, &err), -1);
    assert_non_null (strstr (err.text, "pipe' is neither file"));
    assert_int_equal (file_remove_tree ("piped", NULL, NULL), 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_same, enter, leave),
        cmocka_unit_test_setup_teardown (test_different, enter, leave),
        cmocka_unit_test_setup_teardown (test_checks, enter, leave),
        cmocka_unit_test_setup_teardown (test_tasks, enter, leave),
        cmocka_unit_test_setup_teardown (test_seed, enter, leave),
        cmocka_unit_test_setup_teardown (test_parts, enter, leave),
        cmocka_unit_test_setup_teardown (test_outputs_of_stages, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_stages_made_is_compared,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_what_is_no_file_is_refused, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
