/* SPDX-License-Identifier: BSD-3-Clause */
/* conformance_life.c - jobs are held, found, run, seen, cancelled, forgotten */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "world.h"

static void test_held_until_released (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exit 0");
    world_submit (world);
    for (int i = 0; i < 3; i++) {
        world_poll_job (world);
        assert_true (world_all_in (world, ELEMENT_HELD));
    }
    assert_int_equal (world_count_lines (world, "ran"), 0);
}

static void test_every_element_runs_once (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exit 0");
    world_submit (world);
    world_release (world);
    world_release (world); /* twice is no error, and not twice the work */
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
    world_release (world);
    world_poll_job (world);
    world_expect_all_ran_once (world);
}

static void test_find (void **state)
{
    struct world *world = *state;
    struct strvec ids = STRVEC_INIT;
    char other[TOKEN_LENGTH + 1];

    world_make_job (world, "exit 0");
    assert_int_equal (
        world->adapter->find (&world->scheduler, world->job.token, &ids, NULL),
        ANSWER_OK);
    assert_int_equal (ids.n, 0);
    world_submit (world); /* as if its reply were lost: */
    assert_int_equal (
        world->adapter->find (&world->scheduler, world->job.token, &ids, NULL),
        ANSWER_OK);
    assert_int_equal (ids.n, 1);
    assert_string_equal (ids.v[0], world->id.buf);
    random_token (other, TOKEN_LENGTH);
    assert_int_equal (
        world->adapter->find (&world->scheduler, other, &ids, NULL), ANSWER_OK);
    assert_int_equal (ids.n, 1);
    strvec_release (&ids);
}

static void test_running_is_seen (void **state)
{
    struct world *world = *state;

    world_make_job (world, "until test -e \"$dir/go\"; do sleep 0.02; done");
    world_submit (world);
    world_release (world);
    world_wait_for (world, 0, ELEMENT_RUNNING);
    assert_true (world->status[ELEMENTS - 1].state == ELEMENT_QUEUED
                 || world->status[ELEMENTS - 1].state == ELEMENT_RUNNING);
    world_put (world, "go", "");
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
}

static void test_failure_is_seen (void **state)
{
    struct world *world = *state;

    world_make_job (world, "test $element != 1");
    world_submit (world);
    world_release (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (world->status[0].outcome, OUTCOME_OK);
    assert_int_equal (world->status[1].outcome, OUTCOME_FAILED);
    assert_int_equal (world->status[2].outcome, OUTCOME_OK);
}

static void test_throttle (void **state)
{
    struct world *world = *state;

    world_make_job (world, "mkdir \"$dir/busy\" || echo x >> \"$dir/overlap\"\n"
                           "sleep 0.05\nrmdir \"$dir/busy\"");
    world->job.running = 1;
    world_submit (world);
    world_release (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_all_ran_once (world);
    assert_int_equal (world_count_lines (world, "overlap"), 0);
}

static void test_cancel_job (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exec sleep 1000");
    world->job.running = 1;
    world_submit (world);
    world_release (world);
    world_wait_for (world, 0, ELEMENT_RUNNING);
    world_wait_lines (world, "ran", 1);
    world_cancel (world, -1);
    world_cancel (world, -1);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_CANCELLED);
    world_cancel (world, -1);
    assert_int_equal (world_count_lines (world, "ran"), 1);
}

static void test_cancel_held_job (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exit 0");
    world_submit (world);
    world_cancel (world, -1);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_CANCELLED);
    assert_int_equal (world_count_lines (world, "ran"), 0);
}

static void test_cancel_elements (void **state)
{
    struct world *world = *state;

    world_make_job (world, "until test -e \"$dir/go\"; do sleep 0.02; done");
    world->job.running = 1;
    world_submit (world);
    world_release (world);
    world_wait_for (world, 0, ELEMENT_RUNNING);
    world_wait_lines (world, "ran", 1);
    world_cancel (world, 1); /* queued */
    world_cancel (world, 1);
    world_cancel (world, 0); /* running */
    world_put (world, "go", "");
    world_wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (world->status[0].outcome, OUTCOME_CANCELLED);
    assert_int_equal (world->status[1].outcome, OUTCOME_CANCELLED);
    assert_int_equal (world->status[2].outcome, OUTCOME_OK);
    assert_int_equal (world_count_lines (world, "ran"), 2);
}

/* It does not end when it is told to, and others run on: it is killed in its
 * time, and not shown as ended before.
 */
static void test_cancel_stubborn_element (void **state)
{
    struct world *world = *state;
    char *path = world_in_dir (world, "pid-0");
    struct strbuf pid = STRBUF_INIT;

    world_make_job (world, "trap '' TERM\n"
                           "echo $$ > \"$dir/.pid-$element\"\n"
                           "mv \"$dir/.pid-$element\" \"$dir/pid-$element\"\n"
                           "until test -e \"$dir/go\"; do sleep 0.02; done");
    world->job.running = 2; /* nobody looks for room meanwhile */
    assert_int_equal (setenv ("FANFOLD_GRACE_S", "1s", 1), 0);
    world_submit (world);
    world_release (world);
    world_wait_lines (world, "pid-0", 1);
    world_cancel (world, 0);
    world_wait_for (world, 0, ELEMENT_ENDED);
    assert_int_equal (file_read (path, 100, &pid, NULL), 0);
    assert_int_equal (process_start_ticks (atoi (pid.buf)), 0);
    world_put (world, "go", "");
    world_wait_for (world, -1, ELEMENT_ENDED);
    unsetenv ("FANFOLD_GRACE_S");
    assert_int_equal (world->status[0].outcome, OUTCOME_CANCELLED);
    assert_int_equal (world->status[1].outcome, OUTCOME_OK);
    assert_int_equal (world->status[2].outcome, OUTCOME_OK);
    strbuf_release (&pid);
    free (path);
}

static void test_walltime (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exec sleep 1000");
    world->job.walltime_s = 0.2;
    world_submit (world);
    world_release (world);
    if (world->c->expire) {
        world_wait_for (world, -1, ELEMENT_RUNNING);
        world->c->expire (world->id.buf);
    }
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_TIMEOUT);
}

static void test_unknown_jobs (void **state)
{
    struct world *world = *state;
    struct error err = ERROR_INIT;
    struct job_status job = { .key = { "a23456789012345", "a23456789012345" },
                              .n_elements = ELEMENTS,
                              .elements = world->status };

    memset (world->status, 0xff, sizeof (world->status));
    assert_int_equal (world->adapter->poll (&world->scheduler, &job, 1, NULL),
                      ANSWER_OK);
    assert_true (world_all_in (world, ELEMENT_UNKNOWN));
    assert_int_equal (
        world->adapter->release (&world->scheduler, &job.key, &err),
        ANSWER_REFUSED);
    assert_string_not_equal (err.text, "");
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &job.key, -1, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &job.key, 0, NULL),
        ANSWER_OK);
    if (world->adapter->forget)
        assert_int_equal (
            world->adapter->forget (&world->scheduler, job.key.id, NULL),
            ANSWER_OK);
}

/* As it is when the scheduler has forgotten a job. */
static void test_unknown_id (void **state)
{
    struct world *world = *state;
    struct job_status job = { .n_elements = ELEMENTS,
                              .elements = world->status };
    char *id;

    world_make_job (world, "exit 0");
    world_submit (world);
    id = xasprintf ("9%s", world->id.buf);
    job.key = (struct job_key){ id, world->job.token };
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &job.key, -1, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &job.key, 0, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->release (&world->scheduler, &job.key, NULL),
        ANSWER_REFUSED);
    assert_int_equal (world->adapter->poll (&world->scheduler, &job, 1, NULL),
                      ANSWER_OK);
    assert_true (world_all_in (world, ELEMENT_UNKNOWN));
    free (id);
}

/* An id that was given out again is another job's: its state is not ours, and
 * nothing is done to it.
 */
static void test_id_of_another_job (void **state)
{
    struct world *world = *state;
    const char *behaviour = "until test -e \"$dir/go\"; do sleep 0.02; done";
    char other[TOKEN_LENGTH + 1];
    struct job_status gone = { .n_elements = ELEMENTS,
                               .elements = world->status };
    struct error err = ERROR_INIT;

    random_token (other, TOKEN_LENGTH);
    world_make_job (world, behaviour);
    world_submit (world);
    gone.key = (struct job_key){ world->id.buf, other };
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &gone.key, -1, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &gone.key, 0, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->release (&world->scheduler, &gone.key, &err),
        ANSWER_REFUSED);
    assert_string_not_equal (err.text, "");
    world_poll_job (world);
    assert_true (world_all_in (world, ELEMENT_HELD));
    world_release (world);
    world_wait_for (world, 0, ELEMENT_RUNNING);
    assert_int_equal (world->adapter->poll (&world->scheduler, &gone, 1, NULL),
                      ANSWER_OK);
    assert_true (world_all_in (world, ELEMENT_UNKNOWN));
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &gone.key, -1, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &gone.key, 0, NULL),
        ANSWER_OK);
    world_put (world, "go", "");
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
    world_expect_all_ran_once (world);
}

/* Known and unknown ones in one call. */
static void test_many_jobs_in_one_poll (void **state)
{
    struct world *world = *state;
    struct element_status other[ELEMENTS];
    struct job_status jobs[2] = { { .key = { "a23456789012345",
                                             "a23456789012345" },
                                    .n_elements = ELEMENTS,
                                    .elements = other } };

    world_make_job (world, "exit 0");
    world_submit (world);
    world_release (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    jobs[1] = (struct job_status){ .key = world_key (world),
                                   .n_elements = ELEMENTS,
                                   .elements = world->status };
    memset (world->status, 0, sizeof (world->status));
    assert_int_equal (world->adapter->poll (&world->scheduler, jobs, 2, NULL),
                      ANSWER_OK);
    assert_int_equal (other[0].state, ELEMENT_UNKNOWN);
    assert_true (world_all_in (world, ELEMENT_ENDED));
    assert_int_equal (world->adapter->poll (&world->scheduler, NULL, 0, NULL),
                      ANSWER_OK);
}

static void test_forget (void **state)
{
    struct world *world = *state;
    struct strvec ids = STRVEC_INIT;

    world_make_job (world, "exit 0");
    world_submit (world);
    world_release (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (
        world->adapter->forget (&world->scheduler, world->id.buf, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->find (&world->scheduler, world->job.token, &ids, NULL),
        ANSWER_OK);
    assert_int_equal (ids.n, 0);
    world_poll_job (world);
    assert_true (world_all_in (world, ELEMENT_UNKNOWN));
}

static void test_unheld_needs_no_release (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exit 0");
    world->job.unheld = true;
    world_submit (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
    world_expect_all_ran_once (world);
}

const struct conformance_test life_tests[] = {
    { "test_held_until_released", test_held_until_released, NEEDS_HOLD },
    { "test_every_element_runs_once", test_every_element_runs_once,
      NEEDS_NOTHING },
    { "test_find", test_find, NEEDS_NOTHING },
    { "test_running_is_seen", test_running_is_seen, NEEDS_NOTHING },
    { "test_failure_is_seen", test_failure_is_seen, NEEDS_NOTHING },
    { "test_throttle", test_throttle, NEEDS_NOTHING },
    { "test_cancel_job", test_cancel_job, NEEDS_NOTHING },
    { "test_cancel_held_job", test_cancel_held_job, NEEDS_HOLD },
    { "test_cancel_elements", test_cancel_elements, NEEDS_NOTHING },
    { "test_cancel_stubborn_element", test_cancel_stubborn_element,
      NEEDS_KILLS },
    { "test_walltime", test_walltime, NEEDS_NOTHING },
    { "test_unknown_jobs", test_unknown_jobs, NEEDS_NOTHING },
    { "test_unknown_id", test_unknown_id, NEEDS_NOTHING },
    { "test_id_of_another_job", test_id_of_another_job, NEEDS_HOLD },
    { "test_many_jobs_in_one_poll", test_many_jobs_in_one_poll, NEEDS_NOTHING },
    { "test_forget", test_forget, NEEDS_FORGET },
    { "test_unheld_needs_no_release", test_unheld_needs_no_release,
      NEEDS_NOTHING },
    { NULL, NULL, NEEDS_NOTHING },
};
