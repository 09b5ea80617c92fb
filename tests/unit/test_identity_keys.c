/* SPDX-License-Identifier: BSD-3-Clause */
/* test_identity_keys.c - which keys of stage.json, of an operator and of an
 * identity's parts another digest comes from
 *
 * Tables with a row for each key: one that stage.json gets and that has none is
 * an error here.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "engine/act/identity.h"
#include "handover/stage_manifest.h"
#include "in_temp_dir.h"
#include "quoted_json.h"
#include "signature/operator.h"
#include "signature/template.h"

/* Every key that stage.json can have. */
static const char whole[] =
    "{'format':1,'campaign':'c','operator':'qe.label','version':2,"
    "'stage':'label','first_name':'first','code':'qe','iteration':3,"
    "'generation':17,'seed':7,"
    "'tasks':2,'sliced':false,'uses':[],'identity':'ab','parts':{'version':'a'}"
    ","
    "'definition':'cd','files':['tree'],"
    "'inputs':[{'name':'n','type':{'kind':'int','depth':0},'optional':false,"
    "'holes':false}],"
    "'outputs':[{'name':'e','type':{'kind':'float','depth':0},'optional':false,"
    "'holes':false}],"
    "'values':{'n':4},'commands':[['sh','-c','true']],'called':true,"
    "'script':'true','worker':false,"
    "'group':{'workspace':'private','nodes':['local'],'folded':['far'],"
    "'setup':[['true']],'exit':[['true']],"
    "'report':{'command':['true'],'every_s':1.0},"
    "'programs':[{'name':'a','node':'local','instances':1,"
    "'task':{'ranks':1,'cores':1,'gpus':0,'memory_bytes':0,'walltime_s':0.0},"
    "'setup':[['true']],'exit':[['true']],"
    "'per_instance':{'setup':[['true']],'exit':[['true']],"
    "'report':{'command':['true'],'every_s':1.0}},"
    "'commands':[['true']],'script':'true'}]},"
    "'image':'docker://a','env':['A=1'],'container':['run','{image}'],"
    "'fatal_exits':[3],'checkpoint':['x'],'launcher':['mpirun'],"
    "'agents':['ssh'],'environment':['B=1'],'not_inherited':['C']}";

/* A command that has a report: it runs as a group of one program. */
static const char with_report[] =
    "{'format':1,'campaign':'c','stage':'label','code':'qe','iteration':3,"
    "'generation':17,'seed':7,'tasks':1,'sliced':false,'uses':[],'inputs':[],'"
    "outputs':[],"
    "'values':{},'commands':[['fanfold','group']],"
    "'group':{'workspace':'private','nodes':['local'],"
    "'programs':[{'name':'command','node':'local','instances':1,"
    "'per_instance':{'report':{'command':['true'],'every_s':1.0}},"
    "'commands':[['sh','script']],'script':'true'}]},"
    "'fatal_exits':[],'checkpoint':[],'launcher':[],'agents':[],"
    "'environment':[],'not_inherited':[]}";

/* 'path': keys and indices, joined by '/'. */
struct row {
    const char *path;
    const char *from; /* JSON; NULL: as it is */
    const char *to;
    bool counts;
};

static void set_at (struct json *v, const char *path, const char *text)
{
    struct strvec keys = STRVEC_INIT;
    size_t i;

    strvec_split (&keys, path, "/");
    for (i = 0; i + 1 < keys.n; i++)
        v = json_kind (v) == JSON_KIND_ARRAY
                ? json_at (v, (size_t)atoi (keys.v[i]))
                : json_get (v, keys.v[i]);
    assert_non_null (v);
    json_set (v, keys.v[i], json_of (text));
    strvec_release (&keys);
}

/* What only the engine reads of stage.json. */
static void read_rest (const struct json *v, struct stage_manifest *m)
{
    struct error err = ERROR_INIT;

    m->operator_name = json_as_string (json_get (v, "operator"));
    m->operator_version = (int)json_as_int (json_get (v, "version"));
    m->definition = json_as_string (json_get (v, "definition"));
    m->parts = json_get (v, "parts");
    m->witness = json_get (v, "witness");
    if (json_get (v, "files")
        && json_want_argv (v, "files", m->arena, &m->files, &err) < 0)
        fail_msg ("%s", err.text);
}

static void read_manifest (const struct json *v, struct stage_manifest *m)
{
    struct error err = ERROR_INIT;

    if (stage_manifest_from_json (v, m, &err) < 0)
        fail_msg ("%s", err.text);
    if (json_get (v, "operator"))
        read_rest (v, m);
}

static void identity_of (const struct json *v, char hex[DIGEST_HEX_SIZE])
{
    struct stage_manifest m;
    struct contents contents;
    struct error err = ERROR_INIT;
    struct json *parts;

    read_manifest (v, &m);
    contents_init (&contents, ".", NULL, false, NULL);
    if (!(parts = identity_parts (&contents, &m, &err)))
        fail_msg ("%s", err.text);
    stage_identity (parts, hex);
    json_unref (parts);
    contents_release (&contents);
    stage_manifest_release (&m);
}

static void make_files (void)
{
    assert_int_equal (file_make_dirs ("tree", NULL), 0);
    assert_int_equal (file_make_dirs ("image", NULL), 0);
    assert_int_equal (file_make_dirs ("other", NULL), 0);
    write_text ("tree/b", "one\n");
    write_text ("a.sif", "one\n");
    write_text ("copy.sif", "one\n");
    write_text ("b.sif", "two\n");
    write_text ("a.sh", "one\n");
}

static void check_rows (const char *text, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct json *v = json_of (text);
        char before[DIGEST_HEX_SIZE], after[DIGEST_HEX_SIZE];

        print_message ("# %s: %s\n", rows[i].path, rows[i].to);
        if (rows[i].from)
            set_at (v, rows[i].path, rows[i].from);
        identity_of (v, before);
        set_at (v, rows[i].path, rows[i].to);
        identity_of (v, after);
        assert_true ((strcmp (before, after) != 0) == rows[i].counts);
        json_unref (v);
    }
}

static bool has_row (const struct row *rows, size_t n, const char *path)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp (rows[i].path, path) == 0)
            return true;
    }
    return false;
}

/* 'v' is that at 'path' of what is written of 'whole': a key has a row, or
 * those within it have.
 */
static void check_keys (const struct json *v, const char *path,
                        const struct row *rows, size_t n)
{
    JSON_FOREACH (v, it) {
        char below[200];

        snprintf (below, sizeof (below), "%s%s", path, json_iter_key (it));
        print_message ("# %s\n", below);
        if (strcmp (below, "format") == 0 || has_row (rows, n, below))
            continue;
        strcat (below, "/");
        v = json_iter_value (it);
        if (json_kind (v) == JSON_KIND_ARRAY) {
            strcat (below, "0/");
            v = json_at (v, 0);
        }
        assert_int_equal (json_kind (v), JSON_KIND_OBJECT);
        check_keys (v, below, rows, n);
    }
}

static const struct row of_whole[] = {
    { "campaign", NULL, "'other'", false },
    { "operator", NULL, "'qe.other'", true },
    { "version", NULL, "3", true },
    { "stage", NULL, "'other'", false },
    { "first_name", NULL, "'other'", false },
    { "code", NULL, "'vasp'", false },
    { "iteration", NULL, "4", false },
    { "iteration", "3", "4", false },
    { "generation", NULL, "18", false },
    { "seed", NULL, "8", false },
    { "tasks", NULL, "3", false },
    { "sliced", NULL, "true", true },
    { "uses", NULL, "['seed']", true },
    { "uses", "['seed']", "['task']", true },
    { "identity", NULL, "'other'", false },
    { "parts", NULL, "{'version':'b'}", false },
    { "witness", NULL, "{'setup':[]}", false },
    { "definition", NULL, "'other'", false },
    { "files", NULL, "['a.sh']", true },
    { "inputs/0/name", NULL, "'k'", true },
    { "inputs/0/type", NULL, "{'kind':'float','depth':0}", true },
    { "inputs/0/optional", NULL, "true", true },
    { "inputs/0/holes", NULL, "true", true },
    { "inputs/0/copy", NULL, "true", true },
    { "outputs/0/name", NULL, "'k'", true },
    { "outputs/0/type", NULL, "{'kind':'int','depth':0}", true },
    { "outputs/0/optional", NULL, "true", true },
    { "outputs/0/holes", NULL, "true", true },
    { "outputs/0/path", "'a'", "'b'", true },
    { "outputs/0/take", "'[0]'", "'[1]'", true },
    { "values", NULL, "{'n':5}", true },
    { "commands", NULL, "[['sh','-c','false']]", true },
    { "called", NULL, "false", false },
    { "script", NULL, "'false'", true },
    { "worker", "true", "false", true },
    { "group/workspace", NULL, "'global'", true },
    { "group/nodes", NULL, "['local','more']", true },
    { "group/folded", NULL, "['more']", true },
    { "group/setup", NULL, "[['false']]", true },
    { "group/exit", NULL, "[['false']]", true },
    { "group/report", NULL, "{'command':['false'],'every_s':2.0}", false },
    { "group/programs/0/name", NULL, "'b'", true },
    { "group/programs/0/instances", NULL, "2", true },
    { "group/programs/0/task", NULL,
      "{'ranks':2,'cores':4,'gpus':1,'memory_bytes':8,'walltime_s':9.0}",
      false },
    { "group/programs/0/setup", NULL, "[['false']]", true },
    { "group/programs/0/exit", NULL, "[['false']]", true },
    { "group/programs/0/per_instance/setup", NULL, "[['false']]", true },
    { "group/programs/0/per_instance/exit", NULL, "[['false']]", true },
    { "group/programs/0/per_instance/report", NULL,
      "{'command':['false'],'every_s':2.0}", false },
    { "group/programs/0/commands", NULL, "[['false']]", true },
    { "group/programs/0/script", NULL, "'false'", true },
    /* one of a registry and a directory are their names, a file what is in
     * it */
    { "image", NULL, "'docker://b'", true },
    { "image", "'image'", "'other'", true },
    { "image", "'a.sif'", "'copy.sif'", false },
    { "image", "'a.sif'", "'b.sif'", true },
    { "env", NULL, "['A=2']", true },
    { "container", NULL, "['other','{image}']", false },
    { "fatal_exits", NULL, "[4]", false },
    { "checkpoint", NULL, "['y']", false },
    { "launcher", NULL, "['srun']", false },
    { "agents", NULL, "['rsh']", false },
    { "environment", NULL, "['B=2']", false },
    { "not_inherited", NULL, "['D']", false },
};

static void test_keys_of_a_stage (void **unused)
{
    (void)unused;
    make_files ();
    check_rows (whole, of_whole, ARRAY_SIZE (of_whole));
}

/* "node" is the name of a node, which "nodes" has. */
static void test_each_key_has_a_row (void **unused)
{
    struct row rows[ARRAY_SIZE (of_whole) + 1];
    struct json *v = json_of (whole), *written;
    struct stage_manifest m;

    (void)unused;
    memcpy (rows, of_whole, sizeof (of_whole));
    rows[ARRAY_SIZE (of_whole)] =
        (struct row){ .path = "group/programs/0/node" };
    set_at (v, "worker", "true");
    read_manifest (v, &m);
    written = stage_manifest_to_json (&m);
    assert_int_equal (json_count (written), json_count (v));
    check_keys (written, "", rows, ARRAY_SIZE (rows));
    json_unref (written);
    stage_manifest_release (&m);
    json_unref (v);
}

/* What watches a command, and what runs it as a group, change no result; what
 * the command is does.
 */
static void test_keys_of_a_command_with_a_report (void **unused)
{
    static const struct row rows[] = {
        { "commands", NULL, "[['other','group']]", false },
        { "group/programs/0/name", NULL, "'other'", false },
        { "group/programs/0/per_instance/report/every_s", NULL, "2.0", false },
        { "group/programs/0/commands", NULL, "[['bash','script']]", true },
        { "group/programs/0/script", NULL, "'false'", true },
    };

    (void)unused;
    check_rows (with_report, rows, ARRAY_SIZE (rows));
}

/* --- parts --- */

static void test_parts_of_an_identity (void **unused)
{
    static const char parts[] =
        "{'version':'a','parameters':{'n':'b'},'inputs':{'start':'c'},"
        "'place':{'seed':1},'sliced':{'k':'d'},'files':{'a.sh':'e'}}";
    static const struct row rows[] = {
        { "version", NULL, "'z'", true },
        { "parameters/n", NULL, "'z'", true },
        { "parameters", NULL, "{}", true },
        { "inputs/start", NULL, "'z'", true },
        { "inputs", NULL, "{}", true },
        { "place/seed", NULL, "2", true },
        { "place", NULL, "{'task':1}", true },
        { "sliced", NULL, "{}", false }, /* in the identities of tasks */
        { "files", NULL, "{}", false },  /* in the version */
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct json *v = json_of (parts);
        char before[DIGEST_HEX_SIZE], after[DIGEST_HEX_SIZE];

        print_message ("# %s\n", rows[i].path);
        stage_identity (v, before);
        set_at (v, rows[i].path, rows[i].to);
        stage_identity (v, after);
        assert_true ((strcmp (before, after) != 0) == rows[i].counts);
        json_unref (v);
    }
}

/* --- definitions --- */

static const struct port op_inputs[] = {
    { .name = "n", .type = { .kind = TYPE_INT } },
    { 0 },
};
static const char *const prepare[] = { "sh", "{campaign}/a.sh", NULL };
static const char *const other[] = { "bash", NULL };
static const char *const seeded[] = { "sh", "{seed}", NULL };
static const char *const names[] = { "n", NULL };

static void definition_of (const struct operator_spec *op, const char *identity,
                           int64_t seed, const char *values,
                           char hex[DIGEST_HEX_SIZE])
{
    struct stage_manifest m = { .identity = identity, .seed = seed };
    struct json *v = json_of (values);
    struct contents contents;
    struct error err = ERROR_INIT;

    contents_init (&contents, ".", NULL, false, NULL);
    if (stage_definition (&contents, op, &m, v, hex, &err) < 0)
        fail_msg ("%s", err.text);
    contents_release (&contents);
    json_unref (v);
}

static void test_definitions (void **unused)
{
    static const struct {
        struct operator_spec op;
        const char *identity;
        int64_t seed;
        const char *values, *a_sh;
        int same_as; /* row */
    } rows[] = {
        { { .inputs = op_inputs }, "ab", 7, "{'n':4}", "one", 0 },
        { { .inputs = op_inputs }, "cd", 7, "{'n':4}", "one", 1 },
        { { .inputs = op_inputs }, "ab", 8, "{'n':4}", "two", 0 },
        { { .inputs = op_inputs }, "ab", 7, "{'n':5}", "one", 3 },
        { { .prepare = prepare }, "ab", 7, "{}", "one", 4 },
        { { .prepare = other }, "ab", 7, "{}", "one", 5 },
        { { .prepare = prepare }, "ab", 7, "{}", "two", 6 },
        { { .prepare = seeded }, "ab", 7, "{}", "one", 7 },
        { { .prepare = seeded }, "ab", 8, "{}", "one", 8 },
        { { .collect = prepare }, "ab", 7, "{}", "one", 9 },
        { { .collect = other }, "ab", 7, "{}", "one", 10 },
        { { .collect = prepare }, "ab", 7, "{}", "two", 11 },
        { { .collect = seeded }, "ab", 7, "{}", "one", 12 },
        { { .collect = seeded }, "ab", 8, "{}", "one", 13 },
        { { .fan_out = names }, "ab", 7, "{}", "one", 14 },
        { { .prepare_script = "$campaign/a.sh" }, "ab", 7, "{}", "one", 15 },
        { { .prepare_script = "$campaign/a.sh" }, "ab", 7, "{}", "two", 16 },
        { { .prepare_script = "true" }, "ab", 7, "{}", "one", 17 },
        { { .prepare_script = "false" }, "ab", 7, "{}", "one", 18 },
        { { .collect_script = "$campaign/a.sh" }, "ab", 7, "{}", "one", 19 },
        { { .collect_script = "$campaign/a.sh" }, "ab", 7, "{}", "two", 20 },
        { { .collect_script = "true" }, "ab", 7, "{}", "one", 21 },
        { { .collect_script = "false" }, "ab", 7, "{}", "one", 22 },
    };
    char hex[ARRAY_SIZE (rows)][DIGEST_HEX_SIZE];

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        write_text ("a.sh", rows[i].a_sh);
        definition_of (&rows[i].op, rows[i].identity, rows[i].seed,
                       rows[i].values, hex[i]);
        for (size_t k = 0; k < i; k++) {
            print_message ("# %zu and %zu\n", k, i);
            assert_int_equal (strcmp (hex[i], hex[k]) == 0,
                              rows[i].same_as == rows[k].same_as);
        }
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_keys_of_a_stage, enter, leave),
        cmocka_unit_test (test_each_key_has_a_row),
        cmocka_unit_test_setup_teardown (test_keys_of_a_command_with_a_report,
                                         enter, leave),
        cmocka_unit_test (test_parts_of_an_identity),
        cmocka_unit_test_setup_teardown (test_definitions, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
