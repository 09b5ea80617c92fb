/* SPDX-License-Identifier: BSD-3-Clause */
/* conformance.c - what every scheduler adapter owes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "world.h"

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

    world_make_job (world, "exit 0");
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

static const struct conformance_test base_tests[] = {
    { "test_limits", test_limits, NEEDS_NOTHING },
    { "test_render_is_stable", test_render_is_stable, NEEDS_NOTHING },
    { NULL, NULL, NEEDS_NOTHING },
};

static bool applies (const struct conformance *c, enum needs needs)
{
    const struct scheduler_adapter *adapter = c->adapter;

    switch (needs) {
    case NEEDS_HOLD:
        return adapter->can_hold;
    case NEEDS_WAIT:
        return adapter->can_wait;
    case NEEDS_TIME:
        return adapter->time_left;
    case NEEDS_FORGET:
        return adapter->forget;
    case NEEDS_KILLS:
        return c->kills;
    case NEEDS_NOTHING:
        break;
    }
    return true;
}

enum { TESTS_MOST = 32 };

/* Append those that apply, 'n' being how many there are. */
static size_t add_tests (struct world *world,
                         const struct conformance_test *list,
                         struct CMUnitTest *tests, size_t n)
{
    for (; list->name; list++) {
        if (n == TESTS_MOST)
            abort ();
        if (applies (world->c, list->needs))
            tests[n++] = (struct CMUnitTest){ list->name, list->test,
                                              world_enter, world_leave, world };
    }
    return n;
}

int conformance_run (const struct conformance *conformance)
{
    static const struct conformance_test *const lists[] = {
        base_tests, life_tests, chain_tests, silence_tests
    };
    struct world world = { .c = conformance,
                           .adapter = conformance->adapter,
                           .job = { .agent = STRVEC_INIT },
                           .id = STRBUF_INIT };
    struct CMUnitTest tests[TESTS_MOST];
    size_t n = 0;

    for (size_t i = 0; i < ARRAY_SIZE (lists); i++)
        n = add_tests (&world, lists[i], tests, n);
    cmocka_set_message_output (CM_OUTPUT_TAP);
    return _cmocka_run_group_tests (conformance->adapter->name, tests, n, NULL,
                                    NULL);
}
