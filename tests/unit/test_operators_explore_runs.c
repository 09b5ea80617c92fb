/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_explore_runs.c - which MDs there are */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/explore/runs.h"
#include "quoted_json.h"
#include "temp_dir.h"

/* What was read, a line for each run: "SYSTEM=PATH ... N STEPS/EVERY INPUT". */
static void describe (const struct explore_runs *runs, struct strbuf *text)
{
    for (size_t i = 0; i < runs->n; i++) {
        const struct explore_run *run = &runs->v[i];

        for (size_t k = 0; k < run->n_structures; k++)
            strbuf_addf (text, "%s=%s ", run->structures[k].system,
                         run->structures[k].path);
        strbuf_addf (text, "%d %d/%d %s\n",
                     (int)(run->combinations * run->replicas), (int)run->steps,
                     (int)run->dump_every, run->input);
    }
}

#define MD "'steps': 100, 'dump_every': 10, 'input': 'md.in'"

static const struct {
    const char *inputs;
    const char *runs;
    int n_tasks;
} good[] = {
    /* the short form: the stage is the only run */
    { "{'systems': {'a': 'x.data'}, " MD "}", "a=x.data 1 100/10 md.in\n", 1 },
    { "{'systems': {'a': 'x', 'b-1.0': 'y'}, 'runs': [], 'for_each': {'t': [1, "
      "2, 3], 's': [1, 0.5]}, 'replicas': 2, " MD "}",
      "a=x b-1.0=y 12 100/10 md.in\n", 24 },
    { "{'systems': 'd/x.data', " MD "}", "x=d/x.data 1 100/10 md.in\n", 1 },
    { "{'systems': ['d/x.y.data', '/abs/z'], " MD "}",
      "x.y=d/x.y.data z=/abs/z 1 100/10 md.in\n", 2 },
    /* patterns: names are what they found, in order */
    { "{'systems': 'conf.?/*.data', " MD "}",
      "conf.1-a=conf.1/a.data conf.1-b=conf.1/b.data "
      "conf.2-a=conf.2/a.data 1 100/10 md.in\n",
      3 },
    { "{'systems': ['conf.[12]/a.data'], " MD "}",
      "conf.1=conf.1/a.data conf.2=conf.2/a.data 1 100/10 md.in\n", 2 },
    { "{'systems': {'one': 'conf.1/*', 'two': ['conf.2/a.data', 'x']}, " MD "}",
      "one=conf.1/a.data one=conf.1/b.data two=conf.2/a.data two=x 1 100/10 "
      "md.in\n",
      4 },
    /* a file of that very name */
    { "{'systems': 'odd[1].data', " MD "}", NULL, 0 },
    { "{'systems': {'odd': 'odd[1].data'}, " MD "}",
      "odd=odd[1].data 1 100/10 md.in\n", 1 },
    /* runs: their own keys, else the stage's */
    { "{'runs': [{'systems': 'x', 'for_each': {'t': [1, 2]}}, {'systems': 'y', "
      "'steps': 7, 'dump_every': 7, 'input': 'hot.in', 'replicas': 3}], " MD
      "}",
      "x=x 2 100/10 md.in\ny=y 3 7/7 hot.in\n", 5 },
    { "{'systems': {'a': 'x'}, 'for_each': {'t': [1, 2]}, 'runs': [{}, "
      "{'for_each': {}}, {'steps': 50}], " MD "}",
      "a=x 2 100/10 md.in\na=x 1 100/10 md.in\na=x 2 50/10 md.in\n", 5 },
    { "{'systems': null, 'replicas': null, 'runs': [{'systems': 'x', 'steps': "
      "9, 'dump_every': 3, 'input': 'i'}]}",
      "x=x 1 9/3 i\n", 1 },
};

static void put (const char *path)
{
    assert_int_equal (file_make_parent (path, NULL), 0);
    write_text (path, "");
}

static void enter (struct temp_dir *dir)
{
    temp_dir_enter (dir);
    put ("conf.1/b.data");
    put ("conf.1/a.data");
    put ("conf.2/a.data");
    put ("odd[1].data");
}

static void test_runs (void **state)
{
    struct temp_dir dir;

    (void)state;
    enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (good); i++) {
        struct json *inputs = json_of (good[i].inputs);
        struct explore_runs runs = EXPLORE_RUNS_INIT;
        struct strbuf text = STRBUF_INIT;
        struct error err = ERROR_INIT;
        int rc = explore_runs_read (inputs, ".", &runs, &err);

        print_message ("# %s\n", good[i].inputs);
        assert_int_equal (rc, good[i].runs ? 0 : -1);
        if (rc == 0) {
            describe (&runs, &text);
            assert_string_equal (text.buf, good[i].runs);
            assert_int_equal (runs.n_tasks, good[i].n_tasks);
        }
        strbuf_release (&text);
        explore_runs_release (&runs);
        json_unref (inputs);
    }
    temp_dir_leave (&dir);
}

/* Seen from elsewhere, in a directory whose name looks like a pattern. */
static void test_patterns_elsewhere (void **state)
{
    struct json *inputs = json_of ("{'systems': '*/*.data', " MD "}");
    struct explore_runs runs = EXPLORE_RUNS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    put ("[a-z]*/conf/x.data");
    put ("b/conf/y.data");
    assert_int_equal (explore_runs_read (inputs, "[a-z]*", &runs, NULL), 0);
    describe (&runs, &text);
    assert_string_equal (text.buf, "conf-x=conf/x.data 1 100/10 md.in\n");
    strbuf_release (&text);
    explore_runs_release (&runs);
    json_unref (inputs);
    temp_dir_leave (&dir);
}

/* The last variable varies fastest. */
static void test_combinations (void **state)
{
    static const char *const expected[] = { "{'t':1,'scale':3}",
                                            "{'t':1,'scale':4}",
                                            "{'t':2,'scale':3}",
                                            "{'t':2,'scale':4}" };
    struct json *inputs = json_of (
        "{'systems': 'x', 'for_each': {'t': [1, 2], 'scale': [3, 4]}, " MD "}");
    struct explore_runs runs = EXPLORE_RUNS_INIT;

    (void)state;
    assert_int_equal (explore_runs_read (inputs, ".", &runs, NULL), 0);
    assert_int_equal (runs.v[0].combinations, ARRAY_SIZE (expected));
    for (size_t i = 0; i < ARRAY_SIZE (expected); i++) {
        struct json *chosen = explore_run_combination (&runs.v[0], (int64_t)i);

        assert_json (chosen, expected[i]);
        json_unref (chosen);
    }
    explore_runs_release (&runs);
    json_unref (inputs);
}

static void test_variable_names (void **state)
{
    static const char *const good_names[] = { "temperature", "T2", "_x", "2" };
    static const char *const bad_names[] = { "",     "a b",   "p-1",      "x}",
                                             "seed", "steps", "t\xc3\xa9" };
    struct error err = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (good_names); i++) {
        struct json *v = json_object ();

        json_set (v, good_names[i], json_of ("[1, 2]"));
        assert_int_equal (explore_count_combinations (v, &err), 2);
        json_unref (v);
    }
    for (size_t i = 0; i < ARRAY_SIZE (bad_names); i++) {
        struct json *v = json_object ();

        json_set (v, bad_names[i], json_of ("[1, 2]"));
        assert_int_equal (explore_count_combinations (v, &err), -1);
        assert_non_null (strstr (err.text, bad_names[i]));
        json_unref (v);
    }
}

static const struct {
    const char *inputs;
    const char *complaint;
} bad[] = {
    { "{'systems': {}, " MD "}", "systems: name at least one" },
    { "{'systems': [], " MD "}", "systems: expected a path, a list of paths" },
    { "{'systems': 3, " MD "}", "systems: expected a path, a list of paths" },
    { "{'systems': ['a', 3], " MD "}", "systems: expected a path, a list of" },
    { "{'systems': {'a/b': 'x'}, " MD "}", "'a/b' is no good as a name" },
    { "{'systems': {'': 'x'}, " MD "}", "'' is no good" },
    { "{'systems': {'..': 'x'}, " MD "}", "'..' is no good" },
    { "{'systems': {'a': 3}, " MD "}", "systems.a: expected a path or a list" },
    { "{'systems': 'none/*.data', " MD "}",
      "systems: no file matches 'none/*.data'; write a pattern" },
    { "{'systems': '_x', " MD "}", "'_x' is no good as a name" },
    { "{'systems': ['a/x.data', 'b/x.data'], " MD "}",
      "systems: 'a/x.data' and 'b/x.data' would both be called 'x'; name "
      "them" },
    { "{'runs': [{'systems': 'a/x'}, {'systems': 'b/x'}], " MD "}",
      "runs[1]: systems: 'a/x' and 'b/x' would both be called 'x'; name" },
    { "{'systems': 'x', 'for_each': {'t': []}, " MD "}",
      "for_each.t: there are no values; write [300, 600]" },
    { "{'systems': 'x', 'for_each': {'scale': [1, 0]}, " MD "}",
      "for_each.scale[1]: 0 is" },
    { "{'systems': 'x', 'for_each': {'seed': [1]}, " MD "}",
      "'seed' is set by Fanfold" },
    { "{'systems': 'x', 'for_each': {'t t': [1]}, " MD "}",
      "'t t' cannot name" },
    { "{'systems': 'x', 'replicas': 1000001, " MD "}",
      "more than 1000000 tasks" },
    { "{'systems': ['x', 'y'], 'for_each': {'t': [1, 2]}, 'replicas': "
      "9007199254740991, " MD "}",
      "more than 1000000 tasks" },
    { "{'systems': 'x', 'replicas': 400000, 'runs': [{}, {}, {}], " MD "}",
      "runs[2]: 1 structures, 1 combinations and 400000 replicas make more" },
    { "{'systems': 'x', 'runs': [{'steps': 5}], " MD "}",
      "runs[0]: dump_every: no frame is written in 5 steps" },
    { "{'runs': [{'systems': 'x'}, {}], " MD "}",
      "runs[1]: systems is missing; give it in with:, or in each of runs" },
    { "{'systems': 'x', 'dump_every': 1, 'input': 'i'}", "steps is missing" },
    { "{'systems': 'x', 'steps': 1, 'input': 'i'}", "dump_every is missing" },
    { "{'systems': 'x', 'steps': 1, 'dump_every': 1}", "input is missing" },
};

static void test_refusals (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct json *inputs = json_of (bad[i].inputs);
        struct explore_runs runs = EXPLORE_RUNS_INIT;
        struct error err = ERROR_INIT;

        print_message ("# %s\n", bad[i].inputs);
        assert_int_equal (explore_runs_read (inputs, ".", &runs, &err), -1);
        if (!strstr (err.text, bad[i].complaint))
            fail_msg ("'%s' lacks '%s'", err.text, bad[i].complaint);
        explore_runs_release (&runs);
        json_unref (inputs);
    }
}

/* Thirty lists of ten: the product is counted before it is made. */
static void test_too_many_combinations (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct explore_runs runs = EXPLORE_RUNS_INIT;
    struct json *inputs;
    struct error err = ERROR_INIT;

    (void)state;
    for (int i = 0; i < 30; i++)
        strbuf_addf (&text, "%s'v%d': [0,1,2,3,4,5,6,7,8,9]",
                     i ? ", " : "{" MD ", 'systems': 'x', 'for_each': {", i);
    strbuf_add_str (&text, "}}");
    inputs = json_of (text.buf);
    assert_int_equal (explore_runs_read (inputs, ".", &runs, &err), -1);
    assert_non_null (strstr (err.text, "for_each makes more than 1000000"));
    explore_runs_release (&runs);
    json_unref (inputs);
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_runs),
        cmocka_unit_test (test_patterns_elsewhere),
        cmocka_unit_test (test_combinations),
        cmocka_unit_test (test_variable_names),
        cmocka_unit_test (test_refusals),
        cmocka_unit_test (test_too_many_combinations),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
