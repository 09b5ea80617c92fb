/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile.c - a good campaign, field by field */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "campaign/env_file.h"
#include "campaign/launcher.h"
#include "compile_scene.h"
#include "signature/expression.h"

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
    "store: ../shared\n"
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
    "    env: {PATH: '/opt/bin:/usr/bin', OMPI_MCA_pml: ucx, ON: true}\n"
    "    setup: [[module, load, lammps], [ulimit, -s]]\n"
    "    launcher: [prun, -n, '{ranks}']\n"
    "    directives: [--constraint=icelake]\n"
    "    agents: [pbsdsh, '{nodes}']\n";

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
    temp_dir_remove (dir);
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

/* What an input is bound to by its declaration, and by the long form. */
static void test_bindings_of_ports (void **state)
{
    static const char stages[] =
        "format: 1\ncampaign: ports\nelements: [Si]\n"
        "stages:\n"
        "  make: {uses: my.make}\n"
        "  use:\n"
        "    uses: my.use\n"
        "    with: {maps: {literal: [{low: 1}, {low: 2}]}}\n"
        "stop: {iterations: 1}\n"
        "operators:\n"
        "  my.make: {outputs: {n: {type: int}}, command: ['true']}\n"
        "  my.use:\n"
        "    inputs:\n"
        "      held: {type: frames, from: data.held_out, default: "
        "data/initial.extxyz}\n"
        "      past: {type: int, from: previous.make.n, default: 7}\n"
        "      maps: {type: map, list: true}\n"
        "    command: ['true']\n";
    static const struct {
        const char *data; /* of the campaign */
        const char *held; /* what the constant is then */
    } cases[] = {
        { "data: {initial: [data/initial.extxyz], held_out: "
          "[data/held_out.extxyz]}\n",
          "[\"data/held_out.extxyz\"]" },
        { "data: {initial: [data/initial.extxyz]}\n",
          "\"data/initial.extxyz\"" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct strbuf campaign = STRBUF_INIT;
        char *dir = make_directory ();
        struct plan *plan;
        const struct stage *use;

        strbuf_addf (&campaign, "%s%s", stages, cases[i].data);
        plan = compile_texts (dir, campaign.buf, good_site, &problems);
        assert_non_null (plan);
        use = stage_named (plan, "use");
        assert_json (binding_named (use, "held")->literal, cases[i].held);
        assert_json (binding_named (use, "past")->fallback, "7");
        assert_json (binding_named (use, "maps")->literal,
                     "[{\"low\":1},{\"low\":2}]");
        plan_destroy (plan);
        problems_release (&problems);
        strbuf_release (&campaign);
        temp_dir_remove (dir);
    }
}

static bool has_entry (const char *const *entries, const char *entry)
{
    for (; *entries; entries++) {
        if (strcmp (*entries, entry) == 0)
            return true;
    }
    return false;
}

/* A preset is an argv and an environment; an argv has that of Open MPI. */
static void test_launchers (void **state)
{
    static const struct {
        const char *launcher;
        const char *argv0, *argv1;
        const char *alone, *ranks; /* entries; NULL: there are none */
        const char *scheduler, *agents;
    } cases[] = {
        { "openmpi", "mpirun", "-n", "OMPI_MCA_btl=self",
          "OMPI_MCA_hwloc_base_binding_policy=none", "local", "ppr:1:node" },
        { "mpich", "mpiexec", "-n", NULL, NULL, "pbs", "-ppn" },
        { "mpich", "mpiexec", "-n", NULL, NULL, "slurm", "--overlap" },
        { "intelmpi", "mpirun", "-n", "I_MPI_PIN=0", "I_MPI_PIN=0", "pbs",
          "I_MPI_PIN=0" },
        { "srun", "srun", "--nodes={nodes}", "OMPI_MCA_btl=self",
          "PRTE_MCA_hwloc_default_binding_policy=none", "slurm", "--no-kill" },
        { "[aprun, -n, '{ranks}']", "aprun", "-n", "OMPI_MCA_btl=self",
          "OMPI_MCA_hwloc_base_binding_policy=none", "pbs", "ppr:1:node" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct strbuf site = STRBUF_INIT;
        char *dir = make_directory ();
        const struct launcher_environment *mpi;
        const struct profile *profile;
        struct plan *plan;

        strbuf_addf (&site,
                     "format: 1\nprofiles:\n  a: {scheduler: %s, launcher: "
                     "%s}\n",
                     cases[i].scheduler, cases[i].launcher);
        plan = compile_texts (dir,
                              "format: 1\ncampaign: c\nelements: [Si]\n"
                              "stages: {s: {uses: my.op}}\n"
                              "stop: {iterations: 1}\n"
                              "operators: {my.op: {command: ['true']}}\n",
                              site.buf, &problems);
        assert_non_null (plan);
        profile = plan->stages[0].profile;
        mpi = profile->environment;
        assert_string_equal (profile->launcher[0], cases[i].argv0);
        assert_string_equal (profile->launcher[1], cases[i].argv1);
        assert_true (has_entry (profile->agents, cases[i].agents));
        if (cases[i].alone) {
            assert_true (has_entry (mpi->alone, cases[i].alone));
            assert_true (has_entry (mpi->ranks, cases[i].ranks));
        } else {
            assert_null (mpi->alone[0]);
            assert_null (mpi->ranks[0]);
        }
        plan_destroy (plan);
        problems_release (&problems);
        strbuf_release (&site);
        temp_dir_remove (dir);
    }
}

static void test_declared_operator (void **state)
{
    const struct operator_spec *op = stage_named (*state, "train")->op;
    const struct port *weights = port_find (op->outputs, "weights");

    assert_string_equal (op->name, "linear.train");
    assert_string_equal (op->code, "linear");
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
                 && here->visibility_s == 10 && here->call_s == 60);
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
    assert_string_equal (cpu->env[0], "PATH=/opt/bin:/usr/bin");
    assert_string_equal (cpu->env[2], "ON=true");
    assert_null (cpu->env[3]);
    assert_null (here->env);
    assert_string_equal (profile_variable (cpu, "PATH"), "/opt/bin:/usr/bin");
    assert_null (profile_variable (cpu, "PAT"));
    assert_null (profile_variable (here, "PATH"));
    /* What the profile says counts before the launcher's. */
    assert_string_equal (here->environment->alone[0], "OMPI_MCA_pml=ob1");
    assert_string_equal (cpu->environment->alone[0], "OMPI_MCA_btl=self");
    assert_string_equal (cpu->setup[1][0], "ulimit");
    assert_null (cpu->setup[2]);
    assert_string_equal (cpu->launcher[2], "{ranks}");
    assert_string_equal (cpu->directives[0], "--constraint=icelake");
    assert_null (cpu->directives[1]);
    assert_string_equal (cpu->agents[0], "pbsdsh");
    assert_string_equal (cpu->agents[1], "{nodes}");
    assert_null (cpu->agents[2]);
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

/* Relative to the file, and recorded as what that comes to. */
static void test_store (void **state)
{
    const struct plan *plan = *state;
    char *above =
        xstrndup (plan->dir, (size_t)(path_base (plan->dir) - plan->dir));
    char *store = path_join (above, "shared");

    assert_string_equal (plan->store, store);
    assert_string_equal (json_get_string (plan->config, "store"), store);
    free (store);
    free (above);
}

/* The configuration is enough to make the plan again, whatever has become of
 * the files.
 */
static void test_recorded (void **state)
{
    const struct plan *plan = *state;
    struct problems problems = PROBLEMS_INIT;
    const struct compile_options options = { .dir = "/nowhere",
                                             .builtin = builtin,
                                             .schedulers = schedulers,
                                             .recorded = plan->config };
    struct plan *again = campaign_compile (&options, &problems);

    assert_int_equal (problems.n, 0);
    assert_non_null (again);
    assert_ptr_equal (again->config, plan->config);
    assert_string_equal (again->store, plan->store);
    assert_int_equal (again->n_stages, plan->n_stages);
    assert_int_equal (again->max_iterations, plan->max_iterations);
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *a = &again->stages[i], *b = &plan->stages[i];

        assert_string_equal (a->name, b->name);
        assert_string_equal (a->op->name, b->op->name);
        assert_string_equal (a->profile->name, b->profile->name);
        assert_memory_equal (&a->needs, &b->needs, sizeof (a->needs));
        assert_memory_equal (a->retry, b->retry, sizeof (a->retry));
        assert_int_equal (a->n_bindings, b->n_bindings);
        for (size_t k = 0; k < a->n_bindings; k++) {
            assert_int_equal (a->bindings[k].source, b->bindings[k].source);
            assert_true (
                json_equal (a->bindings[k].literal, b->bindings[k].literal));
        }
    }
    plan_destroy (again);
}

/* Stages that were prepared under an earlier definition: one that is still
 * there, one whose operator is another now, one that is gone.
 */
static void test_keep_stages (void **state)
{
    const struct plan *newest = *state;
    const struct stage *label = stage_named (newest, "label");
    struct operator_spec earlier_op = *label->op, other_op = *label->op;
    struct profile gone_profile = { .name = "gone" };
    struct stage same = *label, other = *stage_named (newest, "train"), gone;
    const struct kept_stage kept[] = { { &same, "label" },
                                       { &other, "train" },
                                       { &gone, "gone" } };
    struct plan *plan;

    other_op.name = "qe.other";
    same.op = &earlier_op;
    same.needs.walltime_s = 4711;
    other.op = &other_op;
    other.needs.walltime_s = 4712;
    gone = other;
    gone.name = "gone";
    gone.profile = &gone_profile;
    plan = plan_keep_stages (newest, kept, ARRAY_SIZE (kept));
    assert_int_equal (plan->n_stages, newest->n_stages + 1);
    assert_ptr_equal (stage_named (plan, "label")->op, &earlier_op);
    assert_true (stage_named (plan, "label")->needs.walltime_s
                 == label->needs.walltime_s);
    assert_ptr_equal (stage_named (plan, "train")->op, &other_op);
    assert_true (stage_named (plan, "train")->needs.walltime_s == 4712);
    assert_string_equal (plan->stages[newest->n_stages].name, "gone");
    assert_int_equal (plan->stages[newest->n_stages].n_after, 0);
    assert_string_equal (stage_named (plan, "gone")->profile->name, "gone");
    assert_int_equal (plan->n_profiles, newest->n_profiles + 1);
    for (size_t i = 0; i < plan->n_stages; i++)
        assert_in_range (plan->stages[i].profile - plan->profiles, 0,
                         plan->n_profiles - 1);
    plan_destroy (plan);
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
    temp_dir_remove (dir);
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
    temp_dir_remove (dir);
}

int main (void)
{
    const struct CMUnitTest plan_tests[] = {
        cmocka_unit_test (test_head),
        cmocka_unit_test (test_order),
        cmocka_unit_test (test_stages),
        cmocka_unit_test (test_retry),
        cmocka_unit_test (test_bindings),
        cmocka_unit_test (test_bindings_of_ports),
        cmocka_unit_test (test_launchers),
        cmocka_unit_test (test_declared_operator),
        cmocka_unit_test (test_profiles),
        cmocka_unit_test (test_config),
        cmocka_unit_test (test_store),
        cmocka_unit_test (test_recorded),
        cmocka_unit_test (test_keep_stages),
        cmocka_unit_test (test_without_a_site_file),
        cmocka_unit_test (test_own_past),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (plan_tests, make_plan, drop_plan);
}
