/* SPDX-License-Identifier: BSD-3-Clause */
/* conformance.c - what every scheduler adapter owes */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "conformance.h"

enum { ELEMENTS = 3 };

/* One test's world. */
struct world {
    const struct conformance *c;
    const struct scheduler_adapter *adapter;
    struct scheduler scheduler;
    struct scheduler broken;
    char *dir;
    struct array_job job;
    struct strbuf id;
    struct element_status status[ELEMENTS];
};

/* Notes "<element> <job id>" in DIR/ran and does what DIR/behaviour says. */
static const char agent_script[] = "dir=$2\n"
                                   "element=$4\n"
                                   "job_id=$6\n"
                                   "echo \"$element $job_id\" >> \"$dir/ran\"\n"
                                   ". \"$dir/behaviour\"\n";

static char *in_dir (const struct world *world, const char *name)
{
    return path_join (world->dir, name);
}

static void put (const struct world *world, const char *name, const char *text)
{
    char *path = in_dir (world, name);

    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

static void write_agent (const struct world *world)
{
    const char *prologue = world->c->agent_prologue;
    char *text =
        xasprintf ("#!/bin/sh\n%s%s", prologue ? prologue : "", agent_script);
    char *path = in_dir (world, "agent");

    put (world, "agent", text);
    assert_int_equal (chmod (path, 0755), 0);
    free (path);
    free (text);
}

/* A job of three elements whose agents behave so. */
static void make_job (struct world *world, const char *behaviour)
{
    struct array_job *job = &world->job;
    char *agent = in_dir (world, "agent");

    strvec_release (&job->agent);
    *job = (struct array_job){ .elements = ELEMENTS,
                               .cores = 1,
                               .walltime_s = 600,
                               .directives = STRVEC_INIT,
                               .agent = STRVEC_INIT,
                               .run_dir = world->dir };
    random_token (job->token, TOKEN_LENGTH);
    strvec_push (&job->agent, agent);
    strvec_push (&job->agent, "agent");
    strvec_push (&job->agent, world->dir);
    put (world, "behaviour", behaviour);
    free (agent);
}

static int enter (void **state)
{
    struct world *world = *state;
    const char *parent = getenv ("TMPDIR");

    world->dir = xasprintf ("%s/fanfold-adapter-XXXXXX",
                            parent && parent[0] ? parent : "/tmp");
    if (!mkdtemp (world->dir))
        return -1;
    world->c->set_up (world->dir, &world->scheduler);
    world->scheduler.adapter = world->adapter;
    if (world->c->set_up_broken)
        world->c->set_up_broken (world->dir, &world->broken);
    world->broken.adapter = world->adapter;
    write_agent (world);
    return 0;
}

/* Is any element neither ended nor unknown? */
static bool status_is_open (const struct element_status *status)
{
    for (int i = 0; i < ELEMENTS; i++) {
        if (status[i].state != ELEMENT_ENDED
            && status[i].state != ELEMENT_UNKNOWN)
            return true;
    }
    return false;
}

/* A job must not outlive its test, whatever the test found. */
static void end_job (const struct world *world)
{
    struct element_status status[ELEMENTS] = { { .state = ELEMENT_ENDED } };
    struct job_status job = { .id = world->id.buf,
                              .n_elements = ELEMENTS,
                              .elements = status };
    double end_s = clock_mono_s () + world->c->patience_s;

    world->adapter->cancel (&world->scheduler, job.id, -1, NULL);
    do
        world->adapter->poll (&world->scheduler, &job, 1, NULL);
    while (status_is_open (status) && clock_mono_s () < end_s);
    if (world->adapter->forget)
        world->adapter->forget (&world->scheduler, job.id, NULL);
}

static int leave (void **state)
{
    struct world *world = *state;
    int rc;

    if (world->id.len > 0)
        end_job (world);
    strbuf_release (&world->id);
    strvec_release (&world->job.agent);
    rc = file_remove_tree (world->dir, NULL);
    free (world->dir);
    return rc;
}

/* --- calls --- */

static char *write_script (struct world *world)
{
    char *path = in_dir (world, "script");

    assert_int_equal (
        scheduler_write_script (&world->scheduler, &world->job, path, NULL), 0);
    return path;
}

static void submit (struct world *world)
{
    char *path = write_script (world);

    assert_int_equal (world->adapter->submit (&world->scheduler, &world->job,
                                              path, &world->id, NULL),
                      ANSWER_OK);
    assert_true (world->id.len > 0);
    free (path);
}

static void release (struct world *world)
{
    assert_int_equal (
        world->adapter->release (&world->scheduler, world->id.buf, NULL),
        ANSWER_OK);
}

static void cancel (struct world *world, int64_t element)
{
    assert_int_equal (world->adapter->cancel (&world->scheduler, world->id.buf,
                                              element, NULL),
                      ANSWER_OK);
}

static void poll_job (struct world *world)
{
    struct job_status job = { .id = world->id.buf,
                              .n_elements = ELEMENTS,
                              .elements = world->status };

    assert_int_equal (world->adapter->poll (&world->scheduler, &job, 1, NULL),
                      ANSWER_OK);
}

static bool all_in (const struct world *world, enum element_state state)
{
    for (int i = 0; i < ELEMENTS; i++) {
        if (world->status[i].state != state)
            return false;
    }
    return true;
}

/* Poll until 'element' (-1: all) is in 'state'. */
static void wait_for (struct world *world,
                      int element,
                      enum element_state state)
{
    double end_s = clock_mono_s () + world->c->patience_s;

    for (;;) {
        poll_job (world);
        if (element < 0 ? all_in (world, state)
                        : world->status[element].state == state)
            return;
        if (clock_mono_s () > end_s)
            fail_msg ("element %d: not in state %d after %g s", element,
                      (int)state, world->c->patience_s);
        clock_sleep (0.005, NULL);
    }
}

static void expect_outcomes (const struct world *world, enum outcome outcome)
{
    for (int i = 0; i < ELEMENTS; i++)
        assert_string_equal (outcome_name (world->status[i].outcome),
                             outcome_name (outcome));
}

/* --- what ran --- */

/* The lines of a file the agents write to, sorted; none if it is not there. */
static void read_lines (const struct world *world,
                        const char *name,
                        struct strvec *lines)
{
    struct strbuf text = STRBUF_INIT;
    char *path = in_dir (world, name);

    file_read (path, 1 << 20, &text, NULL);
    strvec_split (lines, text.buf, "\n");
    strvec_sort (lines);
    free (path);
    strbuf_release (&text);
}

static size_t count_lines (const struct world *world, const char *name)
{
    struct strvec lines = STRVEC_INIT;
    size_t n;

    read_lines (world, name, &lines);
    n = lines.n;
    strvec_release (&lines);
    return n;
}

static void wait_lines (const struct world *world, const char *name, size_t n)
{
    double end_s = clock_mono_s () + world->c->patience_s;

    while (count_lines (world, name) < n) {
        if (clock_mono_s () > end_s)
            fail_msg ("'%s' has %zu lines after %g s, not %zu", name,
                      count_lines (world, name), world->c->patience_s, n);
        clock_sleep (0.005, NULL);
    }
}

/* Every element ran once, and knew who it was. */
static void expect_all_ran_once (const struct world *world)
{
    struct strvec lines = STRVEC_INIT;

    read_lines (world, "ran", &lines);
    assert_int_equal (lines.n, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
        char *expected = xasprintf ("%d %s", i, world->id.buf);

        assert_string_equal (lines.v[i], expected);
        free (expected);
    }
    strvec_release (&lines);
}

/* --- the suite --- */

static void test_limits (void **state)
{
    struct world *world = *state;
    struct scheduler_limits limits = {
        .elements = -1, .submit = -1, .walltime_s = -1, .node_cores = -1
    };

    assert_int_equal (world->adapter->limits (&world->scheduler, &limits, NULL),
                      ANSWER_OK);
    assert_true (limits.elements >= 0);
    assert_true (limits.submit >= 0);
    assert_true (limits.walltime_s >= 0);
    assert_true (limits.node_cores >= 0);
}

static void test_render_is_stable (void **state)
{
    struct world *world = *state;
    struct strbuf first = STRBUF_INIT;
    struct strbuf second = STRBUF_INIT;

    make_job (world, "exit 0");
    strbuf_add_str (&second, "before");
    assert_int_equal (
        world->adapter->render (&world->scheduler, &world->job, &first, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->render (&world->scheduler, &world->job, &second, NULL),
        ANSWER_OK);
    assert_int_equal (strncmp (first.buf, "#!/", 3), 0);
    assert_int_equal (first.buf[first.len - 1], '\n');
    assert_int_equal (strncmp (second.buf, "before", 6), 0);
    assert_string_equal (second.buf + 6, first.buf);
    /* Constant size: the number of elements is not spelled out. */
    world->job.elements = 1000000;
    strbuf_reset (&second);
    assert_int_equal (
        world->adapter->render (&world->scheduler, &world->job, &second, NULL),
        ANSWER_OK);
    assert_true (second.len < first.len + 64);
    strbuf_release (&first);
    strbuf_release (&second);
}

static void test_held_until_released (void **state)
{
    struct world *world = *state;

    make_job (world, "exit 0");
    submit (world);
    for (int i = 0; i < 3; i++) {
        poll_job (world);
        assert_true (all_in (world, ELEMENT_HELD));
    }
    assert_int_equal (count_lines (world, "ran"), 0);
}

static void test_every_element_runs_once (void **state)
{
    struct world *world = *state;

    make_job (world, "exit 0");
    submit (world);
    release (world);
    release (world); /* twice is no error, and not twice the work */
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_OK);
    release (world);
    poll_job (world);
    expect_all_ran_once (world);
}

static void test_find (void **state)
{
    struct world *world = *state;
    struct strvec ids = STRVEC_INIT;
    char other[TOKEN_LENGTH + 1];

    make_job (world, "exit 0");
    assert_int_equal (
        world->adapter->find (&world->scheduler, world->job.token, &ids, NULL),
        ANSWER_OK);
    assert_int_equal (ids.n, 0);
    submit (world); /* as if its reply were lost: */
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

    make_job (world, "until test -e \"$dir/go\"; do sleep 0.02; done");
    submit (world);
    release (world);
    wait_for (world, 0, ELEMENT_RUNNING);
    assert_true (world->status[ELEMENTS - 1].state == ELEMENT_QUEUED
                 || world->status[ELEMENTS - 1].state == ELEMENT_RUNNING);
    put (world, "go", "");
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_OK);
}

static void test_failure_is_seen (void **state)
{
    struct world *world = *state;

    make_job (world, "test $element != 1");
    submit (world);
    release (world);
    wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (world->status[0].outcome, OUTCOME_OK);
    assert_int_equal (world->status[1].outcome, OUTCOME_FAILED);
    assert_int_equal (world->status[2].outcome, OUTCOME_OK);
}

static void test_throttle (void **state)
{
    struct world *world = *state;

    make_job (world, "mkdir \"$dir/busy\" || echo x >> \"$dir/overlap\"\n"
                     "sleep 0.05\nrmdir \"$dir/busy\"");
    world->job.running = 1;
    submit (world);
    release (world);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_all_ran_once (world);
    assert_int_equal (count_lines (world, "overlap"), 0);
}

static void test_cancel_job (void **state)
{
    struct world *world = *state;

    make_job (world, "exec sleep 1000");
    world->job.running = 1;
    submit (world);
    release (world);
    wait_for (world, 0, ELEMENT_RUNNING);
    wait_lines (world, "ran", 1);
    cancel (world, -1);
    cancel (world, -1);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_CANCELLED);
    cancel (world, -1);
    assert_int_equal (count_lines (world, "ran"), 1);
}

static void test_cancel_held_job (void **state)
{
    struct world *world = *state;

    make_job (world, "exit 0");
    submit (world);
    cancel (world, -1);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_CANCELLED);
    assert_int_equal (count_lines (world, "ran"), 0);
}

static void test_cancel_elements (void **state)
{
    struct world *world = *state;

    make_job (world, "until test -e \"$dir/go\"; do sleep 0.02; done");
    world->job.running = 1;
    submit (world);
    release (world);
    wait_for (world, 0, ELEMENT_RUNNING);
    wait_lines (world, "ran", 1);
    cancel (world, 1); /* queued */
    cancel (world, 1);
    cancel (world, 0); /* running */
    put (world, "go", "");
    wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (world->status[0].outcome, OUTCOME_CANCELLED);
    assert_int_equal (world->status[1].outcome, OUTCOME_CANCELLED);
    assert_int_equal (world->status[2].outcome, OUTCOME_OK);
    assert_int_equal (count_lines (world, "ran"), 2);
}

static void test_walltime (void **state)
{
    struct world *world = *state;

    make_job (world, "exec sleep 1000");
    world->job.walltime_s = 0.2;
    submit (world);
    release (world);
    if (world->c->expire) {
        wait_for (world, -1, ELEMENT_RUNNING);
        world->c->expire (world->id.buf);
    }
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_TIMEOUT);
}

static void test_unknown_jobs (void **state)
{
    struct world *world = *state;
    struct error err = ERROR_INIT;
    struct job_status job = { .id = "a23456789012345",
                              .n_elements = ELEMENTS,
                              .elements = world->status };

    memset (world->status, 0xff, sizeof (world->status));
    assert_int_equal (world->adapter->poll (&world->scheduler, &job, 1, NULL),
                      ANSWER_OK);
    assert_true (all_in (world, ELEMENT_UNKNOWN));
    assert_int_equal (world->adapter->release (&world->scheduler, job.id, &err),
                      ANSWER_REFUSED);
    assert_string_not_equal (err.text, "");
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, job.id, -1, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->cancel (&world->scheduler, job.id, 0, NULL), ANSWER_OK);
    if (world->adapter->forget)
        assert_int_equal (
            world->adapter->forget (&world->scheduler, job.id, NULL),
            ANSWER_OK);
}

/* Known and unknown ones in one call. */
static void test_many_jobs_in_one_poll (void **state)
{
    struct world *world = *state;
    struct element_status other[ELEMENTS];
    struct job_status jobs[2] = {
        { .id = "a23456789012345", .n_elements = ELEMENTS, .elements = other }
    };

    make_job (world, "exit 0");
    submit (world);
    release (world);
    wait_for (world, -1, ELEMENT_ENDED);
    jobs[1] = (struct job_status){ .id = world->id.buf,
                                   .n_elements = ELEMENTS,
                                   .elements = world->status };
    memset (world->status, 0, sizeof (world->status));
    assert_int_equal (world->adapter->poll (&world->scheduler, jobs, 2, NULL),
                      ANSWER_OK);
    assert_int_equal (other[0].state, ELEMENT_UNKNOWN);
    assert_true (all_in (world, ELEMENT_ENDED));
    assert_int_equal (world->adapter->poll (&world->scheduler, NULL, 0, NULL),
                      ANSWER_OK);
}

static void test_forget (void **state)
{
    struct world *world = *state;
    struct strvec ids = STRVEC_INIT;

    make_job (world, "exit 0");
    submit (world);
    release (world);
    wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (
        world->adapter->forget (&world->scheduler, world->id.buf, NULL),
        ANSWER_OK);
    assert_int_equal (
        world->adapter->find (&world->scheduler, world->job.token, &ids, NULL),
        ANSWER_OK);
    assert_int_equal (ids.n, 0);
    poll_job (world);
    assert_true (all_in (world, ELEMENT_UNKNOWN));
}

static void test_unheld_needs_no_release (void **state)
{
    struct world *world = *state;

    make_job (world, "exit 0");
    world->job.unheld = true;
    submit (world);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_OK);
    expect_all_ran_once (world);
}

/* The job of the test becomes the one before; the id is the caller's. */
static char *job_before (struct world *world, const char *behaviour)
{
    char *id;

    make_job (world, behaviour);
    submit (world);
    id = xstrdup (world->id.buf);
    strbuf_reset (&world->id);
    make_job (world, behaviour);
    world->job.after = id;
    world->job.unheld = true;
    submit (world);
    return id;
}

static void release_job (const struct world *world, const char *id)
{
    assert_int_equal (world->adapter->release (&world->scheduler, id, NULL),
                      ANSWER_OK);
}

static void test_waits_for_another_job (void **state)
{
    struct world *world = *state;
    struct strbuf text = STRBUF_INIT;
    char *before = job_before (world, "echo \"$job_id\" >> \"$dir/order\"\n"
                                      "test $element != 1");
    char *path = in_dir (world, "order");
    size_t half = ELEMENTS * (strlen (before) + 1);

    for (int i = 0; i < 3; i++) {
        poll_job (world);
        assert_true (all_in (world, ELEMENT_QUEUED));
    }
    assert_int_equal (count_lines (world, "ran"), 0);
    release_job (world, before);
    wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (file_read (path, 1 << 20, &text, NULL), 0);
    assert_true (text.len > half);
    for (const char *line = text.buf; *line; line = strchr (line, '\n') + 1)
        assert_int_equal (
            strncmp (line,
                     (size_t)(line - text.buf) < half ? before : world->id.buf,
                     strcspn (line, "\n")),
            0);
    free (path);
    free (before);
    strbuf_release (&text);
}

/* However it ended, and however long ago. */
static void test_waits_no_longer_than_needed (void **state)
{
    struct world *world = *state;
    char *before = job_before (world, "exit 0");

    assert_int_equal (
        world->adapter->cancel (&world->scheduler, before, -1, NULL),
        ANSWER_OK);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_OK);
    strbuf_reset (&world->id);
    make_job (world, "exit 0");
    world->job.after = before;
    world->job.unheld = true;
    submit (world);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_OK);
    free (before);
}

static void test_waits_for_its_time (void **state)
{
    struct world *world = *state;

    make_job (world, "exit 0");
    world->job.unheld = true;
    world->job.delay_s = 3000;
    submit (world);
    for (int i = 0; i < 3; i++) {
        poll_job (world);
        assert_true (all_in (world, ELEMENT_QUEUED));
    }
    cancel (world, -1);
    wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (count_lines (world, "ran"), 0);
    strbuf_reset (&world->id);
    make_job (world, "exit 0");
    world->job.unheld = true;
    world->job.delay_s = 0.5;
    submit (world);
    wait_for (world, -1, ELEMENT_ENDED);
    expect_outcomes (world, OUTCOME_OK);
}

static void test_time_left (void **state)
{
    struct world *world = *state;
    struct error err = ERROR_INIT;
    double left_s = -1;

    world->c->pretend (NULL);
    assert_int_equal (
        world->adapter->time_left (&world->scheduler, &left_s, &err),
        ANSWER_REFUSED);
    assert_string_not_equal (err.text, "");
    assert_true (left_s == -1);
    make_job (world, "until test -e \"$dir/go\"; do sleep 0.02; done");
    submit (world);
    release (world);
    wait_for (world, 0, ELEMENT_RUNNING);
    world->c->pretend (world->id.buf);
    assert_int_equal (
        world->adapter->time_left (&world->scheduler, &left_s, &err),
        ANSWER_OK);
    assert_true (left_s > 0 && left_s <= world->job.walltime_s);
    world->c->pretend (NULL);
    put (world, "go", "");
    wait_for (world, -1, ELEMENT_ENDED);
}

static void be_silent (const struct world *world, bool silent)
{
    if (world->c->silence)
        world->c->silence (silent);
}

/* Whoever does not hear knows nothing. */
static void expect_silence (struct world *world,
                            struct job_status *job,
                            struct strvec *ids,
                            struct scheduler_limits *limits)
{
    struct error err = ERROR_INIT;
    struct element_status before[ELEMENTS];

    memset (world->status, 0xff, sizeof (world->status));
    memcpy (before, world->status, sizeof (before));
    assert_int_equal (world->adapter->poll (&world->broken, job, 1, &err),
                      ANSWER_TRY_LATER);
    assert_string_not_equal (err.text, "");
    assert_memory_equal (world->status, before, sizeof (before));
    assert_int_equal (
        world->adapter->find (&world->broken, world->job.token, ids, NULL),
        ANSWER_TRY_LATER);
    assert_int_equal (ids->n, 0);
    assert_int_equal (world->adapter->cancel (&world->broken, "1", -1, NULL),
                      ANSWER_TRY_LATER);
    assert_int_equal (world->adapter->limits (&world->broken, limits, NULL),
                      ANSWER_TRY_LATER);
    assert_int_equal (limits->elements, -1);
}

static void test_failing_calls_touch_nothing (void **state)
{
    struct world *world = *state;
    struct strbuf id = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct scheduler_limits limits = {
        .elements = -1, .submit = -1, .walltime_s = -1, .node_cores = -1
    };
    struct strvec ids = STRVEC_INIT;
    struct job_status job = { .id = "1",
                              .n_elements = ELEMENTS,
                              .elements = world->status };
    char *path;

    make_job (world, "exit 0");
    path = write_script (world);
    strbuf_add_str (&id, "before");
    be_silent (world, true);
    assert_int_not_equal (
        world->adapter->submit (&world->broken, &world->job, path, &id, &err),
        ANSWER_OK);
    assert_string_equal (id.buf, "before");
    assert_string_not_equal (err.text, "");
    assert_int_not_equal (
        world->adapter->release (&world->broken, world->job.token, &err),
        ANSWER_OK);
    if (world->c->silence)
        expect_silence (world, &job, &ids, &limits);
    be_silent (world, false);
    strvec_release (&ids);
    free (path);
    strbuf_release (&id);
}

struct conformance_test {
    const char *name;
    CMUnitTestFunction test;
    bool applies;
};

/* The tests that apply: those of optional calls need the call. */
static size_t list_tests (struct world *world, struct CMUnitTest *tests)
{
#define TEST(function, applies)                                                \
    {                                                                          \
#function, function, applies                                           \
    }
    const bool hold = world->adapter->can_hold;
    const struct conformance_test all[] = {
        TEST (test_limits, true),
        TEST (test_render_is_stable, true),
        TEST (test_held_until_released, hold),
        TEST (test_every_element_runs_once, true),
        TEST (test_find, true),
        TEST (test_running_is_seen, true),
        TEST (test_failure_is_seen, true),
        TEST (test_throttle, true),
        TEST (test_cancel_job, true),
        TEST (test_cancel_held_job, hold),
        TEST (test_cancel_elements, true),
        TEST (test_walltime, true),
        TEST (test_unknown_jobs, true),
        TEST (test_many_jobs_in_one_poll, true),
        TEST (test_forget, world->adapter->forget),
        TEST (test_unheld_needs_no_release, true),
        TEST (test_waits_for_another_job, world->adapter->can_wait),
        TEST (test_waits_no_longer_than_needed, world->adapter->can_wait),
        TEST (test_waits_for_its_time, world->adapter->can_wait),
        TEST (test_time_left, world->adapter->time_left),
        TEST (test_failing_calls_touch_nothing, true),
    };
#undef TEST
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE (all); i++) {
        if (all[i].applies)
            tests[n++] = (struct CMUnitTest){ all[i].name, all[i].test, enter,
                                              leave, world };
    }
    return n;
}

enum { TESTS_MOST = 32 };

int conformance_run (const struct conformance *conformance)
{
    struct world world = { .c = conformance,
                           .adapter = conformance->adapter,
                           .job = { .agent = STRVEC_INIT },
                           .id = STRBUF_INIT };
    struct CMUnitTest tests[TESTS_MOST];
    size_t n = list_tests (&world, tests);

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return _cmocka_run_group_tests (conformance->adapter->name, tests, n, NULL,
                                    NULL);
}
