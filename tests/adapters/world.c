/* SPDX-License-Identifier: BSD-3-Clause */
/* world.c - what a test of the conformance suite works with */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "../unit/temp_dir.h"
#include "world.h"

/* Notes "<element> <job id>" in DIR/ran and does what DIR/behaviour says. */
static const char agent_script[] = "dir=$2\n"
                                   "element=$4\n"
                                   "job_id=$6\n"
                                   "echo \"$element $job_id\" >> \"$dir/ran\"\n"
                                   ". \"$dir/behaviour\"\n";

char *world_in_dir (const struct world *world, const char *name)
{
    return path_join (world->dir, name);
}

void world_put (const struct world *world, const char *name, const char *text)
{
    char *path = world_in_dir (world, name);

    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

static void write_agent (const struct world *world)
{
    const char *prologue = world->c->agent_prologue;
    char *text =
        xasprintf ("#!/bin/sh\n%s%s", prologue ? prologue : "", agent_script);
    char *path = world_in_dir (world, "agent");

    world_put (world, "agent", text);
    assert_int_equal (chmod (path, 0755), 0);
    free (path);
    free (text);
}

/* A job of three elements whose agents behave so. */
void world_make_job (struct world *world, const char *behaviour)
{
    struct array_job *job = &world->job;
    char *agent = world_in_dir (world, "agent");

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
    world_put (world, "behaviour", behaviour);
    free (agent);
}

struct job_key world_key (const struct world *world)
{
    return (struct job_key){ world->id.buf, world->job.token };
}

int world_enter (void **state)
{
    struct world *world = *state;

    world->dir = temp_dir_make ();
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
    struct job_status job = { .key = world_key (world),
                              .n_elements = ELEMENTS,
                              .elements = status };
    double end_s = clock_mono_s () + world->c->patience_s;

    world->adapter->cancel (&world->scheduler, &job.key, -1, NULL);
    do
        world->adapter->poll (&world->scheduler, &job, 1, NULL);
    while (status_is_open (status) && clock_mono_s () < end_s);
    if (world->adapter->forget)
        world->adapter->forget (&world->scheduler, job.key.id, NULL);
}

int world_leave (void **state)
{
    struct world *world = *state;

    if (world->id.len > 0)
        end_job (world);
    if (world->c->tear_down)
        world->c->tear_down ();
    strbuf_release (&world->id);
    strvec_release (&world->job.agent);
    temp_dir_remove (world->dir);
    return 0;
}

/* --- calls --- */

static void expect_ok (enum answer answer, const char *call,
                       const struct error *err)
{
    if (answer != ANSWER_OK)
        fail_msg ("%s: answer %d: %s", call, (int)answer, err->text);
}

char *world_write_script (struct world *world)
{
    char *path = world_in_dir (world, "script");

    assert_int_equal (
        scheduler_write_script (&world->scheduler, &world->job, path, NULL), 0);
    return path;
}

void world_submit (struct world *world)
{
    char *path = world_write_script (world);
    struct error err = ERROR_INIT;

    expect_ok (world->adapter->submit (&world->scheduler, &world->job, path,
                                       &world->id, &err),
               "submit", &err);
    assert_true (world->id.len > 0);
    free (path);
}

void world_release (struct world *world)
{
    const struct job_key key = world_key (world);
    struct error err = ERROR_INIT;

    expect_ok (world->adapter->release (&world->scheduler, &key, &err),
               "release", &err);
}

void world_cancel (struct world *world, int64_t element)
{
    const struct job_key key = world_key (world);
    struct error err = ERROR_INIT;

    expect_ok (world->adapter->cancel (&world->scheduler, &key, element, &err),
               "cancel", &err);
}

void world_poll_job (struct world *world)
{
    struct job_status job = { .key = world_key (world),
                              .n_elements = ELEMENTS,
                              .elements = world->status };
    struct error err = ERROR_INIT;

    expect_ok (world->adapter->poll (&world->scheduler, &job, 1, &err), "poll",
               &err);
}

bool world_all_in (const struct world *world, enum element_state state)
{
    for (int i = 0; i < ELEMENTS; i++) {
        if (world->status[i].state != state)
            return false;
    }
    return true;
}

/* Poll until 'element' (-1: all) is in 'state'. */
void world_wait_for (struct world *world, int element, enum element_state state)
{
    double end_s = clock_mono_s () + world->c->patience_s;

    for (;;) {
        world_poll_job (world);
        if (element < 0 ? world_all_in (world, state)
                        : world->status[element].state == state)
            return;
        if (clock_mono_s () > end_s)
            fail_msg ("element %d: not in state %d after %g s", element,
                      (int)state, world->c->patience_s);
        clock_sleep (0.005, NULL);
    }
}

void world_expect_outcomes (const struct world *world, enum outcome outcome)
{
    for (int i = 0; i < ELEMENTS; i++)
        assert_string_equal (outcome_name (world->status[i].outcome),
                             outcome_name (outcome));
}

/* --- what ran --- */

/* The lines of a file the agents write to, sorted; none if it is not there. */
static void read_lines (const struct world *world, const char *name,
                        struct strvec *lines)
{
    struct strbuf text = STRBUF_INIT;
    char *path = world_in_dir (world, name);

    file_read (path, 1 << 20, &text, NULL);
    strvec_split (lines, text.buf, "\n");
    strvec_sort (lines);
    free (path);
    strbuf_release (&text);
}

size_t world_count_lines (const struct world *world, const char *name)
{
    struct strvec lines = STRVEC_INIT;
    size_t n;

    read_lines (world, name, &lines);
    n = lines.n;
    strvec_release (&lines);
    return n;
}

void world_wait_lines (const struct world *world, const char *name, size_t n)
{
    double end_s = clock_mono_s () + world->c->patience_s;

    while (world_count_lines (world, name) < n) {
        if (clock_mono_s () > end_s)
            fail_msg ("'%s' has %zu lines after %g s, not %zu", name,
                      world_count_lines (world, name), world->c->patience_s, n);
        clock_sleep (0.005, NULL);
    }
}

/* Every element ran once, and knew who it was. */
void world_expect_all_ran_once (const struct world *world)
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
