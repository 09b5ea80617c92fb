/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile_functions.c - `functions:` and `call:` of campaign.yaml */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/function_text.h"
#include "compile_scene.h"

/* An operator with all kinds of inputs, and functions from line 20 on. */
#define OPERATOR                                                               \
    "format: 1\n"                                                              \
    "campaign: c\n"                                                            \
    "operators:\n"                                                             \
    "  mlp.fit:\n"                                                             \
    "    inputs:\n"                                                            \
    "      images: {type: npy, dtype: f8, shape: [batch, 3]}\n"                \
    "      rate: {type: float, default: 0.1}\n"                                \
    "      note: {type: string, optional: true}\n"                             \
    "      model: {type: dir, optional: true}\n"                               \
    "      start: {type: file, default: pw.in}\n"                              \
    "      past: {type: dir, list: true, from: all.train.model, optional: "    \
    "true}\n"                                                                  \
    "      pick: {inputs: {n: {type: int, default: 3}}}\n"                     \
    "    outputs:\n"                                                           \
    "      model: {type: dir}\n"                                               \
    "      loss: {type: float}\n"                                              \
    "    command: [\"{campaign}/fit\", \"{images}\",\n"                        \
    "      \"--x={campaign}\"]\n"                                              \
    "    task: {cores: 1}\n"                                                   \
    "functions:\n"

/* --- good ones --- */

static struct plan *compile_good (const char *dir, const char *campaign)
{
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = compile_texts (dir, campaign, NULL, &problems);
    struct strbuf text = STRBUF_INIT;

    problems_format (&problems, &text);
    if (!plan)
        fail_msg ("%s", text.buf);
    strbuf_release (&text);
    problems_release (&problems);
    return plan;
}

static const struct binding *binding_of (const struct function *function,
                                         const char *name)
{
    for (size_t i = 0; i < function->stage.n_bindings; i++) {
        if (strcmp (function->stage.bindings[i].port->name, name) == 0)
            return &function->stage.bindings[i];
    }
    fail_msg ("no input %s", name);
    return NULL;
}

static void test_functions_alone (void **unused)
{
    char *dir = make_directory ();
    struct plan *plan = compile_good (
        dir, OPERATOR "  fit:\n"
                      "    type: train\n"
                      "    uses: mlp.fit\n"
                      "    with: {rate: 0.5, model: latest.fit.model}\n"
                      "    then: [\"{campaign}/tell\", x]\n"
                      "  score: {type: predict, uses: mlp.fit, with: {model: "
                      "latest.fit.model}}\n");
    const struct function *fit = &plan->functions[0];

    (void)unused;
    assert_int_equal (plan->n_stages, 0);
    assert_int_equal (plan->n_functions, 2);
    assert_int_equal (plan_function_find (plan, "score"), 1);
    assert_int_equal (plan_function_find (plan, "fits"), -1);
    assert_int_equal (fit->type, FUNCTION_TRAIN);
    assert_int_equal (plan->functions[1].type, FUNCTION_PREDICT);
    assert_string_equal (fit->then[1], "x");
    assert_int_equal (binding_of (fit, "rate")->source, SOURCE_LITERAL);
    assert_int_equal (binding_of (fit, "images")->source, SOURCE_UNBOUND);
    assert_null (binding_of (fit, "images")->literal);
    assert_non_null (binding_of (fit, "pick.n")->literal);
    assert_int_equal (binding_of (fit, "past")->source, SOURCE_UNBOUND);
    assert_int_equal (binding_of (fit, "model")->source, SOURCE_LATEST);
    assert_int_equal (binding_of (&plan->functions[1], "model")->stage, 0);
    plan_destroy (plan);
    temp_dir_remove (dir);
}

/* The stages are put in another order than that of the file. */
static void test_beside_stages (void **unused)
{
    char *dir = make_directory ();
    struct plan *plan = compile_good (
        dir, OPERATOR "  fit: {type: train, uses: mlp.fit, with: {model: "
                      "latest.train.model}}\n"
                      "stop: {iterations: 1}\n"
                      "stages:\n"
                      "  late: {uses: mlp.fit, with: {images: two.npy, model: "
                      "train.model}}\n"
                      "  train: {uses: mlp.fit, with: {images: two.npy}}\n");
    const struct binding *model = binding_of (&plan->functions[0], "model");

    (void)unused;
    assert_int_equal (plan->n_stages, 2);
    assert_string_equal (plan->stages[model->stage].name, "train");
    plan_destroy (plan);
    temp_dir_remove (dir);
}

/* What a function says itself goes before `defaults:`. */
static void test_defaults (void **unused)
{
    char *dir = make_directory ();
    struct plan *plan = compile_good (
        dir, OPERATOR "  fit: {type: train, uses: mlp.fit}\n"
                      "  own: {type: train, uses: mlp.fit, task: {walltime: "
                      "7m}}\n"
                      "defaults: {task: {walltime: 3m}}\n");

    (void)unused;
    assert_true (plan->functions[0].stage.needs.walltime_s == 180);
    assert_non_null (strstr (plan->functions[0].stage_text, "3m"));
    assert_true (plan->functions[1].stage.needs.walltime_s == 420);
    plan_destroy (plan);
    temp_dir_remove (dir);
}

/* In a call paths and {campaign} lead back, and no stage is referred to. */
static void test_texts (void **unused)
{
    char *dir = make_directory ();
    struct plan *plan = compile_good (
        dir, OPERATOR "  fit: {type: train, uses: mlp.fit, retry: {failed: 3}, "
                      "task: {walltime: 10m}}\n"
                      "  own: {type: predict, uses: qe.label, with: {frames: "
                      "data/initial.extxyz, input: pw.in}}\n"
                      "elements: [Si]\n");
    const struct function *fit = &plan->functions[0];

    (void)unused;
    assert_string_equal (fit->stage_text, "    uses: mlp.fit\n"
                                          "    retry: {failed: 3}\n"
                                          "    task: {walltime: 10m}\n");
    assert_non_null (
        strstr (fit->operators_text,
                "    command: [\"{campaign}/../../../fit\", \"{images}\", "
                "\"--x={campaign}/../../..\"]\n"));
    assert_non_null (
        strstr (fit->operators_text,
                "      start: {type: file, default: ../../../pw.in}\n"));
    assert_non_null (
        strstr (fit->operators_text,
                "      past: {type: dir, list: true, optional: true}\n"));
    assert_string_equal (plan->functions[1].operators_text, "");
    plan_destroy (plan);
    temp_dir_remove (dir);
}

static void test_campaign_from_call (void **unused)
{
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    function_text_from_call ("a {campaign} {{campaign}} {campaign}/b", &text);
    assert_string_equal (text.buf, "a {campaign}/../../.. {{campaign}} "
                                   "{campaign}/../../../b");
    strbuf_release (&text);
}

static void test_call (void **unused)
{
    char *dir = make_directory ();
    struct plan *plan = compile_good (
        dir, STAGES "call: {function: label, number: 12, type: predict, then: "
                    "[tell, \"{fanfold}\"], latest: {a: {function: f, call: "
                    "1}}}\n");

    (void)unused;
    assert_string_equal (plan->call->function, "label");
    assert_int_equal (plan->call->number, 12);
    assert_string_equal (plan->call->then[0], "tell");
    plan_destroy (plan);
    temp_dir_remove (dir);
}

/* --- broken ones --- */

#define FIT "  fit: {type: train, uses: mlp.fit}\n"

static const struct broken functions[] = {
    { "format: 1\ncampaign: c\nfunctions: [fit]\n",
      NULL,
      { ":3:12: functions: got a list; write" } },
    { "format: 1\ncampaign: c\nfunctions: {}\n",
      NULL,
      { ":3:12: there are 0 functions; write 1 to 256 of them" } },
    { OPERATOR "  fit: {uses: mlp.fit}\n",
      NULL,
      { ":20:3: function 'fit' does not say how its calls run; add type: train "
        "(one after another) or type: predict (side by side)" } },
    { OPERATOR "  fit: {type: training, uses: mlp.fit}\n",
      NULL,
      { ":20:15: unknown type 'training' of function 'fit'; did you mean "
        "'train'?" } },
    { OPERATOR "  fit: {type: train}\n",
      NULL,
      { ":20:3: function 'fit' does not say what it does; add uses: "
        "OPERATOR" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fti}\n",
      NULL,
      { ":20:28: unknown operator 'mlp.fti'; did you mean 'mlp.fit'?" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, profile: gpu}\n",
      NULL,
      { ":20:46: unknown profile 'gpu'; there is local" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, task: {cors: 1}}\n",
      NULL,
      { ":20:44: unknown key 'cors' in task; did you mean 'cores'?" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, when: iteration > 0}\n",
      NULL,
      { ":20:37: unknown key 'when' in function 'fit'; " } },
    { OPERATOR "  calls: {type: train, uses: mlp.fit}\n",
      NULL,
      { ":20:3: 'calls' cannot be the name of a function; use at most 32" } },
    { OPERATOR "  Fit: {type: train, uses: mlp.fit}\n",
      NULL,
      { ":20:3: 'Fit' cannot be the name of a function; use at most 32" } },
    { OPERATOR "  train: {type: train, uses: mlp.fit}\n" STOP
               "stages:\n  train: {uses: mlp.fit, with: {images: two.npy}}\n",
      NULL,
      { ":20:3: 'train' is a stage, too; stages and functions share one set of "
        "names: choose another" } },
    { OPERATOR FIT STOP "stages:\n  calls: {uses: mlp.fit, with: {images: "
                        "two.npy, past: []}}\n",
      NULL,
      { ":23:3: 'calls' cannot be the name of a stage; use at most 32" } },
    { OPERATOR FIT "phases: [{name: a, iterations: 1}]\n",
      NULL,
      { ":21:9: phases are of stages, and there are none; remove phases, or "
        "add stages" } },
    { OPERATOR FIT
      "stages:\n  a: {uses: mlp.fit, with: {images: two.npy, past: "
      "[]}}\n",
      NULL,
      { ":1:1: the campaign does not say when it ends; add stop:" } },
};

static const struct broken bindings[] = {
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {images: a.npy}}\n",
      NULL,
      { ":20:52: input 'images' of function 'fit': no such file 'a.npy'; "
        "write a path that is relative" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {rate: fast}}\n",
      NULL,
      { ":20:50: input 'rate' of function 'fit': expected float, got 'fast'; "
        "write a number" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {rates: 1}}\n",
      NULL,
      { ":20:44: mlp.fit has no input 'rates'; did you mean 'rate'?" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {pick: {m: 1}}}\n",
      NULL,
      { ":20:51: pick of mlp.fit has no input 'm'; " } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {model: "
               "fit.model}}\n",
      NULL,
      { ":20:51: input 'model' of function 'fit': a function sees what is done "
        "when it is called; write latest.fit.model" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {model: "
               "previous.fit.model}}\n",
      NULL,
      { ":20:51: input 'model' of function 'fit': a function sees what is done "
        "when it is called; write latest.fit.model" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {past: "
               "[latest.fit.model, all.fit.model]}}\n",
      NULL,
      { ":20:69: input 'past' of function 'fit': a function sees what is done "
        "when it is called; write latest.fit.model" } },
    { OPERATOR "  fit: {type: predict, uses: mlp.fit, with: {model: "
               "latest.fit.model}}\n",
      NULL,
      { ":20:53: input 'model' of function 'fit': calls of a function of type "
        "predict run side by side, and none sees another; write type: train, "
        "or leave the input to whoever calls" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {model: "
               "latest.fit.loss}}\n",
      NULL,
      { ":20:51: input 'model' of function 'fit' takes dir and "
        "'latest.fit.loss' is float; bind something of that type" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {model: "
               "latest.fit.modle}}\n",
      NULL,
      { ":20:51: input 'model' of function 'fit': stage 'fit' (mlp.fit) has no "
        "output 'modle'; did you mean 'model'?" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, with: {model: "
               "latest.fti.model}}\n",
      NULL,
      { ":20:51: input 'model' of function 'fit': there is no stage 'fti'; did "
        "you mean 'fit'?" } },
    { OPERATOR FIT STOP "stages:\n  train: {uses: mlp.fit, with: {images: "
                        "two.npy, model: latest.fit.model}}\n",
      NULL,
      { ":23:57: input 'model' of stage 'train': 'fit' is a function, and "
        "stages see no calls; name a stage, or a file that a call made" } },
};

static const struct broken thens[] = {
    { OPERATOR "  fit: {type: train, uses: mlp.fit, then: mail}\n",
      NULL,
      { ":20:43: then: got 'mail'; write a list" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, then: [mail, "
               "\"{loss}\"]}\n",
      NULL,
      { ":20:50: then: unknown placeholder '{loss}'; there is {campaign} and "
        "{fanfold}, and the result is on standard input" } },
    { OPERATOR "  fit: {type: train, uses: mlp.fit, then: [mail, "
               "\"{campaign\"]}\n",
      NULL,
      { ":20:50: then: '{campaign': column 1: '{' is not closed" } },
    { STAGES "call: {number: 1}\n", NULL, { ":7:7: call: " } },
    { STAGES "call: {function: label, number: -1}\n",
      NULL,
      { ":7:33: number: got '-1'; write a whole number from 0 to 999999" } },
    { STAGES "call: {function: label, number: 1, then: [a, \"{b}\"]}\n",
      NULL,
      { ":7:46: then: unknown placeholder '{b}'; there is" } },
};

static void test_broken (void **unused)
{
    (void)unused;
    expect_broken (functions, ARRAY_SIZE (functions));
    expect_broken (bindings, ARRAY_SIZE (bindings));
    expect_broken (thens, ARRAY_SIZE (thens));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_functions_alone),
        cmocka_unit_test (test_beside_stages),
        cmocka_unit_test (test_defaults),
        cmocka_unit_test (test_texts),
        cmocka_unit_test (test_campaign_from_call),
        cmocka_unit_test (test_call),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
