/* SPDX-License-Identifier: BSD-3-Clause */
/* test_data_files.c - `data:` of a campaign: files, patterns, directories */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"
#include "quoted_json.h"

#define DATA(TEXT) HEAD STOP "data: " TEXT "\nstages:\n" LABEL

static char *make_data (void)
{
    char *dir = make_directory ();

    write_file (dir, "data/z.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "dp/one/type.raw", "0\n");
    write_file (dir, "dp/two/deeper/type.raw", "0\n");
    write_file (dir, "empty/x", "");
    setenv ("XDG_CONFIG_HOME", dir, 1);
    return dir;
}

/* What the plan reads, where a directory is '*', and what is recorded. */
static const struct {
    const char *data;
    const char *initial;
    const char *recorded;
    size_t n_imports;
} good[] = {
    { "{initial: [data/z.extxyz, ./data/initial.extxyz]}",
      "data/z.extxyz ./data/initial.extxyz ",
      "['data/z.extxyz','./data/initial.extxyz']", 0 },
    { "{initial: ['data/*.extxyz']}",
      "data/held_out.extxyz data/initial.extxyz data/z.extxyz ",
      "['data/held_out.extxyz','data/initial.extxyz','data/z.extxyz']", 0 },
    { "{initial: [dp, data/z.extxyz]}", "* data/z.extxyz ",
      "['dp','data/z.extxyz']", 1 },
    { "{initial: ['dp/*', data/z.extxyz]}", "* * data/z.extxyz ",
      "['dp/one','dp/two','data/z.extxyz']", 2 },
    { "{initial: []}", "", "[]", 0 },
    { "{initial: [data/z.extxyz], held_out: [dp/one]}", "data/z.extxyz ",
      "['data/z.extxyz']", 1 },
    { "{initial: ~}", "", "null", 0 },
};

static void describe (const struct plan *plan, struct strbuf *text)
{
    for (size_t i = 0; plan->initial[i]; i++)
        strbuf_addf (text, "%s ",
                     strncmp (plan->initial[i], ".fanfold/imported/", 18) == 0
                         ? "*"
                         : plan->initial[i]);
}

static void test_good (void **state)
{
    char *dir = make_data ();

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (good); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct strbuf text = STRBUF_INIT;
        char *campaign = xasprintf (DATA ("%s"), good[i].data);
        struct plan *plan = compile_texts (dir, campaign, NULL, &problems);

        problems_format (&problems, &text);
        if (!plan)
            fail_msg ("%s: %s", good[i].data, text.buf);
        describe (plan, &text);
        assert_string_equal (text.buf, good[i].initial);
        assert_int_equal (plan->n_imports, good[i].n_imports);
        assert_json (
            json_get (json_get (json_get (plan->config, "campaign"), "data"),
                      "initial"),
            good[i].recorded);
        plan_destroy (plan);
        strbuf_release (&text);
        problems_release (&problems);
        free (campaign);
    }
    temp_dir_remove (dir);
}

/* What was found stays, whatever there is now. */
static void test_recorded (void **state)
{
    char *dir = make_data ();
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = compile_texts (
        dir, DATA ("{initial: ['data/*.extxyz', 'dp/*']}"), NULL, &problems);
    struct compile_options options = { .dir = dir,
                                       .builtin = builtin,
                                       .schedulers = schedulers };
    char *gone = path_join (dir, "dp");
    struct plan *again;

    (void)state;
    assert_non_null (plan);
    write_file (dir, "data/more.extxyz", "1\n\nSi 0 0 0\n");
    for (size_t i = 0; i < plan->n_imports; i++)
        write_file (dir, plan->imports[i].to, "");
    assert_int_equal (file_remove_tree (gone, NULL, NULL), 0);
    options.recorded = plan->config;
    again = campaign_compile (&options, &problems);
    assert_int_equal (problems.n, 0);
    assert_non_null (again);
    for (size_t i = 0; plan->initial[i]; i++)
        assert_string_equal (again->initial[i], plan->initial[i]);
    assert_int_equal (again->n_imports, 2);
    plan_destroy (again);
    plan_destroy (plan);
    free (gone);
    problems_release (&problems);
    temp_dir_remove (dir);
}

/* What resets kept comes behind, with or without `data:`, once. */
static void test_kept (void **state)
{
    static const struct {
        const char *campaign, *initial, *recorded;
    } rows[] = {
        { DATA ("{initial: [data/z.extxyz]}"),
          "data/z.extxyz kept/000002/000000/dataset.extxyz "
          "kept/000002/000003/dataset.extxyz "
          "kept/000004/000001/dataset.extxyz ",
          "['data/z.extxyz','kept/000002/000000/dataset.extxyz',"
          "'kept/000002/000003/dataset.extxyz',"
          "'kept/000004/000001/dataset.extxyz']" },
        { DATA ("{}"),
          "kept/000002/000000/dataset.extxyz "
          "kept/000002/000003/dataset.extxyz "
          "kept/000004/000001/dataset.extxyz ",
          "['kept/000002/000000/dataset.extxyz',"
          "'kept/000002/000003/dataset.extxyz',"
          "'kept/000004/000001/dataset.extxyz']" },
    };
    char *dir = make_data ();

    (void)state;
    write_file (dir, "kept/000004/000001/dataset.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "kept/000002/000003/dataset.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "kept/000002/000000/dataset.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "kept/000006/nothing", "");
    write_file (dir, "kept/mine/000000/dataset.extxyz", "");
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct strbuf text = STRBUF_INIT;
        struct compile_options options = { .dir = dir,
                                           .builtin = builtin,
                                           .schedulers = schedulers };
        struct plan *plan =
            compile_texts (dir, rows[i].campaign, NULL, &problems);
        struct plan *again;

        assert_non_null (plan);
        describe (plan, &text);
        assert_string_equal (text.buf, rows[i].initial);
        assert_int_equal (plan->kept, 6);
        assert_json (
            json_get (json_get (json_get (plan->config, "campaign"), "data"),
                      "initial"),
            rows[i].recorded);
        options.recorded = plan->config;
        again = campaign_compile (&options, &problems);
        assert_non_null (again);
        strbuf_reset (&text);
        describe (again, &text);
        assert_string_equal (text.buf, rows[i].initial);
        plan_destroy (again);
        plan_destroy (plan);
        strbuf_release (&text);
        problems_release (&problems);
    }
    temp_dir_remove (dir);
}

static const struct broken broken[] = {
    { DATA ("{initial: [data/initail.extxyz]}"),
      NULL,
      { ":5:18: data.initial: no such file 'data/initail.extxyz'; did you "
        "mean" } },
    { DATA ("{initial: ['none/*'], held_out: ['data/*.xyz']}"),
      NULL,
      { ":5:18: data.initial: no file matches 'none/*'; write",
        ":5:40: data.held_out: no file matches 'data/*.xyz'; write" } },
    { DATA (
          "{initial: [data/initial.extxyz], held_out: [data/initial.extxyz]}"),
      NULL,
      { ":5:50: data.held_out: 'data/initial.extxyz' has the frames of "
        "'data/initial.extxyz' of initial, so a model is judged by what it was "
        "trained on; keep them in one of the two" } },
    { DATA ("{initial: [data/initial.extxyz], held_out: ['copy/*']}"),
      NULL,
      { ":5:50: data.held_out: 'copy/initial.extxyz' has the frames of "
        "'data/initial.extxyz' of initial" } },
    { DATA ("{initial: [data]}"),
      NULL,
      { ":5:18: data.initial: 'data' has no type.raw, nor has a directory in "
        "it; name extended XYZ files or directories of DeePMD data" } },
    { DATA ("{initial: data/z.extxyz}"),
      NULL,
      { ":5:17: initial: got 'data/z.extxyz'; write a list, "
        "[data/z.extxyz]" } },
    { DATA ("{initial: [[data/z.extxyz]]}"),
      NULL,
      { ":5:18: initial: got a list; write text" } },
};

static void test_broken (void **state)
{
    (void)state;
    expect_broken (broken, ARRAY_SIZE (broken));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_recorded),
        cmocka_unit_test (test_kept),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
