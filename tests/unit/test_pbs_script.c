/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pbs_script.c - the script for qsub, environments, complaints */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/array_job.h"
#include "pbs/pbs.h"
#include "rendered.h"

#define OUTPUT "#PBS -j oe\n#PBS -o /dev/null\n"
#define BODY                                                                   \
    "exec >>/run/0/element-\"${PBS_ARRAY_INDEX}\".log 2>&1\n"                  \
    "cd /\n"                                                                   \
    "exec /bin/fanfold --element \"${PBS_ARRAY_INDEX}\" --job-id "             \
    "\"${PBS_ARRAY_ID}\"\n"

static void test_plain (void **state)
{
    struct array_job job = plain_job ();

    (void)state;
    /* qsub refuses 0-0. */
    expect_rendered ("pbs", &job,
                     "#!/bin/bash -l\n"
                     "#PBS -N t23456789012345\n"
                     "#PBS -J 0-1:2\n"
                     "#PBS -l select=1:ncpus=1:mpiprocs=1\n" OUTPUT BODY);
    job_release (&job);
}

static void test_everything (void **state)
{
    struct array_job job = plain_job ();

    (void)state;
    job.elements = 10;
    job.running = 4;
    job.cores = 8;
    job.gpus = 2;
    job.memory_bytes = ((int64_t)3 << 30) + 1;
    job.walltime_s = 90.2;
    job.queue = "short";
    job.account = "mat123";
    job.priority = -5000;
    strvec_push (&job.directives, "-P silicon");
    expect_rendered ("pbs", &job,
                     "#!/bin/bash -l\n"
                     "#PBS -N t23456789012345\n"
                     "#PBS -J 0-9%4\n"
                     "#PBS -l select=1:ncpus=8:mpiprocs=8:mem=3073mb:ngpus=2\n"
                     "#PBS -q short\n"
                     "#PBS -A mat123\n"
                     "#PBS -p -1024\n"
                     "#PBS -l walltime=91\n" OUTPUT "#PBS -P silicon\n" BODY);
    job_release (&job);
}

static void test_several_nodes (void **state)
{
    struct array_job job = plain_job ();
    struct strbuf script = STRBUF_INIT;

    (void)state;
    job.nodes = 2;
    job.ranks = 4;
    job.cores = 8;
    assert_int_equal (render_job ("pbs", &job, &script, NULL), ANSWER_OK);
    assert_non_null (strstr (script.buf, "#PBS -l select=2:ncpus=8:mpiprocs=4\n"
                                         "#PBS -l place=scatter\n"));
    assert_non_null (
        strstr (script.buf, "export HYDRA_HOST_FILE=\"$PBS_NODEFILE\"\nexec "));
    strbuf_release (&script);
    job_release (&job);
}

static void test_torque (void **state)
{
    struct array_job job = plain_job ();

    (void)state;
    job.cores = 4;
    job.gpus = 1;
    job.memory_bytes = 1 << 30;
    expect_rendered ("torque", &job,
                     "#!/bin/bash -l\n"
                     "#PBS -N t23456789012345\n"
                     "#PBS -t 0-0\n"
                     "#PBS -l nodes=1:ppn=4:gpus=1\n"
                     "#PBS -l mem=1024mb\n" OUTPUT
                     "exec >>/run/0/element-\"${PBS_ARRAYID}\".log 2>&1\n"
                     "cd /\n"
                     "exec /bin/fanfold --element \"${PBS_ARRAYID}\" --job-id "
                     "\"${PBS_JOBID%%\\[*}[]${PBS_JOBID#*]}\"\n");
    job_release (&job);
}

/* By both dialects. */
static void expect_refused (const struct array_job *job, const char *words)
{
    expect_not_rendered ("pbs", job, words);
    expect_not_rendered ("torque", job, words);
}

static void test_refused_words (void **state)
{
    static const char *const words[] = { "a b", "a\nb", "", "a;b", "a$b" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        struct array_job job = plain_job ();

        job.queue = words[i];
        expect_refused (&job, "queue: '");
        job.queue = NULL;
        job.account = words[i];
        expect_refused (&job, "account: '");
        job.account = NULL;
        job.gres = words[i];
        expect_refused (&job, "gres: '");
        job.gres = NULL;
        job.after = words[i];
        expect_refused (&job, "to wait for");
        job.after = NULL;
        job.qos = "long";
        expect_refused (&job, "qos: ");
        job_release (&job);
    }
}

static void test_refused_directives (void **state)
{
    static const struct {
        const char *directive;
        bool refused;
    } cases[] = {
        { "-J 0-5", true },
        { "-J0-5", true },
        { "-N x", true },
        { "-o /x", true },
        { "-V", true },
        { "-v A=1", true },
        { "-h", true },
        { "-W block=true", true },
        { "-W depend=afterok:1", true },
        { "-l select=4:ncpus=2", true },
        { "-l walltime=1:00:00", true },
        { "-lwalltime=10", true },
        { "-l  mem=1gb,walltime=10", true },
        { "-W group_list=a,depend=afterok:1", true },
        { "-P mat123 -J 0-5", true },
        { "-XJ0-5", true },
        { "-lmem=1gb", false },
        { "x", true },
        { "-l place=excl\n#PBS -V", true },
        { "-l place=excl", false },
        { "-l software=vasp", false },
        { "-P mat123", false },
        { "-m n", false },
        { "-W group_list=mat", false },
        { "-p 10", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const char *words = cases[i].refused ? "directives: '" : NULL;

        expect_directive ("pbs", cases[i].directive, words);
        expect_directive ("torque", cases[i].directive, words);
    }
}

static void test_environments (void **state)
{
    char *const somebody[] = { (char[]){ "HOME=/home/me" },
                               (char[]){ "PATH=/bin\n    job_state = F" },
                               (char[]){ "PBS_JOBID=1.s" },
                               (char[]){ "PBS_DPREFIX=#NO" },
                               (char[]){ "PBS_SERVER=s" },
                               (char[]){ "LC_ALL=de_DE" },
                               (char[]){ "TZ=Asia/Tokyo" },
                               (char[]){ "LEAK=1" },
                               NULL };
    struct strvec env = STRVEC_INIT;

    (void)state;
    client_env (somebody, &pbs_commands.asking, &env);
    assert_true (strvec_contains (&env, "HOME=/home/me"));
    assert_true (strvec_contains (&env, "PBS_SERVER=s"));
    assert_true (strvec_contains (&env, "LC_ALL=C"));
    assert_true (strvec_contains (&env, "TZ=UTC0"));
    assert_true (strvec_contains (&env, "LEAK=1"));
    assert_int_equal (env.n, 6);
    strvec_release (&env);
    client_env (somebody, &pbs_commands.submitting, &env);
    assert_true (strvec_contains (&env, "HOME=/home/me"));
    assert_true (strvec_contains (&env, "PBS_SERVER=s"));
    assert_true (strvec_contains (&env, "TZ=UTC0"));
    assert_int_equal (env.n, 3);
    strvec_release (&env);
}

/* --- complaints --- */

static void test_complaints (void **state)
{
    static const struct {
        const char *message;
        enum complaint complaint;
        const char *advice; /* words of it; NULL: none */
    } cases[] = {
        { "", COMPLAINT_UNCLEAR, NULL },
        { "Connection refused\nqsub: cannot connect to server pbs01 "
          "(errno=15010)\n",
          COMPLAINT_UNCLEAR, NULL },
        { "Connection refused\nCouldn't connect to cluster: pbs01\n",
          COMPLAINT_UNCLEAR, NULL },
        { "Unknown Host.\nqstat: cannot connect to server x (errno=15008)\n",
          COMPLAINT_UNCLEAR, NULL },
        { "qsub: End of File\n", COMPLAINT_UNCLEAR, NULL },
        { "wrapper: something went wrong\n", COMPLAINT_UNCLEAR, NULL },
        { "qsub: would exceed queue generic's per-user limit\n", COMPLAINT_FULL,
          "`limits: submit:`" },
        { "qsub: Maximum number of jobs already in queue totq\n",
          COMPLAINT_FULL, "`limits: submit:`" },
        { "qsub: Queue is not enabled\n", COMPLAINT_FULL, "`queue`" },
        { "qstat: Unknown Job Id 1.pbs01\n", COMPLAINT_UNKNOWN_JOB, NULL },
        { "qdel: Job has finished 1.pbs01\n", COMPLAINT_OVER, NULL },
        { "qdel: Request invalid for finished array subjob 1[2].pbs01\n",
          COMPLAINT_OVER, NULL },
        { "qsub: Unknown queue\n", COMPLAINT_REFUSED, "`queue`" },
        { "qstat: illegal 'destination' value\n", COMPLAINT_REFUSED,
          "`queue`" },
        { "qsub: Array job exceeds server or queue size limit\n",
          COMPLAINT_REFUSED, "`limits: elements:`" },
        { "qsub: Job violates queue and/or server resource limits\n",
          COMPLAINT_REFUSED, "`limits: walltime:`" },
        { "qsub: Unknown resource: ngpus\n", COMPLAINT_REFUSED, "`gres`" },
        { "qsub: illegal -J value\nusage: qsub [-a date_time]\n",
          COMPLAINT_REFUSED, "`limits: running:`" },
        { "qsub: invalid option -- 'Q'\nqsub: directive error: -Q bad \n",
          COMPLAINT_REFUSED, "`directives`" },
        { "qsub: Bad UID for job execution\n", COMPLAINT_REFUSED, "root" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct complaint_text *text =
            complaint_find (pbs_commands.complaints, cases[i].message);

        assert_int_equal (text ? text->complaint : COMPLAINT_UNCLEAR,
                          cases[i].complaint);
        assert_int_equal (text && text->advice, cases[i].advice != NULL);
        if (cases[i].advice)
            assert_non_null (strstr (text->advice, cases[i].advice));
    }
}

static bool only_unknown (const char *message)
{
    return complaint_only (pbs_commands.complaints, message,
                           1u << COMPLAINT_UNKNOWN_JOB);
}

static void test_only_unknown_jobs (void **state)
{
    (void)state;
    assert_true (only_unknown ("qstat: Unknown Job Id 1.s\n"
                               "qstat: Unknown Job Id 2[].s\n"));
    assert_false (only_unknown ("qstat: Unknown Job Id 1.s\n"
                                "qstat: End of File\n"));
    assert_false (only_unknown ("qstat: Unknown Job Id 1.s\n"
                                "qstat: something nobody has seen\n"));
    assert_false (only_unknown (""));
    assert_false (only_unknown ("\n"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_plain),
        cmocka_unit_test (test_everything),
        cmocka_unit_test (test_several_nodes),
        cmocka_unit_test (test_torque),
        cmocka_unit_test (test_refused_words),
        cmocka_unit_test (test_refused_directives),
        cmocka_unit_test (test_environments),
        cmocka_unit_test (test_complaints),
        cmocka_unit_test (test_only_unknown_jobs),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
