/* SPDX-License-Identifier: BSD-3-Clause */
/* test_group_order.c - what a group does next, played without processes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <signal.h>

#include "group/order.h"
#include "signature/group.h"

/* Two programs on two nodes, one of which has two instances. */
static const struct group_program programs[] = {
    { .name = "d", .node = "local", .instances = 1 },
    { .name = "f", .node = "far", .instances = 2 },
};
static const char *const nodes[] = { "local", "far", NULL };
static const struct group_spec group = { .nodes = nodes,
                                         .programs = programs,
                                         .n_programs = 2 };
static const struct group_spec no_programs = { .nodes = nodes };

#define GRACE_S 10.0

/* --- a play: every step takes a second, all that begin together end together
 * --- */

struct play {
    struct order order;
    struct strbuf told; /* "+a b c;" began, "TERM;" "KILL;" signals */
    double now_s;
    const char *fails;    /* the name of a step that fails, or NULL */
    const char *stop_at;  /* when this one has begun we are told to end */
    const char *survives; /* this one ends of SIGKILL only */
    const char *forever;  /* this one ends of a signal only */
    bool partly;          /* ... after a command of it that ended well */
    int lost;             /* a node that is lost when programs run; 0: none */
};

static void name_of (const struct play *play, size_t part, struct strbuf *name)
{
    step_name (play->order.group, &play->order.parts[part], play->order.phase,
               name);
}

static bool is_step (const struct play *play, size_t part, const char *name)
{
    struct strbuf text = STRBUF_INIT;
    bool same;

    name_of (play, part, &text);
    same = name && strcmp (text.buf, name) == 0;
    strbuf_release (&text);
    return same;
}

static void begin_all (struct play *play)
{
    size_t part;
    bool any = false, stop = false;

    while (order_take (&play->order, play->now_s, &part)) {
        strbuf_add_str (&play->told, any ? ", " : "");
        name_of (play, part, &play->told);
        any = true;
        stop = stop || is_step (play, part, play->stop_at);
    }
    strbuf_add_str (&play->told, any ? "; " : "");
    if (stop)
        order_stop (&play->order, play->now_s);
    if (play->lost && play->order.phase == PHASE_RUN)
        order_lost (&play->order, (size_t)play->lost, play->now_s);
}

/* What is busy ends: by itself, or of 'signal'. */
static void end_all (struct play *play, int signal)
{
    for (size_t i = 0; i < play->order.n_parts; i++) {
        bool stays = is_step (play, i, play->survives)
                         ? signal != SIGKILL
                         : is_step (play, i, play->forever) && !signal;

        if (play->order.parts[i].busy && !stays)
            order_ended (&play->order, i,
                         !signal && !is_step (play, i, play->fails),
                         play->partly, play->now_s);
    }
}

static void push (struct play *play)
{
    int signal = order_push (&play->order, play->now_s);

    if (!signal)
        return;
    strbuf_addf (&play->told, "%s at %g; ", signal == SIGKILL ? "KILL" : "TERM",
                 play->now_s);
    end_all (play, signal);
}

static void play_on (struct play *play)
{
    for (int turn = 0; turn < 100; turn++) {
        begin_all (play);
        if (play->order.phase == PHASE_OVER)
            return;
        push (play);
        if (play->order.n_busy == 0)
            continue;
        play->now_s = fmin (play->now_s + 1, order_due_s (&play->order));
        end_all (play, 0);
        push (play);
    }
    fail_msg ("it does not end: %s", play->told.buf);
}

static void expect_play (const struct play *script, const struct group_spec *of,
                         const char *expected)
{
    struct play play = *script;

    strbuf_init (&play.told);
    order_init (&play.order, of, GRACE_S);
    play_on (&play);
    assert_string_equal (play.told.buf, expected);
    assert_int_equal (play.order.n_busy, 0);
    strbuf_release (&play.told);
    order_release (&play.order);
}

#define NODES "local setup, far setup; "
#define PROGRAMS "local/d setup, far/f setup; "
#define INSTANCES "local/d setup, far/f:0 setup, far/f:1 setup; "
#define RUN "local/d, far/f:0, far/f:1; "
#define REPORTS                                                                \
    "local report, far report, local/d report, far/f:0 report, "               \
    "far/f:1 report; "
#define INSTANCES_EXIT "local/d exit, far/f:0 exit, far/f:1 exit; "
#define PROGRAMS_EXIT "local/d exit, far/f exit; "
#define NODES_EXIT "local exit, far exit; "
#define SETUPS NODES PROGRAMS INSTANCES
#define EXITS INSTANCES_EXIT PROGRAMS_EXIT NODES_EXIT

static void test_orders (void **state)
{
    static const struct {
        struct play play;
        const char *expected;
    } cases[] = {
        { { .fails = NULL }, SETUPS RUN REPORTS EXITS },
        /* a failure at each level: exits of what was set up, and of no more */
        { { .fails = "far setup" }, NODES "local exit; " },
        { { .fails = "local/d setup" },
          NODES PROGRAMS "far/f exit; " NODES_EXIT },
        { { .fails = "far/f:1 setup" },
          SETUPS "local/d exit, far/f:0 exit; " PROGRAMS_EXIT NODES_EXIT },
        /* ... of what was set up in part, too */
        { { .fails = "far setup", .partly = true }, NODES NODES_EXIT },
        { { .fails = "local/d setup", .partly = true },
          NODES PROGRAMS PROGRAMS_EXIT NODES_EXIT },
        { { .stop_at = "far/f:0 setup", .partly = true },
          SETUPS "TERM at 2; " INSTANCES_EXIT PROGRAMS_EXIT NODES_EXIT },
        { { .fails = "far/f:1", .forever = "local/d" },
          SETUPS RUN "TERM at 4; " REPORTS EXITS },
        /* exits that fail keep no other exit from running */
        { { .fails = "far/f:0 exit" }, SETUPS RUN REPORTS EXITS },
        { { .fails = "far/f exit" }, SETUPS RUN REPORTS EXITS },
        /* told to end at each level */
        { { .stop_at = "far setup" }, NODES "TERM at 0; " },
        { { .stop_at = "far/f setup" },
          NODES PROGRAMS "TERM at 1; " NODES_EXIT },
        { { .stop_at = "far/f:0 setup" },
          SETUPS "TERM at 2; " PROGRAMS_EXIT NODES_EXIT },
        { { .stop_at = "local/d" }, SETUPS RUN "TERM at 3; " REPORTS EXITS },
        /* exits are not told: they are about to end */
        { { .stop_at = "far exit" }, SETUPS RUN REPORTS EXITS },
        /* what does not end is killed in half of the grace time */
        { { .stop_at = "local/d", .survives = "far/f:0" },
          SETUPS RUN "TERM at 3; KILL at 8; " REPORTS EXITS },
        { { .fails = "local/d", .survives = "far/f:0" },
          SETUPS RUN "TERM at 4; KILL at 9; " REPORTS EXITS },
        /* reports have ten seconds, or a tenth of the grace time */
        { { .survives = "far report" },
          SETUPS RUN REPORTS "KILL at 14; " EXITS },
        { { .stop_at = "local/d", .survives = "far/f:0 report" },
          SETUPS RUN "TERM at 3; " REPORTS "KILL at 9; " EXITS },
        /* exits have nine tenths; what is left then is left out */
        { { .stop_at = "local/d", .survives = "far/f:1 exit" },
          SETUPS RUN "TERM at 3; " REPORTS INSTANCES_EXIT "KILL at 12; " },
        { { .stop_at = "local exit", .survives = "far exit" },
          SETUPS RUN REPORTS EXITS "KILL at 16; " },
        /* to a node that is gone nothing is owed */
        { { .lost = 1 },
          SETUPS RUN "TERM at 3; local report, local/d report; local/d exit; "
                     "local/d exit; local exit; " },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# case %zu\n", i);
        expect_play (&cases[i].play, &group, cases[i].expected);
    }
}

/* Without programs there are setups and exits of nodes, and no report. */
static void test_no_programs (void **state)
{
    const struct play all = { .fails = NULL };
    const struct play failing = { .fails = "local setup" };

    (void)state;
    expect_play (&all, &no_programs, NODES NODES_EXIT);
    expect_play (&failing, &no_programs, NODES "far exit; ");
}

static void test_names (void **state)
{
    static const char *const names[] = { "local",  "far",     "local/d",
                                         "far/f",  "local/d", "far/f:0",
                                         "far/f:1" };
    size_t n;
    struct part *parts = group_parts (&group, &n);
    struct strbuf text = STRBUF_INIT;

    (void)state;
    assert_int_equal (n, ARRAY_SIZE (names));
    for (size_t i = 0; i < n; i++) {
        strbuf_reset (&text);
        part_name (&group, &parts[i], &text);
        assert_string_equal (text.buf, names[i]);
    }
    strbuf_release (&text);
    free (parts);
}

/* The second time counts for nothing: the grace time began with the first. */
static void test_told_twice (void **state)
{
    struct order order;
    size_t part;

    (void)state;
    order_init (&order, &group, GRACE_S);
    while (order_take (&order, 0, &part))
        continue;
    assert_true (order_due_s (&order) == INFINITY);
    assert_int_equal (order_push (&order, 100), 0);
    order_stop (&order, 100);
    order_stop (&order, 104);
    assert_true (order_due_s (&order) <= 100);
    assert_int_equal (order_push (&order, 104), SIGTERM);
    assert_int_equal (order_push (&order, 104), 0);
    assert_true (order_due_s (&order) == 105);
    assert_int_equal (order_push (&order, 105), SIGKILL);
    assert_int_equal (order_push (&order, 200), 0);
    assert_true (order_due_s (&order) == INFINITY);
    order_release (&order);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_orders),
        cmocka_unit_test (test_no_programs),
        cmocka_unit_test (test_names),
        cmocka_unit_test (test_told_twice),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
