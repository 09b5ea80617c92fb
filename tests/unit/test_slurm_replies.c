/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slurm_replies.c - what Slurm's commands print, recorded and invented */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "fixture.h"
#include "job_view.h"
#include "reply_text.h"
#include "site_description.h"
#include "slurm/slurm.h"

/* --- ids and indices --- */

static void test_ids (void **state)
{
    static const struct {
        const char *text;
        const char *id; /* NULL: there is none */
    } cases[] = {
        { "10\n", "10" },
        { "10", "10" },
        { " 10 \n", "10" },
        { "10;lab\n", "10" },
        { "Welcome to the cluster!\nYour quota is 42\n4711\n", "4711" },
        { "4711\nThank you for using 5 nodes.\n", "4711" },
        { "12\n13\n", "13" },
        { "Submitted batch job 12\n", NULL },
        { "12 13\n", NULL },
        { "12;\n", NULL },
        { "12;a b\n", NULL },
        { "-12\n", NULL },
        { "0\n", NULL },
        { "12345678901234567890\n", NULL },
        { "", NULL },
        { "\n\n", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *id = reply_last_id (cases[i].text, slurm_is_id, ";");

        if (cases[i].id)
            assert_string_equal (id, cases[i].id);
        else
            assert_null (id);
        free (id);
    }
    assert_true (slurm_is_id ("17"));
    assert_false (slurm_is_id ("17_1"));
    assert_false (slurm_is_id ("x"));
    assert_false (slurm_is_id (""));
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
    struct job_view view;
};

static int enter (void **state)
{
    static struct scene scene;
    static const char *const ids[JOBS] = { "28", "29", "30", "31", "40" };
    static const char *const tokens[JOBS] = { "t28", "t29", "t30", "t31",
                                              "t40" };
    static const int64_t sizes[JOBS] = { 10, 4, 4, 2, 6 };

    for (size_t i = 0; i < JOBS; i++)
        scene.jobs[i] = (struct job_status){ .key = { ids[i], tokens[i] },
                                             .n_elements = sizes[i],
                                             .elements = scene.elements[i] };
    job_view_init (&scene.view, scene.jobs, JOBS, slurm_is_id);
    *state = &scene;
    return 0;
}

static int leave (void **state)
{
    struct scene *scene = *state;

    job_view_release (&scene->view);
    return 0;
}

static void hear (struct scene *scene, client_read reader, const char *fixture)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;

    fixture_read (fixture, &text);
    if (reader (text.buf, text.len, &scene->view, &err) < 0)
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

    job_view_result (&scene->view, scene->jobs);
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

    assert_true (job_view_lacks (&scene->view));
    hear (scene, slurm_tell_squeue, "slurm/squeue-22.05.8.txt");
    expect (scene, 0, "kffcRRRRR?"); /* 9: cancelled before it started */
    expect (scene, 1, "HHHH");
    expect (scene, 2, "cccc");
    expect (scene, 3, "QQ");
    expect (scene, 4, "cccccc"); /* one row without an index */
    assert_non_null (strstr (scene->jobs[3].note, "PartitionTimeLimit"));
    assert_non_null (strstr (scene->jobs[3].note, "job 31 waits"));
    assert_string_equal (scene->jobs[0].note, "");
    assert_true (job_view_lacks (&scene->view));
    /* Accounting has no word on it either. */
    hear (scene, slurm_tell_sacct, "slurm/sacct-22.05.8.txt");
    expect (scene, 0, "kffcRRRRR?");
    assert_true (job_view_lacks (&scene->view));
}

/* Of an old array squeue may have forgotten something else. */
static void test_inferred (void **state)
{
    struct scene *scene = *state;
    const double submit_s = 1795273889;

    hear (scene, slurm_tell_squeue, "slurm/squeue-22.05.8.txt");
    slurm_infer (&scene->view, NULL, submit_s + 151, 300);
    expect (scene, 0, "kffcRRRRR?");
    slurm_infer (&scene->view, NULL, submit_s - 1, 300);
    expect (scene, 0, "kffcRRRRR?");
    slurm_infer (&scene->view, NULL, submit_s + 1, 0);
    expect (scene, 0, "kffcRRRRR?");
    slurm_infer (&scene->view, NULL, submit_s + 149, 300);
    expect (scene, 0, "kffcRRRRRc");
    assert_false (job_view_lacks (&scene->view));
}

static int squeue_text (struct scene *scene, const char *text,
                        struct error *err)
{
    return slurm_tell_squeue (text, strlen (text), &scene->view, err);
}

/* 3-9 of job 28 were pending at 1000; squeue shows 3-7 and of the others
 * nothing.
 */
static void test_remembered (void **state)
{
    static const char text[] =
        "{\"t28\":{\"polled_s\":1000,\"pending\":\"3-8,100-200\","
        "\"cancelled\":\"9\"},\"t29\":{\"polled_s\":1000,\"pending\":\"9-1\"},"
        "\"t30\":4}";
    static const struct {
        const char *what;
        double now_s;
        const char *elements;
    } rows[] = {
        { "a moment later", 1100, "???QQRRRcc" },
        { "it may have run and been purged", 1150, "???QQRRR?c" },
        { "a clock set back", 900, "???QQRRR?c" },
    };
    struct json *memories = json_parse (text, strlen (text), "text", NULL);

    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct scene *scene;

        leave (state);
        enter (state);
        scene = *state;
        assert_int_equal (squeue_text (scene,
                                       "28|3-4|PENDING|1|Resources|t28\n"
                                       "28|5-7|RUNNING|1|None|t28\n",
                                       NULL),
                          0);
        slurm_memory_recall (memories, &scene->view, rows[i].now_s, 300);
        expect (scene, 0, rows[i].elements);
        expect (scene, 1, "????");
        expect (scene, 2, "????");
    }
    json_unref (memories);
}

/* A controller that lost its state knows nothing of the job: what was pending
 * was not cancelled.
 */
static void test_what_the_controller_lost (void **state)
{
    static const char text[] =
        "{\"t28\":{\"polled_s\":1000,\"pending\":\"3-8\","
        "\"cancelled\":\"9\"}}";
    struct json *memories = json_parse (text, strlen (text), "text", NULL);
    struct scene *scene = *state;

    assert_int_equal (squeue_text (scene, "", NULL), 0);
    slurm_memory_recall (memories, &scene->view, 1010, 300);
    expect (scene, 0, "?????????c");
    json_unref (memories);
}

/* A name of somebody else's job may have line breaks in it, one of ours not. */
static void test_raw_line_breaks (void **state)
{
    struct scene *scene = *state;
    struct error err = ERROR_INIT;

    assert_int_equal (squeue_text (scene,
                                   "28|3|PENDING|1|None|not\nours|\n\n"
                                   "29|0-3|RUNNING|1|None|t29\n",
                                   &err),
                      0);
    expect (scene, 1, "RRRR");
    assert_int_equal (
        squeue_text (scene, "29|0-3|RUNNING|1|None|t29\nours\n", &err), -1);
}

/* What is remembered after one poll, and what was for too long. */
static void test_memory_after (void **state)
{
    static const char text[] = "{\"t28\":{\"polled_s\":9000000},"
                               "\"old\":{\"polled_s\":1000},"
                               "\"other\":{\"polled_s\":9000000},\"no\":4}";
    struct json *before = json_parse (text, strlen (text), "text", NULL);
    struct scene *scene = *state;
    struct json *after, *one;

    hear (scene, slurm_tell_squeue, "slurm/squeue-22.05.8.txt");
    after = slurm_memory_after (before, &scene->view, 9000001);
    one = json_get (after, "t29");
    assert_string_equal (json_as_string (json_get (one, "pending")), "0-3");
    one = json_get (after, "t30");
    assert_string_equal (json_as_string (json_get (one, "pending")), "");
    assert_string_equal (json_as_string (json_get (one, "cancelled")), "0-3");
    assert_true (json_as_double (json_get (one, "polled_s")) == 9000001);
    assert_non_null (json_get (after, "other"));
    assert_null (json_get (after, "old"));
    assert_null (json_get (after, "no"));
    json_unref (after);
    after = slurm_memory_after (NULL, &scene->view, 1);
    assert_non_null (json_get (after, "t31"));
    json_unref (after);
    json_unref (before);
}

/* What squeue has purged; what sacct calls running is over, nobody knows how.
 */
static void test_accounting_alone (void **state)
{
    struct scene *scene = *state;

    hear (scene, slurm_tell_sacct, "slurm/sacct-22.05.8.txt");
    job_view_infer (&scene->view, 1795273889 + 1, 150);
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
                     "28|3-9%2|PENDING|1795273889|Resources|t28\n"
                     "28|0|COMPLETED|1795273889|None|t28\n"
                     "99|N/A|RUNNING|1795273889|a reason, with | in it|a | b\n"
                     "29|0-3|GLITTERING|2026-11-21T15:11:29|a | b|t29\n",
                     NULL),
        0);
    expect (scene, 0, "k??QQQQQQQ");
    expect (scene, 1, "!!!!");
    assert_non_null (strstr (scene->jobs[1].note, "'GLITTERING'"));
    assert_int_equal (scene->elements[1][0].state, ELEMENT_UNCLEAR);
    /* A time that is no number is no time. */
    job_view_infer (&scene->view, 1795273890, 150);
    expect (scene, 1, "!!!!");
    assert_int_equal (squeue_text (scene, "", NULL), 0);
}

/* The controller began anew: 28 is somebody else's, 29 our own next one. */
static void test_ids_given_out_again (void **state)
{
    static const char sacct[] = "28_0|COMPLETED|other\n28_1|FAILED|t28\n";
    struct scene *scene = *state;

    scene->view.jobs[2].key.id = "29";
    scene->view.jobs[2].number = 29;
    assert_int_equal (squeue_text (scene,
                                   "28|0|RUNNING|1000|None|other\n"
                                   "28|1-9|PENDING|1000|Resources|other\n"
                                   "29|0-3|RUNNING|1000|None|t30\n"
                                   "31|0|RUNNING|1000|None|t31\n"
                                   "40|0-5|PENDING|1000|JobHeldUser|a | t\n",
                                   NULL),
                      0);
    assert_int_equal (
        slurm_tell_sacct (sacct, strlen (sacct), &scene->view, NULL), 0);
    job_view_infer (&scene->view, 1001, 150);
    expect (scene, 0, "??????????");
    expect (scene, 1, "????");
    expect (scene, 2, "RRRR");
    expect (scene, 3, "Rc");
    expect (scene, 4, "??????");
    assert_string_equal (scene->jobs[0].note, "");
    assert_string_equal (scene->jobs[4].note, "");
}

static void test_names (void **state)
{
    struct strvec names = STRVEC_INIT;

    (void)state;
    assert_int_equal (slurm_read_names ("a b|c\nt28\n", 10, &names, NULL), 0);
    assert_int_equal (names.n, 2);
    assert_string_equal (names.v[1], "t28");
    assert_int_equal (slurm_read_names ("t28", 3, &names, NULL), -1);
    strvec_release (&names);
}

static void test_bad_rows (void **state)
{
    static const struct {
        const char *text;
        const char *error;
    } cases[] = {
        { "28|0|COMPLETED|1|None|t28", "cut off" },
        { "28|0|COMPLETED|1\n", "cannot be read" },
        { "28|0|COMPLETED|1|None\n", "cannot be read" },
        { "28|0||1|None|t28\n", "cannot be read" },
        { "x|0|COMPLETED|1|None|t28\n", "cannot be read" },
        { "\n", "cannot be read" },
        { "slurm_load_jobs error: something\n", "cannot be read" },
        { "28|1-5,...|COMPLETED|1|None|t28\n", "indices" },
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        assert_int_equal (squeue_text (scene, cases[i].text, &err), -1);
        assert_non_null (strstr (err.text, cases[i].error));
    }
    assert_int_equal (
        slurm_tell_squeue ("28|0|RUN\0NING|1|x|t28\n", 23, &scene->view, NULL),
        -1);
    assert_int_equal (
        slurm_tell_sacct ("28_|FAILED|t28\n", 15, &scene->view, NULL), -1);
    assert_int_equal (slurm_tell_sacct ("28_1\n", 5, &scene->view, NULL), -1);
    assert_int_equal (
        slurm_tell_sacct ("28_1|FAILED\n", 12, &scene->view, NULL), -1);
}

/* --- the site --- */

/* Read 'text' by 'read' into a new site; the caller releases. */
static void look (struct site_description *site, client_read read,
                  const char *text)
{
    site_init (site, "slurm", &slurm_commands);
    assert_int_equal (read (text, strlen (text), site, NULL), 0);
}

static void test_no_config (void **state)
{
    struct error err = ERROR_INIT;
    struct site_description site;

    (void)state;
    site_init (&site, "slurm", &slurm_commands);
    assert_int_equal (slurm_read_config ("", 0, &site, NULL), -1);
    assert_int_equal (
        slurm_read_config ("slurm_load_ctl_conf error\n", 26, &site, &err), -1);
    assert_non_null (strstr (err.text, "MaxArraySize"));
    site_release (&site);
}

static void test_config (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct site_description site;

    (void)state;
    fixture_read ("slurm/config-22.05.8.txt", &text);
    look (&site, slurm_read_config, text.buf);
    assert_string_equal (site.version, "22.05.8");
    assert_int_equal (site.elements, 1001);
    assert_int_equal (site.jobs, 50000);
    assert_true (site.shown_s == 300);
    assert_true (site.accounting);
    assert_false (site.wants_account);
    site_release (&site);
    strbuf_reset (&text);
    fixture_read ("slurm/config-24.05.txt", &text);
    look (&site, slurm_read_config, text.buf);
    assert_string_equal (site.version, "24.05.8");
    assert_int_equal (site.elements, 500);
    assert_false (site.accounting);
    site_release (&site);
    look (&site, slurm_read_config,
          "MaxArraySize = 9\nAccountingStorageType = a/slurmdbd\n"
          "AccountingStorageEnforce = associations,limits,qos\n");
    assert_true (site.wants_account);
    site_release (&site);
    strbuf_release (&text);
}

static void test_partition (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct site_description site;

    (void)state;
    fixture_read ("slurm/partition-22.05.8.txt", &text);
    look (&site, slurm_read_partitions, text.buf);
    assert_null (site_find_queue (&site, "nosuch"));
    assert_true (site_find_queue (&site, "short")->walltime_s == 60);
    assert_string_equal (site_find_queue (&site, NULL)->name, "main");
    assert_true (site_find_queue (&site, NULL)->walltime_s == 0);
    site_release (&site);
    look (&site, slurm_read_partitions, "");
    assert_null (site_find_queue (&site, NULL));
    site_release (&site);
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
    static const char queues[] = "PartitionName=main\nPartitionName=even\n"
                                 "PartitionName=none\nPartitionName=cut\n";
    static const struct {
        const char *queue;
        int cores, gpus;
        int64_t memory_mib;
    } cases[] = {
        { "main", 64, 0, 256000 }, { "even", 4, 2, 1000 }, { "none", 0, 0, 0 },
        { "cut", 0, 0, 0 },        { "other", 0, 0, 0 },
    };
    struct site_description site;

    (void)state;
    look (&site, slurm_read_nodes, text);
    assert_int_equal (
        slurm_read_partitions (queues, strlen (queues), &site, NULL), 0);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct site_facts facts;

        site_facts (&site, cases[i].queue, &facts);
        assert_int_equal (facts.limits.node_cores, cases[i].cores);
        assert_int_equal (facts.limits.node_gpus, cases[i].gpus);
        assert_int_equal (facts.limits.node_memory_bytes,
                          cases[i].memory_mib << 20);
    }
    site_release (&site);
}

static void test_time_left (void **state)
{
    static const struct {
        const char *text;
        double s; /* -1: none is told */
    } cases[] = {
        { "  0:42\n", 42 },
        { "1:00:03\n", 3603 },
        { "2-00:00:01\n", 172801 },
        { "UNLIMITED\n", INFINITY },
        { "NOT_SET\n", INFINITY },
        { "INVALID\n", 0 },
        { "", -1 },
        { "soon\n", -1 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        double s = -1;

        assert_int_equal (slurm_read_time_left (
                              cases[i].text, strlen (cases[i].text), &s, NULL),
                          cases[i].s < 0 ? -1 : 0);
        assert_true (s == cases[i].s);
    }
}

static void test_submit_limits (void **state)
{
    static const char two[] = "a||50|normal|\na|fast|20|normal|\nb||||\n";
    static const struct {
        const char *what;
        const char *associations; /* NULL: the recorded ones */
        const char *under[4];     /* account, partition, QOS, the partition's */
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
        const struct scheduler scheduler = { .account = rows[i].under[0],
                                             .queue = rows[i].under[1],
                                             .qos = rows[i].under[2] };

        if (slurm_submit_limit (table, qos.buf, &scheduler, rows[i].under[3])
            != rows[i].limit)
            fail_msg ("%s", rows[i].what);
    }
    strbuf_release (&qos);
    strbuf_release (&associations);
}

static void test_lists_of_nodes (void **state)
{
    static const struct {
        const char *text, *names; /* NULL: it is something else */
    } cases[] = {
        { "n1", "n1 " },
        { "n1,m2", "n1 m2 " },
        { "n[1-3]", "n1 n2 n3 " },
        { "n[1-2,5],m7", "n1 n2 n5 m7 " },
        { "n[08-11]", "n08 n09 n10 n11 " },
        { "r[1-2]n[3-4]x", "r1n3x r1n4x r2n3x r2n4x " },
        { "node-[1]-ib", "node-1-ib " },
        { "", NULL },
        { "n[1", NULL },
        { "n1]", NULL },
        { "n[]", NULL },
        { "n[a]", NULL },
        { "n[3-1]", NULL },
        { "n[1-]", NULL },
        { "n[1,]", NULL },
        { "n1,,n2", NULL },
        { "n[1-1000000]", NULL },
        { "n[1-12345678901]", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof (cases) / sizeof (cases[0]); i++) {
        struct strvec names = STRVEC_INIT;
        struct strbuf out = STRBUF_INIT;
        int rc = slurm_expand_nodes (cases[i].text, &names);

        print_message ("# %s\n", cases[i].text);
        assert_int_equal (rc, cases[i].names ? 0 : -1);
        for (size_t k = 0; k < names.n; k++)
            strbuf_addf (&out, "%s ", names.v[k]);
        assert_string_equal (out.buf, cases[i].names ? cases[i].names : "");
        strbuf_release (&out);
        strvec_release (&names);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_lists_of_nodes),
        cmocka_unit_test (test_ids),
        cmocka_unit_test (test_indices),
        cmocka_unit_test_setup_teardown (test_recorded, enter, leave),
        cmocka_unit_test_setup_teardown (test_inferred, enter, leave),
        cmocka_unit_test_setup_teardown (test_remembered, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_the_controller_lost, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_raw_line_breaks, enter, leave),
        cmocka_unit_test_setup_teardown (test_memory_after, enter, leave),
        cmocka_unit_test_setup_teardown (test_accounting_alone, enter, leave),
        cmocka_unit_test_setup_teardown (test_invented, enter, leave),
        cmocka_unit_test_setup_teardown (test_ids_given_out_again, enter,
                                         leave),
        cmocka_unit_test (test_names),
        cmocka_unit_test_setup_teardown (test_bad_rows, enter, leave),
        cmocka_unit_test (test_no_config),
        cmocka_unit_test (test_config),
        cmocka_unit_test (test_partition),
        cmocka_unit_test (test_minutes),
        cmocka_unit_test (test_time_left),
        cmocka_unit_test (test_common_node),
        cmocka_unit_test (test_submit_limits),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
