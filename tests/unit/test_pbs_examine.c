/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_examine.c - what is found wrong with a site, from recorded replies
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/array_job.h"
#include "base/findings.h"
#include "fixture.h"
#include "pbs/pbs.h"
#include "site_description.h"

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

static void expect (const struct findings *findings, enum grade grade,
                    const char *words)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->v[i];
        char *said = xasprintf ("%s; %s", f->text, f->advice);
        bool found = f->grade == grade && strstr (said, words);

        free (said);
        if (!found)
            continue;
        assert_int_equal (findings_worst (findings), grade);
        return;
    }
    fail_msg ("nothing says '%s'", words);
}

/* What 'name' makes of the replies; the caller releases. */
static void look (struct site_description *site, const char *name,
                  const char *version, const char *server_text,
                  const char *queue_text, const char *node_text)
{
    bool torque = strcmp (name, "torque") == 0;

    site_init (site, name, torque ? &torque_commands : &pbs_commands);
    site->commands_version = version;
    assert_int_equal (
        pbs_read_server (server_text, strlen (server_text), site, NULL), 0);
    assert_int_equal (
        pbs_read_queues (queue_text, strlen (queue_text), site, NULL), 0);
    assert_int_equal (
        pbs_read_nodes (node_text, strlen (node_text), site, NULL), 0);
}

static void test_sites (void **state)
{
    static const char no_history[] = "Server: s\n"
                                     "    pbs_version = 23.06.06\n"
                                     "    max_array_size = 10\n"
                                     "    scheduling = False\n"
                                     "\n";
    static const char openpbs[] = "pbs_version = 23.06.06\n";
    static const char torque[] = "Version: 23.06.1\n";
    const struct {
        const char *adapter;
        const char *version;
        const char *server;
        enum grade grade;
        const char *words;
    } cases[] = {
        { "pbs", openpbs, server.buf, GRADE_GOOD, "up to 10000 elements" },
        { "pbs", openpbs, server.buf, GRADE_GOOD, "23.06.06 (pbs01)" },
        { "pbs", openpbs, server.buf, GRADE_GOOD, "are shown for 1d00h" },
        { "pbs", "pbs_version = 19.1.3", server.buf, GRADE_WARNING,
          "first on" },
        { "pbs", torque, server.buf, GRADE_BAD, "`scheduler: torque`" },
        { "torque", openpbs, server.buf, GRADE_BAD, "`scheduler: pbs`" },
        { "torque", torque, server.buf, GRADE_GOOD, "up to 10000 elements" },
        { "pbs", openpbs, no_history, GRADE_WARNING, "job_history_enable" },
        { "pbs", openpbs, no_history, GRADE_WARNING, "scheduling = False" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct findings findings = FINDINGS_INIT;
        struct site_description site;

        look (&site, cases[i].adapter, cases[i].version, cases[i].server, "",
              "");
        site_judge (&site, NULL, 0, &findings);
        expect (&findings, cases[i].grade, cases[i].words);
        findings_release (&findings);
        site_release (&site);
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
        { NULL, 4, 0, 1, 60, GRADE_GOOD, "workq is up, the site's default" },
        { NULL, 4, 2, 2, 60, GRADE_GOOD, "3 of 3 fit" },
        { "nosuch", 4, 0, 1, 60, GRADE_BAD, "there is: workq, small" },
        { "off", 4, 0, 1, 60, GRADE_BAD, "off is not enabled" },
        { "stopped", 4, 0, 1, 60, GRADE_BAD, "are taken and wait" },
        { "acl", 4, 0, 1, 60, GRADE_WARNING, "only some may use acl" },
        { "timed", 4, 0, 1, 86400, GRADE_WARNING, "`limits: walltime:`" },
        { "timed", 4, 0, 1, 0, GRADE_WARNING, "gets 10m00s" },
        { NULL, 5, 0, 1, 60, GRADE_BAD, "the largest has 4" },
        { NULL, 4, 3, 1, 60, GRADE_BAD, "it has: ngpus:2; change `gres`" },
        { NULL, 4, 0, 4, 60, GRADE_BAD, "an element needs 4" },
    };
    struct site_description site;

    (void)state;
    strbuf_add_str (&queues, "Queue: timed\n"
                             "    resources_max.walltime = 00:10:00\n"
                             "\n");
    look (&site, "pbs", NULL, server.buf, queues.buf, nodes.buf);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct array_job job = { .queue = cases[i].queue,
                                       .cores = cases[i].cores,
                                       .gpus = cases[i].gpus,
                                       .nodes = cases[i].nodes,
                                       .walltime_s = cases[i].walltime_s };
        const struct profile_use use = { .profile = "cpu", .job = &job };
        struct findings findings = FINDINGS_INIT;

        site_judge_profile (&site, &use, &findings);
        expect (&findings, cases[i].grade, cases[i].words);
        findings_release (&findings);
    }
    site_release (&site);
}

/* A site need not show its nodes. */
static void test_no_nodes (void **state)
{
    const struct array_job job = { .cores = 900, .walltime_s = 60 };
    const struct profile_use use = { .profile = "cpu", .job = &job };
    struct findings findings = FINDINGS_INIT;
    struct site_description site;

    (void)state;
    look (&site, "pbs", NULL, server.buf, queues.buf, "");
    site_judge_profile (&site, &use, &findings);
    assert_int_equal (findings_worst (&findings), GRADE_GOOD);
    findings_release (&findings);
    site_release (&site);
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
