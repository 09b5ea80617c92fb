/* SPDX-License-Identifier: BSD-3-Clause */
/* test_super_operators.c - what operators made of operators become */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "signature/expression.h"
#include "super_operator_scene.h"

static struct plan *compiled (const char *text)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf out = STRBUF_INIT;
    char *dir = make_directory ();
    struct plan *plan = compile_texts (dir, text, NULL, &problems);

    problems_format (&problems, &out);
    if (!plan)
        print_error ("%s", out.buf);
    assert_non_null (plan);
    strbuf_release (&out);
    problems_release (&problems);
    temp_dir_remove (dir);
    return plan;
}

/* The good campaign, edited. */
static struct plan *compiled_with (const char *from, const char *to)
{
    struct strbuf text = STRBUF_INIT;
    struct plan *plan;

    edit (good, from, to, &text);
    plan = compiled (text.buf);
    strbuf_release (&text);
    return plan;
}

static void add_binding (const struct plan *plan, const struct binding *b,
                         struct strbuf *out)
{
    static const char *const sources[] = { [SOURCE_PREVIOUS] = "previous.",
                                           [SOURCE_ALL] = "all.",
                                           [SOURCE_LATEST] = "latest." };
    static const char *const folds[] = { "list", "least", "all" };

    if (b->source == SOURCE_JOINED) {
        strbuf_addf (out, "%s(", folds[b->fold]);
        for (size_t i = 0; i < b->n_parts; i++) {
            strbuf_add_str (out, i > 0 ? ", " : "");
            add_binding (plan, &b->parts[i], out);
        }
        strbuf_add_char (out, ')');
    } else if (b->literal) {
        json_dump (b->literal, JSON_COMPACT, out);
    } else if (b->source == SOURCE_UNBOUND) {
        strbuf_add_str (out, "absent");
    } else {
        strbuf_addf (out, "%s%s.%s",
                     b->source > SOURCE_THIS ? sources[b->source] : "",
                     plan->stages[b->stage].name, b->output);
    }
    if (b->fallback) {
        strbuf_add_str (out, " or ");
        json_dump (b->fallback, JSON_COMPACT, out);
    }
}

/* "train.prep dp.prep config={...} n=2\n..." */
static char *stages_text (const struct plan *plan)
{
    struct strbuf out = STRBUF_INIT;

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];

        strbuf_addf (&out, "%s %s", stage->name, stage->op->name);
        for (size_t k = 0; k < stage->n_bindings; k++) {
            strbuf_addf (&out, " %s=", stage->bindings[k].port->name);
            add_binding (plan, &stage->bindings[k], &out);
        }
        strbuf_add_char (&out, '\n');
    }
    return out.buf;
}

static void check_stages (struct plan *plan, const char *wanted)
{
    char *text = stages_text (plan);

    assert_string_equal (text, wanted);
    free (text);
    plan_destroy (plan);
}

static void test_flattened (void **state)
{
    struct plan *plan = compiled (good);
    const struct family *family = plan_family_find (plan, "train");

    (void)state;
    assert_int_equal (plan->n_families, 1);
    assert_string_equal (family->op->name, "dp.train");
    assert_string_equal (family->outputs[0].name, "models");
    assert_string_equal (family->outputs[0].stage, "train.run");
    assert_string_equal (family->outputs[0].output, "model");
    assert_null (family->outputs[2].name);
    assert_string_equal (family->makers[0], "train.run");
    assert_null (family->makers[1]);
    assert_string_equal (plan->stages[0].family, "train");
    assert_string_equal (plan->stages[1].family, "train");
    assert_null (plan->stages[2].family);
    assert_float_equal (plan->stages[0].success, 1, 0);
    assert_float_equal (plan->stages[1].success, 0.5, 0);
    check_stages (plan,
                  "train.prep dp.prep config={\"a\":1} n=2\n"
                  "train.run dp.run name=train.prep.names "
                  "init=[\"pw.in\",\"md.in\"] data=list([\"data\"], "
                  "train.prep.dirs)\n"
                  "use my.use models=train.run.model n=train.run.count\n");
}

/* The stages of the good campaign after one edit. */
static const struct {
    const char *from, *to, *stages;
} flattened[] = {
    /* inputs that stages bind to others, in every form */
    { "init: [pw.in, md.in], data: [data]",
      "init: {from: previous.train.models, default: [pw.in, md.in]}, data: "
      "[]",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run dp.run name=train.prep.names init=previous.train.run.model or "
      "[\"pw.in\",\"md.in\"] data=list([], train.prep.dirs)\n"
      "use my.use models=train.run.model n=train.run.count\n" },
    { "init: [pw.in, md.in]",
      "init: [previous.train.models, previous.train.models]",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run dp.run name=train.prep.names "
      "init=list(previous.train.run.model, previous.train.run.model) "
      "data=list([\"data\"], train.prep.dirs)\n"
      "use my.use models=train.run.model n=train.run.count\n" },
    /* inputs that stages leave out */
    { "      data: {type: dir, list: true}\n",
      "      data: {type: dir, list: true}\n"
      "      more: {type: dir, list: true, optional: true}\n"
      "      other: {type: dir, list: true, default: [data, data]}\n",
      NULL },
    /* defaults of steps, values that look like names */
    { "init: inputs.init", "init: {from: previous.run.model, default: [pw.in]}",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run dp.run name=train.prep.names init=previous.train.run.model or "
      "[\"pw.in\"] data=list([\"data\"], train.prep.dirs)\n"
      "use my.use models=train.run.model n=train.run.count\n" },
    { "name: prep.names", "name: [use.count, train.models]",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run dp.run name=[\"use.count\",\"train.models\"] "
      "init=[\"pw.in\",\"md.in\"] data=list([\"data\"], train.prep.dirs)\n"
      "use my.use models=train.run.model n=train.run.count\n" },
    { "data: [inputs.data, prep.dirs]", "data: [inputs.data, inputs.data]",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run dp.run name=train.prep.names init=[\"pw.in\",\"md.in\"] "
      "data=[\"data\",\"data\"]\n"
      "use my.use models=train.run.model n=train.run.count\n" },
    /* count and proceed of several steps */
    { "loss: run.loss}", "loss: run.loss, names: prep.names}",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run dp.run name=train.prep.names init=[\"pw.in\",\"md.in\"] "
      "data=list([\"data\"], train.prep.dirs)\n"
      "use my.use models=train.run.model n=least(train.run.count, "
      "train.prep.count)\n" },
    /* another operator in a step */
    { "success: 0.5", "uses: other.run",
      "train.prep dp.prep config={\"a\":1} n=2\n"
      "train.run other.run name=train.prep.names init=[\"pw.in\",\"md.in\"] "
      "data=list([\"data\"], train.prep.dirs)\n"
      "use my.use models=train.run.model n=train.run.count\n" },
};

static void test_forms (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (flattened); i++) {
        struct plan *plan = compiled_with (flattened[i].from, flattened[i].to);

        if (flattened[i].stages)
            check_stages (plan, flattened[i].stages);
        else
            plan_destroy (plan);
    }
}

/* --- what stages say of steps --- */

static const struct stage *stage_called (const struct plan *plan,
                                         const char *name)
{
    int at = plan_stage_find (plan, name);

    if (at < 0)
        fail_msg ("there is no stage '%s'", name);
    return &plan->stages[at];
}

/* Of a step, then of all steps, then of the operator, key by key. */
static void test_layers (void **state)
{
    struct strbuf text = STRBUF_INIT, half = STRBUF_INIT;
    const struct stage *prep, *run;
    struct plan *plan;

    (void)state;
    edit (good, "    steps: {run: {success: 0.5}}\n",
          "    when: iteration == 0\n"
          "    publish: false\n"
          "    image: docker://some/image\n"
          "    renamed_from: [learn, fit]\n"
          "    success: 0.25\n"
          "    task: {cores: 2, walltime: 30m}\n"
          "    retry: {failed: 7}\n"
          "    steps: {run: {success: 0.5, task: {cores: 3}, renamed_from: "
          "old}}\n",
          &half);
    edit (half.buf, "prep: {uses: dp.prep,",
          "prep: {uses: dp.prep, task: {cores: 4, memory: 1GiB}, retry: "
          "{failed: 9, timeout: 8},",
          &text);
    plan = compiled (text.buf);
    prep = stage_called (plan, "train.prep");
    run = stage_called (plan, "train.run");
    assert_int_equal (prep->needs.cores, 2);
    assert_int_equal (prep->needs.memory_bytes, 1 << 30);
    assert_float_equal (prep->needs.walltime_s, 1800, 0);
    assert_int_equal (prep->retry[OUTCOME_FAILED].tries, 7);
    assert_int_equal (prep->retry[OUTCOME_TIMEOUT].tries, 8);
    assert_float_equal (prep->success, 0.25, 0);
    assert_false (prep->publish);
    assert_string_equal (prep->image, "docker://some/image");
    assert_string_equal (prep->when_text, "iteration == 0");
    assert_string_equal (prep->renamed_from[0], "learn.prep");
    assert_string_equal (prep->renamed_from[1], "fit.prep");
    assert_null (prep->renamed_from[2]);
    assert_int_equal (run->needs.cores, 3);
    assert_float_equal (run->success, 0.5, 0);
    assert_string_equal (run->when_text, "iteration == 0");
    assert_string_equal (run->renamed_from[0], "old");
    assert_null (stage_called (plan, "use")->when);
    plan_destroy (plan);
    strbuf_release (&text);
    strbuf_release (&half);
}

/* Names of steps and inputs become what they are in the campaign, and both the
 * stage's condition and the step's hold.
 */
static void test_when (void **state)
{
    struct strbuf text = STRBUF_INIT, half = STRBUF_INIT;
    struct strbuf inputs = STRBUF_INIT, bound = STRBUF_INIT;
    struct plan *plan;

    (void)state;
    edit (good, "    steps: {run: {success: 0.5}}\n",
          "    when: iteration == 0 or iteration == 2\n", &half);
    edit (half.buf, "      config: {type: map}\n",
          "      config: {type: map}\n"
          "      least: {type: int, default: 3}\n"
          "      word: {type: string}\n"
          "      no: {type: int, optional: true}\n"
          "      of: {type: int}\n",
          &inputs);
    edit (
        inputs.buf, "config: {a: 1},",
        "config: {a: 1}, word: w, of: {from: previous.use.count, default: -1},",
        &bound);
    edit (bound.buf, "prep: {uses: dp.prep,",
          "prep: {when: 'previous.run.count >= inputs.least and inputs.word == "
          "\"prep.count\" and default(inputs.no, 1) == 0.5 or inputs.of > 1', "
          "uses: "
          "dp.prep,",
          &text);
    plan = compiled (text.buf);
    assert_string_equal (
        stage_called (plan, "train.prep")->when_text,
        "(iteration == 0 or iteration == 2) and "
        "(previous.train.run.count >= (3) and (\"w\") == \"prep.count\" "
        "and default((null), 1) == 0.5 or (default(previous.use.count, -1)) > "
        "1)");
    assert_string_equal (stage_called (plan, "train.run")->when_text,
                         "iteration == 0 or iteration == 2");
    plan_destroy (plan);
    strbuf_release (&inputs);
    strbuf_release (&bound);
    strbuf_release (&text);
    strbuf_release (&half);
}

static void test_phases (void **state)
{
    struct plan *plan = compiled_with (
        "stop: {iterations: 2}\n",
        "phases:\n"
        "  - {name: a, iterations: 1}\n"
        "  - {name: b, iterations: 1, stages: {train: {with: {config: {b: 2}}, "
        "steps: {run: {success: 0.75}, prep: {retry: {failed: 4}}}}}}\n");
    const struct plan *second = plan_in_phase (plan, 1);

    (void)state;
    assert_float_equal (stage_called (plan, "train.run")->success, 0.5, 0);
    assert_float_equal (stage_called (second, "train.run")->success, 0.75, 0);
    assert_int_equal (
        stage_called (second, "train.prep")->retry[OUTCOME_FAILED].tries, 4);
    assert_int_equal (
        json_get_int (stage_called (second, "train.prep")->bindings[0].literal,
                      "b"),
        2);
    plan_destroy (plan);
}

/* --- operators with steps in steps --- */

static void test_nested (void **state)
{
    struct strbuf text = STRBUF_INIT, half = STRBUF_INIT;
    struct plan *plan;

    (void)state;
    edit (good, "        uses: dp.run\n        with: {name: prep.names, init: ",
          "        uses: dp.more\n        steps: {fit: {success: 0.75}}\n"
          "        with: {words: prep.names, init: ",
          &half);
    edit (half.buf, "operators:\n",
          "operators:\n"
          "  dp.more:\n"
          "    inputs:\n"
          "      words: {type: string, list: true, default: [a.b]}\n"
          "      init: {type: file, list: true}\n"
          "      data: {type: dir, list: true}\n"
          "      n: {type: int, optional: true}\n"
          "    steps:\n"
          "      fit: {uses: dp.run, with: {name: inputs.words, init: "
          "inputs.init, data: inputs.data}}\n"
          "    outputs: {model: fit.model, loss: fit.loss}\n",
          &text);
    strbuf_reset (&half);
    edit (text.buf, "run: {success: 0.5}",
          "run: {success: 0.25, steps: {fit: {task: {cores: 2}}}}", &half);
    plan = compiled (half.buf);
    assert_int_equal (plan->n_families, 2);
    assert_string_equal (plan->families[1].name, "train.run");
    assert_string_equal (plan->families[0].outputs[0].stage, "train.run.fit");
    assert_string_equal (plan->families[0].makers[0], "train.run.fit");
    assert_null (plan->families[0].makers[1]);
    assert_string_equal (stage_called (plan, "train.run.fit")->family, "train");
    assert_int_equal (stage_called (plan, "train.run.fit")->needs.cores, 2);
    assert_float_equal (stage_called (plan, "train.run.fit")->success, 0.75, 0);
    assert_true (stage_is_of ("train.run.fit", "train"));
    assert_true (stage_is_of ("train.run.fit", "train.run"));
    assert_false (stage_is_of ("train.run.fit", "train.ru"));
    check_stages (plan, "train.prep dp.prep config={\"a\":1} n=2\n"
                        "train.run.fit dp.run name=train.prep.names "
                        "init=[\"pw.in\",\"md.in\"] data=list([\"data\"], "
                        "train.prep.dirs)\n"
                        "use my.use models=train.run.fit.model "
                        "n=train.run.fit.count\n");
    strbuf_release (&text);
    strbuf_release (&half);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_flattened), cmocka_unit_test (test_forms),
        cmocka_unit_test (test_layers),    cmocka_unit_test (test_phases),
        cmocka_unit_test (test_when),      cmocka_unit_test (test_nested),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
