/* SPDX-License-Identifier: BSD-3-Clause */
/* test_joined.c - lists of references, as they are compiled */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"

/* 'use' has an input of every kind, 'make' outputs of some.  From line 7 on. */
#define CAMPAIGN(WITH)                                                         \
    STAGES "  again: {uses: qe.label, with: {frames: data/initial.extxyz, "    \
           "input: pw.in}}\n"                                                  \
           "  make: {uses: my.make}\n"                                         \
           "  many: {uses: my.many, with: {n: [1, 2]}}\n"                      \
           "  use: {uses: my.use, with: {" WITH "}}\n"                         \
           "operators:\n"                                                      \
           "  my.make:\n"                                                      \
           "    outputs: {file: {type: file}, number: {type: float},\n"        \
           "      list: {type: float, list: true}, map: {type: map}}\n"        \
           "    command: [a]\n"                                                \
           "  my.many:\n"                                                      \
           "    fan_out: [n]\n"                                                \
           "    inputs: {n: {type: int}}\n"                                    \
           "    outputs: {file: {type: file}, number: {type: float}}\n"        \
           "    command: [a, '{n}']\n"                                         \
           "  my.use:\n"                                                       \
           "    inputs:\n"                                                     \
           "      frames: {type: frames, optional: true}\n"                    \
           "      data: {type: frames, list: true, optional: true}\n"          \
           "      files: {type: file, list: true, optional: true}\n"           \
           "      words: {type: string, list: true, optional: true}\n"         \
           "      floats: {type: float, list: true, optional: true}\n"         \
           "      float: {type: float, optional: true}\n"                      \
           "      maps: {type: map, list: true, optional: true}\n"             \
           "      any: {type: list, optional: true}\n"                         \
           "    outputs: {x: {type: int}}\n"                                   \
           "    command: [a, '{?frames}']\n"

/* The input bound so, as "stage.output" of every part, '*' at an item. */
static const struct {
    const char *with, *input, *parts;
} good[] = {
    { "frames: [label.dataset, again.dataset]", "frames",
      "label.dataset again.dataset " },
    { "frames: [label.frame, again.dataset]", "frames",
      "label.frame again.dataset " },
    { "data: [all.label.dataset, again.dataset]", "data",
      "label.dataset* again.dataset* " },
    { "files: [many.file, make.file, previous.many.file]", "files",
      "many.file make.file* many.file " },
    { "files: {from: [many.file, latest.make.file], default: [pw.in]}", "files",
      "many.file make.file* " },
    { "floats: [make.list, many.number, make.number, many.count]", "floats",
      "make.list many.number make.number* many.count* " },
    { "maps: [all.make.map, make.map]", "maps", "make.map make.map* " },
    { "any: [make.list, many.number]", "any", "make.list many.number " },
    /* Values, not references. */
    { "words: [some.thing, x]", "words", NULL },
    { "words: {literal: [make.list]}", "words", NULL },
    { "files: [pw.in, md.in]", "files", NULL },
};

static const struct binding *binding_of (const struct plan *plan,
                                         const char *input)
{
    const struct stage *use = &plan->stages[plan_stage_find (plan, "use")];

    for (size_t i = 0; i < use->n_bindings; i++) {
        if (strcmp (use->bindings[i].port->name, input) == 0)
            return &use->bindings[i];
    }
    fail_msg ("no input %s", input);
    return NULL;
}

static void test_good (void **state)
{
    char *dir = make_directory ();

    (void)state;
    setenv ("XDG_CONFIG_HOME", dir, 1);
    for (size_t i = 0; i < ARRAY_SIZE (good); i++) {
        struct problems problems = PROBLEMS_INIT;
        struct strbuf text = STRBUF_INIT;
        char *campaign = xasprintf (CAMPAIGN ("%s"), good[i].with);
        struct plan *plan = compile_texts (dir, campaign, NULL, &problems);
        const struct binding *b;

        problems_format (&problems, &text);
        if (!plan)
            fail_msg ("%s: %s", good[i].with, text.buf);
        b = binding_of (plan, good[i].input);
        for (size_t k = 0; k < b->n_parts; k++)
            strbuf_addf (&text, "%s.%s%s ",
                         plan->stages[b->parts[k].stage].name,
                         b->parts[k].output, b->parts[k].is_item ? "*" : "");
        assert_int_equal (b->source,
                          good[i].parts ? SOURCE_JOINED : SOURCE_LITERAL);
        assert_string_equal (text.buf, good[i].parts ? good[i].parts : "");
        plan_destroy (plan);
        strbuf_release (&text);
        problems_release (&problems);
        free (campaign);
    }
    temp_dir_remove (dir);
}

/* It waits for the stages of this iteration that it names. */
static void test_waits (void **state)
{
    struct problems problems = PROBLEMS_INIT;
    char *dir = make_directory ();
    struct plan *plan =
        compile_texts (dir, CAMPAIGN ("files: [many.file, previous.make.file]"),
                       NULL, &problems);
    const struct stage *use;

    (void)state;
    assert_non_null (plan);
    use = &plan->stages[plan_stage_find (plan, "use")];
    assert_int_equal (use->n_after, 1);
    assert_int_equal (use->after[0], plan_stage_find (plan, "many"));
    plan_destroy (plan);
    problems_release (&problems);
    temp_dir_remove (dir);
}

static const struct broken broken[] = {
    { CAMPAIGN ("files: [many.file, pw.in]"),
      NULL,
      { ":10:49: input 'files' of stage 'use': there is no stage 'pw'; there "
        "is " } },
    { CAMPAIGN ("files: [many.file, ./pw.in]"),
      NULL,
      { ":10:49: input 'files' of stage 'use': './pw.in' in a list of "
        "references; write STAGE.OUTPUT, or values only" } },
    { CAMPAIGN ("files: [many.file, [make.file]]"),
      NULL,
      { ":10:49: input 'files' of stage 'use': 'a list' in a list of "
        "references; write" } },
    { CAMPAIGN ("files: [mayn.file, make.file]"),
      NULL,
      { ":10:38: input 'files' of stage 'use': there is no stage 'mayn'; did "
        "you mean 'many'?" } },
    { CAMPAIGN ("files: [many.fiel, make.file]"),
      NULL,
      { ":10:38: input 'files' of stage 'use': stage 'many' (my.many) has no "
        "output 'fiel'; did you mean 'file'?" } },
    { CAMPAIGN ("files: [many.file, make.number]"),
      NULL,
      { ":10:49: input 'files' of stage 'use' takes list of file and "
        "'make.number' is float; bind" } },
    { CAMPAIGN ("any: [make.list, make.number]"),
      NULL,
      { ":10:47: input 'any' of stage 'use' takes list and 'make.number' is "
        "float; bind" } },
    { CAMPAIGN ("float: [make.number, many.number]"),
      NULL,
      { ":10:37: input 'float' of stage 'use' takes float, and several "
        "references make a list; bind one of them" } },
    { STAGES "  a: {uses: qe.label, with: {input: pw.in, frames: [b.dataset, "
             "label.dataset]}}\n"
             "  b: {uses: qe.label, with: {input: pw.in, frames: [label.frame, "
             "a.dataset]}}\n",
      NULL,
      { ":7:3: stages wait for each other: 'a' needs 'b' needs 'a'; let" } },
};

static void test_broken (void **state)
{
    (void)state;
    expect_broken (broken, ARRAY_SIZE (broken));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_waits),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
