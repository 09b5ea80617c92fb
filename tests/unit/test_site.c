/* SPDX-License-Identifier: BSD-3-Clause */
/* test_site.c - what a site is like, what is remembered of it, and what is said
 * of one that no scheduler in particular runs
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/array_job.h"
#include "base/json.h"
#include "command_scheduler.h"
#include "site_description.h"

static const struct command_scheduler commands = { .title = "Nobody's",
                                                   .server = "daemon",
                                                   .queue_key = "queue",
                                                   .gpu = "gpu" };

static void begin (struct site_description *site)
{
    site_init (site, "nobody", &commands);
}

static void add_nodes (struct site_description *site, const char *queue,
                       int64_t n, int64_t cores, const char *things)
{
    struct site_nodes *nodes = site_add_nodes (site, n);

    nodes->queue = queue;
    nodes->cores = cores;
    nodes->memory_bytes = 1000;
    nodes->things = things;
    nodes->usable = true;
}

static void test_facts (void **state)
{
    struct site_facts facts;
    struct site_description site;

    (void)state;
    begin (&site);
    site.elements = 100;
    site.submit = 50;
    site.jobs = 40;
    site.walltime_s = 3600;
    site_add_queue (&site, "day")->is_default = true;
    site_add_queue (&site, "night")->walltime_s = 7200;
    site_add_queue (&site, "night")->elements = 30;
    site_add_queue (&site, "brief")->walltime_s = 60;
    assert_int_equal (site.n_queues, 3);
    site_facts (&site, NULL, &facts);
    assert_int_equal (facts.limits.elements, 100);
    assert_int_equal (facts.limits.submit, 40);
    assert_true (facts.limits.walltime_s == 3600);
    assert_int_equal (facts.limits.node_cores, 0);
    site_facts (&site, "night", &facts);
    assert_int_equal (facts.limits.elements, 30);
    assert_true (facts.limits.walltime_s == 3600);
    site_facts (&site, "brief", &facts);
    assert_true (facts.limits.walltime_s == 60);
    site_facts (&site, "nosuch", &facts);
    assert_int_equal (facts.limits.elements, 100);
    site_release (&site);
}

/* Of equally many the fewer cores; what cannot be is no node. */
static void test_common_node (void **state)
{
    struct site_facts facts;
    struct site_description site;

    (void)state;
    begin (&site);
    site_add_queue (&site, "q")->is_default = true;
    add_nodes (&site, NULL, 1, 64, "gpu:a100:4,fs:1");
    add_nodes (&site, "q", 2, 8, "");
    add_nodes (&site, "q", 1, 64, "gpu:4");
    add_nodes (&site, "other", 100, 1, "");
    add_nodes (&site, "q", 100, (int64_t)INT16_MAX + 1, "");
    add_nodes (&site, "q", 100, 0, "");
    site_facts (&site, NULL, &facts);
    assert_int_equal (facts.limits.node_cores, 8);
    add_nodes (&site, "q", 1, 64, "gpu:v100:4");
    site_facts (&site, "q", &facts);
    assert_int_equal (facts.limits.node_cores, 64);
    assert_int_equal (facts.limits.node_gpus, 4);
    assert_int_equal (facts.limits.node_memory_bytes, 1000);
    site_release (&site);
}

static void test_remembered (void **state)
{
    const struct site_facts facts = { .limits = { .elements = 1001,
                                                  .submit = 50,
                                                  .walltime_s = 3600,
                                                  .node_cores = 64,
                                                  .node_gpus = 4,
                                                  .node_memory_bytes =
                                                      INT64_C (1) << 40 },
                                      .shown_s = 300,
                                      .accounting = true };
    struct site_facts again = { .shown_s = 0 };
    struct json *v = site_facts_to_json (&facts);

    (void)state;
    assert_true (site_facts_from_json (v, &again));
    assert_int_equal (again.limits.elements, 1001);
    assert_int_equal (again.limits.submit, 50);
    assert_true (again.limits.walltime_s == 3600);
    assert_int_equal (again.limits.node_cores, 64);
    assert_int_equal (again.limits.node_gpus, 4);
    assert_int_equal (again.limits.node_memory_bytes, INT64_C (1) << 40);
    assert_true (again.shown_s == 300 && again.accounting);
    json_delete (v, "submit");
    again.limits.submit = 1;
    assert_false (site_facts_from_json (v, &again));
    assert_int_equal (again.limits.submit, 1);
    assert_false (site_facts_from_json (NULL, &again));
    json_unref (v);
}

/* The first row about a subject that fits counts; a silent one, too. */
static void test_verdicts (void **state)
{
    static const struct site_verdict verdicts[] = {
        { "a", "x", "on", GRADE_WARNING, "turn it off", "it is on" },
        { "a", "x", "", GRADE_GOOD, NULL, "it is something else" },
        { "b", "y", "", GRADE_GOOD, NULL, NULL },
        { "b", "x", "", GRADE_BAD, NULL, "never said" },
        { "c", "z", "", GRADE_BAD, NULL, "never said" },
        { NULL, NULL, NULL, GRADE_GOOD, NULL, NULL },
    };
    struct site_description site;

    (void)state;
    begin (&site);
    site_judge_settings (&site, "x = always on\0y = 1\0", verdicts);
    assert_int_equal (site.remarks.n, 1);
    assert_string_equal (site.remarks.v[0].subject, "nobody: a");
    assert_string_equal (site.remarks.v[0].text, "it is on (x = always on)");
    site_judge_settings (&site, "x = off\0y = 1\0", verdicts);
    assert_int_equal (site.remarks.n, 2);
    assert_int_equal (site.remarks.v[1].grade, GRADE_GOOD);
    site_release (&site);
}

static void expect_said (struct site_description *site, enum grade grade,
                         const char *words)
{
    const struct array_job job = { .walltime_s = 60 };
    const struct profile_use use = { "p", &job, 30, 0 };
    struct findings findings = FINDINGS_INIT;
    bool found = false;

    site_judge (site, &use, 1, &findings);
    for (size_t i = 0; i < findings.n; i++)
        found = found
                || (findings.v[i].grade == grade
                    && strstr (findings.v[i].text, words));
    findings_release (&findings);
    if (!found)
        fail_msg ("nobody says '%s'", words);
}

static void test_said (void **state)
{
    struct site_description site;

    (void)state;
    begin (&site);
    site.version = "2.1";
    site.commands_version = "tool 2.1.7";
    site.elements_setting = site.jobs_setting = site.shown_setting = "SET";
    expect_said (&site, GRADE_GOOD, "2.1");
    expect_said (&site, GRADE_WARNING, "the daemon forgets jobs");
    site.shown_s = 40;
    expect_said (&site, GRADE_WARNING, "are shown for 40s (SET)");
    site.accounting = true;
    expect_said (&site, GRADE_GOOD, "are shown for 40s (SET), and then");
    site.elements = 50;
    site.jobs = 20;
    expect_said (&site, GRADE_WARNING, "may have 20 jobs (SET)");
    site.no_arrays = true;
    expect_said (&site, GRADE_BAD, "switched off (SET = 0)");
    site_release (&site);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_facts),      cmocka_unit_test (test_common_node),
        cmocka_unit_test (test_remembered), cmocka_unit_test (test_verdicts),
        cmocka_unit_test (test_said),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
