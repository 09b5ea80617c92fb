/* SPDX-License-Identifier: BSD-3-Clause */
/* test_job_around.c - the job that an allocation is in: what runners on its
 * other nodes are told of it, when it ends, and the sets of other jobs
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "allocation/allocation.h"
#include "allocation/runner.h"
#include "allocation_scene.h"
#include "job_around.h"

/* --- the job around a runner to which no environment was handed on --- */

/* 'qstat': a shell script; NULL: there is none. */
static void make_set (const char *qstat, const char *end)
{
    struct job_around around;
    struct error err = ERROR_INIT;

    setenv ("PATH", "bin:/usr/bin:/bin", 1);
    assert_true (job_around_find (&around));
    if (job_around_write (&around, SET "/job", &err) < 0)
        fail_msg ("%s", err.text);
    if (end)
        write_text (SET "/end", end);
    if (qstat) {
        assert_int_equal (file_make_dirs ("bin", NULL), 0);
        write_text ("bin/qstat", qstat);
        assert_int_equal (chmod ("bin/qstat", 0700), 0);
    }
    unsetenv ("PBS_JOBID");
}

static void test_a_runner_on_a_bare_node (void **state)
{
    static const struct {
        const char *qstat, *end;
        double left_s; /* 30 s less than the job has */
    } cases[] = {
        { NULL, "1000\n", 970 },
        { NULL, "20\n", -10 },
        { NULL, "inf\n", INFINITY },
        { "#!/bin/sh\nexit 1\n", "1000\n", 970 },
        /* it was deleted */
        { "#!/bin/sh\necho 'qstat: Unknown Job Id 47.host' >&2\nexit 153\n",
          "1000\n", -INFINITY },
        { "#!/bin/sh\necho 'qstat: 47.host Job has finished, use -x' >&2\n"
          "exit 35\n",
          "inf\n", -INFINITY },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct runner_node node;
        struct error err = ERROR_INIT;
        double left_s;

        print_message ("# %s: %s\n", cases[i].qstat, cases[i].end);
        setenv ("PBS_JOBID", "47.host", 1);
        make_set (cases[i].qstat, cases[i].end);
        if (runner_node_open (&node, SET, &err) < 0)
            fail_msg ("%s", err.text);
        assert_string_equal (getenv ("PBS_JOBID"), "47.host");
        left_s = runner_node_left_s (&node);
        assert_true (left_s <= cases[i].left_s);
        assert_true (isinf (cases[i].left_s) || left_s > cases[i].left_s - 60);
        runner_node_close (&node);
    }
}

/* Time has passed since it was noted, by the clock of the file system. */
static void test_time_passes_before_a_runner_begins (void **state)
{
    double left_s;

    (void)state;
    make_set (NULL, "100\n");
    make_old (SET "/end");
    assert_int_equal (set_read_end (SET, &left_s, NULL), 0);
    assert_true (left_s < 40);
}

static void test_a_runner_that_knows_no_end (void **state)
{
    struct runner_node node;
    struct error err = ERROR_INIT;

    (void)state;
    make_set (NULL, NULL);
    assert_int_equal (runner_node_open (&node, SET, &err), -1);
    assert_non_null (strstr (err.text, "when this job ends is not known"));
}

/* What mpirun prints below and above its words is not what it says. */
static void test_last_words (void **state)
{
    struct strbuf words = STRBUF_INIT;

    (void)state;
    write_text (SET "/output",
                "first\nORTE was unable to start a daemon on n2\n"
                "--------------------------------------------\n\n");
    runners_last_words ("spool", &words);
    assert_string_equal (words.buf, "ORTE was unable to start a daemon on n2");
    strbuf_release (&words);
}

/* --- what other nodes are told --- */

/* A line for each variable that is the site's: none may bring lines of its own,
 * and what merely begins like one is another.
 */
static void test_variables (void **state)
{
    struct job_around around;
    struct error err = ERROR_INIT;

    (void)state;
    setenv ("PATH", "/bin", 1);
    setenv ("PBS_SERVER", "host\nPATH=/evil", 1);
    setenv ("PBS_CONF_FILE", "/etc/pbs.conf", 1);
    setenv ("PBS_CONF_FILE_2", "x", 1);
    setenv ("PBS_CONF", "x", 1);
    setenv ("MY_PATH", "x", 1);
    assert_true (job_around_find (&around));
    assert_int_equal (around.nodes, 1); /* which are not told */
    if (job_around_write (&around, "job", &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (system ("sort job >sorted"), 0);
    assert_file_text (
        "sorted",
        "PATH=/bin\nPBS_CONF_FILE=/etc/pbs.conf\nPBS_JOBID=47.host\n");
    unsetenv ("PBS_JOBID");
    unsetenv ("PBS_CONF_FILE");
    if (job_around_take_over ("job", &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (getenv ("PBS_JOBID"), "47.host");
    assert_string_equal (getenv ("PBS_CONF_FILE"), "/etc/pbs.conf");
    assert_string_equal (getenv ("PBS_SERVER"), "host\nPATH=/evil");
    unsetenv ("PBS_SERVER");
    unsetenv ("PBS_CONF_FILE");
    unsetenv ("PBS_CONF_FILE_2");
    unsetenv ("PBS_CONF");
    unsetenv ("MY_PATH");
    setenv ("PATH", "/usr/bin:/bin", 1);
}

/* --- sets of other jobs --- */

/* By what the scheduler says when it is asked. */
static void test_time_left (void **state)
{
    static const struct {
        const char *walltime;
        int began_s; /* ago */
        double left_s;
    } cases[] = {
        { "00:10:00", 0, 600 },
        { "10:00:00", 3600, 9 * 3600 },
        { "00:10:00", 700, 0 },
        { NULL, 700, INFINITY },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct job_around around;
        struct error err = ERROR_INIT;
        char *qstat = xasprintf (
            "#!/bin/sh\nbegan=$(LC_ALL=C date -d '%d seconds ago' '+%%a %%b "
            "%%e %%T %%Y')\necho 'Job Id: 47.host'\necho '    %s = %s'\n"
            "echo \"    stime = $began\"\necho\n",
            cases[i].began_s,
            cases[i].walltime ? "Resource_List.walltime" : "comment",
            cases[i].walltime ? cases[i].walltime : "none");
        double left_s = -1;

        setenv ("PBS_JOBID", "47.host", 1);
        make_set (qstat, NULL);
        setenv ("PBS_JOBID", "47.host", 1);
        assert_true (job_around_find (&around));
        if (job_around_time_left (&around, &left_s, &err) != ANSWER_OK)
            fail_msg ("%s", err.text);
        assert_true (left_s <= cases[i].left_s);
        assert_true (isinf (cases[i].left_s) || left_s >= cases[i].left_s - 60);
        free (qstat);
    }
}

/* Sets in which a runner lives stay, whosever they are, and so do ours. */
static void test_old_sets (void **state)
{
    static const char *const agents[] = { "true", "{on_nodes}", NULL };
    const struct scheduler scheduler = { .adapter = &allocation_adapter,
                                         .spool = "spool",
                                         .agents = agents,
                                         .deadline_s = 10 };
    static const char *const sets[] = { "45.host.0", "46.host.0", "46.host.1" };
    struct error err = ERROR_INIT;
    struct runners runners;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (sets); i++) {
        char *dir = xasprintf ("spool/nodes/%s", sets[i]);
        char *runner = path_join (dir, "r"),
             *ended = path_join (dir, "r.ended");

        assert_int_equal (file_make_dirs (dir, NULL), 0);
        write_text (runner, "{\"node\": \"n1\", \"cores\": 1, \"gpus\": 0, "
                            "\"memory_bytes\": 0}");
        if (i == 1)
            write_text (ended, "");
        free (ended);
        free (runner);
        free (dir);
    }
    make_set (
        "#!/bin/sh\n"
        "printf 'Job Id: 47.host\\n    Resource_List.walltime = "
        "10:00:00\\n    stime = %s\\n\\n' \"$(LC_ALL=C date '+%a %b %e %T "
        "%Y')\"\n",
        NULL);
    write_text ("nodes", "n9\n");
    setenv ("PBS_NODEFILE", "nodes", 1);
    setenv ("PBS_JOBID", "47.host", 1);
    if (runners_look ("spool", &runners, &err) < 0)
        fail_msg ("%s", err.text);
    if (runners_start (&scheduler, &runners, &err) != ANSWER_OK)
        fail_msg ("%s", err.text);
    assert_true (file_exists ("spool/nodes/45.host.0"));
    assert_false (file_exists ("spool/nodes/46.host.0"));
    assert_true (file_exists ("spool/nodes/46.host.1"));
    assert_true (file_exists (SET));
    runners_release (&runners);
    unsetenv ("PBS_NODEFILE");
}

/* A set of runners that could not be started leaves nothing: neither does it
 * count as tried, nor as being started.
 */
static void test_set_that_does_not_start (void **state)
{
    static const char *const agents[] = { "no-such-launcher", NULL };
    const struct scheduler scheduler = { .adapter = &allocation_adapter,
                                         .spool = "spool",
                                         .agents = agents,
                                         .deadline_s = 10 };
    struct error err = ERROR_INIT;
    struct runners runners;

    (void)state;
    make_set (NULL, NULL);
    setenv ("PBS_JOBID", "47.host", 1);
    setenv ("PATH", "/usr/bin:/bin", 1);
    if (runners_look ("spool", &runners, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_not_equal (runners_start (&scheduler, &runners, &err),
                          ANSWER_OK);
    assert_non_null (strstr (err.text, "no-such-launcher"));
    assert_true (file_exists (SET));
    assert_false (file_exists ("spool/nodes/47.host.1"));
    runners_release (&runners);
    if (runners_look ("spool", &runners, &err) < 0)
        fail_msg ("%s", err.text);
    assert_false (runners.starting);
    runners_release (&runners);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_a_runner_on_a_bare_node),
        IN_DIR (test_time_passes_before_a_runner_begins),
        IN_DIR (test_a_runner_that_knows_no_end),
        IN_DIR (test_last_words),
        IN_DIR (test_variables),
        IN_DIR (test_time_left),
        IN_DIR (test_old_sets),
        IN_DIR (test_set_that_does_not_start),
    };

    /* Plugins of hwloc leak, and are unloaded. */
    setenv ("HWLOC_COMPONENTS", "-pci,-opencl,-cuda,-nvml,-rsmi,-levelzero,-gl",
            1);
    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
