/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile_operators.c - what is wrong with operators of a campaign's own
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "compile_scene.h"

static const struct broken declared[] = {
    { STAGES
      "operators: {qe.label: {command: [run]}, train: {command: [run]}}\n",
      NULL,
      { ":7:13: the operator 'qe.label' is built in; choose another name",
        ":7:41: 'train' cannot be the name of an operator; write two or more "
        "words" } },
    { DECLARED ("    command: run it\n"
                "    inputs: {a: {type: flaot}, b: {list: true}, seed: {type: "
                "int}}\n"),
      NULL,
      { ":9:14: command: got 'run it'; write a list, [program, argument, ...]",
        ":10:24: unknown type 'flaot'; did you mean 'float'?",
        ":10:32: 'b' has no type; add type:",
        ":10:49: the name 'seed' is taken by Fanfold; choose another" } },
    { DECLARED ("    inputs: {a: {type: int, default: x, dtype: f8}, b: {type: "
                "npy, dtype: f9, shape: [any, -1]}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:38: default of 'a': expected int, got 'x'; write a whole number",
        ":9:48: only the type npy has a dtype and a shape; remove it",
        ":9:75: unknown dtype 'f9'; did you mean 'f8'?",
        ":9:92: shape: got '-1'; write a whole number, any, or a name" } },
    { DECLARED ("    fan_out: [modle]\n"
                "    inputs: {model: {type: int}}\n"
                "    fatal_exits: [256]\n"
                "    commnd: [run]\n"),
      NULL,
      { ":8:3: operator 'my.op' does not say what a task does; add command:",
        ":9:15: fan_out: 'modle' is no input of the operator; did you mean "
        "'model'?",
        ":11:19: fatal_exits: got '256'; write a whole number from 1 to 255",
        ":12:5: unknown key 'commnd' in operator 'my.op'; did you mean "
        "'command'?" } },
    { DECLARED (
          "    inputs: {model: {type: int}, extra: {type: file, optional: "
          "true}}\n"
          "    outputs: {potential: {type: dir}, rmse: {type: float}}\n"
          "    command:\n"
          "      - [run, '{modle}', '{outputs.rmse}']\n"
          "      - [run, '{extra}', '{potential}']\n"),
      NULL,
      { ":12:15: unknown placeholder '{modle}'; did you mean 'model'?",
        ":12:26: placeholder '{outputs.rmse}' is a parameter and no file; "
        "write it into the JSON object {outputs.params}",
        ":13:15: placeholder '{extra}' is optional and may be absent; give it "
        "a default",
        ":13:26: placeholder '{potential}' is an output; its path is "
        "{outputs.NAME}" } },
    { DECLARED ("    inputs: {n: {type: int}, files: {type: file, list: true},"
                " many: {type: int, list: true, optional: true}}\n"
                "    command: [run, '{@files}', '{@fils}', '{@n}', '{@many}',"
                " '{@task}']\n"),
      NULL,
      { ":10:32: unknown placeholder '{@fils}'; did you mean '@files'?",
        ":10:43: placeholder '{@n}' is the file of a list, and 'n' is none; "
        "write {n}",
        ":10:51: placeholder '{@many}' is optional and may be absent; give it "
        "a default",
        ":10:62: placeholder '{@task}' is the file of a list, and 'task' is "
        "none; write {task}" } },
    { DECLARED ("    command: [run, '{@files}']\n"),
      NULL,
      { ":9:20: placeholder '{@files}' is the file of a list, and the operator "
        "has no input that is one; remove it" } },
    { DECLARED (
          "    command: [run, 'a}{}', '{\"n\": {outputs.prams}}', '--n={n']\n"
          "    prepare: {slices: {x: {type: int}}, command: [p, "
          "'{outputs.slics}', '{task}']}\n"),
      NULL,
      { ":9:28: unknown placeholder '{outputs.prams}'; did you mean "
        "'outputs.params'?",
        ":9:54: '--n={n': column 5: '{' is not closed; write {n}, or {{ for a "
        "brace",
        ":10:54: unknown placeholder '{outputs.slics}'; did you mean "
        "'outputs.slices'?",
        ":10:73: placeholder '{task}' speaks of a task, and this program is "
        "run for all of them; remove it" } },
    { DECLARED ("    outputs: {count: {type: int}, proceed: {type: int}, a: "
                "{type: file, path: ../a}, b: {type: int, publish: true}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:15: the name 'count' is taken by Fanfold; choose another",
        ":9:35: the output 'proceed' says whether the campaign goes on",
        ":9:79: path: '../a' is no name below out/; write",
        ":9:110: publish: only frames can become training data; remove it" } },
    { DECLARED ("    outputs: {a: {type: file}, b: {type: dir, path: a}}\n"
                "    collect: {command: [c]}\n"
                "    prepare: {slices: {}}\n"
                "    command: []\n"),
      NULL,
      { ":9:32: two outputs are written to out/a; give 'b' another path",
        ":10:14: collect declares no outputs; add outputs:",
        ":11:14: prepare has no command; add command:",
        ":12:14: command: got a list; write a list, [program, argument" } },
    { DECLARED ("    outputs: {a: {type: dir}, b: {type: file, take: a/b}, c: "
                "{type: dir, path: x/y}, d: {type: file, path: x}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:31: two outputs are written to out/a; give 'b' another path",
        ":9:86: two outputs are written to out/x/y; give 'd' another path" } },
    { DECLARED ("    outputs: {a: {type: int, take: x}, b: {type: file, take: "
                "/x}, c: {type: file, take: ../x}, d: {type: dir, take: in}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:36: take: 'a' is a parameter, which is no file; remove it",
        ":9:62: take: '/x' is no name in the task's working directory; write",
        ":9:89: take: '../x' is no name in the task's working directory",
        ":9:117: take: Fanfold itself uses 'in' in the working directory" } },
    { DECLARED ("    outputs: {a: {type: file, take: out/x}, b: {type: file, "
                "take: params.json}, c: {type: file, take: x/}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:37: take: Fanfold itself uses 'out' in the working directory",
        ":9:67: take: Fanfold itself uses 'params.json'",
        ":9:103: take: 'x/' is no name in the task's working directory" } },
    { DECLARED ("    outputs: {a: {type: dir, take: run}, b: {type: file, "
                "take: run/log}, c: {type: file, take: run.log}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:42: the outputs 'a' and 'b' both take 'run/log'; let each" } },
    { DECLARED ("    inputs: {x: {type: int, from: models}}\n"
                "    prepare: {slices: {x: {type: int}}, command: [p]}\n"
                "    command: [run, ]\n"
                "    code: My-Code\n"),
      NULL,
      { ":10:24: slices: 'x' is an input already; choose another name",
        ":12:11: code: 'My-Code' cannot be the name of a directory here" } },
    { STAGES "  b: {uses: my.op, with: {y: [1, 2, 3]}}\n"
             "operators:\n"
             "  my.op:\n"
             "    fan_out: [x, y]\n"
             "    inputs: {x: {type: int, from: models}, y: {type: int}, z: "
             "{type: file, from: trian.model}}\n"
             "    command: [run]\n",
      NULL,
      { ":7:30: stage 'b' slices 'x' (4) and 'y' (3) in lockstep; give both "
        "the same length",
        ":11:82: stage 'b' needs the input 'z' (file), and there is no "
        "'trian.model'; bind it in with:" } },
    /* a broken operator is no news where it is used */
    { STAGES "  b: {uses: my.op, with: {y: x, z: b.what}}\n"
             "history: {a: b.nothing}\n"
             "operators:\n"
             "  my.op: {}\n",
      NULL,
      { ":10:3: operator 'my.op' does not say what a task does; add "
        "command:" } },
};

static void test_declared (void **unused)
{
    (void)unused;
    expect_broken (declared, ARRAY_SIZE (declared));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_declared),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
