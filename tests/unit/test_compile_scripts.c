/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile_scripts.c - scripts, images and environments of operators */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "compile_scene.h"
#include "signature/group.h"
#include "signature/script.h"

#define PORTS                                                                  \
    "    inputs: {init: {type: file}, names: {type: string, list: true}, "     \
    "extra: {type: file, optional: true}, pick: {inputs: {quota: {type: "      \
    "int}}}}\n"                                                                \
    "    outputs: {model: {type: file}}\n" /* lines 9 and 10 */

#define USED                                                                   \
    STAGES "  fit: {uses: my.op, image: other.sif, with: {init: pw.in, "       \
           "names: [a], pick: {quota: 1}}}\n"                                  \
           "  more: {uses: my.op, with: {init: pw.in, names: [a], pick: "      \
           "{quota: 1}}}\n"                                                    \
           "operators:\n"                                                      \
           "  my.op:\n" PORTS

static const struct broken broken[] = {
    { DECLARED ("    script: []\n"),
      NULL,
      { ":9:13: script: got a list; write script: | and lines of a shell "
        "below, or command: [program, argument, ...]" } },
    { DECLARED ("    script: \"  \"\n"),
      NULL,
      { ":9:13: script: is empty; write script: | and lines" } },
    { DECLARED ("    script: pw.in\n"),
      NULL,
      { ":9:13: script: is the text of a script, and 'pw.in' a file; write "
        "command: [bash, \"{campaign}/pw.in\"]" } },
    { DECLARED ("    script: '{campaign}/train.sh'\n"),
      NULL,
      { ":9:13: script: is the text of a script, and '{campaign}/train.sh' a "
        "file; write command: [bash, \"{campaign}/train.sh\"]" } },
    { DECLARED ("    command: [train]\n    script: train\n"),
      NULL,
      { ":10:13: operator 'my.op' has two bodies, command and script; a task "
        "does one of them: remove the other" } },
    { DECLARED ("    doc: x\n"),
      NULL,
      { ":8:3: operator 'my.op' does not say what a task does; add command: "
        "[program, argument, ...] or script: LINES or group: {programs:" } },
    { DECLARED ("    script: x\n"
                "    prepare: {slices: {n: {type: int}}}\n"),
      NULL,
      { ":10:14: prepare has no command; add command: [program, argument, "
        "...] or script: LINES" } },
    { DECLARED ("    script: x\n"
                "    collect: {outputs: {n: {type: int}}, command: [x], "
                "script: x}\n"),
      NULL,
      { ":10:64: collect has a command and a script; remove one of them" } },
    { DECLARED ("    group: {programs: {a: {command: [x], script: x}, b: "
                "{instances: 2}}}\n"),
      NULL,
      { ":9:50: program 'a' has a command and a script; remove one of them",
        ":9:54: program 'b' has no command; add command: [program, argument, "
        "...] or script: LINES" } },
    { DECLARED ("    script: x\n    report: {command: [cat, '{nmae}']}\n"),
      NULL,
      { ":10:29: unknown placeholder '{nmae}'; there is seed" } },
    /* names */
    { DECLARED ("    inputs: {a_b: {type: int}, a: {inputs: {b: {type: "
                "int}}}}\n"
                "    script: x\n"),
      NULL,
      { ":10:13: script of operator 'my.op': 'a_b' and 'a.b' would both be "
        "$a_b; rename one" } },
    { DECLARED ("    inputs: {outputs_m: {type: int}}\n"
                "    outputs: {m: {type: file}}\n"
                "    script: x\n"),
      NULL,
      { ":11:13: script of operator 'my.op': 'outputs_m' and 'outputs.m' would "
        "both be $outputs_m; rename one" } },
    { DECLARED ("    inputs: {a: {type: list}, a_list: {type: int}}\n"
                "    collect: {outputs: {n: {type: int}}, script: x}\n"
                "    command: [x]\n"),
      NULL,
      { ":10:50: script of collect of operator 'my.op': $a_list would be "
        "'a_list' and something of another input; rename one of them" } },
    { DECLARED ("    inputs: {a: {type: int}}\n"
                "    env: {a: x}\n"
                "    script: x\n"),
      NULL,
      { ":11:13: script of operator 'my.op': $a is an input or the like, and "
        "env: sets it, too; rename one" } },
    /* env */
    { DECLARED ("    command: [x]\n"
                "    env: {FANFOLD_X: y, 1x: y, X: $HOME, Y: 1.50}\n"),
      NULL,
      { ":10:11: env: FANFOLD_X: these names are fanfold's own; take another",
        ":10:25: env: '1x' cannot be the name of a variable; use letters",
        ":10:35: env: X: '$HOME' is not replaced; write the value itself",
        ":10:45: env: Y: without quotes YAML takes 1.50 for" } },
    { DECLARED ("    command: [x]\n    env: [A=b]\n"),
      NULL,
      { ":10:10: env: got a list; write a mapping" } },
    /* images */
    { DECLARED ("    command: [x]\n    image: [a]\n"),
      NULL,
      { ":10:12: image: got a list; write text" } },
    { DECLARED ("    command: [x]\n    image: '{campaign}/a.sif'\n"),
      NULL,
      { ":10:12: image: '{campaign}/a.sif' is taken as it stands; write a path "
        "below the campaign's directory, a full path, or docker://..." } },
    { HEAD STOP "stages:\n"
                "  label: {uses: qe.label, image: a.sif, with: {frames: "
                "data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:34: stage 'label': image: qe.label is built in, and what it starts "
        "is an input; write the container into that: [apptainer, exec, a.sif, "
        "...]" } },
    { STAGES,
      "format: 1\nprofiles:\n  here: {scheduler: local, container: apptainer}"
      "\n",
      { "site.yaml:3:39: container: got 'apptainer'; write a list" } },
    { STAGES,
      "format: 1\nprofiles:\n  here: {scheduler: local, container: [run, "
      "'{imgae}']}\n",
      { "site.yaml:3:45: container: unknown placeholder '{imgae}'; there is "
        "{image}, {dir}, {campaign}, {workspace}" } },
    { STAGES,
      "format: 1\nprofiles:\n  here: {scheduler: local, container: [run, "
      "'{dir}']}\n",
      { "site.yaml:3:39: container: names no image; write \"{image}\" where "
        "run takes it" } },
};

static void test_broken (void **unused)
{
    (void)unused;
    expect_broken (broken, ARRAY_SIZE (broken));
}

/* --- warnings --- */

static const struct {
    const char *body, *says; /* NULL: nothing */
} warnings[] = {
    { "    script: |\n      train $init $names_list ${extra:-} $pick_quota "
      "$outputs_model $seed $cores $HOME $http_proxy\n",
      NULL },
    { "    script: |\n      x=1\n      train $intt\n",
      ":13:14: warning: script of operator 'my.op': $intt is neither an input "
      "nor set here; did you mean $init?" },
    { "    script: |\n\n        a\n        b $zzz\n",
      ":14:12: warning: script of operator 'my.op': $zzz is neither an input "
      "nor set here; declare it under inputs:, or write ${zzz:-}" },
    { "    script: train $extra\n",
      ":11:13: warning: script of operator 'my.op': $extra is optional and may "
      "be absent; write ${extra:-}" },
    { "    script: |\n      train \"{pick.quota}\"\n",
      ":12:15: warning: script of operator 'my.op': '{pick.quota}' is text in "
      "a script; write \"$pick_quota\"" },
    { "    script: |\n      #!/usr/bin/python3\n      print('$zzz')\n", NULL },
    { "    script: |\n      eval x\n      train $zzz\n", NULL },
    { "    env: {zzz: '1'}\n    script: train $zzz\n", NULL },
    { "    command: [x]\n"
      "    collect: {outputs: {n: {type: int}}, script: 'x $task'}\n",
      ":12:50: warning: script of collect of operator 'my.op': $task is "
      "neither an input nor set here; declare" },
    { "    group: {programs: {a: {script: 'x $instance $hosts_local $zzz'}}}\n",
      ":11:36: warning: script of program 'a' of operator 'my.op': $zzz is "
      "neither" },
    { "    report: {command: [cat, x]}\n    script: 'x $workspace $zzz'\n",
      ":12:13: warning: script of operator 'my.op': $zzz is neither" },
};

static void test_warnings (void **unused)
{
    char *dir = make_directory ();

    (void)unused;
    setenv ("XDG_CONFIG_HOME", dir, 1);
    for (size_t i = 0; i < ARRAY_SIZE (warnings); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct strbuf text = STRBUF_INIT;
        char *campaign = xasprintf ("%s%s", USED, warnings[i].body);
        /* the stages are two lines above the operators */
        struct plan *plan = compile_texts (dir, campaign, NULL, &problems);

        for (size_t k = 0; k < problems.n; k++)
            problems.v[k].line -= 2;
        problems_format (&problems, &text);
        if (!plan || problems.n != (warnings[i].says != NULL)
            || (warnings[i].says && !strstr (text.buf, warnings[i].says)))
            fail_msg ("row %zu: %s", i, text.buf);
        plan_destroy (plan);
        free (campaign);
        strbuf_release (&text);
        problems_release (&problems);
    }
    temp_dir_remove (dir);
}

/* --- good ones --- */

static struct plan *compiled (const char *body, const char *site)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    char *dir = make_directory ();
    char *campaign = xasprintf ("%s%s", USED, body);
    struct plan *plan;

    setenv ("XDG_CONFIG_HOME", dir, 1);
    plan = compile_texts (dir, campaign, site, &problems);
    problems_format (&problems, &text);
    if (!plan || problems.n > 0)
        fail_msg ("%s", text.buf);
    strbuf_release (&text);
    problems_release (&problems);
    free (campaign);
    temp_dir_remove (dir);
    return plan;
}

static const struct stage *find (const struct plan *plan, const char *name)
{
    return &plan->stages[plan_stage_find (plan, name)];
}

static void test_good (void **unused)
{
    struct plan *plan =
        compiled ("    image: docker://debian\n"
                  "    env: {A: x y, B: 3, C: 'true', D: \"1.50\"}\n"
                  "    script: |\n"
                  "      one\n"
                  "        two\n"
                  "\n"
                  "    prepare: {slices: {n: {type: int}}, script: three}\n",
                  NULL);
    const struct stage *fit = find (plan, "fit"), *more = find (plan, "more");

    (void)unused;
    assert_string_equal (fit->op->script, "one\n  two\n");
    assert_ptr_equal (fit->op->commands, script_commands);
    assert_string_equal (fit->op->prepare_script, "three");
    assert_ptr_equal (fit->op->prepare, script_argv);
    assert_null (fit->op->collect_script);
    assert_string_equal (fit->op->env[0], "A=x y");
    assert_string_equal (fit->op->env[1], "B=3");
    assert_string_equal (fit->op->env[2], "C=true");
    assert_string_equal (fit->op->env[3], "D=1.50");
    assert_null (fit->op->env[4]);
    assert_string_equal (fit->image, "other.sif");
    assert_string_equal (more->image, "docker://debian");
    assert_string_equal (more->profile->container[0], "apptainer");
    assert_null (find (plan, "label")->image);
    plan_destroy (plan);
}

static void test_group_of_scripts (void **unused)
{
    struct plan *plan =
        compiled ("    group: {programs: {a: {script: x}, b: {command: [y]}}}"
                  "\n",
                  "format: 1\nprofiles:\n  here: {scheduler: local, container: "
                  "[run, '{image}']}\n");
    const struct stage *stage = find (plan, "more");

    (void)unused;
    assert_string_equal (stage->group->programs[0].script, "x");
    assert_ptr_equal (stage->group->programs[0].commands, script_commands);
    assert_null (stage->group->programs[1].script);
    assert_string_equal (stage->profile->container[0], "run");
    assert_null (stage->image);
    plan_destroy (plan);
}

static void test_report_of_script (void **unused)
{
    struct plan *plan =
        compiled ("    script: x\n    report: {command: [y]}\n", NULL);
    const struct stage *stage = find (plan, "more");

    (void)unused;
    assert_null (stage->op->script);
    assert_true (group_is_command (stage->group));
    assert_string_equal (stage->group->programs[0].script, "x");
    plan_destroy (plan);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_broken),
        cmocka_unit_test (test_warnings),
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_group_of_scripts),
        cmocka_unit_test (test_report_of_script),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
