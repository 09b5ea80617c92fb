/* SPDX-License-Identifier: BSD-3-Clause */
/* conformance_chain.c - jobs that wait for others and for their time, and the
 * time that is left to one
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "world.h"

/* The job of the test becomes the one before; the id is the caller's, and its
 * name goes into 'token'.
 */
static char *job_before (struct world *world, const char *behaviour,
                         char token[TOKEN_LENGTH + 1])
{
    char *id;

    world_make_job (world, behaviour);
    world_submit (world);
    id = xstrdup (world->id.buf);
    memcpy (token, world->job.token, TOKEN_LENGTH + 1);
    strbuf_reset (&world->id);
    world_make_job (world, behaviour);
    world->job.after = id;
    world->job.unheld = true;
    world_submit (world);
    return id;
}

static void release_job (const struct world *world, const char *id,
                         const char *token)
{
    const struct job_key key = { id, token };

    assert_int_equal (world->adapter->release (&world->scheduler, &key, NULL),
                      ANSWER_OK);
}

static void test_waits_for_another_job (void **state)
{
    struct world *world = *state;
    struct strbuf text = STRBUF_INIT;
    char token[TOKEN_LENGTH + 1];
    char *before = job_before (world,
                               "echo \"$job_id\" >> \"$dir/order\"\n"
                               "test $element != 1",
                               token);
    char *path = world_in_dir (world, "order");
    size_t half = ELEMENTS * (strlen (before) + 1);

    for (int i = 0; i < 3; i++) {
        world_poll_job (world);
        assert_true (world_all_in (world, ELEMENT_QUEUED));
    }
    assert_int_equal (world_count_lines (world, "ran"), 0);
    release_job (world, before, token);
    world_wait_for (world, -1, ELEMENT_ENDED);
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
    char token[TOKEN_LENGTH + 1];
    char *before = job_before (world, "exit 0", token);
    const struct job_key key = { before, token };

    assert_int_equal (
        world->adapter->cancel (&world->scheduler, &key, -1, NULL), ANSWER_OK);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
    strbuf_reset (&world->id);
    world_make_job (world, "exit 0");
    world->job.after = before;
    world->job.unheld = true;
    world_submit (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
    free (before);
}

static void test_waits_for_its_time (void **state)
{
    struct world *world = *state;

    world_make_job (world, "exit 0");
    world->job.unheld = true;
    world->job.delay_s = 3000;
    world_submit (world);
    for (int i = 0; i < 3; i++) {
        world_poll_job (world);
        assert_true (world_all_in (world, ELEMENT_QUEUED));
    }
    world_cancel (world, -1);
    world_wait_for (world, -1, ELEMENT_ENDED);
    assert_int_equal (world_count_lines (world, "ran"), 0);
    strbuf_reset (&world->id);
    world_make_job (world, "exit 0");
    world->job.unheld = true;
    world->job.delay_s = 0.5;
    world_submit (world);
    world_wait_for (world, -1, ELEMENT_ENDED);
    world_expect_outcomes (world, OUTCOME_OK);
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
    world_make_job (world, "until test -e \"$dir/go\"; do sleep 0.02; done");
    world_submit (world);
    world_release (world);
    world_wait_for (world, 0, ELEMENT_RUNNING);
    world->c->pretend (world->id.buf);
    assert_int_equal (
        world->adapter->time_left (&world->scheduler, &left_s, &err),
        ANSWER_OK);
    assert_true (left_s > 0 && left_s <= world->job.walltime_s);
    world->c->pretend (NULL);
    world_put (world, "go", "");
    world_wait_for (world, -1, ELEMENT_ENDED);
}

const struct conformance_test chain_tests[] = {
    { "test_waits_for_another_job", test_waits_for_another_job, NEEDS_WAIT },
    { "test_waits_no_longer_than_needed", test_waits_no_longer_than_needed,
      NEEDS_WAIT },
    { "test_waits_for_its_time", test_waits_for_its_time, NEEDS_WAIT },
    { "test_time_left", test_time_left, NEEDS_TIME },
    { NULL, NULL, NEEDS_NOTHING },
};
