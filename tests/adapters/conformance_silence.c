/* SPDX-License-Identifier: BSD-3-Clause */
/* conformance_silence.c - a scheduler that does not answer */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "world.h"

static void be_silent (const struct world *world, bool silent)
{
    if (world->c->silence)
        world->c->silence (silent);
}

/* Whoever does not hear knows nothing. */
static void expect_silence (struct world *world, struct job_status *job,
                            struct strvec *ids, struct scheduler_limits *limits)
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
    assert_int_equal (
        world->adapter->cancel (&world->broken, &job->key, -1, NULL),
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
    struct job_status job = { .key = { "1", "t" },
                              .n_elements = ELEMENTS,
                              .elements = world->status };
    char *path;

    world_make_job (world, "exit 0");
    path = world_write_script (world);
    strbuf_add_str (&id, "before");
    be_silent (world, true);
    assert_int_not_equal (
        world->adapter->submit (&world->broken, &world->job, path, &id, &err),
        ANSWER_OK);
    assert_string_equal (id.buf, "before");
    assert_string_not_equal (err.text, "");
    assert_int_not_equal (
        world->adapter->release (&world->broken, &job.key, &err), ANSWER_OK);
    if (world->c->silence)
        expect_silence (world, &job, &ids, &limits);
    be_silent (world, false);
    strvec_release (&ids);
    free (path);
    strbuf_release (&id);
}

const struct conformance_test silence_tests[] = {
    { "test_failing_calls_touch_nothing", test_failing_calls_touch_nothing,
      NEEDS_NOTHING },
    { NULL, NULL, NEEDS_NOTHING },
};
