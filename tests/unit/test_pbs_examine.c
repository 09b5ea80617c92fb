/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_examine.c - what is found wrong with a site, from recorded replies
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "arrays/array_job.h"
#include "base/compiler.h"
#include "base/findings.h"
#include "fixture.h"
#include "pbs/examine.h"

static struct strbuf server = STRBUF_INIT;
static struct strbuf queues = STRBUF_INIT;
static struct strbuf nodes = STRBUF_INIT;

static int read_replies (void **state)
{
    (void)state;
    fixture_read ("pbs/server.txt", &server);
    fixture_read ("pbs/queues.txt", &queues);
    fixture_read ("pbs/nodes.txt", &nodes);
    return 0;
}

static int release_replies (void **state)
{
    (void)state;
    strbuf_release (&server);
    strbuf_release (&queues);
    strbuf_release (&nodes);
    return 0;
}

static void expect (const struct findings *findings,
                    enum grade grade,
                    const char *words)
{
    for (size_t i = 0; i < findings->n; i++) {
        if (findings->v[i].grade == grade
            && (strstr (findings->v[i].text, words)
                || strstr (findings->v[i].advice, words))) {
            assert_int_equal (findings_worst (findings), grade);
            return;
        }
    }
    fail_msg ("nothing says '%s'", words);
}

static void test_sites (void **state)
{
    static const char no_history[] = "Server: s\n"
                                     "    max_array_size = 10\n"
                                     "    scheduling = False\n"
                                     "\n";
    static const char openpbs[] = "pbs_version = 23.06.06\n";
    const struct {
        const char *adapter;
        const char *version;
        const char *server;
        enum grade grade;
        const char *words;
    } cases[] = {
        { "pbs", openpbs, server.buf, GRADE_GOOD, "up to 10000 elements" },
        { "pbs", openpbs, server.buf, GRADE_GOOD, "release 23.06.06" },
        { "pbs", NULL, server.buf, GRADE_GOOD, "jobs that have ended" },
        { "pbs", "", server.buf, GRADE_BAD, "`scheduler: torque`" },
        { "torque", openpbs, server.buf, GRADE_BAD, "`scheduler: pbs`" },
        { "torque", "", server.buf, GRADE_GOOD, "TORQUE" },
        { "pbs", openpbs, no_history, GRADE_WARNING, "job_history_enable" },
        { "pbs", openpbs, no_history, GRADE_WARNING, "scheduling = False" },
        { "pbs", openpbs, "Welcome!\n", GRADE_BAD, "Welcome!" },
        { "pbs", openpbs, "", GRADE_BAD, "no server" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct pbs_replies replies = { cases[i].version, cases[i].server,
                                             "", "" };
        struct findings findings = FINDINGS_INIT;

        pbs_judge_site (cases[i].adapter, &replies, &findings);
        expect (&findings, cases[i].grade, cases[i].words);
        findings_release (&findings);
    }
}

static void test_profiles (void **state)
{
    const struct {
        const char *queue;
        int cores, gpus, nodes;
        double walltime_s;
        enum grade grade;
        const char *words;
    } cases[] = {
        { NULL, 4, 0, 1, 60, GRADE_GOOD, "workq" },
        { NULL, 4, 2, 2, 60, GRADE_GOOD, "3 of 3 fit" },
        { "nosuch", 4, 0, 1, 60, GRADE_BAD, "there is: workq, small" },
        { "off", 4, 0, 1, 60, GRADE_BAD, "enabled = False" },
        { "stopped", 4, 0, 1, 60, GRADE_WARNING, "started = False" },
        { "acl", 4, 0, 1, 60, GRADE_WARNING, "only some may use it" },
        { "timed", 4, 0, 1, 86400, GRADE_BAD, "`limits: walltime:`" },
        { "timed", 4, 0, 1, 0, GRADE_WARNING, "gives 00:10:00" },
        { NULL, 5, 0, 1, 60, GRADE_BAD, "the largest has 4 cores" },
        { NULL, 4, 3, 1, 60, GRADE_BAD, "correct `gres`" },
        { NULL, 4, 0, 4, 60, GRADE_BAD, "lower `node`" },
    };
    struct pbs_replies replies = { NULL, server.buf, queues.buf, nodes.buf };

    (void)state;
    strbuf_add_str (&queues, "Queue: timed\n"
                             "    resources_max.walltime = 00:10:00\n"
                             "\n");
    replies.queues = queues.buf;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct array_job job = { .queue = cases[i].queue,
                                       .cores = cases[i].cores,
                                       .gpus = cases[i].gpus,
                                       .nodes = cases[i].nodes,
                                       .walltime_s = cases[i].walltime_s };
        const struct profile_use use = { .profile = "cpu", .job = &job };
        struct findings findings = FINDINGS_INIT;

        pbs_judge_profile (&use, &replies, &findings);
        expect (&findings, cases[i].grade, cases[i].words);
        findings_release (&findings);
    }
}

/* A site need not show its nodes. */
static void test_no_nodes (void **state)
{
    const struct pbs_replies replies = { NULL, server.buf, queues.buf, "" };
    const struct array_job job = { .cores = 900 };
    const struct profile_use use = { .profile = "cpu", .job = &job };
    struct findings findings = FINDINGS_INIT;

    (void)state;
    pbs_judge_profile (&use, &replies, &findings);
    assert_int_equal (findings_worst (&findings), GRADE_GOOD);
    findings_release (&findings);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_sites),
        cmocka_unit_test (test_profiles),
        cmocka_unit_test (test_no_nodes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, read_replies, release_replies);
}
