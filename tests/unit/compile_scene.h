/* SPDX-License-Identifier: BSD-3-Clause */
/* compile_scene.h - operators and files that campaigns are compiled with, and
 * tables of what is wrong with broken ones
 */
#ifndef TESTS_COMPILE_SCENE_H
#define TESTS_COMPILE_SCENE_H

#include "base/file.h"
#include "base/problems.h"
#include "campaign/compile.h"
#include "campaign/plan.h"
#include "npy_file.h"
#include "temp_dir.h"

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
static const struct operator_spec label_operator = {
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
static const struct operator_spec explore_operator = {
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
    { .name = "forces",
      .type = { .kind = TYPE_FILE, .depth = 1 },
      .from = "explore.forces",
      .from_if_made = true,
      .default_json = "[]" },
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
static const struct operator_spec select_operator = {
    .name = "model_devi.select",
    .code = "model_devi",
    .inputs = select_inputs,
    .outputs = select_outputs,
    .commands = run_commands,
};

static const struct operator_spec *const builtin[] = { &label_operator,
                                                       &explore_operator,
                                                       &select_operator, NULL };
static const char *const schedulers[] = { "local", "slurm", "pbs", NULL };

/* --- a campaign directory --- */

static inline void write_file (const char *dir, const char *name,
                               const char *text)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

static inline char *make_directory (void)
{
    char *dir = temp_dir_make ();

    write_file (dir, "data/initial.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "data/held_out.extxyz", "1\n\nSi 0 0 1\n");
    write_file (dir, "copy/initial.extxyz", "1\n\nSi 0 0 0\n");
    write_file (dir, "data/diamond.data", "x\n");
    write_file (dir, "pw.in", "x\n");
    write_file (dir, "md.in", "x\n");
    npy_put (dir, "two.npy", 2);
    npy_put (dir, "four.npy", 4);
    return dir;
}

/* Compile 'campaign' with 'site' (NULL: the built-in one). */
static inline struct plan *compile_texts (const char *dir, const char *campaign,
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
        file_remove_tree (path, NULL, NULL);
    free (path);
    plan = campaign_compile (&options, problems);
    return plan;
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
struct broken {
    const char *campaign, *site;
    const char *problems[4];
};

/* Does problem 'problem' of row 'row' read as it should? */
static inline bool check_problem (size_t row, struct problem *problem,
                                  const char *text)
{
    struct problems one = { .v = problem, .n = 1 };
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

static inline bool check_broken (const char *dir, size_t row,
                                 const struct broken *b)
{
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

/* They are refused, each with its problems. */
static inline void expect_broken (const struct broken *rows, size_t n)
{
    char *dir = make_directory ();
    int n_wrong = 0;

    setenv ("XDG_CONFIG_HOME", dir, 1);
    for (size_t i = 0; i < n; i++)
        n_wrong += check_broken (dir, i, &rows[i]) ? 0 : 1;
    temp_dir_remove (dir);
    assert_int_equal (n_wrong, 0);
}

#endif /* !TESTS_COMPILE_SCENE_H */
