/* SPDX-License-Identifier: BSD-3-Clause */
/* test_layout.c - every path of the data space, spelled out */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "base/strbuf.h"
#include "space/layout.h"

static const struct stage_place place = { "train", "deepmd", 3 };

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
    layout_run_stage ("train", 1, &path);
    expect (&path, ".fanfold/run/train/000001");
    layout_run_attempt ("train", 1, 2, &path);
    expect (&path, ".fanfold/run/train/000001/000002");
    layout_run_chunk ("train", 1, 2, 3, &path);
    expect (&path, ".fanfold/run/train/000001/000002/000003");
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

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_stage_names),
        cmocka_unit_test (test_stage_paths),
        cmocka_unit_test (test_other_paths),
        cmocka_unit_test (test_paths_are_appended),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
