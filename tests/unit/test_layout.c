/* SPDX-License-Identifier: BSD-3-Clause */
/* test_layout.c - every path of the data space, spelled out */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "space/layout.h"
#include "space/layout_read.h"

static const struct stage_place place = { "train", "deepmd", 3, 0 };

static void test_stage_names (void **state)
{
    static const struct {
        const char *name;
        bool ok;
    } cases[] = {
        { "train", true },
        { "a", true },
        { "model_devi2", true },
        { "abcdefghijklmnopqrstuvwxyz012345", true },
        { "abcdefghijklmnopqrstuvwxyz0123456", false },
        { "", false },
        { "dataset", false },
        { "config", false },
        { "configs", true },
        { ".fanfold", false },
        { "Train", false },
        { "2train", false },
        { "_train", false },
        { "train.x", true },
        { "train.x.run", true },
        { "train.", false },
        { ".x", false },
        { "train..x", false },
        { "train.X", false },
        { "train.dataset", true },
        { "train.abcdefghijklmnopqrstuvwxyz0123456", false },
        { "tr ain", false },
        { "a/b", false },
        { "tr\xc3\xa4in", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (layout_stage_name_ok (cases[i].name), cases[i].ok);
}

/* Compare with what was appended, and empty it. */
static void expect (struct strbuf *path, const char *expected)
{
    assert_string_equal (path->buf, expected);
    strbuf_reset (path);
}

static void test_stage_paths (void **state)
{
    struct strbuf path = STRBUF_INIT;

    (void)state;
    layout_stage_dir (&place, &path);
    expect (&path, "train/deepmd/iter/000003");
    layout_stage_path (&place, LAYOUT_OUTPUTS, &path);
    expect (&path, "train/deepmd/iter/000003/outputs.json");
    layout_stage_path (&place, LAYOUT_OUT, &path);
    expect (&path, "train/deepmd/iter/000003/out");
    layout_stage_path (&place, LAYOUT_PREPARED, &path);
    expect (&path, "train/deepmd/iter/000003/prepared");
    layout_task_dir (&place, 2, &path);
    expect (&path, "train/deepmd/iter/000003/job/000002");
    layout_task_out (&place, 999999, &path);
    expect (&path, "train/deepmd/iter/000003/job/999999/out");
    strbuf_release (&path);
}

static void test_other_paths (void **state)
{
    struct strbuf path = STRBUF_INIT;

    (void)state;
    layout_dataset_dir ("deepmd", 12, &path);
    expect (&path, "dataset/deepmd/iter/000012");
    layout_config_file (0, 0, &path);
    expect (&path, "config/iter/000000/config.json");
    layout_config_file (7, 2, &path);
    expect (&path, "config/iter/000007/config.2.json");
    layout_run (1, &path);
    expect (&path, ".fanfold/run/000001");
    layout_run_attempt (1, 2, &path);
    expect (&path, ".fanfold/run/000001/000002");
    layout_run_chunk (1, 2, 3, &path);
    expect (&path, ".fanfold/run/000001/000002/000003");
    layout_making_dir (17, &path);
    expect (&path, ".fanfold/making/000017");
    layout_publishing_dir (17, &path);
    expect (&path, ".fanfold/publishing/000017");
    layout_replaced_dir (17, &path);
    expect (&path, ".fanfold/replaced/000017");
    layout_journal_segment (17, &path);
    expect (&path, ".fanfold/journal/000017");
    strbuf_release (&path);
}

static void test_paths_are_appended (void **state)
{
    struct strbuf path = STRBUF_INIT;

    (void)state;
    strbuf_add_str (&path, "/abs/");
    layout_task_out (&place, 1, &path);
    expect (&path, "/abs/train/deepmd/iter/000003/job/000001/out");
    strbuf_release (&path);
}

static void test_installed (void **unused)
{
    char *path = layout_installed ("/opt/a/bin/fanfold", "schemas/x.json");

    (void)unused;
    assert_string_equal (path, "/opt/a/share/fanfold/schemas/x.json");
    free (path);
}

struct known_path {
    const char *path;
    enum space_kind kind;
    const char *name, *code;
    int iteration, task;
    const char *rest;
};

static void expect_read (const struct known_path *row)
{
    struct space_path found;

    print_message ("# %s\n", row->path);
    space_path_read (row->path, &found);
    assert_string_equal (space_kind_name (found.kind),
                         space_kind_name (row->kind));
    assert_string_equal (found.name, row->name);
    assert_string_equal (found.code, row->code);
    assert_int_equal (found.iteration, row->iteration);
    assert_int_equal (found.task, row->task);
    assert_string_equal (found.rest, row->rest);
}

static void test_read (void **unused)
{
    static const struct known_path rows[] = {
        { "train/deepmd/iter/000003", SPACE_STAGE, "train", "deepmd", 3, -1,
          "" },
        { "train/deepmd/iter/000003/outputs.json", SPACE_STAGE, "train",
          "deepmd", 3, -1, "outputs.json" },
        { "train.run/deepmd/iter/1000003/job/000012/out/a/b", SPACE_STAGE,
          "train.run", "deepmd", 1000003, 12, "out/a/b" },
        { "train/deepmd/iter/000003/job/000012", SPACE_STAGE, "train", "deepmd",
          3, 12, "" },
        { "train/deepmd/iter/000003/job/12", SPACE_STAGE, "train", "deepmd", 3,
          -1, "job/12" },
        { "train/deepmd/iter/3", SPACE_OTHER, "", "", -1, -1,
          "train/deepmd/iter/3" },
        { "train/deepmd/iter/00000x", SPACE_OTHER, "", "", -1, -1,
          "train/deepmd/iter/00000x" },
        { "train/deepmd/iter/2147483647", SPACE_STAGE, "train", "deepmd",
          INT_MAX, -1, "" },
        { "train/deepmd/iter/4294967297", SPACE_OTHER, "", "", -1, -1,
          "train/deepmd/iter/4294967297" },
        { "train/deepmd/iter/99999999999", SPACE_OTHER, "", "", -1, -1,
          "train/deepmd/iter/99999999999" },
        { "train", SPACE_OTHER, "", "", -1, -1, "train" },
        { "", SPACE_OTHER, "", "", -1, -1, "" },
        { "dataset/extxyz/iter/000000/dataset.extxyz", SPACE_DATASET, "extxyz",
          "", 0, -1, "dataset.extxyz" },
        { "dataset/extxyz", SPACE_DATASET, "", "", -1, -1, "dataset/extxyz" },
        { ".fanfold/run/000003/000000/closed", SPACE_RUN, "", "", -1, -1,
          "000000/closed" },
        { ".fanfold/run/train", SPACE_RECORDS, "", "", -1, -1, "run/train" },
        { ".fanfold/replaced/000001/train/t/iter/000000", SPACE_REPLACED, "",
          "", -1, -1, "000001/train/t/iter/000000" },
        { ".fanfold/inputs/0123/a", SPACE_INPUTS, "", "", -1, -1, "0123/a" },
        { ".fanfoldx/inputs", SPACE_OTHER, "", "", -1, -1, ".fanfoldx/inputs" },
        { "config/iter/000000/config.json", SPACE_RECORDS, "", "", -1, -1,
          "iter/000000/config.json" },
        { "kept/000001/a", SPACE_KEPT, "", "", -1, -1, "000001/a" },
        { "calls/fit/000000/train/t/iter/000000/x", SPACE_CALLS, "", "", -1, -1,
          "fit/000000/train/t/iter/000000/x" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++)
        expect_read (&rows[i]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_stage_names),
        cmocka_unit_test (test_stage_paths),
        cmocka_unit_test (test_other_paths),
        cmocka_unit_test (test_paths_are_appended),
        cmocka_unit_test (test_read),
        cmocka_unit_test (test_installed),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
