/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slurm_replies.c - what Slurm's commands print, recorded and invented */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/json.h"
#include "fixture.h"
#include "slurm/nodes.h"
#include "slurm/memory.h"
#include "slurm/rows.h"
#include "slurm/site.h"
#include "slurm/submit_limits.h"
#include "slurm/view.h"

/* --- ids and indices --- */

static void test_ids (void **state)
{
    static const struct {
        const char *text;
        int64_t id;
    } cases[] = {
        { "10\n", 10 },
        { "10", 10 },
        { " 10 \n", 10 },
        { "10;lab\n", 10 },
        { "Welcome to the cluster!\nYour quota is 42\n4711\n", 4711 },
        { "4711\nThank you for using 5 nodes.\n", 4711 },
        { "12\n13\n", 13 },
        { "Submitted batch job 12\n", -1 },
        { "12 13\n", -1 },
        { "12;\n", -1 },
        { "12;a b\n", -1 },
        { "-12\n", -1 },
        { "0\n", -1 },
        { "12345678901234567890\n", -1 },
        { "", -1 },
        { "\n\n", -1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (slurm_read_id (cases[i].text, strlen (cases[i].text)),
                          cases[i].id);
    assert_int_equal (slurm_read_id ("1\0002", 3), 1);
    assert_int_equal (slurm_id_number ("17"), 17);
    assert_int_equal (slurm_id_number ("17_1"), -1);
    assert_int_equal (slurm_id_number ("x"), -1);
    assert_int_equal (slurm_id_number (""), -1);
}

static void note_index (int64_t index, void *arg)
{
    ((char *)arg)[index] = 'x';
}

static void test_indices (void **state)
{
    static const struct {
        const char *text;
        const char *set; /* of 8; NULL: cannot be read */
    } cases[] = {
        { "4", "....x..." },
        { "2-4", "..xxx..." },
        { "0,2-3,7", "x.xx...x" },
        { "0-7:3", "x..x..x." },
        { "1-2%5", ".xx....." },
        { "6-9", "......xx" },
        { "100-1000000", "........" },
        { "0-999999999999999999", "xxxxxxxx" },
        { "", NULL },
        { "1,", NULL },
        { "1-", NULL },
        { "4-2", NULL },
        { "1-5:0", NULL },
        { "1-5,7...", NULL },
        { "1%", NULL },
        { "N/A", NULL },
        { "1 2", NULL },
        { "1%2%3", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char set[] = "........";
        int rc = slurm_each_index (cases[i].text, 8, note_index, set);

        assert_int_equal (rc, cases[i].set ? 0 : -1);
        if (cases[i].set)
            assert_string_equal (set, cases[i].set);
    }
}

/* --- views --- */

enum { JOBS = 5, ELEMENTS = 10 };

/* The jobs of the recorded replies. */
struct scene {
    struct element_status elements[JOBS][ELEMENTS];
    struct job_status jobs[JOBS];
    struct slurm_view view;
};

static int enter (void **state)
{
    static struct scene scene;
    static const char *const ids[JOBS] = { "28", "29", "30", "31", "40" };
    static const int64_t sizes[JOBS] = { 10, 4, 4, 2, 6 };

    for (size_t i = 0; i < JOBS; i++)
        scene.jobs[i] = (struct job_status){ .id = ids[i],
                                             .n_elements = sizes[i],
                                             .elements = scene.elements[i] };
    slurm_view_init (&scene.view, scene.jobs, JOBS);
    *state = &scene;
    return 0;
}

static int leave (void **state)
{
    struct scene *scene = *state;

    slurm_view_release (&scene->view);
    return 0;
}

static void hear (struct scene *scene,
                  int (*reader) (struct slurm_view *view,
                                 const char *text,
                                 size_t len,
                                 struct error *err),
                  const char *fixture)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    fixture_read (fixture, &text);
    if (reader (&scene->view, text.buf, text.len, &err) < 0)
        fail_msg ("%s: %s", fixture, err.text);
    strbuf_release (&text);
}

/* A letter for each element: ? unknown, H held, Q queued, R running, and for
 * those that ended k ok, f failed, c cancelled; ! something else.
 */
static void expect (struct scene *scene, int job, const char *expected)
{
    static const char states[] = "?HQR";
    char letters[ELEMENTS + 1] = "";

    slurm_view_result (&scene->view, scene->jobs);
    for (int64_t e = 0; e < scene->jobs[job].n_elements; e++) {
        struct element_status status = scene->elements[job][e];

        if (status.state < ELEMENT_ENDED)
            letters[e] = states[status.state];
        else if (status.state != ELEMENT_ENDED)
            letters[e] = '!';
        else
            letters[e] = status.outcome == OUTCOME_OK          ? 'k'
                         : status.outcome == OUTCOME_FAILED    ? 'f'
                         : status.outcome == OUTCOME_CANCELLED ? 'c'
                                                               : '!';
    }
    assert_string_equal (letters, expected);
}

static void test_recorded (void **state)
{
    struct scene *scene = *state;

    assert_true (slurm_view_lacks (&scene->view));
    hear (scene, slurm_view_squeue, "slurm/squeue-22.05.8.txt");
    expect (scene, 0, "kffcRRRRR?"); /* 9: cancelled before it started */
    expect (scene, 1, "HHHH");
    expect (scene, 2, "cccc");
    expect (scene, 3, "QQ");
    expect (scene, 4, "cccccc"); /* one row without an index */
    assert_non_null (strstr (scene->jobs[3].note, "PartitionTimeLimit"));
    assert_non_null (strstr (scene->jobs[3].note, "job 31 waits"));
    assert_string_equal (scene->jobs[0].note, "");
    assert_true (slurm_view_lacks (&scene->view));
    /* Accounting has no word on it either. */
    hear (scene, slurm_view_sacct, "slurm/sacct-22.05.8.txt");
    expect (scene, 0, "kffcRRRRR?");
    assert_true (slurm_view_lacks (&scene->view));
}

/* Of an old array squeue may have forgotten something else. */
static void test_inferred (void **state)
{
    struct scene *scene = *state;
    const double submit_s = 1795273889;

    hear (scene, slurm_view_squeue, "slurm/squeue-22.05.8.txt");
    slurm_view_infer (&scene->view, submit_s + 151, 300);
    expect (scene, 0, "kffcRRRRR?");
    slurm_view_infer (&scene->view, submit_s - 1, 300);
    expect (scene, 0, "kffcRRRRR?");
    slurm_view_infer (&scene->view, submit_s + 1, 0);
    expect (scene, 0, "kffcRRRRR?");
    slurm_view_infer (&scene->view, submit_s + 149, 300);
    expect (scene, 0, "kffcRRRRRc");
    assert_false (slurm_view_lacks (&scene->view));
}

static int squeue_text (struct scene *scene,
                        const char *text,
                        struct error *err)
{
    return slurm_view_squeue (&scene->view, text, strlen (text), err);
}

/* 3-9 of job 28 were pending at 1000; squeue shows 3-7 and of the others
 * nothing.
 */
static void test_remembered (void **state)
{
    static const struct {
        const char *what;
        double now_s;
        const char *elements;
    } rows[] = {
        { "a moment later", 1100, "???QQRRRcc" },
        { "it may have run and been purged", 1150, "???QQRRR?c" },
        { "a clock set back", 900, "???QQRRR?c" },
    };

    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct slurm_memory memory = { .polled_s = 1000 };
        struct scene *scene;

        leave (state);
        enter (state);
        scene = *state;
        task_range_add_span (&memory.pending, 3, 8);
        task_range_add_span (&memory.pending, 100, 200); /* nonsense */
        task_range_add (&memory.cancelled, 9);
        assert_int_equal (squeue_text (scene,
                                       "28|3-4|PENDING|1|Resources\n"
                                       "28|5-7|RUNNING|1|None\n",
                                       NULL),
                          0);
        slurm_memory_recall (&memory, &scene->view.jobs[0], rows[i].now_s, 300);
        expect (scene, 0, rows[i].elements);
        slurm_memory_release (&memory);
    }
}

/* What is noted at one poll, kept, and recalled at the next. */
static void test_noted (void **state)
{
    struct slurm_memory memory = SLURM_MEMORY_INIT;
    struct slurm_memory again = SLURM_MEMORY_INIT;
    struct scene *scene = *state;
    struct json *v;

    hear (scene, slurm_view_squeue, "slurm/squeue-22.05.8.txt");
    assert_true (slurm_memory_note (&memory, &scene->view.jobs[1], 1000));
    assert_int_equal (task_range_count (&memory.pending), 4); /* held */
    assert_true (slurm_memory_note (&memory, &scene->view.jobs[2], 1000));
    assert_int_equal (task_range_count (&memory.pending), 0);
    assert_int_equal (task_range_count (&memory.cancelled), 4);
    v = slurm_memory_to_json (&memory);
    assert_true (slurm_memory_from_json (v, &again));
    assert_true (again.polled_s == 1000);
    assert_int_equal (task_range_count (&again.cancelled), 4);
    json_set (v, "pending", json_string ("9-1"));
    assert_false (slurm_memory_from_json (v, &again));
    assert_int_equal (task_range_count (&again.cancelled), 4);
    assert_false (slurm_memory_from_json (NULL, &again));
    json_unref (v);
    slurm_memory_release (&again);
    slurm_memory_release (&memory);
}

static void test_old_memories_go (void **state)
{
    static const char text[] = "{\"1\":{\"polled_s\":1000},"
                               "\"2\":{\"polled_s\":9000000},\"3\":4}";
    struct json *v = json_parse (text, strlen (text), "text", NULL);
    struct json *kept = slurm_memories_keep (v, 9000001);

    (void)state;
    assert_int_equal (json_count (kept), 1);
    assert_non_null (json_get (kept, "2"));
    json_unref (kept);
    kept = slurm_memories_keep (NULL, 1);
    assert_int_equal (json_count (kept), 0);
    json_unref (kept);
    json_unref (v);
}

/* What squeue has purged; what sacct calls running is over, nobody knows how.
 */
static void test_accounting_alone (void **state)
{
    struct scene *scene = *state;

    hear (scene, slurm_view_sacct, "slurm/sacct-22.05.8.txt");
    slurm_view_infer (&scene->view, 1795273889 + 1, 300);
    expect (scene, 0, "kffc??????");
    expect (scene, 1, "????");
    expect (scene, 2, "cccc");
    expect (scene, 4, "cccccc");
}

static void test_invented (void **state)
{
    struct scene *scene = *state;

    /* Without --array a queued remainder is one line; other jobs may show. */
    assert_int_equal (
        squeue_text (scene,
                     "28|3-9%2|PENDING|1795273889|Resources\n"
                     "28|0|COMPLETED|1795273889|None\n"
                     "99|N/A|RUNNING|1795273889|a reason, with | in it\n"
                     "29|0-3|GLITTERING|2026-11-21T15:11:29|None\n",
                     NULL),
        0);
    expect (scene, 0, "k??QQQQQQQ");
    expect (scene, 1, "!!!!");
    assert_non_null (strstr (scene->jobs[1].note, "'GLITTERING'"));
    assert_int_equal (scene->elements[1][0].state, ELEMENT_UNCLEAR);
    /* A time that is no number is no time. */
    slurm_view_infer (&scene->view, 1795273890, 300);
    expect (scene, 1, "!!!!");
    assert_int_equal (squeue_text (scene, "", NULL), 0);
}

static void test_bad_rows (void **state)
{
    static const struct {
        const char *text;
        const char *error;
    } cases[] = {
        { "28|0|COMPLETED|1|None", "cut off" },
        { "28|0|COMPLETED|1\n", "cannot be read" },
        { "28|0||1|None\n", "cannot be read" },
        { "x|0|COMPLETED|1|None\n", "cannot be read" },
        { "\n", "cannot be read" },
        { "slurm_load_jobs error: something\n", "cannot be read" },
        { "28|1-5,...|COMPLETED|1|None\n", "indices" },
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (squeue_text (scene, cases[i].text, &err), -1);
        assert_non_null (strstr (err.text, cases[i].error));
    }
    assert_int_equal (
        slurm_view_squeue (&scene->view, "28|0|RUN\0NING|1|x\n", 19, NULL), -1);
    assert_int_equal (slurm_view_sacct (&scene->view, "28_|FAILED\n", 11, NULL),
                      -1);
    assert_int_equal (slurm_view_sacct (&scene->view, "28_1\n", 5, NULL), -1);
}

/* --- the site --- */

static void test_config (void **state)
{
    struct slurm_site site = { .min_job_age_s = -1 };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    assert_false (slurm_read_config ("", &site));
    assert_false (slurm_read_config ("slurm_load_ctl_conf error\n", &site));
    fixture_read ("slurm/config-22.05.8.txt", &text);
    assert_true (slurm_read_config (text.buf, &site));
    assert_string_equal (site.version, "22.05.8");
    assert_string_equal (site.cluster, "testbed");
    assert_int_equal (site.max_array, 1001);
    assert_int_equal (site.max_tasks, 0);
    assert_int_equal (site.max_jobs, 50000);
    assert_true (site.min_job_age_s == 300);
    assert_true (site.accounting);
    assert_false (site.enforces_limits);
    strbuf_reset (&text);
    fixture_read ("slurm/config-24.05.txt", &text);
    assert_true (slurm_read_config (text.buf, &site));
    assert_string_equal (site.version, "24.05.8");
    assert_int_equal (site.max_tasks, 500);
    assert_false (site.accounting);
    assert_true (slurm_read_config ("MaxArraySize = 9\n"
                                    "AccountingStorageEnforce = "
                                    "associations,limits,qos\n",
                                    &site));
    assert_true (site.enforces_limits);
    strbuf_release (&text);
}

static void test_partition (void **state)
{
    struct slurm_site site = { .walltime_s = 7 };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    fixture_read ("slurm/partition-22.05.8.txt", &text);
    assert_false (slurm_read_partition (text.buf, "nosuch", &site));
    assert_false (slurm_read_partition ("", NULL, &site));
    assert_true (site.walltime_s == 7);
    assert_true (slurm_read_partition (text.buf, "short", &site));
    assert_true (site.walltime_s == 60);
    assert_true (slurm_read_partition (text.buf, NULL, &site)); /* main */
    assert_true (site.walltime_s == 0);
    strbuf_release (&text);
}

static void test_minutes (void **state)
{
    (void)state;
    assert_true (slurm_read_minutes ("UNLIMITED") == 0);
    assert_true (slurm_read_minutes ("INFINITE") == 0);
    assert_true (slurm_read_minutes ("60") == 3600);
    assert_true (slurm_read_minutes ("00:01:00") == 60);
    assert_true (slurm_read_minutes ("1-00:00:00") == 86400);
    assert_true (slurm_read_minutes ("soon") == -1);
    assert_true (slurm_read_minutes ("") == -1);
}

static void test_common_node (void **state)
{
    static const char text[] = "main|2|64|256000|idle|(null)\n"
                               "main|3|64|256000|down*|(null)\n"
                               "main|4|128|512000|mixed|gpu:a100:4(S:0-1)\n"
                               "even|1|8|1000|idle|gpu:2\n"
                               "even|1|4|1000|idle|gpu:2\n"
                               "none|1|0|0|idle|(null)\n"
                               "cut|1|8\n";
    struct slurm_node node = { -1, -1, -1 };

    (void)state;
    assert_true (slurm_common_node (text, "main", &node));
    assert_int_equal (node.cpus, 64);
    assert_int_equal (node.memory_mib, 256000);
    assert_int_equal (node.gpus, 0);
    assert_true (slurm_common_node (text, "even", &node));
    assert_int_equal (node.cpus, 4);
    assert_int_equal (node.gpus, 2);
    assert_false (slurm_common_node (text, "none", &node));
    assert_false (slurm_common_node (text, "cut", &node));
    assert_false (slurm_common_node (text, "other", &node));
    assert_false (slurm_common_node ("", "main", &node));
    assert_int_equal (node.cpus, 4);
}

static void test_time_left (void **state)
{
    (void)state;
    assert_true (slurm_read_time_left ("  0:42\n") == 42);
    assert_true (slurm_read_time_left ("1:00:03\n") == 3603);
    assert_true (slurm_read_time_left ("2-00:00:01\n") == 172801);
    assert_true (isinf (slurm_read_time_left ("UNLIMITED\n")));
    assert_true (isinf (slurm_read_time_left ("NOT_SET\n")));
    assert_true (slurm_read_time_left ("INVALID\n") == 0);
    assert_true (slurm_read_time_left ("") == -1);
    assert_true (slurm_read_time_left ("soon\n") == -1);
}

static void test_submit_limits (void **state)
{
    static const char two[] = "a||50|normal|\na|fast|20|normal|\nb||||\n";
    static const struct {
        const char *what;
        const char *associations; /* NULL: the recorded ones */
        struct slurm_claim claim; /* account, partition, qos, its own */
        int64_t limit;
    } rows[] = {
        { "the default QOS has none", NULL, { "fanfold", 0, 0, 0 }, 50 },
        { "the QOS is tighter", NULL, { "fanfold", 0, "long", 0 }, 7 },
        { "the partition's", NULL, { "fanfold", 0, "normal", "part" }, 20 },
        { "no limit anywhere", NULL, { "root", 0, 0, 0 }, 0 },
        { "any account", NULL, { 0, 0, 0, 0 }, 50 },
        { "an unknown account", NULL, { "nosuch", 0, 0, 0 }, 0 },
        { "of another partition", two, { "a", "slow", 0, 0 }, 50 },
        { "of this partition", two, { "a", "fast", 0, 0 }, 20 },
        { "none", two, { "b", 0, 0, 0 }, 0 },
        { "the only QOS is the default", "a|||long|\n", { 0, 0, 0, 0 }, 7 },
        { "of several none is", "a|||long,part|\n", { 0, 0, 0, 0 }, 0 },
        { "what is no table", "nonsense\n\n|", { 0, 0, 0, 0 }, 0 },
    };
    struct strbuf associations = STRBUF_INIT, qos = STRBUF_INIT;

    (void)state;
    fixture_read ("slurm/associations-22.05.8.txt", &associations);
    fixture_read ("slurm/qos-22.05.8.txt", &qos);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const char *table =
            rows[i].associations ? rows[i].associations : associations.buf;

        if (slurm_submit_limit (table, qos.buf, &rows[i].claim)
            != rows[i].limit)
            fail_msg ("%s", rows[i].what);
    }
    assert_true (slurm_has_association (associations.buf, "root", "any"));
    assert_true (slurm_has_association (two, "a", "fast"));
    assert_false (slurm_has_association (two, "c", NULL));
    strbuf_release (&qos);
    strbuf_release (&associations);
}

static void test_cache (void **state)
{
    const struct slurm_site site = { "22.05.8", "lab", 1001, 10, 10000, 300,
                                     true,      true,  3600, 50, "part", 64, 256000, 4 };
    struct slurm_site again = { 0 };
    struct json *v = slurm_site_to_json (&site);

    (void)state;
    assert_true (slurm_site_from_json (v, &again));
    assert_string_equal (again.version, site.version);
    assert_string_equal (again.cluster, site.cluster);
    assert_string_equal (again.partition_qos, site.partition_qos);
    assert_true (again.node_cpus == 64 && again.node_memory_mib == 256000
                 && again.node_gpus == 4);
    assert_true (again.max_array == 1001 && again.max_tasks == 10
                 && again.max_jobs == 10000 && again.min_job_age_s == 300
                 && again.accounting && again.enforces_limits
                 && again.walltime_s == 3600 && again.submit == 50);
    json_delete (v, "submit");
    again.submit = 1;
    assert_false (slurm_site_from_json (v, &again));
    assert_int_equal (again.submit, 1);
    assert_false (slurm_site_from_json (NULL, &again));
    json_unref (v);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_ids),
        cmocka_unit_test (test_indices),
        cmocka_unit_test_setup_teardown (test_recorded, enter, leave),
        cmocka_unit_test_setup_teardown (test_inferred, enter, leave),
        cmocka_unit_test_setup_teardown (test_remembered, enter, leave),
        cmocka_unit_test_setup_teardown (test_noted, enter, leave),
        cmocka_unit_test (test_old_memories_go),
        cmocka_unit_test_setup_teardown (test_accounting_alone, enter, leave),
        cmocka_unit_test_setup_teardown (test_invented, enter, leave),
        cmocka_unit_test_setup_teardown (test_bad_rows, enter, leave),
        cmocka_unit_test (test_config),
        cmocka_unit_test (test_partition),
        cmocka_unit_test (test_minutes),
        cmocka_unit_test (test_time_left),
        cmocka_unit_test (test_common_node),
        cmocka_unit_test (test_submit_limits),
        cmocka_unit_test (test_cache),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
