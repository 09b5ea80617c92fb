/* SPDX-License-Identifier: BSD-3-Clause */
/* test_allocation.c - who has which element, and which runners live
 *
 * Files are made as runners would leave them, and given the age of a minute.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "allocation/allocation.h"
#include "allocation/runner.h"
#include "allocation_scene.h"
#include "arrays/array_job.h"
#include "fsync_calls.h"
#include "job_around.h"
#include "spool.h"
#include "temp_dir.h"

#define TOKEN "abcdefghijklmno"

static void make_runner (const char *path)
{
    write_text (path, "{\"node\": \"n1\", \"cores\": 4, \"gpus\": 1, "
                      "\"memory_bytes\": 7}");
}

/* What is seen of the one runner that is there. */
static struct runners look (void)
{
    struct error err = ERROR_INIT;
    struct runners runners;

    if (runners_look ("spool", &runners, &err) < 0)
        fail_msg ("%s", err.text);
    return runners;
}

static void expect (bool alive, enum outcome cause)
{
    struct runners runners = look ();

    assert_int_equal (runners.n, 1);
    assert_true (runners.v[0].alive == alive);
    assert_string_equal (outcome_name (runners.v[0].cause),
                         outcome_name (cause));
    assert_true (runners_alive (&runners) == alive);
    assert_string_equal (runners.v[0].node, "n1");
    assert_int_equal (runners.v[0].cores, 4);
    runners_release (&runners);
}

/* One look is not enough: the file system may have stood still. */
static void test_a_late_runner_is_dead_when_it_stays_late (void **state)
{
    (void)state;
    make_runner (SET "/r");
    expect (true, OUTCOME_NONE);
    make_old (SET "/r");
    expect (true, OUTCOME_NONE);
    assert_true (file_exists (SET "/r.late"));
    expect (true, OUTCOME_NONE);
    make_old (SET "/r.late");
    expect (false, OUTCOME_NODE_FAILURE);
    /* and stays so, whatever it does */
    make_runner (SET "/r");
    expect (false, OUTCOME_NODE_FAILURE);
}

static void test_a_runner_that_comes_back_lives (void **state)
{
    (void)state;
    make_runner (SET "/r");
    make_old (SET "/r");
    expect (true, OUTCOME_NONE);
    make_runner (SET "/r");
    expect (true, OUTCOME_NONE);
    assert_false (file_exists (SET "/r.late"));
}

/* It did not fail: the job around it is over. */
static void test_a_runner_of_another_job_was_preempted (void **state)
{
    (void)state;
    make_runner (SET "/r");
    make_old (SET "/r");
    write_text (SET "/r.late", "");
    make_old (SET "/r.late");
    setenv ("PBS_JOBID", "48.host", 1);
    expect (false, OUTCOME_PREEMPTED);
    setenv ("PBS_JOBID", "47.host", 1); /* who said so first is right */
    expect (false, OUTCOME_PREEMPTED);
}

static void test_a_runner_that_ended (void **state)
{
    (void)state;
    make_runner (SET "/r");
    write_text (SET "/r.ended", "");
    expect (false, OUTCOME_PREEMPTED);
}

static void test_runners_that_are_being_started (void **state)
{
    struct runners runners;

    (void)state;
    write_text (SET "/begun", "");
    write_text (SET "/output", "");
    runners = look ();
    assert_int_equal (runners.n, 0);
    assert_true (runners.starting);
    runners_release (&runners);
    make_old (SET "/begun");
    runners = look ();
    assert_false (runners.starting);
    runners_release (&runners);
    write_text (SET "/begun", "");
    setenv ("PBS_JOBID", "48.host", 1);
    runners = look ();
    assert_false (runners.starting);
    runners_release (&runners);
}

/* --- on which nodes one is started --- */

/* "n1:" a runner of n1 lives, "n1!" it was lost with its node, "n1." it ended;
 * "n1@0-30" 30 s ago one was started there in set 0, "n1@0+30" and came.
 */
static void read_runners (const char *text, struct runners *runners)
{
    static char words[8][32];
    size_t n = 0;

    for (const char *c = text; sscanf (c, "%31s", words[n]) == 1; n++) {
        char *name = words[n], *mark = name + strcspn (name, ":!.@");
        char kind = *mark;

        c = strstr (c, name) + strlen (name);
        *mark = '\0';
        if (kind == '@') {
            double age_s;
            int set;
            char came;

            assert_int_equal (sscanf (mark + 1, "%d%c%lf", &set, &came, &age_s),
                              3);
            runners->tries[runners->n_tries++] = (struct node_try){
                .node = name, .set = set, .came = came == '+', .age_s = age_s
            };
        } else {
            runners->v[runners->n++] =
                (struct runner){ .node = name,
                                 .alive = kind == ':',
                                 .cause = kind == '!' ? OUTCOME_NODE_FAILURE
                                                      : OUTCOME_PREEMPTED };
        }
    }
}

static void test_where_a_runner_is_started (void **state)
{
    static const struct {
        const char *seen, *node;
        enum node_start start;
        bool lost;
    } cases[] = {
        { "", "n1", START_WITH_OTHERS, false },
        { "n2: n2@0+5", "n1", START_WITH_OTHERS, false },
        { "n1: n1@0+5", "n1", START_NOT, false },
        { "n1: n1@0+5", "", START_NOT, false },
        { "n1: n1@0+5", "n1.site.org", START_NOT, false },
        { "n11: n11@0+5", "n1", START_WITH_OTHERS, false },
        /* it is about to come, it did not come */
        { "n1@0-5", "n1", START_NOT, false },
        { "n1@0-61", "n1", START_ALONE, true },
        { "n1@0-70 n1@1-5", "n1", START_NOT, true },
        { "n1@0-140 n1@1-70", "n1", START_NOT, true },
        { "n1@0-190 n1@1-121", "n1", START_ALONE, true },
        { "n1@9-700 n1@10-121", "n1", START_ALONE, true },
        { "n1@10-121 n1@9-700", "n1", START_ALONE, true },
        { "n1@0-9999 n1@1-9999 n1@2-9999 n1@3-9999 n1@4-9999 n1@5-599", "n1",
          START_NOT, true },
        { "n1@0-9999 n1@1-9999 n1@2-9999 n1@3-9999 n1@4-9999 n1@5-601", "n1",
          START_ALONE, true },
        /* it had nothing to do for a minute */
        { "n1. n1@0+500", "n1", START_WITH_OTHERS, false },
        { "n1. n1@0+500 n1@1-5", "n1", START_NOT, false },
        { "n1. n1: n1@0+500 n1@1+5", "n1", START_NOT, false },
        /* it ended as soon as it had come: not at every poll */
        { "n1. n1@0+5", "n1", START_NOT, false },
        { "n1. n1@0+61", "n1", START_WITH_OTHERS, false },
        /* failures before it came do not count */
        { "n1. n1@0-900 n1@1-800 n1@2+500 n1@3-61", "n1", START_ALONE, true },
        /* it went with its node */
        { "n1! n1@0+500", "n1", START_ALONE, false },
        { "n1! n1@0+500 n1@1-5", "n1", START_NOT, false },
        { "n1! n1@0+500 n1@1-61", "n1", START_ALONE, true },
        /* those of another job around it say nothing of nodes */
        { "n1!", "n1", START_WITH_OTHERS, false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct runner v[8];
        struct node_try tries[8];
        struct runners runners = { .v = v, .tries = tries };

        print_message ("# %s: %s\n", cases[i].seen, cases[i].node);
        read_runners (cases[i].seen, &runners);
        assert_int_equal (runner_start_on (&runners, cases[i].node),
                          cases[i].start);
        assert_true (node_is_lost (&runners, cases[i].node) == cases[i].lost);
    }
}

static void test_tries (void **state)
{
    struct runners runners;

    (void)state;
    write_text (SET "/begun", "n1\nn2\n");
    make_runner (SET "/r");
    runners = look ();
    assert_int_equal (runners.n_tries, 2);
    assert_string_equal (runners.tries[0].node, "n1");
    assert_true (runners.tries[0].came);
    assert_false (runners.tries[1].came);
    assert_true (runners.starting);
    assert_int_equal (runner_start_on (&runners, "n2"), START_NOT);
    runners_release (&runners);
    make_old (SET "/begun");
    runners = look ();
    assert_int_equal (runner_start_on (&runners, "n2"), START_ALONE);
    assert_true (node_is_lost (&runners, "n2"));
    assert_false (runners.starting);
    runners_release (&runners);
}

/* A runner of an earlier set says nothing of those of a later one. */
static void test_tries_of_later_sets (void **state)
{
    struct runners runners;
    size_t came = 0;

    (void)state;
    write_text (SET "/begun", "n1\n");
    make_runner (SET "/r");
    assert_int_equal (file_make_dirs ("spool/nodes/47.host.1", NULL), 0);
    write_text ("spool/nodes/47.host.1/begun", "n1\n");
    runners = look ();
    assert_int_equal (runners.n_tries, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true (runners.tries[i].came == (runners.tries[i].set == 0));
        came += runners.tries[i].came;
    }
    assert_int_equal (came, 1);
    assert_true (runners.starting);
    runners_release (&runners);
}

/* --- elements --- */

static struct spool_job job;

static void make_job (int64_t running)
{
    struct array_job array = { .token = TOKEN,
                               .elements = 4,
                               .running = running,
                               .cores = 1,
                               .agent = STRVEC_INIT,
                               .exclude = STRVEC_INIT };

    strvec_push (&array.agent, "agent");
    write_text ("script", "#!/bin/sh\n");
    assert_int_equal (spool_create ("spool", &array, "script", NULL), 0);
    assert_int_equal (spool_mark ("spool/" TOKEN, "released", NULL), 0);
    assert_int_equal (spool_read_job ("spool/" TOKEN, &job, NULL), 0);
    strvec_release (&array.agent);
}

static void end_job (void)
{
    spool_job_release (&job);
    assert_int_equal (file_remove_tree ("spool/" TOKEN, NULL, NULL), 0);
}

static int take (int64_t element, const char *id)
{
    struct runners runners = look ();
    struct elements elements;
    struct error err = ERROR_INIT;
    int rc;

    assert_int_equal (elements_read (&job, &elements, NULL), 0);
    rc = element_take (&job, &elements, &runners, element, id, &err);
    if (rc < 0)
        fail_msg ("%s", err.text);
    elements_release (&elements);
    runners_release (&runners);
    return rc;
}

/* "RQE(ok)..." of all elements. */
static void expect_status (const char *text)
{
    struct runners runners = look ();
    struct strbuf out = STRBUF_INIT;
    struct elements elements;

    assert_int_equal (spool_read_marks (&job, NULL), 0);
    assert_int_equal (elements_read (&job, &elements, NULL), 0);
    assert_int_equal (elements_status (&job, &elements, &runners, NULL), 0);
    for (int64_t e = 0; e < job.elements; e++) {
        if (job.status[e].state == ELEMENT_ENDED)
            strbuf_addf (&out, "%s ", outcome_name (job.status[e].outcome));
        else
            strbuf_add_str (&out, job.status[e].state == ELEMENT_RUNNING
                                      ? "running "
                                      : "queued ");
    }
    assert_string_equal (out.buf, text);
    strbuf_release (&out);
    elements_release (&elements);
    runners_release (&runners);
}

static void test_an_element_is_taken_once (void **state)
{
    (void)state;
    make_runner (SET "/r");
    make_job (0);
    expect_status ("queued queued queued queued ");
    assert_int_equal (take (1, "47.host.0/r"), 0);
    assert_int_equal (take (1, "47.host.0/s"), ELEMENT_IS_TAKEN);
    expect_status ("queued running queued queued ");
    assert_int_equal (element_end (&job, 1, OUTCOME_TIMEOUT, NULL), 0);
    expect_status ("queued timeout queued queued ");
    /* with its runner */
    assert_int_equal (take (2, "47.host.0/r"), 0);
    assert_int_equal (take (3, "gone.0/r"), 0);
    write_text (SET "/r.dead", "node_failure");
    expect_status ("queued timeout node_failure preempted ");
    end_job ();
}

/* Whoever took it after it was cancelled does not run it. */
static void test_cancelled_elements_do_not_begin (void **state)
{
    (void)state;
    make_runner (SET "/r");
    make_job (0);
    assert_int_equal (take (0, "47.host.0/r"), 0);
    assert_int_equal (spool_mark (job.dir, "cancel-1", NULL), 0);
    assert_int_equal (take (1, "47.host.0/r"), ELEMENT_IS_TAKEN);
    assert_int_equal (spool_mark (job.dir, "cancel", NULL), 0);
    assert_int_equal (take (2, "47.host.0/r"), ELEMENT_IS_TAKEN);
    expect_status ("running cancelled cancelled cancelled ");
    end_job ();
}

/* Two at a time, whoever runs them. */
static void test_places (void **state)
{
    (void)state;
    make_runner (SET "/r");
    make_runner (SET "/s");
    make_job (2);
    assert_int_equal (take (0, "47.host.0/r"), 0);
    assert_int_equal (take (1, "47.host.0/s"), 0);
    assert_int_equal (take (2, "47.host.0/r"), NO_PLACE);
    assert_int_equal (element_end (&job, 1, OUTCOME_OK, NULL), 0);
    /* one that was taken by another meanwhile gives the place back */
    assert_int_equal (take (0, "47.host.0/s"), ELEMENT_IS_TAKEN);
    assert_int_equal (take (2, "47.host.0/s"), 0);
    assert_int_equal (take (3, "47.host.0/s"), NO_PLACE);
    /* the place of a dead runner is free */
    write_text (SET "/r.dead", "node_failure");
    assert_int_equal (take (3, "47.host.0/s"), 0);
    expect_status ("node_failure ok running running ");
    end_job ();
}

/* What was seen of the runners is a few seconds old: one that began since then
 * is not gone, one that went with its set is.
 */
static void test_places_of_runners_that_were_not_seen (void **state)
{
    struct runners before;
    struct elements elements;

    (void)state;
    make_runner (SET "/r");
    before = look ();
    make_runner (SET "/late");
    make_job (1);
    assert_int_equal (take (0, "47.host.0/late"), 0);
    assert_int_equal (elements_read (&job, &elements, NULL), 0);
    assert_int_equal (
        element_take (&job, &elements, &before, 1, "47.host.0/r", NULL),
        NO_PLACE);
    assert_int_equal (remove (SET "/late"), 0);
    assert_int_equal (
        element_take (&job, &elements, &before, 1, "47.host.0/r", NULL), 0);
    elements_release (&elements);
    runners_release (&before);
    end_job ();
}

/* What is not durable is taken once more after a power loss. */
static void test_what_becomes_of_an_element_lasts (void **state)
{
    (void)state;
    make_runner (SET "/r");
    make_job (2);
    fsync_watch ("spool/" TOKEN "/taken-1");
    assert_int_equal (take (1, "47.host.0/r"), 0);
    assert_true (fsync_watched.name_lasts);
    fsync_watch ("spool/" TOKEN "/place-1.0");
    assert_int_equal (take (2, "47.host.0/r"), 0);
    assert_true (file_exists (fsync_watched.path));
    assert_true (fsync_watched.name_lasts);
    fsync_watch ("spool/" TOKEN "/ended-1-ok");
    assert_int_equal (element_end (&job, 1, OUTCOME_OK, NULL), 0);
    assert_true (file_exists (fsync_watched.path));
    assert_true (fsync_watched.name_lasts);
    fsync_watch ("spool/" TOKEN "/cancel-3");
    assert_int_equal (spool_mark (job.dir, "cancel-3", NULL), 0);
    assert_true (fsync_watched.name_lasts);
    end_job ();
}

/* --- what nodes have --- */

/* Elements of two cores that run on a node of 8 cores and 10 bytes, and one
 * more.
 */
static void test_room (void **state)
{
    static const struct {
        int64_t node_bytes, running_bytes[3], bytes;
        int cores, gpus;
        bool room;
    } cases[] = {
        { 10, { 0 }, 10, 8, 2, true },
        { 10, { 0 }, 11, 1, 0, false },
        { 10, { 0 }, 1, 9, 0, false },
        { 10, { 0 }, 1, 1, 3, false },
        { 10, { 6 }, 4, 1, 0, true },
        { 10, { 6 }, 5, 1, 0, false },
        { 10, { 6 }, 6, 1, 0, false },
        { 10, { 3, 3 }, 4, 1, 0, true },
        { 10, { 3, 3 }, 5, 1, 0, false },
        { 10, { 3, 3, 4 }, 1, 1, 0, false },
        { 10, { 3, 3, 4 }, 0, 1, 0, true },
        { 0, { 6, 6 }, 6, 1, 0, true }, /* it is not known */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct run runs[3] = { 0 };
        struct run *list[3] = { 0 };
        struct runner_process r = { .runs = list };
        struct spool_job next = { .memory_bytes = cases[i].bytes,
                                  .cores = cases[i].cores,
                                  .gpus = cases[i].gpus };

        print_message ("# %zu\n", i);
        r.node.cores = 8;
        r.node.shape.n_gpus = 2;
        r.node.memory_bytes = cases[i].node_bytes;
        for (; r.n_runs < 3 && cases[i].running_bytes[r.n_runs] > 0;
             r.n_runs++) {
            runs[r.n_runs].job.memory_bytes = cases[i].running_bytes[r.n_runs];
            list[r.n_runs] = &runs[r.n_runs];
        }
        assert_true (runner_has_room (&r, &next) == cases[i].room);
    }
}

/* Nodes with "cores/GPUs/bytes", a runner each, "!": it is dead. */
static void make_runners (const char *const *nodes)
{
    write_text ("hosts", "");
    setenv ("PBS_NODEFILE", "hosts", 1);
    for (size_t i = 0; nodes[i]; i++) {
        char path[60], text[200];
        int cores, gpus, bytes;
        char dead = ' ';

        assert_true (
            sscanf (nodes[i], "%d/%d/%d%c", &cores, &gpus, &bytes, &dead) >= 3);
        snprintf (path, sizeof (path), SET "/r%zu", i);
        snprintf (text, sizeof (text),
                  "{\"node\": \"n%zu\", \"cores\": %d, \"gpus\": %d, "
                  "\"memory_bytes\": %d}",
                  i, cores, gpus, bytes);
        write_text (path, text);
        if (dead == '!') {
            strcat (path, ".dead");
            write_text (path, "node_failure");
            continue;
        }
        FILE *hosts = fopen ("hosts", "a");

        assert_non_null (hosts);
        fprintf (hosts, "n%zu\n", i);
        fclose (hosts);
    }
}

/* What all that live have; how many would do for an element of 4 cores, one
 * GPU and 8 bytes.
 */
static void test_what_nodes_have (void **state)
{
    static const char *const no_agents[] = { "false", NULL };
    static const struct {
        const char *nodes[4];
        int cores, gpus, bytes, fit;
    } cases[] = {
        { { "8/2/9" }, 8, 2, 9, 1 },
        { { "8/2/9", "4/1/7" }, 4, 1, 7, 1 },
        { { "4/1/7", "8/2/9" }, 4, 1, 7, 1 },
        { { "4/2/9", "8/1/8" }, 4, 1, 8, 2 },
        { { "8/2/0", "4/1/7" }, 4, 1, 7, 1 }, /* 0: it is not known */
        { { "4/1/7", "8/2/0" }, 4, 1, 7, 1 },
        { { "8/2/9", "2/0/3!" }, 8, 2, 9, 1 },
        { { "2/0/3!", "8/2/9" }, 8, 2, 9, 1 },
        { { "8/2/9!", "4/1/7" }, 4, 1, 7, 0 },
        { { "3/1/9", "4/0/9", "4/1/8" }, 3, 0, 8, 1 },
    };
    const struct scheduler scheduler = { .adapter = &allocation_adapter,
                                         .spool = "spool",
                                         .agents = no_agents };
    const struct spool_job element = { .cores = 4,
                                       .gpus = 1,
                                       .memory_bytes = 8 };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct scheduler_limits limits;
        struct runners runners;
        struct error err = ERROR_INIT;

        print_message ("# %zu\n", i);
        assert_int_equal (file_remove_tree (SET, NULL, NULL), 0);
        assert_int_equal (file_make_dirs (SET, NULL), 0);
        make_runners (cases[i].nodes);
        if (allocation_adapter.limits (&scheduler, &limits, &err) != ANSWER_OK)
            fail_msg ("%s", err.text);
        assert_int_equal (limits.node_cores, cases[i].cores);
        assert_int_equal (limits.node_gpus, cases[i].gpus);
        assert_int_equal (limits.node_memory_bytes, cases[i].bytes);
        runners = look ();
        assert_int_equal (runners_count_nodes (&runners, &element),
                          cases[i].fit);
        runners_release (&runners);
    }
    unsetenv ("PBS_NODEFILE");
}

/* --- time --- */

static void test_time (void **state)
{
    static const struct {
        double walltime_s, left_s, whole_s;
        bool begins;
    } cases[] = {
        { 50, 60, 3600, true },
        { 50, 50, 3600, true },
        { 50, 49, 3600, false },
        { 50, 0, 3600, false },
        { 4000, 3500, 3600, true }, /* never would it end in time */
        { 4000, -1, 3600, false },
        { 3600, 3500, 3600, false },
        { 0, 1, 3600, true },
        { 0, 0, 3600, false },
        { 50, INFINITY, INFINITY, true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# %g %g %g\n", cases[i].walltime_s, cases[i].left_s,
                       cases[i].whole_s);
        assert_true (runner_has_time (cases[i].walltime_s, cases[i].left_s,
                                      cases[i].whole_s)
                     == cases[i].begins);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_a_late_runner_is_dead_when_it_stays_late),
        IN_DIR (test_a_runner_that_comes_back_lives),
        IN_DIR (test_a_runner_of_another_job_was_preempted),
        IN_DIR (test_a_runner_that_ended),
        IN_DIR (test_runners_that_are_being_started),
        cmocka_unit_test (test_where_a_runner_is_started),
        IN_DIR (test_tries),
        IN_DIR (test_tries_of_later_sets),
        IN_DIR (test_an_element_is_taken_once),
        IN_DIR (test_cancelled_elements_do_not_begin),
        IN_DIR (test_places),
        IN_DIR (test_places_of_runners_that_were_not_seen),
        IN_DIR (test_what_becomes_of_an_element_lasts),
        cmocka_unit_test (test_room),
        IN_DIR (test_what_nodes_have),
        IN_DIR (test_time),
    };

    /* Plugins of hwloc leak, and are unloaded. */
    setenv ("HWLOC_COMPONENTS", "-pci,-opencl,-cuda,-nvml,-rsmi,-levelzero,-gl",
            1);
    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
