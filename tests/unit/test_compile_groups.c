/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile_groups.c - operators whose body is a group, and their stages */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"
#include "signature/group.h"

#define SITE_BIG                                                               \
    "format: 1\n"                                                              \
    "profiles:\n"                                                              \
    "  cpu: {scheduler: slurm, node: {cores: 64, memory: 64GiB, gpus: 8}, "    \
    "launcher: openmpi}\n"

/* From line 7 on; it comes after its stage. */
#define PIMD                                                                   \
    "operators:\n"                                                             \
    "  pimd.sample:\n"                                                         \
    "    inputs: {start: {type: file}, input: {type: file}}\n"                 \
    "    outputs: {beads: {type: dir}, steps: {type: int}}\n"                  \
    "    task: {walltime: 1h}\n"                                               \
    "    group:\n"                                                             \
    "      workspace: global\n"                                                \
    "      nodes: {far: {memory: 8GiB}}\n"                                     \
    "      setup: [mkdir, '{workspace}/inbox']\n"                              \
    "      report: {every: 5s, command: [progress, '{workspace}']}\n"          \
    "      programs:\n"                                                        \
    "        monitor: {node: far, command: [watch, '{hosts.local}']}\n"        \
    "        driver:\n"                                                        \
    "          command: [[driver, '{start}', '{outputs.params}'], [fin]]\n"    \
    "          exit: [pack, '{workspace}', '{outputs.beads}']\n"               \
    "        force:\n"                                                         \
    "          instances: 4\n"                                                 \
    "          task: {cores: 2, gpus: 1, memory: 1GiB}\n"                      \
    "          setup: [make_input, '{input}', '{instances}']\n"                \
    "          per_instance:\n"                                                \
    "            setup: [mkdir, '{instance}']\n"                               \
    "            exit: [rm, -r, '{instance}']\n"                               \
    "            report: {command: [tail, '{{{instance}}}']}\n"                \
    "          command: [lmp, -in, '{workspace}/in', '{hosts.far}']\n"

#define SAMPLE(more)                                                           \
    STAGES "  sample: {uses: pimd.sample, " more                               \
           "with: {start: pw.in, input: pw.in}}\n" PIMD

/* Compile and hand over the stage 'name', which the plan keeps. */
static const struct stage *compiled (const char *campaign, const char *name,
                                     struct plan **plan)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    char *dir = make_directory ();

    setenv ("XDG_CONFIG_HOME", dir, 1);
    *plan = compile_texts (dir, campaign, SITE_BIG, &problems);
    problems_format (&problems, &text);
    temp_dir_remove (dir);
    if (!*plan)
        fail_msg ("%s", text.buf);
    problems_release (&problems);
    strbuf_release (&text);
    return &(*plan)->stages[plan_stage_find (*plan, name)];
}

static void test_group (void **state)
{
    struct plan *plan;
    const struct stage *stage = compiled (SAMPLE (""), "sample", &plan);
    const struct group_spec *group = stage->group;
    const struct group_program *force = &group->programs[2];

    (void)state;
    assert_string_equal (stage->op->commands[0][0], "{fanfold}");
    assert_string_equal (stage->op->commands[0][1], "group");
    assert_null (stage->op->commands[1]);
    assert_true (group->workspace_global);
    assert_string_equal (group->nodes[0], "local"); /* though it comes second */
    assert_string_equal (group->nodes[1], "far");
    assert_null (group->nodes[2]);
    assert_string_equal (group->setup[0][1], "{workspace}/inbox");
    assert_null (group->exit);
    assert_true (group->report.every_s == 5);
    assert_int_equal (group->n_programs, 3);
    assert_string_equal (group->programs[0].node, "far");
    assert_string_equal (group->programs[1].name, "driver");
    assert_string_equal (group->programs[1].commands[1][0], "fin");
    assert_int_equal (group->programs[1].needs.cores, 1);
    assert_string_equal (force->node, "local");
    assert_int_equal (force->instances, 4);
    assert_int_equal (force->needs.memory_bytes, 1 << 30);
    assert_string_equal (force->instance_exit[0][2], "{instance}");
    assert_true (force->report.every_s == 1);
    plan_destroy (plan);
}

/* Two nodes, each as large as the larger one. */
static void test_needs (void **state)
{
    static const struct {
        const char *campaign;
        struct resources needs;
    } rows[] = {
        { SAMPLE (""),
          { .nodes = 2,
            .ranks = 2,
            .cores = 2 * 9,
            .gpus = 2 * 4,
            .memory_bytes = (int64_t)16 << 30,
            .walltime_s = 3600 } },
        { SAMPLE ("node_map: {far: local}, "),
          { .nodes = 1,
            .ranks = 1,
            .cores = 10,
            .gpus = 4,
            .memory_bytes = (int64_t)12 << 30,
            .walltime_s = 3600 } },
        { SAMPLE ("task: {cores: 20, gpus: 8, memory: 20GiB, walltime: 2h}, "),
          { .nodes = 2,
            .ranks = 2,
            .cores = 20,
            .gpus = 8,
            .memory_bytes = (int64_t)20 << 30,
            .walltime_s = 7200 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct resources *want = &rows[i].needs, *got;
        struct plan *plan;

        got = &compiled (rows[i].campaign, "sample", &plan)->needs;
        assert_int_equal (got->nodes, want->nodes);
        assert_int_equal (got->ranks, want->ranks);
        assert_int_equal (got->cores, want->cores);
        assert_int_equal (got->gpus, want->gpus);
        assert_int_equal (got->gpu_share, 0);
        assert_int_equal (got->memory_bytes, want->memory_bytes);
        assert_true (got->walltime_s == want->walltime_s);
        plan_destroy (plan);
    }
}

static void test_node_map (void **state)
{
    struct plan *plan;
    const struct stage *stage =
        compiled (SAMPLE ("node_map: {local: far}, "), "sample", &plan);
    const struct group_spec *group = stage->group;

    (void)state;
    assert_string_equal (group->nodes[0], "far");
    assert_null (group->nodes[1]);
    assert_string_equal (group->programs[2].node, "far");
    assert_string_equal (group->programs[0].commands[0][1], "{hosts.far}");
    assert_string_equal (group->programs[2].commands[0][3], "{hosts.far}");
    assert_string_equal (group->programs[2].report.command[1],
                         "{{{instance}}}");
    assert_string_equal (stage->op->group->nodes[0], "local");
    plan_destroy (plan);
    stage = compiled (SAMPLE ("node_map: {local: far, far: local}, "), "sample",
                      &plan);
    assert_string_equal (stage->group->nodes[0], "local");
    assert_string_equal (stage->group->nodes[1], "far");
    assert_string_equal (stage->group->programs[0].node, "local");
    assert_string_equal (stage->group->programs[0].commands[0][1],
                         "{hosts.far}");
    plan_destroy (plan);
}

/* What two nodes need besides their programs is needed where both went. */
static void test_folded_extras (void **state)
{
    static const char *const maps[] = { "near: far", "far: near" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (maps); i++) {
        struct strbuf text = STRBUF_INIT;
        const struct stage *stage;
        struct plan *plan;

        strbuf_addf (&text,
                     STAGES
                     "  b: {uses: my.op, node_map: {%s}}\n"
                     "operators:\n"
                     "  my.op:\n"
                     "    group:\n"
                     "      nodes: {near: {cores: 3, gpus: 1, memory: 2GiB}, "
                     "far: {cores: 5, gpus: 2, memory: 8GiB}}\n"
                     "      programs:\n"
                     "        a: {node: near, command: [a]}\n"
                     "        b: {node: far, command: [b]}\n",
                     maps[i]);
        stage = compiled (text.buf, "b", &plan);
        assert_int_equal (stage->needs.nodes, 1);
        assert_int_equal (stage->needs.cores, 3 + 5 + 2);
        assert_int_equal (stage->needs.gpus, 3);
        assert_int_equal (stage->needs.memory_bytes, (int64_t)10 << 30);
        plan_destroy (plan);
        strbuf_release (&text);
    }
}

/* A group that is prepared keeps its programs; what else is edited counts where
 * they still fit what the task has.
 */
static void test_kept (void **state)
{
    static const struct {
        const char *newest;
        double walltime_s;
    } rows[] = {
        { SAMPLE ("task: {walltime: 3h}, "), 3 * 3600 },
        { SAMPLE ("task: {walltime: 3h}, node_map: {far: local}, "), 3600 },
        { SAMPLE ("task: {walltime: 3h, cores: 32}, "), 3600 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct plan *before, *newest, *plan;
        const struct stage *kept = compiled (SAMPLE (""), "sample", &before);
        const struct kept_stage as = { kept, "sample" };
        const struct stage *now;

        compiled (rows[i].newest, "sample", &newest);
        plan = plan_keep_stages (newest, &as, 1);
        now = &plan->stages[plan_stage_find (plan, "sample")];
        assert_ptr_equal (now->group, kept->group);
        assert_ptr_equal (now->op, kept->op);
        assert_int_equal (now->needs.nodes, 2);
        assert_int_equal (now->needs.cores, kept->needs.cores);
        assert_true (now->needs.walltime_s == rows[i].walltime_s);
        plan_destroy (plan);
        plan_destroy (newest);
        plan_destroy (before);
    }
}

/* A stage that uses an operator with this body. */
#define OWN(FIELDS)                                                            \
    STAGES "  b: {uses: my.op}\n"                                              \
           "operators:\n"                                                      \
           "  my.op:\n" FIELDS

/* What shares a GPU takes a part of one. */
static void test_shared_gpus (void **state)
{
    static const struct {
        const char *programs;
        int gpus, share;
    } rows[] = {
        { "{a: {task: {gpus: 0.5}, command: [a]}}", 1, 2 },
        { "{a: {instances: 2, task: {gpus: 0.25}, command: [a]}}", 1, 2 },
        { "{a: {instances: 2, task: {gpus: 0.5}, command: [a]}}", 1, 0 },
        { "{a: {instances: 3, task: {gpus: 0.5}, command: [a]}}", 2, 0 },
        { "{a: {task: {gpus: 0.5}, command: [a]}, b: {task: {gpus: 1}, "
          "command: [b]}}",
          2, 0 },
        { "{a: {task: {gpus: 0.5}, command: [a]}, b: {task: {gpus: 0.25}, "
          "command: [b]}}",
          1, 0 },
        { "{}", 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf text = STRBUF_INIT;
        const struct stage *stage;
        struct plan *plan;

        strbuf_addf (&text, "%s%s}\n", OWN ("    group: {programs: "),
                     rows[i].programs);
        stage = compiled (text.buf, "b", &plan);
        assert_int_equal (stage->needs.gpus, rows[i].gpus);
        assert_int_equal (stage->needs.gpu_share, rows[i].share);
        assert_int_equal (stage->needs.nodes, 1);
        assert_in_range (stage->needs.cores, 1, 3);
        plan_destroy (plan);
        strbuf_release (&text);
    }
}

/* A command with a report is a program that has all that the task has. */
static void test_report_of_command (void **state)
{
    struct plan *plan;
    const struct stage *stage =
        compiled (OWN ("    command: [[a], [b, '{outputs.params}']]\n"
                       "    task: {nodes: 2, ranks: 8, cores: 16}\n"
                       "    report: {every: 0.5, command: [tail, log]}\n"),
                  "b", &plan);
    const struct group_spec *group = stage->group;

    (void)state;
    assert_true (group_is_command (group));
    assert_string_equal (stage->op->commands[0][1], "group");
    assert_string_equal (group->nodes[0], "local");
    assert_true (group->report.every_s == 0.5);
    assert_string_equal (group->programs[0].name, "command");
    assert_string_equal (group->programs[0].commands[1][0], "b");
    assert_int_equal (stage->needs.nodes, 2);
    assert_int_equal (stage->needs.ranks, 8);
    assert_int_equal (stage->needs.cores, 16);
    assert_int_equal (stage_ranks (stage), 8);
    plan_destroy (plan);
}

static const struct broken bodies[] = {
    { OWN ("    outputs: {n: {type: int}}\n"),
      NULL,
      { ":9:3: operator 'my.op' does not say what a task does; add command: "
        "[program, argument, ...] or script: LINES or group: {programs:" } },
    { OWN ("    command: [run]\n"
           "    group: {programs: {}}\n"),
      NULL,
      { ":11:12: operator 'my.op' has two bodies, command and group; a task "
        "does one of them: remove the other" } },
    { OWN ("    group: {programs: {a: {command: [a]}}}\n"
           "    report: {command: [r]}\n"
           "    task: {nodes: 2, ranks: 4}\n"),
      NULL,
      { ":11:13: report: operator 'my.op' is a group, which has its own; write "
        "it below group",
        ":12:19: nodes: a group has as many nodes as its programs name; write",
        ":12:29: ranks: each program of a group has its own; write" } },
    { OWN ("    command: [run]\n"
           "    report: {every: 10ms, comand: [r, '{instance}']}\n"),
      NULL,
      { ":11:13: report has no command; add command:",
        ":11:21: every: got '10ms'; write a duration of more than 0",
        ":11:27: unknown key 'comand' in report; did you mean 'command'?" } },
    { OWN ("    command: [run]\n"
           "    report: {every: 0.05, command: [r]}\n"),
      NULL,
      { ":11:21: every: a report takes longer than that; write 0.1 s or "
        "more" } },
    { OWN ("    group:\n"
           "      workspace: shared\n"
           "      nods: {}\n"
           "      setup: mkdir x\n"),
      NULL,
      { ":11:7: group has no programs; add programs:",
        ":11:18: workspace: there is no workspace 'shared'; there is private, "
        "global",
        ":12:7: unknown key 'nods' in group; did you mean 'nodes'?",
        ":13:14: setup: got 'mkdir x'; write a list" } },
    { OWN ("    group:\n"
           "      nodes: {fra: {}, far: {memory: much, cpus: 1}}\n"
           "      programs: {a: {node: far, command: [a]}}\n"),
      NULL,
      { ":11:15: nodes: no program runs on 'fra'; did you mean 'far'?",
        ":11:38: memory: got 'much'; write a size of more than 0",
        ":11:44: unknown key 'cpus' in far; write cores" } },
    { OWN ("    group:\n"
           "      programs:\n"
           "        A: {command: [a]}\n"
           "        b: {node: Far, instances: 0}\n"),
      NULL,
      { ":12:9: 'A' cannot be the name of a program; use a-z, 0-9 and _",
        ":13:9: program 'b' has no command; add command:",
        ":13:19: 'Far' cannot be the name of a node; use a-z, 0-9 and _",
        ":13:35: instances: got '0'; write a whole number from 1 to 10000" } },
    { OWN ("    group:\n"
           "      programs:\n"
           "        a: {command: [a], task: {walltime: 1h, nodes: 2, cores: 3, "
           "ranks: 2}}\n"
           "        b: {command: [b], comand: [c]}\n"),
      NULL,
      { ":12:33: program 'a': 3 cores cannot be shared evenly by 2 ranks; make",
        ":12:44: walltime: all programs of a group have the task's; write it "
        "in task: of the operator or the stage",
        ":12:55: nodes: a program runs on one node; for another one write "
        "node: NAME",
        ":13:27: unknown key 'comand' in program 'b'; did you mean "
        "'command'?" } },
};

/* What is known where. */
static const struct broken placeholders[] = {
    { OWN ("    inputs: {workspace: {type: int}, hosts: {type: int}}\n"
           "    command: [run]\n"),
      NULL,
      { ":10:14: the name 'workspace' is taken by Fanfold; choose another",
        ":10:38: the name 'hosts' is taken by Fanfold; choose another" } },
    { OWN ("    command: [run, '{workspace}', '{instance}', '{hosts.far}']\n"
           "    report: {command: [r, '{outputs.params}']}\n"),
      NULL,
      { ":10:20: placeholder '{workspace}' is known where programs run "
        "together; write a group",
        ":10:35: placeholder '{instance}' is known where",
        ":10:49: placeholder '{hosts.far}' is known where",
        ":11:27: placeholder '{outputs.params}' is what programs leave; print "
        "a JSON object as the report" } },
    { OWN ("    group:\n"
           "      setup: [s, '{workspace}', '{hosts}', '{cores}', "
           "'{instances}', '{instance}']\n"
           "      report: {command: [r, '{outputs.params}']}\n"
           "      programs: {a: {command: [a, '{wokspace}']}}\n"),
      NULL,
      { ":11:55: placeholder '{instances}' speaks of one program, and this is "
        "run for all of a node; write it under programs",
        ":11:70: placeholder '{instance}' speaks of one program",
        ":12:29: placeholder '{outputs.params}' is what programs leave",
        ":13:35: unknown placeholder '{wokspace}'; did you mean "
        "'workspace'?" } },
    { OWN ("    group:\n"
           "      programs:\n"
           "        a:\n"
           "          node: far\n"
           "          setup: [s, '{instances}', '{instance}']\n"
           "          per_instance: {setup: [s, '{instance}'], report: "
           "{command: [r, '{instance}', '{outputs.n}']}}\n"
           "          command: [[a, '{hosts.far}'], [b, '{hosts.fra}', "
           "'{instance}']]\n"
           "    outputs: {n: {type: int}}\n"),
      NULL,
      { ":14:37: placeholder '{instance}' is one of several, and this is run "
        "once for all of them; write it under per_instance",
        ":15:88: placeholder '{outputs.n}' is a parameter and no file",
        ":16:45: unknown placeholder '{hosts.fra}'; did you mean "
        "'hosts.far'?" } },
    { OWN ("    prepare: {slices: {x: {type: int}}, command: [p, "
           "'{workspace}']}\n"
           "    group: {programs: {a: {command: [a, '{x}']}}}\n"),
      NULL,
      { ":10:54: placeholder '{workspace}' is known where programs run "
        "together; write a group" } },
};

#define ON(FIELDS, MORE)                                                       \
    STAGES "  b: {uses: my.op, " MORE "}\n"                                    \
           "operators:\n"                                                      \
           "  my.op:\n" FIELDS

#define TWO_NODES                                                              \
    "    group:\n"                                                             \
    "      programs:\n"                                                        \
    "        driver: {node: far, command: [a]}\n"                              \
    "        force: {instances: 4, task: {cores: 2, memory: 1GiB}, command: "  \
    "[b]}\n"

/* What a stage makes of it. */
static const struct broken stages[] = {
    { ON (TWO_NODES, "node_map: {fra: local, far: nowhere}"),
      SITE_BIG,
      { ":7:31: node_map: no program runs on 'fra'; did you mean 'far'?",
        ":7:48: node_map: no program runs on 'nowhere'; there is local, "
        "far" } },
    { ON ("    command: [run]\n", "node_map: {far: local}"),
      NULL,
      { ":7:30: node_map: my.op has no group, and so no names of nodes; remove "
        "it" } },
    { ON (TWO_NODES, "task: {cores: 4, gpus: 0, memory: 7GiB, ranks: 2}"),
      SITE_BIG,
      { ":7:34: stage 'b': the programs of my.op need 16 cores together and "
        "its task has 4 cores; leave task.cores out, or make it as much",
        ":7:54: stage 'b': the programs of my.op need 8.0 GiB of memory "
        "together and its task has 7.0 GiB of memory; leave",
        ":7:67: ranks: each program of a group has its own" } },
    { ON (TWO_NODES, "task: {cores: 17}"),
      SITE_BIG,
      { ":7:3: stage 'b': 17 cores cannot be shared evenly by 2 nodes; make "
        "task.cores a multiple of them" } },
    { ON (TWO_NODES, ""),
      SITE_CPU,
      { ":7:3: stage 'b' in profile 'cpu': a task needs 8 cores on each of its "
        "nodes and a node has 4 (node 'local': force 4 x 2 cores); lower "
        "instances or task.cores of the programs, or choose another profile",
        ":7:3: stage 'b' in profile 'cpu': a task needs 4.0 GiB of memory on "
        "each of its nodes and a node has 2.0 GiB (node 'local': force 4 x 1.0 "
        "GiB of memory); lower" } },
    { ON (TWO_NODES, "node_map: {far: local}, task: {walltime: 2h}"),
      SITE_CPU,
      { ":7:3: stage 'b' in profile 'cpu': a task needs 9 cores and a node has "
        "4 (node 'local': driver 1 core, force 4 x 2 cores); lower",
        ":7:3: stage 'b' in profile 'cpu': a task needs 4.0 GiB of memory",
        ":7:61: stage 'b' in profile 'cpu': a task needs a walltime of 2h00m "
        "and the limit of the profile" } },
    { ON (TWO_NODES, ""),
      NULL,
      { ":7:3: a task of stage 'b' needs 2 nodes and the jobs of profile "
        "'local' run on this machine; choose another profile, or put the "
        "programs on one node by node_map" } },
};

static void test_bodies (void **unused)
{
    (void)unused;
    expect_broken (bodies, ARRAY_SIZE (bodies));
}

static void test_placeholders (void **unused)
{
    (void)unused;
    expect_broken (placeholders, ARRAY_SIZE (placeholders));
}

static void test_stages (void **unused)
{
    (void)unused;
    expect_broken (stages, ARRAY_SIZE (stages));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_group),
        cmocka_unit_test (test_needs),
        cmocka_unit_test (test_node_map),
        cmocka_unit_test (test_folded_extras),
        cmocka_unit_test (test_kept),
        cmocka_unit_test (test_shared_gpus),
        cmocka_unit_test (test_report_of_command),
        cmocka_unit_test (test_bodies),
        cmocka_unit_test (test_placeholders),
        cmocka_unit_test (test_stages),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
