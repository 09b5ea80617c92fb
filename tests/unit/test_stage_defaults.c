/* SPDX-License-Identifier: BSD-3-Clause */
/* test_stage_defaults.c - `defaults:` and blocks that stages share */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"

#define SITE_TWO                                                               \
    "format: 1\n"                                                              \
    "default_profile: one\n"                                                   \
    "profiles:\n"                                                              \
    "  one: {scheduler: slurm, node: {cores: 64, memory: 64GiB, gpus: 8}, "    \
    "launcher: openmpi}\n"                                                     \
    "  two: {scheduler: slurm, node: {cores: 64, memory: 64GiB, gpus: 8}, "    \
    "launcher: openmpi}\n"

#define LABEL_WITH(NAME, MORE)                                                 \
    "  " NAME ": {uses: qe.label, publish: false, " MORE                       \
    "with: {frames: data/initial.extxyz, input: pw.in}}\n"

/* Every stage of the campaign below, as it comes out. */
static const struct {
    const char *name, *profile;
    int ranks, cores;
    double walltime_s;
    int failed, timeout;
    double timeout_factor;
} stages[] = {
    { "plain", "two", 1, 8, 7200, 4, 3, 2 },
    { "own", "one", 1, 4, 7200, 5, 6, 3 },
    { "ranks", "two", 4, 8, 7200, 4, 3, 2 },
    { "none", "one", 1, 2, 600, 2, 3, 2 },
    { "shared", "one", 1, 4, 1800, 2, 9, 2 },
    { "merged", "two", 1, 16, 1800, 4, 9, 2 },
    { "sample", "two", 1, 3, 7200, 4, 3, 2 },
};

static const char campaign[] = HEAD STOP
    "defaults:\n"
    "  task: {cores: 8, memory: 2GiB, walltime: 2h}\n"
    "  retry: {failed: 4, timeout: {tries: 3}}\n"
    "  profile: two\n"
    "stages:\n" LABEL_WITH ("plain", "")
        LABEL_WITH ("own", "profile: one, task: {cores: 4}, retry: {failed: 5, "
                           "timeout: {tries: 6, walltime: x3}}, ")
            LABEL_WITH ("ranks", "task: {ranks: 4}, ") LABEL_WITH (
                "none", "profile: ~, task: ~, retry: ~, ")
                LABEL_WITH ("shared",
                            "profile: one, task: &task {cores: 4, memory: "
                            "~, walltime: 30m}, retry: &retry {timeout: 9, "
                            "failed: ~}, ")
                    LABEL_WITH (
                        "merged",
                        "task: {<<: *task, cores: 16}, retry: {<<: *retry, "
                        "failed: 4}, ") "  sample: {uses: my.pair, with: "
                                        "{input: pw.in}}\n"
                                        "operators:\n"
                                        "  my.pair:\n"
                                        "    inputs: {input: {type: file}}\n"
                                        "    outputs: {energy: {type: float}}\n"
                                        "    group:\n"
                                        "      programs:\n"
                                        "        one: {command: [a, '{input}', "
                                        "'{outputs.params}']}\n"
                                        "        other: {task: {cores: 2}, "
                                        "command: [b, '{workspace}']}\n";

static struct plan *compiled (const char *text)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf out = STRBUF_INIT;
    char *dir = make_directory ();
    struct plan *plan = compile_texts (dir, text, SITE_TWO, &problems);

    problems_format (&problems, &out);
    if (!plan)
        fail_msg ("%s", out.buf);
    strbuf_release (&out);
    problems_release (&problems);
    temp_dir_remove (dir);
    return plan;
}

static void test_stages (void **state)
{
    struct plan *plan = compiled (campaign);

    (void)state;
    assert_int_equal (plan->n_stages, ARRAY_SIZE (stages));
    for (size_t i = 0; i < ARRAY_SIZE (stages); i++) {
        const struct stage *s =
            &plan->stages[plan_stage_find (plan, stages[i].name)];
        bool good = strcmp (s->profile->name, stages[i].profile) == 0
                    && s->needs.ranks == stages[i].ranks
                    && s->needs.cores == stages[i].cores
                    && s->needs.walltime_s == stages[i].walltime_s
                    && s->retry[OUTCOME_FAILED].tries == stages[i].failed
                    && s->retry[OUTCOME_TIMEOUT].tries == stages[i].timeout
                    && s->retry[OUTCOME_TIMEOUT].walltime_factor
                           == stages[i].timeout_factor;

        if (!good)
            fail_msg ("%s: profile %s, %d ranks, %d cores, %g s, tries %d %d, "
                      "x%g",
                      s->name, s->profile->name, s->needs.ranks, s->needs.cores,
                      s->needs.walltime_s, s->retry[OUTCOME_FAILED].tries,
                      s->retry[OUTCOME_TIMEOUT].tries,
                      s->retry[OUTCOME_TIMEOUT].walltime_factor);
    }
    plan_destroy (plan);
}

/* What is recorded compiles to the same again. */
static void test_recorded (void **state)
{
    struct plan *plan = compiled (campaign);
    char *dir = make_directory ();
    struct problems problems = PROBLEMS_INIT;
    const struct compile_options options = { .dir = dir,
                                             .builtin = builtin,
                                             .schedulers = schedulers,
                                             .recorded = plan->config };
    struct plan *again = campaign_compile (&options, &problems);

    (void)state;
    assert_int_equal (problems.n, 0);
    assert_non_null (again);
    for (size_t i = 0; i < plan->n_stages; i++) {
        assert_string_equal (again->stages[i].name, plan->stages[i].name);
        assert_int_equal (again->stages[i].needs.cores,
                          plan->stages[i].needs.cores);
        assert_string_equal (again->stages[i].profile->name,
                             plan->stages[i].profile->name);
    }
    plan_destroy (again);
    plan_destroy (plan);
    temp_dir_remove (dir);
}

static const struct broken broken[] = {
    /* Whatever stage reads it: once. */
    { HEAD STOP "defaults: {task: {coers: 4}, tasks: {}}\nstages:\n" LABEL
                "  x: {uses: qe.label, publish: false, with: {frames: "
                "data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":5:19: unknown key 'coers' in task; did you mean 'cores'?",
        ":5:30: unknown key 'tasks' in defaults; did you mean 'task'?" } },
    { HEAD STOP "defaults: {profile: cpuu}\nstages:\n" LABEL
                "  x: {uses: qe.label, publish: false, with: {frames: "
                "data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { ":5:21: unknown profile 'cpuu'; did you mean 'cpu'?" } },
    { HEAD STOP "defaults: {retry: {fail: 2}, task: 3}\nstages:\n" LABEL,
      NULL,
      { ":5:20: unknown outcome 'fail' in retry; did you mean 'failed'?",
        ":5:36: task: got '3'; write a mapping" } },
    { HEAD STOP "defaults: [task]\nstages:\n" LABEL,
      NULL,
      { ":5:11: defaults: got a list; write a mapping" } },
    /* The place to correct is that of the default. */
    { HEAD STOP "defaults: {task: {cores: 8}}\nstages:\n" LABEL,
      SITE_CPU,
      { ":5:26: stage 'label' in profile 'cpu': " } },
    { HEAD STOP "stages:\n  a: &a {uses: qe.label, publish: false, task: "
                "{gups: 1}, with: {frames: data/initial.extxyz, input: "
                "pw.in}}\n  b: *a\n",
      NULL,
      { ":6:49: unknown key 'gups' in task; did you mean 'gpus'?" } },
};

static void test_broken (void **state)
{
    (void)state;
    expect_broken (broken, ARRAY_SIZE (broken));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_stages),
        cmocka_unit_test (test_recorded),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
