/* SPDX-License-Identifier: BSD-3-Clause */
/* test_campaign_parts.c - references, retry rules, task needs, the site file */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "campaign/field_reader.h"
#include "campaign/plan.h"
#include "campaign/binding.h"
#include "campaign/site_file.h"
#include "campaign/task_fields.h"
#include "signature/resources.h"
#include "temp_dir.h"

/* A parsed text and what its readers need. */
struct text {
    struct problems problems;
    struct field_reader reader;
    struct yaml_tree *tree;
    const struct yaml_node *root;
};

static void text_open (struct text *text, const char *yaml)
{
    text->problems = (struct problems)PROBLEMS_INIT;
    text->reader = (struct field_reader){ .arena = arena_create (),
                                          .problems = &text->problems,
                                          .dir = "." };
    text->tree = yaml_tree_parse (yaml, strlen (yaml), "f", &text->problems);
    assert_non_null (text->tree);
    yaml_tree_lend (text->tree, &text->reader);
    text->root = yaml_tree_root (text->tree);
}

static void text_close (struct text *text)
{
    yaml_tree_destroy (text->tree);
    arena_destroy (text->reader.arena);
    problems_release (&text->problems);
}

/* --- references --- */

static void test_references (void **state)
{
    static const struct {
        const char *text;
        enum source source; /* SOURCE_UNBOUND: it is none */
        const char *stage, *output;
    } rows[] = {
        { "train.model", SOURCE_THIS, "train", "model" },
        { "previous.select.frames", SOURCE_PREVIOUS, "select", "frames" },
        { "all.label.dataset", SOURCE_ALL, "label", "dataset" },
        { "latest.a_1.b2", SOURCE_LATEST, "a_1", "b2" },
        { "pw.in", SOURCE_THIS, "pw", "in" }, /* if there is a stage pw */
        { "./pw.in", SOURCE_UNBOUND, NULL, NULL },
        { "data/pw.in", SOURCE_UNBOUND, NULL, NULL },
        { "model", SOURCE_UNBOUND, NULL, NULL },
        { "a.b.c", SOURCE_UNBOUND, NULL, NULL },
        { "previous.select", SOURCE_UNBOUND, NULL, NULL },
        { "previous.select.frames.x", SOURCE_UNBOUND, NULL, NULL },
        { "train.", SOURCE_UNBOUND, NULL, NULL },
        { ".model", SOURCE_UNBOUND, NULL, NULL },
        { "train..model", SOURCE_UNBOUND, NULL, NULL },
        { "Si.upf", SOURCE_UNBOUND, NULL, NULL },
        { "a.b c", SOURCE_UNBOUND, NULL, NULL },
        { "1.5", SOURCE_UNBOUND, NULL, NULL },
        { "", SOURCE_UNBOUND, NULL, NULL },
    };
    struct text text;

    (void)state;
    text_open (&text, "a: b");
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct reference reference = { .source = SOURCE_UNBOUND };

        if (reference_parse (text.reader.arena, rows[i].text, &reference)
            != (rows[i].source != SOURCE_UNBOUND))
            fail_msg ("'%s'", rows[i].text);
        assert_int_equal (reference.source, rows[i].source);
        if (rows[i].stage) {
            assert_string_equal (reference.stage, rows[i].stage);
            assert_string_equal (reference.output, rows[i].output);
        }
    }
    text_close (&text);
}

/* --- names --- */

static void test_names (void **state)
{
    static const struct {
        const char *name;
        bool word, document;
    } rows[] = {
        { "a", true, true },      { "a_1", true, true },
        { "A", false, true },     { "1a", false, true },
        { "a.b-c", false, true }, { "_a", false, false },
        { "-a", false, false },   { "", false, false },
        { "a b", false, false },  { "a/b", false, false },
        { "..", false, false },   { "\xc3\xa9", false, false },
    };
    char longest[70];

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        assert_int_equal (word_is_name (rows[i].name), rows[i].word);
        assert_int_equal (word_is_title (rows[i].name), rows[i].document);
    }
    memset (longest, 'a', sizeof (longest));
    longest[64] = '\0';
    assert_true (word_is_title (longest));
    longest[64] = 'a';
    longest[65] = '\0';
    assert_false (word_is_title (longest));
}

/* --- retry --- */

static void test_retry_defaults (void **state)
{
    static const struct {
        enum outcome outcome;
        struct retry_rule rule;
    } rows[] = {
        { OUTCOME_FAILED, { 2, 1, 1, false } },
        { OUTCOME_BAD_INPUT, { 1, 1, 1, false } },
        { OUTCOME_BAD_OUTPUT, { 2, 1, 1, false } },
        { OUTCOME_TIMEOUT, { 3, 2, 1, false } },
        { OUTCOME_OUT_OF_MEMORY, { 3, 1, 1.5, false } },
        { OUTCOME_NODE_FAILURE, { 5, 1, 1, true } },
        { OUTCOME_PREEMPTED, { 10, 1, 1, false } },
        { OUTCOME_CANCELLED, { 1, 1, 1, false } },
        { OUTCOME_LOST, { 5, 1, 1, false } },
        { OUTCOME_FATAL, { 1, 1, 1, false } },
    };
    struct retry_rule rules[OUTCOME_COUNT];

    (void)state;
    retry_rules_default (rules);
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct retry_rule *rule = &rules[rows[i].outcome];

        assert_int_equal (rule->tries, rows[i].rule.tries);
        assert_true (rule->walltime_factor == rows[i].rule.walltime_factor);
        assert_true (rule->memory_factor == rows[i].rule.memory_factor);
        assert_int_equal (rule->exclude_node, rows[i].rule.exclude_node);
    }
}

static void test_retry_factors (void **state)
{
    static const struct {
        const char *text;
        double factor; /* 0: refused */
    } rows[] = {
        { "x2", 2 },   { "x1.5", 1.5 }, { "x100", 100 }, { "x1", 1 },
        { "x0.5", 0 }, { "x101", 0 },   { "2", 0 },      { "x", 0 },
        { "x-2", 0 },  { "x 2", 0 },    { "x2y", 0 },    { "xnan", 0 },
        { "xinf", 0 }, { "x0x10", 0 },  { "[x2]", 0 },   { "''", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct retry_rule rules[OUTCOME_COUNT];
        struct text text;
        char *yaml = xasprintf ("lost: {walltime: %s}", rows[i].text);

        text_open (&text, yaml);
        retry_rules_default (rules);
        retry_rules_read (text.root, rules);
        if ((text.problems.n > 0) != (rows[i].factor == 0))
            fail_msg ("'%s'", rows[i].text);
        assert_true (rules[OUTCOME_LOST].walltime_factor
                     == (rows[i].factor > 0 ? rows[i].factor : 1));
        text_close (&text);
        free (yaml);
    }
}

/* --- what a task needs --- */

static void test_needs (void **state)
{
    static const struct {
        struct resources op;
        const char *yaml;
        struct resources needs;
    } rows[] = {
        { { 0 }, "{}", { .ranks = 1, .cores = 1 } },
        { { 0 }, "{cores: 4}", { .ranks = 1, .cores = 4 } },
        { { 0 }, "{ranks: 4}", { .ranks = 4, .cores = 4 } },
        { { 0 }, "{ranks: 2, cores: 8}", { .ranks = 2, .cores = 8 } },
        { { .cores = 4 }, "{}", { .ranks = 1, .cores = 4 } },
        { { .cores = 4 }, "{ranks: 2}", { .ranks = 2, .cores = 8 } },
        { { .cores = 4, .ranks = 2 },
          "{ranks: 4}",
          { .ranks = 4, .cores = 8 } },
        { { .cores = 4, .ranks = 4 },
          "{ranks: 1}",
          { .ranks = 1, .cores = 1 } },
        { { .cores = 4, .gpus = 1 },
          "{gpus: 0, memory: 1KiB, walltime: 90}",
          { .ranks = 1, .cores = 4, .memory_bytes = 1024, .walltime_s = 90 } },
        { { 0 }, "{nodes: 2}", { .ranks = 2, .cores = 2, .nodes = 2 } },
        { { .cores = 4 },
          "{nodes: 2, ranks: 8}",
          { .ranks = 8, .cores = 32, .nodes = 2 } },
        { { .memory_bytes = 7, .walltime_s = 8, .gpus = 2 },
          "{cores: 2}",
          { .ranks = 1,
            .cores = 2,
            .gpus = 2,
            .memory_bytes = 7,
            .walltime_s = 8 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct resources needs = rows[i].op;
        const struct resources *wanted = &rows[i].needs;
        struct text text;

        text_open (&text, rows[i].yaml);
        task_needs_read (text.root, &needs);
        task_needs_complete (&needs);
        if (problems_errors (&text.problems) > 0 || needs.ranks != wanted->ranks
            || needs.cores != wanted->cores || needs.gpus != wanted->gpus
            || needs.nodes != (wanted->nodes > 0 ? wanted->nodes : 1)
            || needs.memory_bytes != wanted->memory_bytes
            || needs.walltime_s != wanted->walltime_s)
            fail_msg ("row %zu: %d cores, %d ranks", i, needs.cores,
                      needs.ranks);
        text_close (&text);
    }
}

/* --- where the site file is --- */

static char *write_site (const char *dir, const char *name)
{
    char *path = path_join (dir, name);

    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (file_write_atomic (path, "x", 1, NULL), 0);
    return path;
}

static void assert_found (const char *dir, const char *path)
{
    char *found = site_file_find (dir);

    if (path)
        assert_string_equal (found, path);
    else
        assert_null (found);
    free (found);
}

static void test_site_file_find (void **state)
{
    char *dir = temp_dir_make ();
    char *here, *user, *home;

    (void)state;
    setenv ("HOME", dir, 1);
    unsetenv ("XDG_CONFIG_HOME");
    unsetenv ("FANFOLD_SITE");
    assert_found (dir, NULL);
    setenv ("FANFOLD_SITE", "/nonexistent/site.yaml", 1);
    assert_found (dir, "/nonexistent/site.yaml"); /* whoever reads it says so */
    home = write_site (dir, ".config/fanfold/site.yaml");
    assert_found (dir, home);
    setenv ("XDG_CONFIG_HOME", dir, 1);
    assert_found (dir, "/nonexistent/site.yaml"); /* instead of ~/.config */
    user = write_site (dir, "fanfold/site.yaml");
    assert_found (dir, user);
    here = write_site (dir, "site.yaml");
    assert_found (dir, here);
    free (here);
    free (user);
    free (home);
    temp_dir_remove (dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_references),
        cmocka_unit_test (test_names),
        cmocka_unit_test (test_retry_defaults),
        cmocka_unit_test (test_retry_factors),
        cmocka_unit_test (test_needs),
        cmocka_unit_test (test_site_file_find),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
