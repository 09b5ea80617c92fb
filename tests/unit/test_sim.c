/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sim.c - what befalls the jobs of the simulated scheduler */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "arrays/array_job.h"
#include "sim/sim.h"

enum { ELEMENTS = 3, RUNS_MAX = 16 };

/* Elements run until the test ends them; faults strike when it says so. */
static struct {
    struct simulation *sim;
    struct scheduler scheduler;
    struct sim_run *runs[RUNS_MAX]; /* as they began */
    int n_runs;
    struct strbuf said; /* "start 0.0 on 1; term 0.0; kill 0.0; " */
    bool strikes[SIM_FAULTS];
    double now_s;
} world;

static void start (struct sim_run *run, void *arg)
{
    (void)arg;
    world.runs[world.n_runs++] = run;
    strbuf_addf (&world.said, "start %d.%d on %d; ", (int)run->element,
                 run->number, run->node);
}

static void stop (struct sim_run *run, bool by_force, void *arg)
{
    (void)arg;
    strbuf_addf (&world.said, "%s %d.%d; ", by_force ? "kill" : "term",
                 (int)run->element, run->number);
}

static bool strikes (enum sim_fault fault, void *arg)
{
    (void)arg;
    return world.strikes[fault];
}

static const struct sim_site two_nodes = { .nodes = 2,
                                           .cores = 2,
                                           .elements = 10,
                                           .submit = 4,
                                           .cycle_s = 1,
                                           .keep_s = 300,
                                           .lag_s = 40 };

static int enter (void **unused)
{
    static const struct sim_player player = { .start = start,
                                              .stop = stop,
                                              .strikes = strikes };

    (void)unused;
    memset (&world, 0, sizeof (world));
    strbuf_init (&world.said);
    world.sim = sim_create (&two_nodes, &player);
    world.scheduler = (struct scheduler){ .deadline_s = 10, .own = world.sim };
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    sim_destroy (world.sim);
    strbuf_release (&world.said);
    return 0;
}

static void pass (double s)
{
    world.now_s += s;
    sim_advance (world.sim, world.now_s);
}

/* What was told since the last time. */
static void expect_said (const char *text)
{
    assert_string_equal (world.said.buf ? world.said.buf : "", text);
    strbuf_reset (&world.said);
}

static enum answer submit_elements (const char *token, int64_t elements,
                                    struct strbuf *id)
{
    struct array_job job = { .elements = elements,
                             .cores = 2,
                             .walltime_s = 600,
                             .directives = STRVEC_INIT,
                             .agent = STRVEC_INIT };

    snprintf (job.token, sizeof (job.token), "%s", token);
    strbuf_reset (id);
    return sim_adapter.submit (&world.scheduler, &job, "/script", id, NULL);
}

/* A job of three elements that need a node each; caller releases. */
static struct strbuf submit (const char *token)
{
    struct strbuf id = STRBUF_INIT;

    assert_int_equal (submit_elements (token, ELEMENTS, &id), ANSWER_OK);
    return id;
}

static void take_token (const struct sim_job_view *job, void *arg)
{
    struct job_key *key = arg;

    if (strcmp (job->id, key->id) == 0)
        key->token = job->token;
}

static struct job_key key_of (const struct strbuf *id)
{
    struct job_key key = { id->buf, "" };

    sim_each_job (world.sim, take_token, &key);
    return key;
}

static void release (const struct strbuf *id)
{
    const struct job_key key = key_of (id);

    assert_int_equal (sim_adapter.release (&world.scheduler, &key, NULL),
                      ANSWER_OK);
}

/* "held", "RRq": Running, queued, held, ok, failed, unknown, ... */
static void expect_states (const struct strbuf *id, const char *states)
{
    static const char ends[] = {
        [OUTCOME_OK] = 'o',        [OUTCOME_FAILED] = 'f',
        [OUTCOME_TIMEOUT] = 't',   [OUTCOME_NODE_FAILURE] = 'n',
        [OUTCOME_PREEMPTED] = 'p', [OUTCOME_CANCELLED] = 'c'
    };
    static const char letters[] = "?hqR";
    struct element_status status[ELEMENTS];
    struct job_status job = { .key = key_of (id),
                              .n_elements = ELEMENTS,
                              .elements = status };
    char found[ELEMENTS + 1] = "";

    memset (status, 0, sizeof (status));
    assert_int_equal (sim_adapter.poll (&world.scheduler, &job, 1, NULL),
                      ANSWER_OK);
    for (int e = 0; e < ELEMENTS; e++)
        found[e] = status[e].state == ELEMENT_ENDED ? ends[status[e].outcome]
                                                    : letters[status[e].state];
    assert_string_equal (found, states);
}

static int count_found (const char *token)
{
    struct strvec ids = STRVEC_INIT;
    int n;

    assert_int_equal (sim_adapter.find (&world.scheduler, token, &ids, NULL),
                      ANSWER_OK);
    n = (int)ids.n;
    strvec_release (&ids);
    return n;
}

/* --- the tests --- */

static void test_queue (void **unused)
{
    struct strbuf id = submit ("a");

    (void)unused;
    pass (10);
    expect_states (&id, "hhh");
    release (&id);
    pass (2);
    expect_said ("start 0.0 on 0; start 1.0 on 1; ");
    expect_states (&id, "RRq");
    sim_ended (world.sim, world.runs[1], true);
    pass (2);
    expect_said ("start 2.0 on 1; ");
    expect_states (&id, "RoR");
    sim_ended (world.sim, world.runs[0], false);
    expect_states (&id, "foR");
    strbuf_release (&id);
}

static void test_walltime (void **unused)
{
    struct strbuf id = submit ("a");

    (void)unused;
    release (&id);
    pass (500);
    world.said.len = 0;
    pass (102);
    expect_said ("term 0.0; term 1.0; ");
    sim_ended (world.sim, world.runs[0], false);
    pass (31);
    expect_said ("start 2.0 on 0; kill 1.0; ");
    sim_ended (world.sim, world.runs[1], false);
    expect_states (&id, "ttR");
    strbuf_release (&id);
}

static void test_node_fails (void **unused)
{
    struct strbuf id = submit ("a");

    (void)unused;
    release (&id);
    pass (2);
    sim_node_fails (world.sim, 0, 100);
    expect_states (&id, "nRq");
    world.strikes[SIM_REQUEUE] = true; /* the same id, again */
    sim_node_fails (world.sim, 1, 50);
    world.strikes[SIM_REQUEUE] = false;
    expect_states (&id, "nqq");
    expect_said ("start 0.0 on 0; start 1.0 on 1; ");
    pass (60);
    expect_said ("start 1.1 on 1; ");
    /* What ran on a node that was only cut off still comes to its end. */
    sim_ended (world.sim, world.runs[1], true);
    expect_states (&id, "nRq");
    sim_ended (world.sim, world.runs[2], true);
    pass (60);
    expect_states (&id, "noR");
    sim_ended (world.sim, world.runs[0], true);
    expect_states (&id, "noR");
    strbuf_release (&id);
}

static void test_preemption_and_cancelling (void **unused)
{
    struct strbuf id = submit ("a");

    (void)unused;
    release (&id);
    pass (2);
    sim_preempt (world.sim, sim_pick_run (world.sim, 0));
    world.said.len = 0;
    sim_cancel (world.sim, id.buf, 1);
    sim_cancel (world.sim, id.buf, 2);
    expect_said ("term 1.0; ");
    expect_states (&id, "RRc");
    sim_ended (world.sim, world.runs[0], false);
    sim_ended (world.sim, world.runs[1], true);
    expect_states (&id, "pcc");
    strbuf_release (&id);
}

static void test_limits (void **unused)
{
    struct strbuf id = STRBUF_INIT;
    struct scheduler_limits limits;

    (void)unused;
    assert_int_equal (sim_adapter.limits (&world.scheduler, &limits, NULL),
                      ANSWER_OK);
    assert_true (limits.elements == 10 && limits.submit == 4);
    assert_int_equal (submit_elements ("a", 11, &id), ANSWER_REFUSED);
    assert_int_equal (submit_elements ("b", 3, &id), ANSWER_OK);
    assert_int_equal (submit_elements ("c", 2, &id), ANSWER_NOT_NOW);
    assert_int_equal (submit_elements ("d", 1, &id), ANSWER_OK);
    assert_int_equal (count_found ("c"), 0);
    strbuf_release (&id);
}

static void test_replies (void **unused)
{
    static const struct {
        enum sim_fault fault;
        int now, later; /* jobs found */
    } cases[] = {
        { SIM_SUBMIT_BUSY, 0, 0 },
        { SIM_SUBMIT_CUT, 1, 1 },
        { SIM_SUBMIT_LATE, 0, 1 },
    };

    for (size_t i = 0; i < sizeof (cases) / sizeof (*cases); i++) {
        struct strbuf id = STRBUF_INIT;

        leave (unused);
        enter (unused);
        world.strikes[cases[i].fault] = true;
        assert_int_equal (submit_elements ("a", 1, &id), ANSWER_TRY_LATER);
        assert_int_equal (id.len, 0);
        assert_int_equal (count_found ("a"), cases[i].now);
        pass (two_nodes.lag_s);
        assert_int_equal (count_found ("a"), cases[i].later);
        strbuf_release (&id);
    }
}

static void test_doubled_and_found_late (void **unused)
{
    struct strbuf id = STRBUF_INIT;

    (void)unused;
    world.strikes[SIM_SUBMIT_TWICE] = true;
    assert_int_equal (submit_elements ("a", 1, &id), ANSWER_OK);
    assert_int_equal (count_found ("a"), 2);
    world.strikes[SIM_FIND_LATE] = world.strikes[SIM_SUBMIT_CUT] = true;
    assert_int_equal (submit_elements ("b", 1, &id), ANSWER_TRY_LATER);
    assert_int_equal (count_found ("b"), 0);
    pass (two_nodes.lag_s);
    assert_int_equal (count_found ("b"), 2);
    strbuf_release (&id);
}

static void test_status_late_and_lying (void **unused)
{
    struct strbuf id = submit ("a");

    (void)unused;
    release (&id);
    world.strikes[SIM_STATUS_LATE] = true;
    pass (2);
    world.strikes[SIM_STATUS_LATE] = false;
    expect_states (&id, "qqq");
    pass (two_nodes.lag_s);
    expect_states (&id, "RRq");
    world.strikes[SIM_STATUS_LIES] = true;
    expect_states (&id, "nnq");
    world.strikes[SIM_STATUS_LIES] = false;
    expect_states (&id, "nnq");
    pass (two_nodes.lag_s);
    expect_states (&id, "RRq");
    world.strikes[SIM_STATUS_UNKNOWN] = true;
    expect_states (&id, "???");
    world.strikes[SIM_STATUS_UNKNOWN] = false;
    expect_states (&id, "???");
    pass (two_nodes.lag_s);
    expect_states (&id, "RRq");
    strbuf_release (&id);
}

static void test_purging (void **unused)
{
    struct strbuf id = submit ("a");
    const struct job_key key = { id.buf, "a" };

    (void)unused;
    sim_cancel (world.sim, id.buf, -1);
    expect_states (&id, "ccc");
    pass (two_nodes.keep_s + 1);
    expect_states (&id, "???");
    assert_int_equal (count_found ("a"), 0);
    assert_int_equal (sim_adapter.release (&world.scheduler, &key, NULL),
                      ANSWER_REFUSED);
    strbuf_release (&id);
}

static void test_without_a_simulation (void **unused)
{
    static const struct scheduler nowhere = { .deadline_s = 1 };
    struct scheduler_limits limits;
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (sim_adapter.limits (&nowhere, &limits, &err),
                      ANSWER_BROKEN);
    assert_non_null (strstr (err.text, "within one program"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_queue, enter, leave),
        cmocka_unit_test_setup_teardown (test_walltime, enter, leave),
        cmocka_unit_test_setup_teardown (test_node_fails, enter, leave),
        cmocka_unit_test_setup_teardown (test_preemption_and_cancelling, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_limits, enter, leave),
        cmocka_unit_test_setup_teardown (test_replies, enter, leave),
        cmocka_unit_test_setup_teardown (test_doubled_and_found_late, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_status_late_and_lying, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_purging, enter, leave),
        cmocka_unit_test_setup_teardown (test_without_a_simulation, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
