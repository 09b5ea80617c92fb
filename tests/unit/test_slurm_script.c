/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slurm_script.c - the sbatch script, and what goes into environments */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "arrays/array_job.h"
#include "rendered.h"
#include "slurm/slurm.h"
#include "temp_dir.h"

static void test_least (void **state)
{
    struct array_job job = plain_job ();

    (void)state;
    expect_rendered ("slurm", &job,
                     "#!/bin/bash -l\n"
                     "#SBATCH --job-name=t23456789012345\n"
                     "#SBATCH --array=0-0\n"
                     "#SBATCH --nodes=1\n"
                     "#SBATCH --ntasks-per-node=1\n"
                     "#SBATCH --no-requeue\n"
                     "#SBATCH --open-mode=append\n"
                     "exec >>/run/0/element-\"${SLURM_ARRAY_TASK_ID}\".log "
                     "2>&1\n"
                     "export FANFOLD_NODE=\"${SLURMD_NODENAME}\"\n"
                     "export FANFOLD_NODE_IN=SLURMD_NODENAME\n"
                     "exec /bin/fanfold --element "
                     "\"${SLURM_ARRAY_TASK_ID}\" --job-id "
                     "\"${SLURM_ARRAY_JOB_ID}\"\n");
    job_release (&job);
}

static void test_most (void **state)
{
    static const char *const load[] = { "module", "load", "lammps", NULL };
    static const char *const *const setup[] = { load, NULL };
    struct array_job job = plain_job ();

    (void)state;
    job.elements = 1001;
    job.running = 64;
    job.cores = 16;
    job.gpus = 2;
    job.memory_bytes = (INT64_C (3) << 30) + 1;
    job.walltime_s = 3601;
    job.queue = "standard";
    job.account = "mat123";
    job.qos = "normal";
    job.priority = -50;
    job.gres = "gpu:a100";
    job.setup = setup;
    job.run_dir = "/it's $HOME/50%\n0";
    strvec_push (&job.directives, "--constraint=\"a&b\"");
    strvec_push (&job.directives, "--requeue");
    expect_rendered ("slurm", &job,
                     "#!/bin/bash -l\n"
                     "#SBATCH --job-name=t23456789012345\n"
                     "#SBATCH --array=0-1000%64\n"
                     "#SBATCH --partition=standard\n"
                     "#SBATCH --account=mat123\n"
                     "#SBATCH --qos=normal\n"
                     "#SBATCH --nice=50\n"
                     "#SBATCH --nodes=1\n"
                     "#SBATCH --ntasks-per-node=16\n"
                     "#SBATCH --mem=3073M\n"
                     "#SBATCH --gres=gpu:a100:2\n"
                     "#SBATCH --time=61\n"
                     "#SBATCH --no-requeue\n"
                     "#SBATCH --open-mode=append\n"
                     "#SBATCH --constraint=\"a&b\"\n"
                     "#SBATCH --requeue\n"
                     "exec >>'/it'\\''s $HOME/50%\n"
                     "0'/element-\"${SLURM_ARRAY_TASK_ID}\".log 2>&1\n"
                     "export FANFOLD_NODE=\"${SLURMD_NODENAME}\"\n"
                     "export FANFOLD_NODE_IN=SLURMD_NODENAME\n"
                     "export FANFOLD_NODE_GPUS=\"${SLURM_JOB_GPUS-}\"\n"
                     "module load lammps || exit 1\n"
                     "exec /bin/fanfold --element \"${SLURM_ARRAY_TASK_ID}\" "
                     "--job-id \"${SLURM_ARRAY_JOB_ID}\"\n");
    job_release (&job);
}

/* Whatever the profile says about turns. */
static void test_turn (void **state)
{
    struct array_job job = plain_job ();
    struct error err = ERROR_INIT;
    struct strbuf script = STRBUF_INIT;

    (void)state;
    job.after = "4711";
    job.delay_s = 0.5;
    strvec_push (&job.directives, "--begin=tomorrow");
    assert_int_equal (render_job ("slurm", &job, &script, NULL), ANSWER_OK);
    assert_non_null (strstr (script.buf, "#SBATCH --begin=tomorrow\n"
                                         "#SBATCH --dependency=afterany:4711\n"
                                         "#SBATCH --begin=now+1\n"));
    strbuf_reset (&script);
    job.after = "4711?afterok:1";
    assert_int_equal (render_job ("slurm", &job, &script, &err),
                      ANSWER_REFUSED);
    assert_int_equal (script.len, 0);
    assert_non_null (strstr (err.text, "to wait for"));
    strbuf_release (&script);
    job_release (&job);
}

/* Two nodes of four ranks of two cores: mpirun would put eight ranks on the
 * first one if that had eight tasks.
 */
static void test_nodes (void **state)
{
    struct array_job job = plain_job ();

    (void)state;
    job.nodes = 2;
    job.ranks = 4;
    job.cores = 8;
    expect_rendered ("slurm", &job,
                     "#!/bin/bash -l\n"
                     "#SBATCH --job-name=t23456789012345\n"
                     "#SBATCH --array=0-0\n"
                     "#SBATCH --nodes=2\n"
                     "#SBATCH --ntasks-per-node=4\n"
                     "#SBATCH --cpus-per-task=2\n"
                     "#SBATCH --no-requeue\n"
                     "#SBATCH --open-mode=append\n"
                     "exec >>/run/0/element-\"${SLURM_ARRAY_TASK_ID}\".log "
                     "2>&1\n"
                     "export FANFOLD_NODE=\"${SLURMD_NODENAME}\"\n"
                     "export FANFOLD_NODE_IN=SLURMD_NODENAME\n"
                     "exec /bin/fanfold --element "
                     "\"${SLURM_ARRAY_TASK_ID}\" --job-id "
                     "\"${SLURM_ARRAY_JOB_ID}\"\n");
    job_release (&job);
}

static void expect_output (const struct array_job *job, const char *expected)
{
    struct strvec argv = STRVEC_INIT;

    slurm_commands.submit (job, "/run/0/script", &argv);
    assert_true (strvec_contains (&argv, expected));
    assert_true (strvec_contains (&argv, "--hold"));
    assert_string_equal (argv.v[argv.n - 1], "/run/0/script");
    strvec_release (&argv);
}

static void test_output (void **state)
{
    struct array_job job = plain_job ();

    (void)state;
    expect_output (&job, "--output=/run/0/element-%a.log");
    /* What Slurm would expand, or take for a word of its own. */
    job.run_dir = "/50%a/0";
    expect_output (&job, "--output=/dev/null");
    job.run_dir = "/a\\b/0";
    expect_output (&job, "--output=/dev/null");
    job_release (&job);
}

static void test_refused_words (void **state)
{
    static const char *const words[] = { "a b", "a\nb", "",    "$(id)", "a;b",
                                         "a'b", "a\"b", "a#b", "a\\b" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        struct array_job job = plain_job ();

        job.queue = words[i];
        expect_not_rendered ("slurm", &job, "partition: '");
        job.queue = NULL;
        job.account = words[i];
        expect_not_rendered ("slurm", &job, "account: '");
        job.account = NULL;
        job.qos = words[i];
        expect_not_rendered ("slurm", &job, "qos: '");
        job.qos = NULL;
        job.gres = words[i];
        expect_not_rendered ("slurm", &job, "gres: '");
        job_release (&job);
    }
}

static void test_refused_directives (void **state)
{
    static const struct {
        const char *directive;
        const char *words; /* NULL: allowed */
    } cases[] = {
        { "--array=0-5", "for fanfold to set" },
        { "-a 0-5", "for fanfold to set" },
        { "-a0-5", "for fanfold to set" },
        { "--job-name=x", "for fanfold to set" },
        { "-J x", "for fanfold to set" },
        { "--output=x", "for fanfold to set" },
        { "--export=ALL", "for fanfold to set" },
        { "-M other", "for fanfold to set" },
        { "--wait", "for fanfold to set" },
        { "--arr=0-5", "for fanfold to set" },
        { "--array 0-5", "for fanfold to set" },
        { "--\"arr\"ay=0-5", "for fanfold to set" },
        { "-sa0-5", "for fanfold to set" },
        { "-sHk", "for fanfold to set" },
        { "--constraint=x --arr=0-5", "for fanfold to set" },
        { "-C x -a 1", "for fanfold to set" },
        { "--comment='x --array=1'", NULL },
        { "-Ca0-5", NULL },
        { "--wait-all", NULL },
        { "constraint=x", "no option" },
        { "", "no option" },
        { "--comment=a\nrm -rf", "no option" },
        { "--wait-all-nodes=1", NULL },
        { "--comment=it's $HOME", NULL },
        { "-C icelake", NULL },
        { "--requeue", NULL },
    };

    static const char *const ours[] = { "--array", "--job-name", "--output",
                                        "--export", "--wait" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        expect_directive ("slurm", cases[i].directive, cases[i].words);
    }
    /* however short */
    for (size_t i = 0; i < ARRAY_SIZE (ours); i++) {
        for (size_t len = 3; len <= strlen (ours[i]); len++) {
            char option[40];

            snprintf (option, sizeof (option), "%.*s=1", (int)len, ours[i]);
            expect_directive ("slurm", option, "for fanfold to set");
        }
    }
}

/* --- environments --- */

static char *const somebody[] = { (char *)"HOME=/home/me",
                                  (char *)"PATH=/bin",
                                  (char *)"SLURM_CONF=/etc/slurm.conf",
                                  (char *)"SLURM_JOB_ID=12",
                                  (char *)"SLURM_ARRAY_TASK_ID=7",
                                  (char *)"SLURM_NTASKS=4",
                                  (char *)"SBATCH_PARTITION=other",
                                  (char *)"SQUEUE_FORMAT=%i",
                                  (char *)"SACCT_FORMAT=x",
                                  (char *)"SCANCEL_STATE=PENDING",
                                  (char *)"SLURM_CLUSTERS=x",
                                  (char *)"LC_ALL=de_DE.UTF-8",
                                  (char *)"SECRET=1",
                                  (char *)"USER=me",
                                  NULL };

static void join (const struct strvec *env, struct strbuf *text)
{
    for (size_t i = 0; i < env->n; i++)
        strbuf_addf (text, "%s ", env->v[i]);
}

static void test_environments (void **state)
{
    struct strvec env = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)state;
    client_env (somebody, &slurm_commands.asking, &env);
    join (&env, &text);
    assert_string_equal (text.buf,
                         "HOME=/home/me PATH=/bin SLURM_CONF=/etc/slurm.conf "
                         "SECRET=1 USER=me LC_ALL=C SLURM_TIME_FORMAT=%s "
                         "SLURM_BITSTR_LEN=0 ");
    strvec_release (&env);
    strbuf_reset (&text);
    client_env (somebody, &slurm_commands.submitting, &env);
    join (&env, &text);
    assert_string_equal (text.buf, "HOME=/home/me PATH=/bin "
                                   "SLURM_CONF=/etc/slurm.conf USER=me ");
    strvec_release (&env);
    strbuf_release (&text);
}

/* Nodes the profile has excluded stay so. */
static void test_exclude (void **state)
{
    static const struct {
        const char *directive;
        const char *line;
    } cases[] = {
        { NULL, "#SBATCH --exclude=n7,n9\n" },
        { "--exclude=bad[1-3],n8", "#SBATCH --exclude=n7,n9,bad[1-3],n8\n" },
        { "--exclude bad1", "#SBATCH --exclude=n7,n9,bad1\n" },
        { "-x bad1", "#SBATCH --exclude=n7,n9,bad1\n" },
        { "-xbad1", "#SBATCH --exclude=n7,n9,bad1\n" },
        { "--exclusive", "#SBATCH --exclude=n7,n9\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct array_job job = plain_job ();
        struct strbuf script = STRBUF_INIT;

        strvec_push (&job.exclude, "n7");
        strvec_push (&job.exclude, "n9");
        if (cases[i].directive)
            strvec_push (&job.directives, cases[i].directive);
        assert_int_equal (render_job ("slurm", &job, &script, NULL), ANSWER_OK);
        assert_non_null (strstr (script.buf, cases[i].line));
        strbuf_release (&script);
        job_release (&job);
    }
}

/* --- calls --- */

/* A scancel that fails with 'words' on stderr, and notes what it was asked. */
static void write_scancel (const char *dir, const char *words)
{
    char *path = path_join (dir, "scancel");
    char *text =
        xasprintf ("#!/bin/sh\necho \"$*\" >'%s/asked'\necho '%s' >&2\n"
                   "exit 1\n",
                   dir, words);

    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    assert_int_equal (chmod (path, 0755), 0);
    free (text);
    free (path);
}

/* A number that was given to another job since is not of that name. */
static void expect_asked (const char *dir, const char *words)
{
    char *path = path_join (dir, "asked");
    struct strbuf text = STRBUF_INIT;

    assert_int_equal (file_read (path, 1000, &text, NULL), 0);
    assert_string_equal (text.buf, words);
    strbuf_release (&text);
    free (path);
}

/* What is gone need not be cancelled; what cannot be known is tried again. */
static void test_cancel (void **state)
{
    static const struct {
        const char *words;
        enum answer answer;
    } rows[] = {
        { "scancel: error: Kill job error on job id 7: Invalid job id "
          "specified",
          ANSWER_OK },
        { "scancel: error: Kill job error on job id 7: Job/step already "
          "completing or completed",
          ANSWER_OK },
        { "scancel: error: Kill job error on job id 7: Access/permission "
          "denied",
          ANSWER_REFUSED },
        { "scancel: error: Unable to contact slurm controller",
          ANSWER_TRY_LATER },
    };
    const struct scheduler scheduler = { .adapter =
                                             scheduler_adapter_find ("slurm"),
                                         .deadline_s = 30 };
    const struct job_key key = { "7", "t7" };
    char *before = xstrdup (getenv ("PATH"));
    char *dir = temp_dir_make ();
    char *path = xasprintf ("%s:%s", dir, before);

    (void)state;
    setenv ("PATH", path, 1);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        write_scancel (dir, rows[i].words);
        assert_int_equal (
            scheduler.adapter->cancel (&scheduler, &key, -1, NULL),
            rows[i].answer);
        expect_asked (dir, "--name=t7 7\n");
    }
    setenv ("PATH", before, 1);
    temp_dir_remove (dir);
    free (path);
    free (before);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_least),
        cmocka_unit_test (test_most),
        cmocka_unit_test (test_exclude),
        cmocka_unit_test (test_turn),
        cmocka_unit_test (test_nodes),
        cmocka_unit_test (test_output),
        cmocka_unit_test (test_refused_words),
        cmocka_unit_test (test_refused_directives),
        cmocka_unit_test (test_environments),
        cmocka_unit_test (test_cancel),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
