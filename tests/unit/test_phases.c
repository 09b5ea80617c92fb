/* SPDX-License-Identifier: BSD-3-Clause */
/* test_phases.c - `phases:`, and the plan in each of them */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"
#include "quoted_json.h"

#define LABELS                                                                 \
    HEAD                                                                       \
        "defaults: {task: {cores: 4}, retry: {failed: 7}}\n"                   \
        "stages:\n"                                                            \
        "  one: {uses: qe.label, publish: false, when: iteration == 0, task: " \
        "{walltime: 1h}, with: {frames: data/initial.extxyz, input: pw.in, "   \
        "patience: 10}}\n"                                                     \
        "  two: {uses: qe.label, publish: false, with: {frames: "              \
        "one.dataset, input: pw.in}}\n"

static const char campaign[] = LABELS
    "phases:\n"
    "  - {name: cold, iterations: 2}\n"
    "  - name: warm\n"
    "    iterations: 3\n"
    "    until: one.count > 2\n"
    "    on_maximum: continue\n"
    "    stages: {one: {with: {patience: 20}, task: {cores: 8}, when: ~}}\n"
    "  - name: hot\n"
    "    iterations: 1\n"
    "    until: two.count > 2\n"
    "    stages: {two: {with: {frames: data/initial.extxyz}}, one: {with: "
    "{patience: ~}, success: 0.5}}\n";

/* Stage `one` in each. */
static const struct {
    const char *name, *patience, *when;
    int iterations, cores;
    bool until, stops, two_waits;
    double success;
} phases[] = {
    { "cold", "10.0", "iteration == 0", 2, 4, false, true, true, 1 },
    { "warm", "20.0", NULL, 3, 8, true, false, true, 1 },
    { "hot", "60", "iteration == 0", 1, 4, true, true, false, 0.5 },
};

static const struct json *literal_of (const struct stage *stage,
                                      const char *input)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, input) == 0)
            return stage->bindings[i].literal;
    }
    return NULL;
}

static void check_phase (const struct plan *plan, size_t i)
{
    const struct plan *in = plan_in_phase (plan, (int)i);
    const struct stage *one = &in->stages[plan_stage_find (in, "one")];
    const struct stage *two = &in->stages[plan_stage_find (in, "two")];

    print_message ("# %s\n", phases[i].name);
    assert_string_equal (in->phases[i].name, phases[i].name);
    assert_int_equal (in->phases[i].iterations, phases[i].iterations);
    assert_int_equal (in->phases[i].until != NULL, phases[i].until);
    assert_int_equal (in->phases[i].stops, phases[i].stops);
    assert_json (literal_of (one, "patience"), phases[i].patience);
    assert_int_equal (one->needs.cores, phases[i].cores);
    assert_true (one->needs.walltime_s == 3600);
    assert_int_equal (one->retry[OUTCOME_FAILED].tries, 7);
    assert_true (one->success == phases[i].success);
    assert_int_equal (one->when != NULL, phases[i].when != NULL);
    if (one->when)
        assert_string_equal (one->when_text, phases[i].when);
    assert_int_equal (two->n_after, phases[i].two_waits);
    assert_ptr_equal (in->config, plan->config);
}

static struct plan *compiled (const char *dir, const char *text,
                              struct json *recorded)
{
    const struct compile_options options = { .dir = dir,
                                             .builtin = builtin,
                                             .schedulers = schedulers,
                                             .recorded = recorded };
    struct problems problems = PROBLEMS_INIT;
    struct strbuf out = STRBUF_INIT;
    struct plan *plan = recorded ? campaign_compile (&options, &problems)
                                 : compile_texts (dir, text, NULL, &problems);

    problems_format (&problems, &out);
    if (!plan)
        fail_msg ("%s", out.buf);
    strbuf_release (&out);
    problems_release (&problems);
    return plan;
}

/* And so does what is recorded. */
static void test_plans (void **state)
{
    char *dir = make_directory ();
    struct plan *plan, *again;

    (void)state;
    setenv ("XDG_CONFIG_HOME", dir, 1);
    plan = compiled (dir, campaign, NULL);
    again = compiled (dir, NULL, plan->config);
    assert_int_equal (plan->n_phases, ARRAY_SIZE (phases));
    for (size_t i = 0; i < ARRAY_SIZE (phases); i++) {
        check_phase (plan, i);
        check_phase (again, i);
    }
    assert_ptr_equal (plan_in_phase (plan, 0), plan);
    plan_destroy (again);
    plan_destroy (plan);
    temp_dir_remove (dir);
}

static void test_which_phase (void **state)
{
    static const struct {
        const char *name;
        int number, phase;
    } cases[] = { { "cold", 0, 0 }, { "hot", 0, 2 },  { "hot", 9, 2 },
                  { "gone", 1, 1 }, { "gone", 9, 2 }, { NULL, 0, 0 } };
    char *dir = make_directory ();
    struct plan *plan = compiled (dir, campaign, NULL);
    struct plan none = { .name = "x" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (plan_phase (plan, cases[i].name, cases[i].number),
                          cases[i].phase);
    assert_int_equal (plan_phase (&none, "x", 3), 0);
    assert_ptr_equal (plan_in_phase (&none, 0), &none);
    plan_destroy (plan);
    temp_dir_remove (dir);
}

static const struct broken broken[] = {
    { LABELS "phases: []\n", NULL, { ":8:9: there are 0 phases; write 1 to" } },
    { LABELS "phases: {a: 1}\n",
      NULL,
      { ":8:9: phases: got a mapping; write a list" } },
    { LABELS "phases: [{name: a}, {iterations: 2}]\n",
      NULL,
      { ":8:10: a phase without a limit; add iterations: 4",
        ":8:21: the phase has no name; add name: NAME" } },
    { LABELS "phases:\n"
             "  - {name: a, iterations: 2, on_maximum: stop}\n"
             "  - {name: a, iterations: 0}\n"
             "  - {name: B, iterations: 1}\n",
      NULL,
      { ":9:42: on_maximum: there is no until: that may not hold by then",
        ":10:5: two phases are called 'a'; rename one",
        ":10:27: iterations: got '0'; write a whole number from 1",
        ":11:12: 'B' cannot be the name of a phase" } },
    { LABELS "phases: [{name: a, iterations: 2, until: one.cuont > 3, "
             "on_maximum: wait}]\n",
      NULL,
      { ":8:42: 'until' of phase 'a': stage 'one' (qe.label) has no output "
        "'cuont'; did you mean 'count'?",
        ":8:69: on_maximum: 'wait' is not known; there is stop, continue" } },
    /* Every phase is looked at, and what is wrong in several is said once. */
    { LABELS
      "phases:\n"
      "  - {name: a, iterations: 2}\n"
      "  - {name: b, iterations: 2, stages: {one: {with: {patince: 3}}}}\n"
      "  - {name: c, iterations: 2, stages: {oen: {with: {}}, two: {use: "
      "x}}}\n",
      NULL,
      { ":10:52: qe.label has no input 'patince'; did you mean 'patience'?",
        ":11:39: phases: there is no stage 'oen'; did you mean 'one'?",
        ":11:62: unknown key 'use' in stage 'two' of a phase; there is" } },
    { LABELS, NULL, { ":1:1: the campaign does not say when it ends; add" } },
    { LABELS "stop: {when: one.count > 1}\n",
      NULL,
      { ":8:7: stop: no limit to the iterations; add" } },
};

static void test_broken (void **state)
{
    (void)state;
    expect_broken (broken, ARRAY_SIZE (broken));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_plans),
        cmocka_unit_test (test_which_phase),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
