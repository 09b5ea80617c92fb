/* SPDX-License-Identifier: BSD-3-Clause */
/* test_live_lines.c - one screen, at several sizes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "live_scene.h"
#include "report/live_view.h"

static void add_lines (const struct live_view *view,
                       const struct screen_look *look, struct strbuf *out)
{
    struct strvec said = STRVEC_INIT, lines = STRVEC_INIT;

    strvec_push (&said, "iteration 3, phase refine");
    strvec_push (&said, "  train 4 ok  2h05m");
    strvec_push (&said,
                 "campaign.yaml: line 17: unknown key 'quotas'; did you mean "
                 "'quota'? The definition that was taken on last holds until "
                 "that is fixed");
    strvec_push (&said, "  explore 20 failed: timeout (task 17 of node-13)");
    live_view_lines (view, look, &said, "14:25:07",
                     "q leaves; what was submitted goes on", &lines);
    assert_int_equal (lines.n, look->height);
    for (size_t i = 0; i < lines.n; i++)
        strbuf_addf (out, "%s\n", lines.v[i]);
    strvec_release (&said);
    strvec_release (&lines);
}

static const struct {
    struct screen_look look;
    const char *text;
} sizes[] = {
    { { 40, 20, false, false },
      "silicon: running, iteration 3 (up to 9),\n"
      "driven by pid 4711 on login1\n"
      "\n"
      "train   [#########]       4/4\n"
      "explore [####>...x]  600/1000  20 failed\n"
      "label   waiting\n"
      "select  skipped: explore.n is 0\\u001b[2J\n"
      "\n"
      "left: 4h00m to 7h30m of this iteration,\n"
      "  4h00m to 3d11h of the campaign\n"
      "node-hours: 512 used, of them 31.0 lost;\n"
      "  at most 120 more by what is submitted\n"
      "accurate frames of select 05-9 93.1%\n"
      "\n"
      "  'quotas'; did you mean 'quota'? The\n"
      "  definition that was taken on last\n"
      "  holds until that is fixed\n"
      "  explore 20 failed: timeout (task 17 of\n"
      "    node-13)\n"
      "q leaves; what was submitted goes on\n" },
    { { 80, 24, false, true },
      "silicon: running, iteration 3 (up to 9), phase refine               "
      "    14:25:07\n"
      "driven by pid 4711 on login1\n"
      "\n"
      "train   [██████████████████]       4/4\n"
      "explore [██████████▒░░░░░░×]  600/1000  20 failed  20 running  360 "
      "queued  130/h\n"
      "label   waiting\n"
      "select  skipped: explore.n is 0\\u001b[2J\n"
      "\n"
      "left: 4h00m to 7h30m of this iteration, 4h00m to 3d11h of the "
      "campaign\n"
      "node-hours: 512 used, of them 31.0 lost; at most 120 more by what "
      "is submitted\n"
      "accurate frames of select ▁▅-█ 93.1%\n"
      "\n"
      "iteration 3, phase refine\n"
      "  train 4 ok  2h05m\n"
      "campaign.yaml: line 17: unknown key 'quotas'; did you mean 'quota'? "
      "The\n"
      "    definition that was taken on last holds until that is fixed\n"
      "  explore 20 failed: timeout (task 17 of node-13)\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "q leaves; what was submitted goes on\n" },
    { { 120, 13, false, true },
      "silicon: running, iteration 3 (up to 9), phase refine               "
      "                                            14:25:07\n"
      "driven by pid 4711 on login1\n"
      "explore [█████████████▒░░░░░░░░×]  600/1000  20 failed  20 running  "
      "360 queued  left 2h45m to 3h20m  130/h  in queue 13m\n"
      "(3 stages more)\n"
      "left: 4h00m to 7h30m of this iteration, 4h00m to 3d11h of the "
      "campaign\n"
      "node-hours: 512 used, of them 31.0 lost; at most 120 more by what "
      "is submitted\n"
      "accurate frames of select ▁▅-█ 93.1%\n"
      "iteration 3, phase refine\n"
      "  train 4 ok  2h05m\n"
      "campaign.yaml: line 17: unknown key 'quotas'; did you mean 'quota'? "
      "The definition that was taken on last holds until\n"
      "    that is fixed\n"
      "  explore 20 failed: timeout (task 17 of node-13)\n"
      "q leaves; what was submitted goes on\n" },
    { { 200, 30, false, false },
      "silicon: running, iteration 3 (up to 9), phase refine               "
      "                                                                    "
      "                                                        14:25:07\n"
      "driven by pid 4711 on login1\n"
      "\n"
      "train   "
      "[##########################################################]       "
      "4/4                                     took 2h05m\n"
      "explore "
      "[####################################>....................x]  "
      "600/1000  20 failed  20 running  360 queued  left 2h45m to 3h20m  "
      "130/h  in queue 13m\n"
      "label   waiting\n"
      "select  skipped: explore.n is 0\\u001b[2J\n"
      "\n"
      "left: 4h00m to 7h30m of this iteration, 4h00m to 3d11h of the "
      "campaign\n"
      "node-hours: 512 used, of them 31.0 lost; at most 120 more by what "
      "is submitted\n"
      "accurate frames of select, by iteration\n"
      "   0 [#                                                         ] "
      "2.0%\n"
      "   1 [#############################                             ] "
      "51.0%\n"
      "   2 -\n"
      "   3 [#####################################################     ] "
      "93.1%\n"
      "\n"
      "iteration 3, phase refine\n"
      "  train 4 ok  2h05m\n"
      "campaign.yaml: line 17: unknown key 'quotas'; did you mean 'quota'? "
      "The definition that was taken on last holds until that is fixed\n"
      "  explore 20 failed: timeout (task 17 of node-13)\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "\n"
      "q leaves; what was submitted goes on\n" },
    { { 80, 6, true, true },
      "\033[1msilicon\033[0m: running, iteration 3\033[2m (up to "
      "9)\033[0m, phase refine                   \033[2m14:25:07\033[0m\n"
      "\033[2mdriven by pid 4711 on login1\033[0m\n"
      "explore "
      "[\033[32m██████████\033[0m\033[36m▒\033[0m\033[33m░░░░░░\033[0m\033["
      "31m×\033[0m]  600/1000  \033[31m20 failed\033[0m  \033[36m20 "
      "running\033[0m  \033[33m360 queued\033[0m  130/h\n"
      "\033[2m(3 stages more)\033[0m\n"
      "left: 4h00m to 7h30m of this iteration, 4h00m to 3d11h of the "
      "campaign\n"
      "\033[2mq leaves; what was submitted goes on\033[0m\n" },
    { { 10, 3, false, false },
      "silicon: r\n"
      "driven by\n"
      "q leaves;\n" },
    { { 1, 1, false, false }, "q\n" },
};

static void test_sizes (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (sizes); i++) {
        struct live_stage stages[4];
        double values[4];
        struct live_accuracy accuracy;
        struct live_view view = live_scene (stages, values, &accuracy);
        struct strbuf text = STRBUF_INIT;

        add_lines (&view, &sizes[i].look, &text);
        assert_string_equal (sizes[i].text, text.buf);
        strbuf_release (&text);
    }
}

/* At any size no row is wider than the screen, and there are as many as it has.
 */
static void test_all_sizes (void **unused)
{
    (void)unused;
    for (int width = 1; width < 220; width += 3) {
        for (int height = 1; height < 60; height += 2) {
            struct screen_look look = { width, height, false, true };
            struct live_stage stages[4];
            double values[4];
            struct live_accuracy accuracy;
            struct live_view view = live_scene (stages, values, &accuracy);
            struct strvec said = STRVEC_INIT, lines = STRVEC_INIT;

            strvec_push (&said, "iteration 3, phase refine");
            live_view_lines (&view, &look, &said, "14:25:07", "q", &lines);
            assert_int_equal (lines.n, height);
            for (size_t i = 0; i < lines.n; i++)
                assert_true (screen_columns (lines.v[i]) <= width);
            strvec_release (&said);
            strvec_release (&lines);
        }
    }
}

/* What is not known is not told. */
static void test_unknown (void **unused)
{
    const struct screen_look look = { 80, 6, false, false };
    const struct strvec none = STRVEC_INIT;
    struct strvec lines = STRVEC_INIT;
    struct live_stage stage = { .name = "train",
                                .status = STAGE_PREPARED,
                                .tasks = 2,
                                .n = { [BAR_QUEUED] = 2 } };
    struct live_view view = { .campaign = "new",
                              .status = "not begun",
                              .iteration = -1,
                              .iterations = 5,
                              .submitted_node_hours = -1 };

    (void)unused;
    live_view_lines (&view, &look, &none, "", "q", &lines);
    assert_string_equal (lines.v[0], "new: not begun");
    assert_string_equal (lines.v[1], "");
    strvec_release (&lines);
    view.iteration = 0;
    view.stages = &stage;
    view.n_stages = 1;
    view.why = "waits for a person";
    live_view_lines (&view, &look, &none, "", "q", &lines);
    assert_string_equal (lines.v[0], "new: not begun, iteration 0 (up to 4)");
    assert_string_equal (lines.v[1], "waits for a person");
    assert_non_null (strstr (lines.v[2], "]  0/2  2 queued"));
    assert_string_equal (lines.v[3], "node-hours: 0.0 used");
    assert_string_equal (lines.v[4], "");
    strvec_release (&lines);
}

/* What the scheduler says of a stage's jobs, and why one failed. */
static void test_why (void **unused)
{
    const struct screen_look look = { 60, 20, false, false };
    const struct strvec none = STRVEC_INIT;
    struct strvec lines = STRVEC_INIT;
    struct live_stage stages[] = {
        { .name = "train",
          .status = STAGE_PREPARED,
          .why = "its nodes are down, drained, or reserved for jobs with "
                 "higher priority (ReqNodeNotAvail)",
          .tasks = 1,
          .n = { [BAR_QUEUED] = 1 } },
        { .name = "label", .status = STAGE_FAILED, .why = "no input" },
    };
    struct live_view view = { .campaign = "c",
                              .status = "running",
                              .iterations = 1,
                              .stages = stages,
                              .n_stages = 2 };

    (void)unused;
    live_view_lines (&view, &look, &none, "", "q", &lines);
    assert_non_null (strstr (lines.v[2], "0/1  1 queued"));
    assert_string_equal (
        lines.v[3], "  its nodes are down, drained, or reserved for jobs with");
    assert_string_equal (lines.v[4], "      higher priority (ReqNodeNotAvail)");
    assert_string_equal (lines.v[5], "label failed: no input");
    strvec_release (&lines);
}

/* Each part has a cell, and a bar is full when all is ok and not before. */
static void test_bars (void **unused)
{
    static const struct {
        int64_t n[BAR_PARTS], all;
        int width, cells[BAR_PARTS];
    } rows[] = {
        { { 0, 0, 0, 0 }, 0, 10, { 0, 0, 0, 0 } },
        { { 0, 0, 0, 0 }, 7, 10, { 0, 0, 0, 0 } },
        { { 7, 0, 0, 0 }, 7, 10, { 10, 0, 0, 0 } },
        { { 999999, 0, 0, 1 }, 1000000, 10, { 9, 0, 0, 1 } },
        { { 1, 1, 999997, 1 }, 1000000, 10, { 1, 1, 7, 1 } },
        { { 999999, 0, 0, 0 }, 1000000, 10, { 9, 0, 0, 0 } },
        { { 5, 5, 0, 0 }, 10, 10, { 5, 5, 0, 0 } },
        { { 1, 1, 1, 1 }, 4, 2, { 0, 0, 1, 1 } },
        { { 1, 0, 0, 0 }, 1, 0, { 0, 0, 0, 0 } },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        int cells[BAR_PARTS];

        bar_cells (rows[i].n, rows[i].all, rows[i].width, cells);
        assert_memory_equal (cells, rows[i].cells, sizeof (cells));
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_sizes),   cmocka_unit_test (test_all_sizes),
        cmocka_unit_test (test_unknown), cmocka_unit_test (test_why),
        cmocka_unit_test (test_bars),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
