/* SPDX-License-Identifier: BSD-3-Clause */
/* test_table.c - columns of text, and the status of a long campaign in them */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <time.h>

#include "quoted_json.h"
#include "report/status_view.h"
#include "report/table.h"

static void test_columns (void **unused)
{
    static const struct {
        const char *const cells[16]; /* ends with NULL */
        size_t columns;
        const char *text;
    } rows[] = {
        { { "a", "b" }, 2, "" },
        { { "name", "n", "x", "y" }, 2, "name  n\nx     y\n" },
        /* numbers to the right, so their head; points below each other */
        { { "name", "n", "x", "1", "yy", "12.25", "z", "0.5" },
          2,
          "name      n\nx      1\nyy    12.25\nz      0.5\n" },
        { { "n", "t", "-", "a", "3", "b", "", "c", "<0.01", "d" },
          2,
          "    n  t\n -     a\n 3     b\n       c\n<0.01  d\n" },
        /* times are numbers without points; words with blanks are none */
        { { "wall", "tasks", "0.2s", "2 ok", "1m40s", "10 ok, 1 failed" },
          2,
          " wall  tasks\n 0.2s  2 ok\n1m40s  10 ok, 1 failed\n" },
        /* a column of nothing */
        { { "a", "lost", "b", "x", "", "y", "z", "", "w" },
          3,
          "a  b\nx  y\nz  w\n" },
        { { "a", "b", "\303\244\303\266", "1", "x", "2" },
          2,
          "a   b\n\303\244\303\266  1\nx   2\n" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strvec cells = STRVEC_INIT;
        struct strbuf text = STRBUF_INIT;

        for (size_t c = 0; rows[i].cells[c]; c++)
            strvec_push (&cells, rows[i].cells[c]);
        table_text (&cells, rows[i].columns, &text);
        assert_string_equal (text.buf, rows[i].text);
        strbuf_release (&text);
        strvec_release (&cells);
    }
}

static const char view[] =
    "{'campaign':'water','state':'running','iteration':23,'phase':'quenched',"
    "'driver':{'host':'login3','pid':42},"
    "'schedulers':[{'profile':'gpu','scheduler':'slurm','full':true,"
    "'why':'sbatch: closed','since_s':86400}],"
    "'used':{'node_hours':512.2,'core_hours':65561.6,'gpu_hours':0.0,"
    "'lost':{'node_hours':31.04}},"
    "'stages':["
    "{'name':'explore_hot_bulk','state':'done',"
    "'tasks':{'pending':0,'ok':398,'timeout':2},'wall_s':39960,"
    "'used':{'node_hours':80.21,'lost':{'node_hours':1.2}},'why':null,"
    "'failures':[{'task':17,'outcome':'timeout','said':'too long'},"
    "{'task':221,'outcome':'lost'}]},"
    "{'name':'label','state':'running',"
    "'tasks':{'failed':1,'pending':103,'ok':80,'running':16},"
    "'wall_s':50000,'used':{'node_hours':313.0},"
    "'why':'its nodes are down; since yesterday'},"
    "{'name':'train','state':'waiting','tasks':{}}],"
    "'history':[";

/* What a person reads first stands first, what is longer than a line below the
 * tables, and of the history only the latest iterations are shown.
 */
static void test_long_campaign (void **unused)
{
    struct strbuf text = STRBUF_INIT;
    struct strbuf made = STRBUF_INIT;
    struct json *v;

    (void)unused;
    setenv ("TZ", "UTC0", 1);
    tzset ();
    strbuf_add_str (&made, view);
    for (int i = 0; i < 23; i++)
        strbuf_addf (&made,
                     "%s{'iteration':%d,'phase':'hot','wall_s':%d,"
                     "'used':{'node_hours':%d},'accurate':%s,'f_rmse':%s}",
                     i > 0 ? "," : "", i, 14400, i + 1, i % 2 ? "0.5" : "0.25",
                     i % 2 ? "0.01909" : "1");
    strbuf_add_str (&made, "]}");
    v = json_of (made.buf);
    status_text (v, &text);
    assert_ptr_equal (
        strstr (
            text.buf,
            "water: running\n"
            "driven by pid 42 on login3\n"
            "the scheduler of profile 'gpu' (slurm) has taken no jobs since "
            "1970-01-02 00:00:00: sbatch: closed\n"
            "used: 512 node-hours (31.0 lost to tries that failed), 65562 "
            "core-hours\n"
            "\n"
            "(the first 3 iterations: --json)\n"
            "iteration  phase  accurate   f_rmse   wall  node-hours\n"
            "        3  hot        0.5   0.01909  4h00m        4.00\n"
            "        4  hot        0.25  1        4h00m        5.00\n"),
        text.buf);
    assert_non_null (strstr (
        text.buf,
        "\n"
        "iteration 23, phase quenched\n"
        "stage             state    tasks                                      "
        " "
        "wall  node-hours  lost\n"
        "explore_hot_bulk  done     398 ok, 2 timeout                         "
        "11h06m        80.2  1.20\n"
        "label             running  80 ok, 16 running, 103 pending, 1 failed  "
        "13h53m       313\n"
        "train             waiting\n"
        "explore_hot_bulk: task 17 (timeout): too long\n"
        "explore_hot_bulk: task 221 (lost)\n"
        "label: its nodes are down; since yesterday\n"));
    json_unref (v);
    strbuf_release (&made);
    strbuf_release (&text);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_columns),
        cmocka_unit_test (test_long_campaign),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
