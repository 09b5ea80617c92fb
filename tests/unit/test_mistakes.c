/* SPDX-License-Identifier: BSD-3-Clause */
/* test_mistakes.c - what people write, and all that check says of it, word for
 * word
 *
 * Each row is an edit of a campaign that is good, with the built-in operators.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "campaign/compile.h"
#include "campaign/plan.h"
#include "mistakes.h"
#include "operators/table.h"
#include "temp_dir.h"

static const char good_campaign[] = /* the line's number */
    "format: 1\n"
    "campaign: argon\n"
    "elements: [Ar]\n"
    "models: 4\n"
    "data: {initial: [data/initial.extxyz]}\n" /* 5 */
    "stages:\n"
    "  train:\n"
    "    uses: pair.train\n"
    "    task: {cores: 1, memory: 1GiB, walltime: 10m}\n"
    "  explore:\n" /* 10 */
    "    uses: lammps.explore\n"
    "    with:\n"
    "      input: md.in\n"
    "      systems: {fcc: fcc.data}\n"
    "      for_each: {temperature: [60, 90]}\n" /* 15 */
    "      steps: 1000\n"
    "      dump_every: 10\n"
    "      pair_style: table linear 1000\n"
    "      pair_coeff: \"* * {potential}/pair.table AR\"\n"
    "  select:\n" /* 20 */
    "    uses: model_devi.select\n"
    "    with:\n"
    "      levels: {force: [0.1, 0.3]}\n"
    "      pick: {quota: 8}\n"
    "  label:\n" /* 25 */
    "    uses: pair.label\n"
    "    with: {frames: previous.select.frames}\n"
    "stop: {when: select.accurate > 0.9, iterations: 5}\n"
    "operators:\n"
    "  pair.train:\n" /* 30 */
    "    fan_out: [model]\n"
    "    inputs:\n"
    "      model: {type: int, from: models}\n"
    "      datasets: {type: frames, list: true, from: all.label.dataset}\n"
    "    outputs: {potential: {type: dir}}\n" /* 35 */
    "    command: [\"{campaign}/train.sh\", \"{model}\", \"{datasets}\"]\n"
    "  pair.label:\n"
    "    fan_out: [frames]\n"
    "    inputs: {frames: {type: frames}}\n"
    "    outputs: {frame: {type: frames}}\n" /* 40 */
    "    command: [sh, \"{campaign}/label.sh\", \"{frames}\"]\n"
    "    collect:\n"
    "      outputs: {dataset: {type: frames, publish: true}}\n"
    "      command: [cp, \"{frames}\", \"{outputs.dataset}\"]\n";

static const char good_site[] = "format: 1\n"
                                "default_profile: here\n"
                                "profiles:\n"
                                "  here:\n"
                                "    scheduler: local\n" /* 5 */
                                "    node: {cores: 4, memory: 8GiB}\n"
                                "    limits: {walltime: 24h}\n"
                                "  far:\n"
                                "    scheduler: slurm\n"
                                "    node: {cores: 64}\n"; /* 10 */

#define LABELS                                                                 \
    "Lattice=\"5 0 0 0 5 0 0 0 5\" Properties=species:S:1:pos:R:3:forces:R:3 " \
    "energy=-1\n"
#define ARGON "2\n" LABELS "Ar 0 0 0 0 0 -1\nAr 0 0 2 0 0 1\n"
#define ARGON_LATER "2\n" LABELS "Ar 0 0 0 0 0 -2\nAr 0 0 1.9 0 0 2\n"

/* Files of the campaign, and what else lies in its directory. */
static const struct {
    const char *name, *text;
} files[] = {
    { "pw.in", "&CONTROL\n/\n&SYSTEM ecutwfc = 20\n/\nK_POINTS gamma\n" },
    { "md.in",
      "velocity all create ${temperature} ${seed}\n"
      "fix 1 all nvt temp ${temperature} ${temperature} 1\nrun ${steps}\n" },
    { "fcc.data", "x\n\n2 atoms\n1 atom types\n0 5 xlo xhi\n0 5 ylo yhi\n"
                  "0 5 zlo zhi\n\nMasses\n\n1 39.948\n\nAtoms # atomic\n\n"
                  "1 1 0 0 0\n2 1 2.5 2.5 2.5\n" },
    { "two.data", "x\n\n1 atoms\n2 atom types\n0 5 xlo xhi\n0 5 ylo yhi\n"
                  "0 5 zlo zhi\n\nAtoms # atomic\n\n1 2 0 0 0\n" },
    { "data/initial.extxyz", ARGON ARGON_LATER },
    { "data/krypton.extxyz", ARGON "1\n" LABELS "Kr 0 0 0 0 0 0\n" },
    { "data/forceless.extxyz",
      ARGON "1\nProperties=species:S:1:pos:R:3 energy=1\nAr 0 0 0\n" },
    { "data/bare.extxyz", "1\n\nAr 0 0 0\n" },
    { "data/poscar", "Ar\n1.0\n5 0 0\n0 5 0\n0 0 5\nAr\n1\n" },
    { "data/empty.extxyz", "" },
    { "train.sh", "#!/bin/sh\n" },
    { "label.sh", "\n" },
    { "data/md.sh", "\n" },
    { "path/lmp", "\n" },
    { "path/cp", "\n" },
    { "path/sh", "\n" },
    { "path/python3", "\n" },
};

static const char *const programs[] = { "train.sh", "path/lmp", "path/cp",
                                        "path/sh", "path/python3" };

/* --- the scene --- */

static void write_at (const char *dir, const char *name, const char *text)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, text, strlen (text), NULL), 0);
    free (path);
}

static char *make_scene (void)
{
    char *dir = temp_dir_make (), *path = path_join (dir, "path");

    for (size_t i = 0; i < ARRAY_SIZE (files); i++)
        write_at (dir, files[i].name, files[i].text);
    for (size_t i = 0; i < ARRAY_SIZE (programs); i++) {
        char *program = path_join (dir, programs[i]);

        assert_int_equal (chmod (program, 0755), 0);
        free (program);
    }
    setenv ("PATH", path, 1);
    free (path);
    return dir;
}

/* Append 'text' with every 'from' as 'to'. */
static void replace (const char *text, const char *from, const char *to,
                     struct strbuf *out)
{
    const char *at;

    while ((at = strstr (text, from))) {
        strbuf_add (out, text, (size_t)(at - text));
        strbuf_add_str (out, to);
        text = at + strlen (from);
    }
    strbuf_add_str (out, text);
}

static void edit (const char *text, const struct mistake *mistake,
                  struct strbuf *out)
{
    struct strbuf half = STRBUF_INIT;

    replace (text, mistake->from, mistake->to, &half);
    if (mistake->also_from)
        replace (half.buf, mistake->also_from, mistake->also_to, out);
    else
        strbuf_add_str (out, half.buf);
    strbuf_release (&half);
}

static struct plan *compile (const char *dir, struct problems *problems)
{
    static const char *const schedulers[] = { "local", "slurm", NULL };
    const struct compile_options options = { .dir = dir,
                                             .builtin = builtin_operators (),
                                             .schedulers = schedulers,
                                             .this_host = true,
                                             .notices = true,
                                             .atoms = INT64_MAX };

    return campaign_compile (&options, problems);
}

/* What check says of the campaign in 'dir'. */
static void check (const char *dir, struct strbuf *says)
{
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = compile (dir, &problems);
    struct strbuf text = STRBUF_INIT;
    char *prefix = xasprintf ("%s/", dir);

    assert_int_equal (plan == NULL, problems_errors (&problems) > 0);
    for (size_t i = 0; i < problems.n; i++)
        assert_string_not_equal (problems.v[i].remedy, "");
    problems_format (&problems, &text);
    replace (text.buf, prefix, "", says);
    plan_destroy (plan);
    problems_release (&problems);
    strbuf_release (&text);
    free (prefix);
}

static bool check_mistake (const char *dir, size_t row,
                           const struct mistake *mistake)
{
    struct strbuf campaign = STRBUF_INIT, site = STRBUF_INIT,
                  says = STRBUF_INIT;
    bool good = true;

    edit (good_campaign, mistake, &campaign);
    edit (good_site, mistake, &site);
    if (strcmp (campaign.buf, good_campaign) == 0
        && strcmp (site.buf, good_site) == 0)
        fail_msg ("row %zu changes nothing: %s", row, mistake->from);
    write_at (dir, "campaign.yaml", campaign.buf);
    write_at (dir, "site.yaml", site.buf);
    check (dir, &says);
    if (strcmp (says.buf, mistake->says) != 0) {
        print_error ("row %zu, '%s':\nexpected %sgot      %s", row, mistake->to,
                     mistake->says, says.buf);
        good = false;
    }
    strbuf_release (&says);
    strbuf_release (&site);
    strbuf_release (&campaign);
    return good;
}

/* --- the tests --- */

static void test_good (void **state)
{
    char *dir = make_scene ();
    struct strbuf says = STRBUF_INIT;

    (void)state;
    write_at (dir, "campaign.yaml", good_campaign);
    write_at (dir, "site.yaml", good_site);
    check (dir, &says);
    assert_string_equal (says.buf, "");
    strbuf_release (&says);
    temp_dir_remove (dir);
}

/* One system at two temperatures; train prepares nothing. */
static void test_prepared_tasks (void **state)
{
    char *dir = make_scene ();
    struct plan *plan;
    struct problems problems = PROBLEMS_INIT;
    int explore, train;

    (void)state;
    write_at (dir, "campaign.yaml", good_campaign);
    write_at (dir, "site.yaml", good_site);
    plan = compile (dir, &problems);
    assert_non_null (plan);
    explore = plan_stage_find (plan, "explore");
    train = plan_stage_find (plan, "train");
    assert_int_equal (stage_prepared_tasks (&plan->stages[explore], dir), 2);
    assert_int_equal (stage_prepared_tasks (&plan->stages[train], dir), -1);
    plan_destroy (plan);
    problems_release (&problems);
    temp_dir_remove (dir);
}

/* The select stage's inputs when 'with' stands in place of its rules. */
static struct json *inputs_with (const char *dir, const char *with)
{
    const struct mistake levels = { .from =
                                        "      levels: {force: [0.1, 0.3]}\n",
                                    .to = with };
    const struct mistake pick = { .from = "      pick: {quota: 8}\n",
                                  .to = "" };
    struct strbuf without = STRBUF_INIT, campaign = STRBUF_INIT;
    struct problems problems = PROBLEMS_INIT;
    struct json *inputs;
    struct plan *plan;

    edit (good_campaign, &pick, &without);
    edit (without.buf, &levels, &campaign);
    write_at (dir, "campaign.yaml", campaign.buf);
    write_at (dir, "site.yaml", good_site);
    plan = compile (dir, &problems);
    assert_non_null (plan);
    inputs = stage_known_values (
        &plan->stages[plan_stage_find (plan, "select")], dir);
    plan_destroy (plan);
    problems_release (&problems);
    strbuf_release (&campaign);
    strbuf_release (&without);
    return inputs;
}

/* What the plan holds where little is written: the defaults of the program that
 * `semantics` names.
 */
static void test_families (void **state)
{
    static const struct {
        const char *with;
        const char *expected; /* of some sections */
    } cases[] = {
        { "      levels: {force: [0.1, 0.3]}\n"
          "      pick: {quota: 8}\n",
          "8 system random 1 null" },
        { "      levels: {force: [0.1, 0.3]}\n"
          "      semantics: dpgen2\n",
          "10 iteration random 0 0.9" },
        { "      levels: {force: [0.1, 0.3]}\n"
          "      semantics: dpgen2\n"
          "      pick: {per: system, how: max}\n"
          "      convergence: {accurate: 0.99}\n",
          "10 system max 0 0.99" },
        { "      levels: {adaptive: {}}\n"
          "      semantics: dpgen2\n"
          "      convergence: {earlier: all.select.levels}\n",
          "10 iteration random 0 null" },
        { "      levels: {force: [0.1, 0.3]}\n"
          "      semantics: simplify\n"
          "      pick: {quota: 100}\n",
          "100 iteration random 0 null" },
    };
    static const char *const names[] = { "pick.quota", "pick.per", "pick.how",
                                         "skip.steps", "convergence.accurate" };
    char *dir = make_scene ();

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *inputs = inputs_with (dir, cases[i].with);
        struct strbuf text = STRBUF_INIT;

        for (size_t k = 0; k < ARRAY_SIZE (names); k++) {
            const struct json *v = json_get_path (inputs, names[k]);

            strbuf_add_str (&text, k > 0 ? " " : "");
            if (json_kind (v) == JSON_KIND_STRING)
                strbuf_add_str (&text, json_as_string (v));
            else
                json_dump (v, JSON_COMPACT, &text);
        }
        assert_string_equal (text.buf, cases[i].expected);
        strbuf_release (&text);
        json_unref (inputs);
    }
    temp_dir_remove (dir);
}

static void test_mistakes (void **state)
{
    char *dir = make_scene ();
    int n_wrong = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (mistakes); i++)
        n_wrong += check_mistake (dir, i, &mistakes[i]) ? 0 : 1;
    temp_dir_remove (dir);
    assert_int_equal (n_wrong, 0);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_prepared_tasks),
        cmocka_unit_test (test_families),
        cmocka_unit_test (test_mistakes),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
