/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slurm_examine.c - what a site's settings, partitions and nodes mean */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/array_job.h"
#include "base/findings.h"
#include "fixture.h"
#include "site_description.h"
#include "slurm/slurm.h"

/* The finding on 'subject' whose text or advice has 'words'; fails if there is
 * none of that grade.
 */
static void expect (const struct findings *findings, enum grade grade,
                    const char *subject, const char *words)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->v[i];

        if (f->grade == grade && strcmp (f->subject, subject) == 0
            && (strstr (f->text, words) || strstr (f->advice, words)))
            return;
    }
    for (size_t i = 0; i < findings->n; i++)
        print_message ("# %s %s: %s; %s\n", grade_name (findings->v[i].grade),
                       findings->v[i].subject, findings->v[i].text,
                       findings->v[i].advice);
    fail_msg ("no %s finding on '%s' says '%s'", grade_name (grade), subject,
              words);
}

/* Let 'site' be new, and read 'text' by 'read' into it. */
static void hear (struct site_description *site, client_read read,
                  const char *text)
{
    struct error err = ERROR_INIT;

    if (read (text, strlen (text), site, &err) < 0)
        fail_msg ("%s", err.text);
}

/* --- nodes --- */

static void test_things (void **state)
{
    static const struct {
        const char *gres, *name;
        int64_t n;
    } rows[] = {
        { "gpu:2", "gpu", 2 },
        { "gpu:fake:2", "gpu", 2 },
        { "gpu:fake:2", "gpu:fake", 2 },
        { "gpu:fake:2", "gpu:a100", 0 },
        { "gpu:a100:4(S:0-1),fs:1", "gpu:a100", 4 },
        { "gpu:a100:4(S:0,1),gpu:v100:2(S:0)", "gpu", 6 },
        { "gpu:a100_80:4", "gpu:a100", 0 },
        { "(null)", "gpu", 0 },
        { "", "gpu", 0 },
        { "gpu", "gpu", 0 },
        { "gpu:x", "gpu", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        char line[96];
        struct site_description site;

        snprintf (line, sizeof (line), "p|1|4|4000|idle|%s\n", rows[i].gres);
        site_init (&site, "slurm", &slurm_commands);
        hear (&site, slurm_read_nodes, line);
        assert_int_equal (site_things (site.nodes[0].things, rows[i].name),
                          rows[i].n);
        site_release (&site);
    }
}

static void test_states (void **state)
{
    static const struct {
        const char *state;
        bool usable;
    } rows[] = {
        { "idle", true },       { "mixed", true },     { "allocated", true },
        { "completing", true }, { "idle~", true },     { "idle*", false },
        { "idle$", false },     { "down", false },     { "down*", false },
        { "drained", false },   { "draining", false }, { "unknown", false },
        { "", false },          { "planned", true },   { "idl", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        char line[64];
        struct site_description site;

        snprintf (line, sizeof (line), "p|1|4|4000|%s|(null)\n", rows[i].state);
        site_init (&site, "slurm", &slurm_commands);
        hear (&site, slurm_read_nodes, line);
        assert_int_equal (site.nodes[0].usable, rows[i].usable);
        site_release (&site);
    }
}

/* --- the site --- */

/* What is said of the recorded site with some settings changed, for a profile
 * that asks every 30 s.
 */
static void judge (const char *changed, struct findings *findings)
{
    const struct array_job job = { .directives = STRVEC_INIT, .cores = 4 };
    const struct profile_use use = { "cpu", &job, 30, 0 };
    struct strbuf config = STRBUF_INIT;
    struct site_description site;

    fixture_read ("slurm/config-22.05.8.txt", &config);
    strbuf_add_str (&config, changed);
    site_init (&site, "slurm", &slurm_commands);
    hear (&site, slurm_read_config, config.buf);
    site_judge (&site, &use, 1, findings);
    site_release (&site);
    strbuf_release (&config);
}

static void test_config (void **state)
{
    static const struct {
        const char *changed;
        enum grade grade;
        const char *subject, *words;
    } rows[] = {
        { "", GRADE_GOOD, "slurm: arrays", "1001 elements" },
        { "SchedulerParameters = max_array_tasks=9\n", GRADE_GOOD,
          "slurm: arrays", "9 elements" },
        { "MaxArraySize = 0\n", GRADE_BAD, "slurm: arrays", "switched off" },
        { "MaxJobCount = 500\n", GRADE_WARNING, "slurm: jobs",
          "`limits: submit:`" },
        { "", GRADE_GOOD, "slurm: history", "and then known by accounting" },
        { "AccountingStorageType = (null)\nMinJobAge = 40 sec\n", GRADE_WARNING,
          "slurm: history", "`limits: poll:`" },
        { "AccountingStorageType = (null)\n", GRADE_GOOD, "slurm: accounting",
          "only its own log" },
        { "", GRADE_GOOD, "slurm: requeue", "does not matter" },
        { "PreemptMode = SUSPEND,GANG\n", GRADE_WARNING, "slurm: preemption",
          "are suspended" },
        { "PreemptMode = CANCEL\nPreemptType = preempt/qos\n", GRADE_GOOD,
          "slurm: preemption", "tried again" },
        { "TaskPlugin = task/affinity,task/cgroup\nConstrainRAMSpace = yes\n",
          GRADE_GOOD, "slurm: memory", "cgroups" },
        { "JobAcctGatherParams = OverMemoryKill\n", GRADE_GOOD, "slurm: memory",
          "OverMemoryKill" },
        { "JobAcctGatherParams = (null)\nTaskPlugin = task/none\n",
          GRADE_WARNING, "slurm: memory", "nothing keeps" },
        { "ProctrackType = proctrack/cgroup\n", GRADE_GOOD, "slurm: processes",
          "ends with it" },
        { "ProctrackType = proctrack/pgid\n", GRADE_WARNING, "slurm: processes",
          "outlives it" },
        { "KillOnBadExit = 0\n", GRADE_GOOD, "slurm: srun",
          "--kill-on-bad-exit=1" },
        { "SelectType = select/linear\n", GRADE_GOOD, "slurm: nodes",
          "whole nodes" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct findings findings = FINDINGS_INIT;

        judge (rows[i].changed, &findings);
        expect (&findings, rows[i].grade, rows[i].subject, rows[i].words);
        findings_release (&findings);
    }
}

static void test_version (void **state)
{
    static const struct {
        const char *commands, *config;
        enum grade grade;
        const char *words;
    } rows[] = {
        { "slurm-wlm 22.05.8\n", "SLURM_VERSION = 22.05.8\n", GRADE_GOOD,
          "22.05.8" },
        { "slurm 23.11.4\n", "SLURM_VERSION = 23.11.10\n", GRADE_GOOD,
          "23.11.10" },
        { "slurm 23.11.4\n", "SLURM_VERSION = 24.05.1\n", GRADE_WARNING,
          "of 23.11.4, the controller of 24.05.1" },
        { "hello\n", "SLURM_VERSION = 24.05.1\n", GRADE_WARNING, "wrapper" },
        { "", "", GRADE_WARNING, "wrapper" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct findings findings = FINDINGS_INIT;
        char config[96];
        struct site_description site;

        site_init (&site, "slurm", &slurm_commands);
        snprintf (config, sizeof (config), "MaxArraySize = 9\n%s",
                  rows[i].config);
        hear (&site, slurm_read_config, config);
        site.commands_version = rows[i].commands;
        site_judge (&site, NULL, 0, &findings);
        site_release (&site);
        expect (&findings, rows[i].grade, "slurm: version", rows[i].words);
        findings_release (&findings);
    }
}

/* --- a profile --- */

#define GPUS(n, what) .gpus = (n), .gres = (what)

static const char down[] = "main|4|4|4000|down*|gpu:fake:2\n";
static const char closed[] =
    "PartitionName=main Default=YES AllowAccounts=a,b AllowQos=long "
    "MaxTime=1-00:00:00 State=INACTIVE\n";

static const struct {
    struct array_job job;
    const char *partitions, *nodes; /* NULL: the recorded ones */
    enum grade grade;
    const char *subject, *words;
} profiles[] = {
    { { .queue = "nosuch" },
      0,
      0,
      GRADE_BAD,
      "partition",
      "no partition 'nosuch'; there is: main, short" },
    { { .queue = NULL },
      "PartitionName=x Default=NO\n",
      0,
      GRADE_BAD,
      "partition",
      "no default; there is: x" },
    { { .queue = NULL },
      "Default=YES MaxTime=1\n",
      0,
      GRADE_BAD,
      "partition",
      "no default; there is: " },
    { { .queue = NULL },
      0,
      0,
      GRADE_GOOD,
      "partition",
      "main is up, the site's default" },
    { { .queue = NULL },
      closed,
      0,
      GRADE_BAD,
      "partition",
      "is INACTIVE: jobs are refused" },
    { { .account = "c" }, closed, 0, GRADE_BAD, "account", "but a,b" },
    { { .qos = "short" }, closed, 0, GRADE_BAD, "qos", "`qos`" },
    { { .queue = "short", .walltime_s = 120 },
      0,
      0,
      GRADE_WARNING,
      "walltime",
      "gives 1m00s, the profile says 2m00s" },
    { { .queue = "short", .walltime_s = 60 },
      0,
      0,
      GRADE_GOOD,
      "walltime",
      "1m00s, and partition short gives 1m00s" },
    { { .queue = NULL }, 0, 0, GRADE_WARNING, "walltime", "gets 1h00m" },
    { { .cores = 4,
        .memory_bytes = INT64_C (4000) << 20,
        GPUS (2, "gpu:fake") },
      0,
      0,
      GRADE_GOOD,
      "nodes",
      "4 of 4 fit, 4 of them" },
    { { .cores = 5 }, 0, 0, GRADE_BAD, "nodes", "largest has 4" },
    { { .memory_bytes = INT64_C (4001) << 20 },
      0,
      0,
      GRADE_BAD,
      "nodes",
      "`node: memory:`" },
    { { GPUS (1, "gpu:a100") },
      0,
      0,
      GRADE_BAD,
      "nodes",
      "1 of 'gpu:a100'; it has: gpu:fake:2" },
    { { GPUS (3, NULL) }, 0, 0, GRADE_BAD, "nodes", "`gres`" },
    { { .cores = 1 },
      0,
      down,
      GRADE_BAD,
      "nodes",
      "all of them are down or drained" },
    { { .cores = 5 },
      0,
      "other|4|8|4000|idle|(null)\n",
      GRADE_BAD,
      "nodes",
      "largest has 0" },
    { { .cores = 4, GPUS (4, NULL) },
      0,
      "main|1|2|100|idle|gpu:4\nmain|1|4|100|idle|(null)\n",
      GRADE_BAD,
      "nodes",
      "together" },
};

static void test_profile (void **state)
{
    struct strbuf partitions = STRBUF_INIT, nodes = STRBUF_INIT;

    (void)state;
    fixture_read ("slurm/partition-22.05.8.txt", &partitions);
    fixture_read ("slurm/sinfo-22.05.8.txt", &nodes);
    for (size_t i = 0; i < ARRAY_SIZE (profiles); i++) {
        const struct profile_use use = { "cpu", &profiles[i].job, 30, 0 };
        struct findings findings = FINDINGS_INIT;
        char subject[64];
        struct site_description site;

        snprintf (subject, sizeof (subject), "profile 'cpu': %s",
                  profiles[i].subject);
        site_init (&site, "slurm", &slurm_commands);
        hear (&site, slurm_read_partitions,
              profiles[i].partitions ? profiles[i].partitions : partitions.buf);
        hear (&site, slurm_read_nodes,
              profiles[i].nodes ? profiles[i].nodes : nodes.buf);
        site_judge_profile (&site, &use, &findings);
        site_release (&site);
        expect (&findings, profiles[i].grade, subject, profiles[i].words);
        findings_release (&findings);
    }
    strbuf_release (&nodes);
    strbuf_release (&partitions);
}

static void test_account (void **state)
{
    static const char two[] = "a||||\nb|fast|||\n";
    static const struct {
        const char *account, *queue, *associations;
        enum grade grade;
        const char *words;
    } rows[] = {
        { "a", NULL, two, GRADE_GOOD, "a" },
        { NULL, NULL, two, GRADE_GOOD, "default" },
        { "b", "fast", two, GRADE_GOOD, "b" },
        { "b", "slow", two, GRADE_BAD, "in this partition; there is: a, b" },
        { "c", NULL, two, GRADE_BAD, "may not use 'c'" },
        { NULL, NULL, "", GRADE_BAD, "ask the administrators" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct array_job job = { .account = rows[i].account,
                                       .queue = rows[i].queue };
        const struct profile_use use = { "cpu", &job, 30, 0 };
        struct findings findings = FINDINGS_INIT;
        struct site_description site;

        site_init (&site, "slurm", &slurm_commands);
        site.wants_account = true;
        slurm_add_accounts (rows[i].associations, &site);
        site_judge_profile (&site, &use, &findings);
        site_release (&site);
        expect (&findings, rows[i].grade, "profile 'cpu': account",
                rows[i].words);
        findings_release (&findings);
    }
}

static void test_requeue (void **state)
{
    struct array_job job = { .directives = STRVEC_INIT };
    const struct profile_use use = { "cpu", &job, 30, 0 };
    struct findings findings = FINDINGS_INIT;
    struct site_description site;

    (void)state;
    strvec_push (&job.directives, "--requeue");
    site_init (&site, "slurm", &slurm_commands);
    site_judge_profile (&site, &use, &findings);
    expect (&findings, GRADE_WARNING, "profile 'cpu': directives",
            "`directives`");
    findings_release (&findings);
    site_release (&site);
    strvec_release (&job.directives);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_things),  cmocka_unit_test (test_states),
        cmocka_unit_test (test_config),  cmocka_unit_test (test_version),
        cmocka_unit_test (test_profile), cmocka_unit_test (test_account),
        cmocka_unit_test (test_requeue),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
