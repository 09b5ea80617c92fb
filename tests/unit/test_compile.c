/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile.c - a good campaign field by field, and many broken ones */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/strbuf.h"
#include "campaign/compile.h"
#include "campaign/plan.h"
#include "signature/expression.h"

/* --- the operators the campaigns below know --- */

static const struct port label_inputs[] = {
    { .name = "frames", .type = { .kind = TYPE_FRAMES } },
    { .name = "input", .type = { .kind = TYPE_FILE } },
    { .name = "pseudopotentials",
      .type = { .kind = TYPE_MAP },
      .default_json = "{}" },
    { .name = "memory", .type = { .kind = TYPE_BYTES }, .optional = true },
    { .name = "patience",
      .type = { .kind = TYPE_DURATION },
      .default_json = "60" },
    { 0 },
};
static const struct port label_outputs[] = {
    { .name = "frame", .type = { .kind = TYPE_FRAMES } },
    { 0 },
};
static const struct port label_collected[] = {
    { .name = "dataset", .type = { .kind = TYPE_FRAMES }, .publish = true },
    { 0 },
};
static const char *const label_fan_out[] = { "frames", NULL };
static const char *const run_argv[] = { "run", NULL };
static const char *const *const run_commands[] = { run_argv, NULL };
static const struct operator label_operator = {
    .name = "qe.label",
    .code = "qe",
    .inputs = label_inputs,
    .outputs = label_outputs,
    .collected = label_collected,
    .fan_out = label_fan_out,
    .commands = run_commands,
    .collect = run_argv,
    .needs = { .cores = 2, .walltime_s = 600 },
};

static const struct port explore_inputs[] = {
    { .name = "models", .type = { .kind = TYPE_DIR, .depth = 1 } },
    { .name = "input", .type = { .kind = TYPE_FILE } },
    { .name = "systems", .type = { .kind = TYPE_MAP } },
    { .name = "elements",
      .type = { .kind = TYPE_STRING, .depth = 1 },
      .from = "elements" },
    { 0 },
};
static const struct port explore_slices[] = {
    { .name = "temperature", .type = { .kind = TYPE_FLOAT } },
    { 0 },
};
static const struct port explore_outputs[] = {
    { .name = "trajectory", .type = { .kind = TYPE_FILE } },
    { 0 },
};
static const struct operator explore_operator = {
    .name = "lammps.explore",
    .code = "lammps",
    .inputs = explore_inputs,
    .slices = explore_slices,
    .outputs = explore_outputs,
    .prepare = run_argv,
    .commands = run_commands,
};

static const struct port select_inputs[] = {
    { .name = "trajectories", .type = { .kind = TYPE_FILE, .depth = 1 } },
    { .name = "force", .type = { .kind = TYPE_MAP } },
    { .name = "quota", .type = { .kind = TYPE_INT } },
    { .name = "iteration_number",
      .type = { .kind = TYPE_INT },
      .from = "iteration" },
    { 0 },
};
static const struct port select_outputs[] = {
    { .name = "frames", .type = { .kind = TYPE_FRAMES } },
    { .name = "accurate", .type = { .kind = TYPE_FLOAT } },
    { .name = "failed", .type = { .kind = TYPE_FLOAT } },
    { .name = "proceed", .type = { .kind = TYPE_BOOL } },
    { 0 },
};
static const struct operator select_operator = {
    .name = "model_devi.select",
    .code = "model_devi",
    .inputs = select_inputs,
    .outputs = select_outputs,
    .commands = run_commands,
};

static const struct operator *const builtin[] = { &label_operator,
                                                  &explore_operator,
                                                  &select_operator, NULL };
static const char *const schedulers[] = { "local", "slurm", NULL };

/* --- a campaign directory --- */

static void write_file (const char *dir, const char *name, const char *text)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

static char *make_directory (void)
{
    const char *tmp = getenv ("TMPDIR");
    char *dir = xasprintf ("%s/fanfold-compile-XXXXXX", tmp ? tmp : "/tmp");

    assert_non_null (mkdtemp (dir));
    write_file (dir, "data/initial.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "data/held_out.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "data/diamond.data", "x\n");
    write_file (dir, "pw.in", "x\n");
    write_file (dir, "md.in", "x\n");
    return dir;
}

static void remove_directory (char *dir)
{
    assert_int_equal (file_remove_tree (dir, NULL), 0);
    free (dir);
}

/* Compile 'campaign' with 'site' (NULL: the built-in one). */
static struct plan *compile_texts (const char *dir,
                                   const char *campaign,
                                   const char *site,
                                   struct problems *problems)
{
    struct compile_options options = { .dir = dir,
                                       .builtin = builtin,
                                       .schedulers = schedulers };
    char *path = path_join (dir, "site.yaml");
    struct plan *plan;

    write_file (dir, "campaign.yaml", campaign);
    if (site)
        write_file (dir, "site.yaml", site);
    else
        file_remove_tree (path, NULL);
    free (path);
    plan = campaign_compile (&options, problems);
    return plan;
}

/* --- the good one --- */

static const char good_campaign[] =
    "format: 1\n"
    "campaign: silicon\n"
    "elements: [Si]\n"
    "seed: 7\n"
    "models: 3\n"
    "data: {initial: [data/initial.extxyz], held_out: [data/held_out.extxyz]}\n"
    "stages:\n"
    "  select:\n"
    "    uses: model_devi.select\n"
    "    profile: cpu\n"
    "    task: {ranks: 2, walltime: 1h}\n"
    "    with: {trajectories: explore.trajectory, force: {low: 0.2, high: 1},"
    " quota: 16}\n"
    "  reference:\n"
    "    uses: qe.label\n"
    "    when: iteration == 0\n"
    "    publish: false\n"
    "    with: {frames: data/held_out.extxyz, input: ./pw.in}\n"
    "  label:\n"
    "    uses: qe.label\n"
    "    profile: cpu\n"
    "    task: {memory: 1GiB, walltime: 10m}\n"
    "    success: 0.9\n"
    "    retry:\n"
    "      timeout: {tries: 4, walltime: x3}\n"
    "      failed: 5\n"
    "      lost: {memory: x1.5, exclude_node: true}\n"
    "    with:\n"
    "      frames: {from: previous.select.frames, default:"
    " data/initial.extxyz}\n"
    "      input: pw.in\n"
    "      pseudopotentials: {Si: Si.upf}\n"
    "      memory: 1.5GiB\n"
    "      patience: 2m\n"
    "  train:\n"
    "    uses: linear.train\n"
    "    with:\n"
    "      held_out: latest.reference.dataset\n"
    "      title: {literal: label.dataset}\n"
    "  explore:\n"
    "    uses: lammps.explore\n"
    "    with:\n"
    "      models: train.potential\n"
    "      input: md.in\n"
    "      systems: {literal: {diamond: data/diamond.data}}\n"
    "stop:\n"
    "  when: select.accurate >= 0.9 and select.failed == 0\n"
    "  consecutive: 2\n"
    "  iterations: 12\n"
    "history: {rmse: max(train.force_rmse), accurate: select.accurate}\n"
    "operators:\n"
    "  linear.train:\n"
    "    doc: ridge regression\n"
    "    fan_out: [model]\n"
    "    inputs:\n"
    "      datasets: {type: frames, list: true, from: all.label.dataset}\n"
    "      held_out: {type: frames}\n"
    "      model: {type: int, from: models}\n"
    "      ridge: {type: float, default: 1e-7}\n"
    "      title: {type: string}\n"
    "      extra: {type: file, optional: true}\n"
    "    outputs:\n"
    "      potential: {type: dir}\n"
    "      force_rmse: {type: float}\n"
    "      weights: {type: npy, dtype: f8, shape: [any, 3], path: w/w.npy}\n"
    "    command:\n"
    "      - [fit, --seed, '{seed}', '{datasets}', "
    "'--out={outputs.potential}']\n"
    "      - [check, '{{}}', '{outputs.params}']\n"
    "    task: {cores: 4}\n"
    "    fatal_exits: [2, 9]\n";

static const char good_site[] =
    "format: 1\n"
    "default_profile: here\n"
    "profiles:\n"
    "  here: {scheduler: local, spool: /var/tmp/me}\n"
    "  cpu:\n"
    "    scheduler: slurm\n"
    "    node: {cores: 64, memory: 250GiB, gpus: 2}\n"
    "    limits: {elements: 1000, running: 64, submit: 500,"
    " walltime: 24h, poll: 90s,"
    " settle: 2m}\n"
    "    partition: standard\n"
    "    account: mat123\n"
    "    setup: [[module, load, lammps], [ulimit, -s]]\n"
    "    launcher: [srun, -n, '{ranks}']\n"
    "    directives: [--constraint=icelake]\n";

static int make_plan (void **state)
{
    struct problems problems = PROBLEMS_INIT;
    char *dir = make_directory ();
    struct plan *plan =
        compile_texts (dir, good_campaign, good_site, &problems);

    if (!plan) {
        struct strbuf text = STRBUF_INIT;

        problems_format (&problems, &text);
        print_error ("%s", text.buf);
        strbuf_release (&text);
    }
    problems_release (&problems);
    *state = plan;
    remove_directory (dir);
    return plan ? 0 : -1;
}

static int drop_plan (void **state)
{
    plan_destroy (*state);
    plan_destroy (NULL);
    return 0;
}

static const struct stage *stage_named (const struct plan *plan,
                                        const char *name)
{
    int i = plan_stage_find (plan, name);

    assert_true (i >= 0);
    return &plan->stages[i];
}

static const struct binding *binding_named (const struct stage *stage,
                                            const char *name)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, name) == 0)
            return &stage->bindings[i];
    }
    fail_msg ("no binding '%s'", name);
    return NULL;
}

static void test_head (void **state)
{
    const struct plan *plan = *state;

    assert_int_equal (plan->dir[0], '/');
    assert_string_equal (plan->name, "silicon");
    assert_true (plan->seed == 7);
    assert_int_equal (plan->models, 3);
    assert_int_equal (plan->n_elements, 1);
    assert_string_equal (plan->elements[0], "Si");
    assert_null (plan->elements[1]);
    assert_string_equal (plan->initial[0], "data/initial.extxyz");
    assert_null (plan->initial[1]);
    assert_string_equal (plan->held_out[0], "data/held_out.extxyz");
    assert_string_equal (plan->stop_text,
                         "select.accurate >= 0.9 and select.failed == 0");
    assert_non_null (plan->stop);
    assert_int_equal (plan->stop_consecutive, 2);
    assert_int_equal (plan->max_iterations, 12);
    assert_int_equal (plan->n_history, 2);
    assert_string_equal (plan->history[0].name, "rmse");
    assert_string_equal (plan->history[0].text, "max(train.force_rmse)");
    assert_non_null (plan->history[1].expression);
}

static void test_order (void **state)
{
    static const char *const names[] = { "reference", "label", "train",
                                         "explore", "select" };
    const struct plan *plan = *state;

    assert_int_equal (plan->n_stages, ARRAY_SIZE (names));
    for (size_t i = 0; i < ARRAY_SIZE (names); i++)
        assert_string_equal (plan->stages[i].name, names[i]);
    assert_int_equal (plan->stages[0].n_after, 0);
    assert_int_equal (plan->stages[1].n_after, 0); /* previous. waits not */
    assert_int_equal (plan->stages[2].n_after, 2);
    assert_int_equal (plan->stages[2].after[0], 0);
    assert_int_equal (plan->stages[2].after[1], 1);
    assert_int_equal (plan->stages[3].n_after, 1);
    assert_int_equal (plan->stages[3].after[0], 2);
    assert_int_equal (plan->stages[4].n_after, 1);
    assert_int_equal (plan->stages[4].after[0], 3);
    assert_int_equal (plan_stage_find (plan, "no_such"), -1);
}

static void test_stages (void **state)
{
    const struct plan *plan = *state;
    const struct stage *label = stage_named (plan, "label");
    const struct stage *reference = stage_named (plan, "reference");
    const struct stage *selection = stage_named (plan, "select");
    const struct stage *train = stage_named (plan, "train");

    assert_ptr_equal (label->op, &label_operator);
    assert_string_equal (label->profile->name, "cpu");
    assert_string_equal (reference->profile->name, "here");
    assert_string_equal (reference->when_text, "iteration == 0");
    assert_non_null (reference->when);
    assert_false (reference->publish);
    assert_null (label->when);
    assert_true (label->publish);
    assert_true (label->success == 0.9);
    assert_true (reference->success == 1);
    assert_int_equal (label->needs.cores, 2); /* the operator's */
    assert_int_equal (label->needs.ranks, 1);
    assert_true (label->needs.memory_bytes == INT64_C (1) << 30);
    assert_true (label->needs.walltime_s == 600);
    assert_int_equal (selection->needs.ranks, 2);
    assert_int_equal (selection->needs.cores, 2);
    assert_true (selection->needs.walltime_s == 3600);
    assert_int_equal (train->needs.cores, 4);
}

static void test_retry (void **state)
{
    const struct stage *label = stage_named (*state, "label");
    const struct stage *train = stage_named (*state, "train");

    assert_int_equal (label->retry[OUTCOME_TIMEOUT].tries, 4);
    assert_true (label->retry[OUTCOME_TIMEOUT].walltime_factor == 3);
    assert_int_equal (label->retry[OUTCOME_FAILED].tries, 5);
    assert_int_equal (label->retry[OUTCOME_LOST].tries, 5);
    assert_true (label->retry[OUTCOME_LOST].memory_factor == 1.5);
    assert_true (label->retry[OUTCOME_LOST].exclude_node);
    assert_int_equal (train->retry[OUTCOME_FAILED].tries, 2);
    assert_true (train->retry[OUTCOME_TIMEOUT].walltime_factor == 2);
}

static void assert_json (const struct json *v, const char *text)
{
    struct strbuf got = STRBUF_INIT;

    assert_non_null (v);
    json_dump (v, JSON_COMPACT, &got);
    assert_string_equal (got.buf, text);
    strbuf_release (&got);
}

static void test_bindings (void **state)
{
    static const struct {
        const char *stage, *port;
        enum source source;
        const char *literal;       /* NULL: none */
        const char *from, *output; /* NULL: no stage */
    } rows[] = {
        { "reference", "frames", SOURCE_LITERAL, "\"data/held_out.extxyz\"",
          NULL, NULL },
        { "reference", "input", SOURCE_LITERAL, "\"./pw.in\"", NULL, NULL },
        { "reference", "memory", SOURCE_UNBOUND, NULL, NULL, NULL },
        { "reference", "patience", SOURCE_UNBOUND, "60", NULL, NULL },
        { "reference", "pseudopotentials", SOURCE_UNBOUND, "{}", NULL, NULL },
        { "label", "frames", SOURCE_PREVIOUS, NULL, "select", "frames" },
        { "label", "pseudopotentials", SOURCE_LITERAL, "{\"Si\":\"Si.upf\"}",
          NULL, NULL },
        { "label", "memory", SOURCE_LITERAL, "1610612736", NULL, NULL },
        { "label", "patience", SOURCE_LITERAL, "120.0", NULL, NULL },
        { "train", "datasets", SOURCE_ALL, NULL, "label", "dataset" },
        { "train", "held_out", SOURCE_LATEST, NULL, "reference", "dataset" },
        { "train", "model", SOURCE_LITERAL, "[0,1,2]", NULL, NULL },
        { "train", "ridge", SOURCE_UNBOUND, "1e-07", NULL, NULL },
        { "train", "title", SOURCE_LITERAL, "\"label.dataset\"", NULL, NULL },
        { "train", "extra", SOURCE_UNBOUND, NULL, NULL, NULL },
        { "explore", "models", SOURCE_THIS, NULL, "train", "potential" },
        { "explore", "elements", SOURCE_LITERAL, "[\"Si\"]", NULL, NULL },
        { "explore", "systems", SOURCE_LITERAL,
          "{\"diamond\":\"data/diamond.data\"}", NULL, NULL },
        { "select", "trajectories", SOURCE_THIS, NULL, "explore",
          "trajectory" },
        { "select", "iteration_number", SOURCE_ITERATION, NULL, NULL, NULL },
        { "select", "quota", SOURCE_LITERAL, "16", NULL, NULL },
        { "select", "force", SOURCE_LITERAL, "{\"low\":0.2,\"high\":1}", NULL,
          NULL },
    };
    const struct plan *plan = *state;

    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct binding *b =
            binding_named (stage_named (plan, rows[i].stage), rows[i].port);

        assert_int_equal (b->source, rows[i].source);
        if (rows[i].literal)
            assert_json (b->literal, rows[i].literal);
        else
            assert_null (b->literal);
        assert_int_equal (
            b->stage, rows[i].from ? plan_stage_find (plan, rows[i].from) : -1);
        if (rows[i].from)
            assert_string_equal (b->output, rows[i].output);
        assert_true (b->mark.line > 0);
        assert_non_null (strstr (b->mark.file, "campaign.yaml"));
    }
    assert_json (
        binding_named (stage_named (plan, "label"), "frames")->fallback,
        "\"data/initial.extxyz\"");
    assert_null (
        binding_named (stage_named (plan, "train"), "datasets")->fallback);
}

static void test_declared_operator (void **state)
{
    const struct operator *op = stage_named (*state, "train")->op;
    const struct port *weights = port_find (op->outputs, "weights");

    assert_string_equal (op->name, "linear.train");
    assert_string_equal (op->code, "linear");
    assert_string_equal (op->doc, "ridge regression");
    assert_string_equal (op->fan_out[0], "model");
    assert_null (op->fan_out[1]);
    assert_int_equal (port_find (op->inputs, "datasets")->type.depth, 1);
    assert_true (port_find (op->inputs, "extra")->optional);
    assert_string_equal (port_find (op->inputs, "ridge")->default_json,
                         "1e-07");
    assert_string_equal (weights->type.dtype, "f8");
    assert_int_equal (weights->type.n_dims, 2);
    assert_true (weights->type.shape[0] == -1);
    assert_true (weights->type.shape[1] == 3);
    assert_string_equal (weights->path, "w/w.npy");
    assert_string_equal (op->commands[0][4], "--out={outputs.potential}");
    assert_string_equal (op->commands[1][0], "check");
    assert_null (op->commands[2]);
    assert_int_equal (op->fatal_exits[0], 2);
    assert_int_equal (op->fatal_exits[1], 9);
    assert_int_equal (op->fatal_exits[2], 0);
    assert_null (op->prepare);
    assert_null (op->collect);
}

static void test_profiles (void **state)
{
    const struct plan *plan = *state;
    const struct profile *here = &plan->profiles[0], *cpu = &plan->profiles[1];

    assert_int_equal (plan->n_profiles, 2);
    assert_string_equal (here->scheduler, "local");
    assert_int_equal (here->node.cores, 0);
    assert_true (here->poll_s == 1 && here->settle_s == 2
                 && here->visibility_s == 10);
    assert_true (here->limits.running == 1 && here->limits.elements == 0);
    assert_string_equal (here->spool, "/var/tmp/me");
    assert_string_equal (here->launcher[0], "mpirun");
    assert_string_equal (cpu->scheduler, "slurm");
    assert_int_equal (cpu->node.cores, 64);
    assert_int_equal (cpu->node.gpus, 2);
    assert_true (cpu->node.memory_bytes == INT64_C (250) << 30);
    assert_true (cpu->limits.elements == 1000 && cpu->limits.running == 64);
    assert_true (cpu->limits.submit == 500);
    assert_true (cpu->limits.walltime_s == 86400);
    assert_true (cpu->poll_s == 90 && cpu->settle_s == 120
                 && cpu->visibility_s == 60);
    assert_string_equal (cpu->queue, "standard");
    assert_string_equal (cpu->account, "mat123");
    assert_string_equal (cpu->setup[1][0], "ulimit");
    assert_null (cpu->setup[2]);
    assert_string_equal (cpu->launcher[2], "{ranks}");
    assert_string_equal (cpu->directives[0], "--constraint=icelake");
    assert_null (cpu->directives[1]);
}

static void test_config (void **state)
{
    const struct plan *plan = *state;
    const struct json *campaign = json_get (plan->config, "campaign");
    const struct json *site = json_get (plan->config, "site");

    assert_true (json_as_int (json_get (campaign, "seed")) == 7);
    assert_int_equal (json_count (site), 2);
    assert_json (json_get (site, "here"),
                 "{\"scheduler\":\"local\",\"spool\":\"/var/tmp/me\"}");
}

static void test_without_a_site_file (void **state)
{
    static const char text[] =
        "format: 1\ncampaign: c\nstages:\n"
        "  a: {uses: qe.label, publish: false, with: {frames: "
        "data/initial.extxyz, input: pw.in}}\n"
        "stop: {iterations: 1}\n";
    struct problems problems = PROBLEMS_INIT;
    char *dir = make_directory ();
    struct plan *plan;

    (void)state;
    setenv ("XDG_CONFIG_HOME", dir, 1);
    unsetenv ("FANFOLD_SITE");
    plan = compile_texts (dir, text, NULL, &problems);
    assert_non_null (plan);
    assert_string_equal (plan->stages[0].profile->name, "local");
    assert_int_equal (plan->models, 4);
    assert_true (plan->seed == 1);
    assert_null (plan->stop);
    assert_int_equal (plan->stop_consecutive, 1);
    plan_destroy (plan);
    /* The user's own. */
    write_file (dir, "fanfold/site.yaml",
                "format: 1\nprofiles: {mine: {scheduler: local}}\n");
    plan = compile_texts (dir, text, NULL, &problems);
    assert_non_null (plan);
    assert_string_equal (plan->stages[0].profile->name, "mine");
    plan_destroy (plan);
    assert_int_equal (problems.n, 0);
    problems_release (&problems);
    remove_directory (dir);
}

/* --- the broken ones --- */

#define HEAD "format: 1\ncampaign: c\nelements: [Si]\n"
#define STOP "stop: {iterations: 3}\n"
#define LABEL                                                                  \
    "  label: {uses: qe.label, with: {frames: data/initial.extxyz, input: "    \
    "pw.in}}\n"
#define STAGES HEAD STOP "stages:\n" LABEL /* the next line is line 7 */

/* A declared operator around 'fields' (indented by 4), from line 7 on. */
#define DECLARED(FIELDS)                                                       \
    STAGES "operators:\n"                                                      \
           "  my.op:\n" FIELDS

#define SITE_CPU                                                               \
    "format: 1\n"                                                              \
    "profiles:\n"                                                              \
    "  cpu: {scheduler: slurm, node: {cores: 4, memory: 2GiB}, limits: "       \
    "{walltime: 1h}}\n"

/* What check says: exactly these problems, in this order (up to four). */
static const struct broken {
    const char *campaign, *site;
    const char *problems[4];
} broken[] = {
    /* the document */
    { "", NULL, { "campaign.yaml: the file is empty; begin it with format" } },
    { "a: [1\n", NULL, { "campaign.yaml:2:1: " } },
    { "- a\n", NULL, { ":1:1: campaign.yaml: got a list; write a mapping" } },
    { "format: 2\n" HEAD, NULL, { ":2:1: key 'format' was given before" } },
    { "format: 2\n",
      NULL,
      { ":1:9: format '2' is not known to this version; write format: 1" } },
    { "campaign: c\nelements: [Si]\n" STOP "stages:\n" LABEL,
      NULL,
      { ":1:1: campaign.yaml does not say its format; begin it with format: "
        "1" } },
    { "format: 1\nelements: [Si]\n" STOP "stages:\n" LABEL,
      NULL,
      { ":1:1: the campaign has no name; add campaign: NAME" } },
    { STAGES "stagse: {}\n",
      NULL,
      { ":7:1: unknown key 'stagse' in campaign.yaml; did you mean "
        "'stages'?" } },
    { HEAD STOP, NULL, { ":1:1: there are no stages; add stages:" } },
    { HEAD STOP "stages: []\n", NULL, { ":5:9: stages: got a list; write" } },
    { HEAD STOP "stages: {}\n", NULL, { ":5:9: there are 0 stages; write 1" } },
    { HEAD "stages:\n" LABEL,
      NULL,
      { ":1:1: the campaign does not say when it ends; add stop:" } },
    { "format: 1\ncampaign: 'my campaign'\nelements: [Si]\n" STOP
      "stages:\n" LABEL,
      NULL,
      { ":2:11: 'my campaign' cannot be the name of a campaign; use" } },
    { "format: 1\ncampaign: c\nelements: [Si, si, Si]\n" STOP "stages:\n" LABEL,
      NULL,
      { ":3:16: 'si' is no element; write a symbol",
        ":3:20: the element 'Si' is listed twice; remove one" } },
    { "format: 1\ncampaign: c\nmodels: 0\nseed: -1\nelements: [Si]\n" STOP
      "stages:\n" LABEL,
      NULL,
      { ":3:9: models: got '0'; write a whole number from 1 to 1000",
        ":4:7: seed: got '-1'; write a whole number of at least 0" } },
    { STAGES "data: {initial: [data/initial.xyz], heldout: [a]}\n",
      NULL,
      { ":7:18: data.initial: no such file 'data/initial.xyz'; did you mean "
        "'data/initial.extxyz'?",
        ":7:37: unknown key 'heldout' in data; did you mean 'held_out'?" } },
    { STAGES "data: {initial: data/initial.extxyz}\n",
      NULL,
      { ":7:17: data.initial: got 'data/initial.extxyz'; write a list" } },
    /* stop and history */
    { HEAD "stages:\n" LABEL "stop: {when: label.count > 1}\n",
      NULL,
      { ":6:7: stop: no limit to the iterations; add iterations" } },
    { HEAD "stages:\n" LABEL "stop: {iterations: -2, consecutive: 0}\n",
      NULL,
      { ":6:20: iterations: got '-2'; write a whole number from 1",
        ":6:37: consecutive: got '0'; write a whole number from 1" } },
    { HEAD "stages:\n" LABEL
           "stop: {iterations: 2, accurate: 0.9, when: label.count >}\n",
      NULL,
      { ":6:23: unknown key 'accurate' in stop; there is when, consecutive, "
        "iterations",
        ":6:44: 'when' of stop: column 14: a value is missing at the end" } },
    { STAGES "history: {a: lable.count, b: label.countt, c: iteratoin, "
             "d: all.label.count}\n",
      NULL,
      { ":7:14: history 'a': there is no stage 'lable'; did you mean 'label'?",
        ":7:30: history 'b': stage 'label' (qe.label) has no output 'countt'; "
        "did you mean 'count'?",
        ":7:47: history 'c': unknown name 'iteratoin'; did you mean "
        "'iteration'?",
        ":7:61: history 'd': unknown name 'all.label.count'; there is "
        "iteration, STAGE.OUTPUT" } },
    { STAGES "history: {Best: 1, iteration: 2, c: [1]}\n",
      NULL,
      { ":7:11: 'Best' cannot be a name in history; use",
        ":7:20: 'iteration' cannot be a name in history; use",
        ":7:37: history 'c': got a list; write an expression" } },
    /* stages */
    { STAGES "  dataset: {uses: qe.label, with: {frames: data/initial.extxyz, "
             "input: pw.in}, publish: false}\n"
             "  Train: {uses: model_devi.selct}\n",
      NULL,
      { ":7:3: 'dataset' cannot be the name of a stage; use at most 32",
        ":8:3: 'Train' cannot be the name of a stage; use at most 32",
        ":8:17: unknown operator 'model_devi.selct'; did you mean "
        "'model_devi.select'?" } },
    { STAGES "  a: {use: qe.label}\n  b:\n  c: [1]\n",
      NULL,
      { ":7:3: stage 'a' does not say what it does; add uses: OPERATOR",
        ":7:7: unknown key 'use' in stage 'a'; did you mean 'uses'?",
        ":8:5: stage 'b': got nothing; write a mapping",
        ":9:6: stage 'c': got a list; write a mapping" } },
    { STAGES "  a: {uses: vasp.dft}\n",
      NULL,
      { ":7:13: unknown operator 'vasp.dft'; there is qe.label, "
        "lammps.explore, model_devi.select" } },
    { STAGES "  b: {uses: qe.label, success: 1.5, publish: yes, with: {frames: "
             "[data/initial.extxyz], input: pw.in}}\n",
      NULL,
      { ":7:3: stages 'label' and 'b' both publish to dataset/; add publish: "
        "false",
        ":7:32: success: got '1.5'; write a number from 0 to 1",
        ":7:46: publish: got 'yes'; write true or false" } },
    { STAGES
      "  b: {uses: qe.label, publish: false, retry: {timeuot: 2, failed: "
      "0, lost: {walltime: 2, trys: 1}}, with: {frames: "
      "data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":7:47: unknown outcome 'timeuot' in retry; did you mean 'timeout'?",
        ":7:67: failed: got '0'; write a whole number from 1",
        ":7:87: walltime: no factor from x1 to x100; write x2",
        ":7:90: unknown key 'trys' in lost; did you mean 'tries'?" } },
    /* inputs */
    { STAGES "  b: {uses: qe.label, publish: false, with: {frame: "
             "data/initial.extxyz, input: pw.inp}}\n",
      NULL,
      { ":7:3: stage 'b' needs the input 'frames' (frames); bind it in with:",
        ":7:46: qe.label has no input 'frame'; did you mean 'frames'?",
        ":7:81: input 'input' of stage 'b': no such file 'pw.inp'; did you "
        "mean 'pw.in'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: [frames]}\n",
      NULL,
      { ":7:45: with: got a list; write a mapping" } },
    { STAGES
      "  b: {uses: qe.label, publish: false, with: {frames: data, input: "
      "[pw.in], memory: 3 apples, patience: true}}\n",
      NULL,
      { ":7:54: input 'frames' of stage 'b': 'data' is not a regular file; "
        "correct the path, which is relative to the campaign directory",
        ":7:67: input 'input' of stage 'b': expected file, got a list; write",
        ":7:84: input 'memory' of stage 'b': expected bytes, got '3 apples'; "
        "write a size such as 512MiB",
        ":7:104: input 'patience' of stage 'b': expected duration, got 'true'; "
        "write a duration such as" } },
    { STAGES "  s: {uses: model_devi.select, with: {trajectories: "
             "label.datset, force: 3, quota: 1.5}}\n",
      NULL,
      { ":7:53: input 'trajectories' of stage 's': stage 'label' (qe.label) "
        "has no output 'datset'; did you mean 'dataset'?",
        ":7:74: input 'force' of stage 's': expected map, got '3'; write",
        ":7:84: input 'quota' of stage 's': expected int, got '1.5'; write a "
        "whole number" } },
    { STAGES "  s: {uses: model_devi.select, with: {trajectories: "
             "label.dataset, force: {}, quota: lable.count}}\n",
      NULL,
      { ":7:53: input 'trajectories' of stage 's' wants list of file and "
        "'label.dataset' is frames; bind something of that type",
        ":7:86: input 'quota' of stage 's': there is no stage 'lable'; did you "
        "mean 'label'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: "
             "previous.slect.frames, input: labell.in}}\n",
      NULL,
      { ":7:54: input 'frames' of stage 'b': there is no stage 'slect'; there "
        "is label, b",
        ":7:84: input 'input' of stage 'b': there is no stage 'labell'; did "
        "you mean 'label'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: {from: "
             "data.initail}, input: {form: x}}}\n",
      NULL,
      { ":7:61: input 'frames' of stage 'b': there is no stage 'data'; there "
        "is label, b",
        ":7:83: input 'input' of stage 'b': neither from nor literal; write",
        ":7:84: unknown key 'form' in input 'input' of stage 'b'; did you mean "
        "'from'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: {from: "
             "data.initial}, input: {literal: pw.in, default: md.in}}}\n",
      NULL,
      { ":7:61: input 'frames' of stage 'b' comes from 'data.initial', which "
        "this campaign does not have; add data:",
        ":7:109: input 'input' of stage 'b': a literal needs no default; "
        "remove it" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: {from: "
             "elemnts}, input: {from: seed}}}\n",
      NULL,
      { ":7:61: input 'frames' of stage 'b': nothing is called 'elemnts'; did "
        "you mean 'elements'?",
        ":7:85: input 'input' of stage 'b' wants file and 'seed' is int; bind "
        "something" } },
    { "format: 1\ncampaign: c\n" STOP "stages:\n" LABEL
      "  e: {uses: lammps.explore, with: {models: [data], input: md.in, "
      "systems: {}, temperature: 3}}\n",
      NULL,
      { ":5:3: stage 'label' makes training data and the campaign names no "
        "elements; add elements: [Si]",
        ":6:3: input 'elements' of stage 'e' comes from 'elements', which this "
        "campaign does not have; add elements: [Si], or bind the input",
        ":6:79: 'temperature' is made by lammps.explore itself when it "
        "prepares; remove it" } },
    { STAGES "  b: {uses: qe.label, publish: false, when: b.count > 0, with: "
             "{frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":7:3: a stage waits for itself: 'b' needs 'b'; let one of them take "
        "previous.STAGE.OUTPUT" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: c.dataset, "
             "input: pw.in}}\n"
             "  c: {uses: qe.label, publish: false, with: {frames: d.dataset, "
             "input: pw.in}}\n"
             "  d: {uses: qe.label, publish: false, with: {frames: "
             "latest.b.dataset, input: pw.in}}\n"
             "  e: {uses: qe.label, publish: false, with: {frames: d.dataset, "
             "input: pw.in}}\n",
      NULL,
      { ":7:3: stages wait for each other: 'b' needs 'c' needs 'd' needs 'b'; "
        "let one of them take previous.STAGE.OUTPUT" } },
    /* profiles */
    { STAGES "  b: {uses: qe.label, profile: gpu, publish: false, with: "
             "{frames: data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { "campaign.yaml:7:32: unknown profile 'gpu'; did you mean 'cpu'?" } },
    { STAGES,
      SITE_CPU "  other: {scheduler: local}\n",
      { "campaign.yaml:6:3: stage 'label' names no profile and the site has "
        "several; add profile: NAME" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: 8, gpus: 1, "
                "memory: 4GiB, walltime: 2h}, with: {frames: "
                "data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { ":6:37: a task of stage 'a' needs 8 cores and a node of profile 'cpu' "
        "has 4; ask for less",
        ":6:46: a task of stage 'a' needs 1 gpus and a node of profile 'cpu' "
        "has 0",
        ":6:57: a task of stage 'a' needs 4.0 GiB of memory and a node of "
        "profile 'cpu' has 2.0 GiB",
        ":6:73: a task of stage 'a' needs 2h00m and profile 'cpu' allows "
        "1h00m" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: 4, ranks: 3}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:37: stage 'a': 4 cores cannot be shared evenly by 3 ranks; "
        "make" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {nodes: 2, ranks: 3}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:37: stage 'a': 3 ranks cannot be shared evenly by 2 nodes; "
        "make" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {nodes: 2, cores: 4}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:37: a task of stage 'a' needs 2 nodes and the local scheduler of "
        "profile 'local' has this machine only; choose another" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {nodes: 2, cores: 16}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      "format: 1\nprofiles:\n  cpu: {scheduler: slurm, node: {cores: 4}, "
      "launcher: [srun]}\n",
      { ":6:47: a task of stage 'a' needs 8 cores on each of its nodes and a "
        "node of profile 'cpu' has 4; ask for less" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: 4, ranks: 2}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { ":6:47: a task of stage 'a' has 2 ranks and profile 'cpu' no "
        "launcher; add launcher:" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: -1, memory: "
                "0, walltime: soon}, with: {frames: data/initial.extxyz, "
                "input: pw.in}}\n",
      NULL,
      { ":6:37: cores: got '-1'; write a whole number from 1",
        ":6:49: memory: got '0'; write a size of more than 0",
        ":6:62: walltime: got 'soon'; write a duration of more than 0" } },
    /* the site file */
    { STAGES,
      "format: 1\nprofiles: {a: {scheduler: slrum, node: {cores: 4}}}\n",
      { "site.yaml:2:27: unknown scheduler 'slrum'; did you mean 'slurm'?" } },
    { STAGES, "", { "site.yaml: the file is empty; begin it with format: 1" } },
    { STAGES,
      "format: 1\n",
      { "site.yaml:1:1: there are no profiles; add profiles:" } },
    { STAGES,
      "format: 1\ndefault_profile: cup\nprofiles: {cpu: {scheduler: "
      "local}}\n",
      { "site.yaml:2:18: default_profile: unknown profile 'cup'; did you mean "
        "'cpu'?" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    spool: /tmp\n"
      "    partition: p\n"
      "    queue: q\n"
      "    node: {memory: 1GiB, cpus: 4}\n",
      { ":5:12: spool: only the scheduler 'local' has one; remove it",
        ":7:12: partition and queue are two words for one thing; remove one",
        ":8:11: node: no cores; say how many a node has",
        ":8:26: unknown key 'cpus' in node; did you mean 'gpus'?" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    setup: module load lammps\n"
      "    launcher: [srun, '{rank}', '{']\n",
      { ":5:12: setup: got 'module load lammps'; write a list, [program, "
        "argument, ...]",
        ":6:22: launcher: unknown placeholder '{rank}'; there is {ranks}",
        ":6:32: launcher: '{': column 1: '{' is not closed" } },
    { STAGES,
      "format: 1\n"
      "default_profile: c\n"
      "profiles:\n"
      "  a b: {scheduler: local, spool: here}\n"
      "  c: {node: {cores: 4}, directives: [\"a\\nb\"]}\n",
      { ":4:3: 'a b' cannot be the name of a profile; use letters",
        ":4:34: spool: 'here' is not an absolute path; write",
        ":5:3: profile 'c' names no scheduler; add scheduler: local",
        ":5:38: directives: has a line break or a control character; write" } },
    /* declared operators */
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
                "npy, dtype: f9, shape: [any, x]}}\n"
                "    command: [run]\n"),
      NULL,
      { ":9:38: default of 'a': expected int, got 'x'; write a whole number",
        ":9:48: only the type npy has a dtype and a shape; remove it",
        ":9:75: unknown dtype 'f9'; did you mean 'f8'?",
        ":9:92: shape: got 'x'; write a whole number of at least 0" } },
    { DECLARED ("    fan_out: [modle]\n"
                "    inputs: {model: {type: int}}\n"
                "    fatal_exits: [256]\n"
                "    commnd: [run]\n"),
      NULL,
      { ":8:3: operator 'my.op' has no command; add command:",
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
    { DECLARED ("    command: [run, 'a}', '{}']\n"
                "    prepare: {slices: {x: {type: int}}, command: [p, "
                "'{outputs.slics}', '{task}']}\n"),
      NULL,
      { ":9:20: 'a}': column 2: '}' without a '{'; write {{ or }}",
        ":9:26: '{}': column 1: not a placeholder name",
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
      { ":10:3: operator 'my.op' has no command; add command:" } },
    /* both files at once */
    { "format: 1\nstages: 3\n",
      "format: one\n",
      { "campaign.yaml:1:1: the campaign has no name",
        "campaign.yaml:1:1: the campaign does not say when it ends",
        "campaign.yaml:2:9: stages: got '3'; write a mapping",
        "site.yaml:1:9: format 'one' is not known to this version" } },
};

/* Does problem 'problem' of row 'row' read as it should? */
static bool check_problem (size_t row,
                           struct problem *problem,
                           const char *text)
{
    struct problems one = { problem, 1, 1 };
    struct strbuf got = STRBUF_INIT;
    bool good;

    problems_format (&one, &got);
    good = strstr (got.buf, text) && problem->remedy[0];
    if (!good)
        print_error ("row %zu: expected '%s' and a remedy: %s", row, text,
                     got.buf);
    strbuf_release (&got);
    return good;
}

static bool check_broken (const char *dir, size_t row)
{
    const struct broken *b = &broken[row];
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = compile_texts (dir, b->campaign, b->site, &problems);
    bool good = !plan;
    size_t n = 0;

    while (n < ARRAY_SIZE (b->problems) && b->problems[n])
        n++;
    if (problems.n != n) {
        struct strbuf text = STRBUF_INIT;

        problems_format (&problems, &text);
        print_error ("row %zu: %zu problems, expected %zu:\n%s", row,
                     problems.n, n, text.buf);
        strbuf_release (&text);
        good = false;
    }
    for (size_t i = 0; good && i < n; i++)
        good = check_problem (row, &problems.v[i], b->problems[i]);
    plan_destroy (plan);
    problems_release (&problems);
    return good;
}

static void test_broken (void **state)
{
    char *dir = make_directory ();
    int n_wrong = 0;

    (void)state;
    setenv ("XDG_CONFIG_HOME", dir, 1);
    for (size_t i = 0; i < ARRAY_SIZE (broken); i++)
        n_wrong += check_broken (dir, i) ? 0 : 1;
    remove_directory (dir);
    assert_int_equal (n_wrong, 0);
}

static void test_no_file (void **state)
{
    struct compile_options options = { .dir = "/nonexistent",
                                       .site_file = "/nonexistent/site.yaml",
                                       .builtin = builtin,
                                       .schedulers = schedulers };
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    assert_null (campaign_compile (&options, &problems));
    assert_int_equal (problems.n, 2);
    assert_string_equal (problems.v[0].file, "/nonexistent/campaign.yaml");
    assert_string_equal (problems.v[0].message, "there is no such file");
    assert_string_equal (problems.v[1].file, "/nonexistent/site.yaml");
    assert_null (campaign_compile (&options, NULL));
    problems_release (&problems);
}

/* A stage may take all it made before, itself not waited for. */
static void test_own_past (void **state)
{
    static const char text[] =
        STAGES "  b: {uses: qe.label, publish: false, with: {frames: "
               "all.b.dataset, input: pw.in}}\n";
    struct problems problems = PROBLEMS_INIT;
    char *dir = make_directory ();
    struct plan *plan = compile_texts (dir, text, SITE_CPU, &problems);

    (void)state;
    assert_non_null (plan);
    assert_int_equal (problems.n, 0);
    assert_string_equal (plan->stages[1].name, "b");
    assert_int_equal (plan->stages[1].n_after, 0);
    plan_destroy (plan);
    problems_release (&problems);
    remove_directory (dir);
}

int main (void)
{
    const struct CMUnitTest plan_tests[] = {
        cmocka_unit_test (test_head),
        cmocka_unit_test (test_order),
        cmocka_unit_test (test_stages),
        cmocka_unit_test (test_retry),
        cmocka_unit_test (test_bindings),
        cmocka_unit_test (test_declared_operator),
        cmocka_unit_test (test_profiles),
        cmocka_unit_test (test_config),
        cmocka_unit_test (test_without_a_site_file),
        cmocka_unit_test (test_own_past),
        cmocka_unit_test (test_broken),
        cmocka_unit_test (test_no_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (plan_tests, make_plan, drop_plan);
}
