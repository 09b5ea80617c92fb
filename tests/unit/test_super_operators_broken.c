/* SPDX-License-Identifier: BSD-3-Clause */
/* test_super_operators_broken.c - what is wrong with operators made of
 * operators
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "super_operator_scene.h"

/* 'from' of the good campaign becomes 'to'. */
static const struct {
    const char *from, *to;
    const char *problems[4];
} edits[] = {
    /* what steps bind */
    { "prep.names",
      "perp.names",
      { ":23:22: input 'name' of step 'run': there is no step 'perp'; did you "
        "mean 'prep'?" } },
    { "prep.names",
      "prep.nams",
      { ":23:22: input 'name' of step 'run': step 'prep' (dp.prep) has no "
        "output 'nams'; did you mean 'names'?" } },
    { "inputs.init",
      "inputs.inti",
      { ":23:40: input 'init' of step 'run': operator 'dp.train' has no input "
        "'inti'; did you mean 'init'?" } },
    { "inputs.init",
      "inputs.count",
      { ":23:40: input 'init' of step 'run': operator 'dp.train' has no input "
        "'count'; there is config, init, data" } },
    { "inputs.init",
      "previous.inputs.init",
      { ":23:40: input 'init' of step 'run': inputs have no past; write "
        "inputs.init" } },
    { "inputs.init",
      "[previous.inputs.init]",
      { ":23:41: input 'init' of step 'run': inputs have no past; write "
        "inputs.init" } },
    { "inputs.init",
      "{from: use.count}",
      { ":23:47: input 'init' of step 'run': there is no step 'use'; there is "
        "inputs, prep, run" } },
    { "inputs.init",
      "inputs.data",
      { ":23:40: input 'init' of step 'run' takes list of file and "
        "'inputs.data' is list of dir; bind" } },
    { "[inputs.data, prep.dirs]",
      "[inputs.config, prep.dirs]",
      { ":23:60: input 'data' of step 'run' takes list of dir and "
        "'inputs.config' is map; bind" } },
    { "n: 2}",
      "n: two}",
      { ":20:62: input 'n' of step 'prep': expected int, got 'two'" } },
    { "n: 2}",
      "m: 2}",
      { ":20:7: step 'prep' needs the input 'n' (int); bind it in with:",
        ":20:59: dp.prep has no input 'm'; did you mean 'n'?" } },
    { "config: {type: map}\n",
      "config: {type: map, optional: true}\n",
      { ":20:44: step 'prep' needs the input 'config', and inputs.config is "
        "optional; write {from: inputs.config, default: VALUE}, or" } },
    /* steps, and outputs */
    { "uses: dp.run\n",
      "uses: dp.rnu\n",
      { ":22:15: unknown operator 'dp.rnu'; did you mean 'dp.run'?" } },
    { "        uses: dp.run\n",
      "",
      { ":21:7: step 'run' of operator 'dp.train' does not say what it does; "
        "add uses: OPERATOR" } },
    { "prep: {uses",
      "inputs: {uses",
      { ":20:7: 'inputs' cannot be the name of a step; use" } },
    { "prep: {uses",
      "Prep: {uses",
      { ":20:7: 'Prep' cannot be the name of a step; use" } },
    { "prep: {uses",
      "prep: {wen: x, uses",
      { ":20:14: unknown key 'wen' in step 'prep' of operator 'dp.train'; "
        "did you mean 'when'?" } },
    { "prep: {uses",
      "prep: {when: rnu.count > 0, uses",
      { ":20:20: 'when' of step 'prep': there is no step 'rnu'; did you mean "
        "'run'?" } },
    { "prep: {uses",
      "prep: {when: inputs.init > 0, uses",
      { ":20:20: 'when' of step 'prep': column" } },
    { "prep: {uses",
      "prep: {when: previous.inputs.init == 0, uses",
      { ":20:20: 'when' of step" } },
    { "prep: {uses",
      "prep: {task: {cores: 0}, retry: {never: 1}, success: 2, uses",
      { ":20:28: cores: got '0'; write",
        ":20:40: unknown outcome 'never' in retry",
        ":20:60: success: got '2'; write" } },
    { "models: run.model",
      "run: run.model",
      { ":21:7: a step and an output are both called 'run'; rename one" } },
    { "models: run.model",
      "models: run.modl",
      { ":24:23: output 'models': step 'run' (dp.run) has no output 'modl'; "
        "did you mean 'model'?" } },
    { "models: run.model",
      "models: rnu.model",
      { ":24:23: output 'models': there is no step 'rnu'; did you mean "
        "'run'?" } },
    { "models: run.model",
      "models: inputs.init",
      { ":24:23: output 'models': got 'inputs.init'; write STEP.OUTPUT" } },
    { "models: run.model",
      "models: {type: file}",
      { ":24:23: output 'models': got a mapping; write STEP.OUTPUT" } },
    { "models: run.model",
      "count: run.model",
      { ":24:15: 'count' cannot be the name of an output here; use" } },
    { "    inputs:\n      config",
      "    fan_out: [config]\n    inputs:\n      config",
      { ":15:5: operator 'dp.train' has steps, and nothing runs but those; "
        "write fan_out: in the operators of its steps" } },
    { "config: {type: map}\n",
      "config: {inputs: {a: {type: map}}}\n",
      { ":16:7: 'config' is a section, and an operator with steps has none; "
        "declare" } },
    { "init: {type: file, list: true}\n",
      "init: {type: file, list: true, holes: true}\n",
      { ":17:45: holes: is for the inputs of operators that run tasks; "
        "remove" } },
    /* circles */
    { "uses: dp.run\n",
      "uses: dp.train\n",
      { ":22:15: an operator is a step of itself: 'dp.train' uses "
        "'dp.train'; take one of these steps out" } },
    { "    command: [run]\n  dp.run:\n",
      "    steps: {a: {uses: my.inner}}\n"
      "  my.inner: {steps: {b: {uses: dp.train}}}\n"
      "  dp.run:\n",
      { ":29:32: operators are steps of each other: 'dp.train' uses 'dp.prep' "
        "uses 'my.inner' uses 'dp.train'; take one of these steps out" } },
    /* what stages bind, and refer to */
    { "init: [pw.in, md.in]",
      "init: [pw.in, mdd.in]",
      { ":7:42: input 'init' of stage 'train': no such file 'mdd.in'; did you "
        "mean 'md.in'?" } },
    { "init: [pw.in, md.in]",
      "init: use.count",
      { ":7:34: input 'init' of stage 'train' takes list of file and "
        "'use.count' is int; bind" } },
    { ", data: [data]}",
      "}",
      { ":5:3: stage 'train' needs the input 'data' (list of dir); bind it in "
        "with:" } },
    { "init: [pw",
      "inti: [pw",
      { ":5:3: stage 'train' needs the input 'init'",
        ":7:28: dp.train has no input 'inti'; did you mean 'init'?" } },
    { "train.models",
      "train.run.model",
      { ":11:20: input 'models' of stage 'use': 'train.run.model' is for the "
        "steps of dp.train alone; of stage 'train' there is train.models, "
        "train.loss, train.count and train.proceed" } },
    { "train.models",
      "[train.models, latest.train.prep.dirs]",
      { ":11:35: input 'models' of stage 'use': 'train.prep.dirs' is for the "
        "steps of dp.train alone" } },
    { "train.models",
      "train.modls",
      { ":11:20: input 'models' of stage 'use': stage 'train' (dp.train) has "
        "no output 'modls'; did you mean 'models'?" } },
    { "train.models",
      "trian.models",
      { ":11:20: input 'models' of stage 'use': there is no stage 'trian'; "
        "did you mean 'train'?" } },
    { "max(train.loss)",
      "max(train.run.loss)",
      { ":12:30: history 'c': 'train.run.loss' is for the steps of dp.train "
        "alone; of" } },
    { "max(train.loss)",
      "train.los",
      { ":12:30: history 'c': stage 'train' (dp.train) has no output 'los'; "
        "did you mean 'loss'?" } },
    { "    uses: dp.train\n",
      "    uses: dp.train\n    when: use.count > 0\n",
      { ":21:7: stages wait for each other: 'train.prep' needs 'use' needs "
        "'train.run' needs 'train.prep'; let" } },
    { "    uses: dp.train\n",
      "    uses: dp.train\n    when: x > 1\n",
      { ":7:11: 'when' of stage 'train': unknown name 'x'; there is" } },
    /* what stages say of steps */
    { "run: {success: 0.5}",
      "rnu: {success: 0.5}",
      { ":8:13: stage 'train' (dp.train) has no step 'rnu'; did you mean "
        "'run'?" } },
    { "success: 0.5",
      "with: {n: 1}",
      { ":8:19: unknown key 'with' in step 'run' of stage 'train'; there is "
        "uses, steps, profile" } },
    { "success: 0.5", "success: 5", { ":8:28: success: got '5'; write" } },
    { "success: 0.5",
      "profile: fast",
      { ":8:28: unknown profile 'fast'; there is local" } },
    { "success: 0.5",
      "steps: {}",
      { ":8:26: steps: dp.run of stage 'train.run' has no steps; remove it" } },
    { "success: 0.5",
      "uses: nobody.run",
      { ":8:25: unknown operator 'nobody.run'; did you mean" } },
    { "success: 0.5",
      "uses: poor.run",
      { ":8:25: poor.run cannot be step 'run' of stage 'train': it has no "
        "output 'model', which dp.train uses; choose",
        ":8:25: poor.run cannot be step 'run' of stage 'train': it has no "
        "output 'loss', which dp.train uses; choose",
        ":8:25: poor.run cannot be step 'run' of stage 'train': it has no "
        "input 'init', which dp.train binds; choose" } },
    { "success: 0.5",
      "uses: odd.run",
      { ":8:25: odd.run cannot be step 'run' of stage 'train': its input "
        "'init' is int, and that of dp.run is list of file; choose" } },
    { "success: 0.5",
      "uses: more.run",
      { ":8:25: stage 'train.run' needs the input 'more' (int); bind" } },
    { "steps: {run: {success: 0.5}}",
      "steps: {prep: {uses: odd.prep}}",
      { ":8:26: odd.prep cannot be step 'prep' of stage 'train': its output "
        "'names' is list of int, and that of dp.prep is list of string; "
        "choose" } },
    { "    uses: my.use\n",
      "    uses: my.use\n    steps: {a: {}}\n",
      { ":11:12: steps: my.use of stage 'use' has no steps; remove it" } },
    { "    uses: dp.train\n",
      "    uses: dp.train\n    node_map: {}\n",
      { ":7:15: node_map: stage 'train' has steps; write steps: {STEP: "
        "{node_map: ...}}" } },
    { "    uses: dp.train\n",
      "    uses: dp.train\n    wen: x\n",
      { ":7:5: unknown key 'wen' in stage 'train'; did you mean 'when'?" } },
    { "  use:\n",
      "  train.run:\n",
      { ":9:3: 'train.run' cannot be the name of a stage; use" } },
    { "operators:\n",
      "functions:\n"
      "  train: {type: predict, uses: my.use, with: {models: [pw.in], n: 1}}\n"
      "  other: {type: predict, uses: my.use, with: {models: "
      "previous.train.models, n: 1}}\n"
      "operators:\n",
      { ":14:3: 'train' is a stage, too; stages and functions share one set of "
        "names: choose another",
        ":15:55: input 'models' of function 'other': a function sees what is "
        "done when it is called; write latest.train.models" } },
    { "stop: {iterations: 2}\n",
      "phases: [{name: a, iterations: 1, stages: {train: {steps: {run: {uses: "
      "other.run}}}}}]\n",
      { ":3:72: a step has one operator in all phases; write uses: in steps: "
        "of the stage" } },
};

static void test_broken (void **state)
{
    enum { N = ARRAY_SIZE (edits) };
    static struct broken rows[N];
    struct strbuf texts[N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        texts[i] = (struct strbuf)STRBUF_INIT;
        edit (good, edits[i].from, edits[i].to, &texts[i]);
        strbuf_add_str (&texts[i],
                        "  poor.run:\n"
                        "    inputs: {name: {type: string, list: true}, data: "
                        "{type: dir, list: true}}\n"
                        "    command: [run]\n"
                        "  odd.run:\n"
                        "    fan_out: [name]\n"
                        "    inputs: {name: {type: string}, init: {type: int}, "
                        "data: {type: dir, list: true}}\n"
                        "    outputs: {model: {type: file}, loss: {type: "
                        "float}}\n"
                        "    command: [run]\n"
                        "  more.run:\n"
                        "    fan_out: [name, init]\n"
                        "    inputs: {name: {type: string}, init: {type: "
                        "file}, data: {type: dir, list: true}, more: {type: "
                        "int}}\n"
                        "    outputs: {model: {type: file}, loss: {type: "
                        "float}}\n"
                        "    command: [run]\n"
                        "  odd.prep:\n"
                        "    inputs: {config: {type: map}, n: {type: int}}\n"
                        "    outputs: {names: {type: int, list: true}, dirs: "
                        "{type: dir, list: true}}\n"
                        "    command: [run]\n");
        rows[i].campaign = texts[i].buf;
        memcpy (rows[i].problems, edits[i].problems, sizeof (rows[i].problems));
    }
    expect_broken (rows, N);
    for (size_t i = 0; i < N; i++)
        strbuf_release (&texts[i]);
}

/* Operators of which each is a step of the next, 'n' of them. */
static void write_chain (int n, int wide, struct strbuf *text)
{
    strbuf_add_str (text, HEAD STOP "stages:\n  s: {uses: a.n0}\noperators:\n"
                                    "  a.leaf: {command: [run]}\n");
    for (int i = 0; i < n; i++) {
        strbuf_addf (text, "  a.n%d: {steps: {", i);
        for (int k = 0; k < wide; k++) {
            strbuf_addf (text, "%ss%d: ", k > 0 ? ", " : "", k);
            if (i + 1 < n)
                strbuf_addf (text, "{uses: a.n%d}", i + 1);
            else
                strbuf_add_str (text, "{uses: a.leaf}");
        }
        strbuf_add_str (text, "}}\n");
    }
}

/* However much a few lines stand for, or however deep, there is an end. */
static void test_too_much (void **state)
{
    struct broken rows[] = {
        { .problems = { "operators are nested deeper than 16 here; make" } },
        { .problems = { "operators are nested deeper than 16 here; make" } },
        { .problems = { "stages; write 1 to 256 of them" } },
    };
    static const int sizes[][2] = { { 17, 1 }, { 3000, 1 }, { 16, 2 } };
    struct strbuf texts[ARRAY_SIZE (rows)];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        texts[i] = (struct strbuf)STRBUF_INIT;
        write_chain (sizes[i][0], sizes[i][1], &texts[i]);
        rows[i].campaign = texts[i].buf;
    }
    expect_broken (rows, 1);
    expect_broken (&rows[2], 1);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++)
        strbuf_release (&texts[i]);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_broken),
        cmocka_unit_test (test_too_much),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
