/* SPDX-License-Identifier: BSD-3-Clause */
/* test_inputs.c - bindings become values, or reasons to wait or to skip
 *
 * Three iterations of label, select and train are past; a fourth stage, user,
 * is bound to them in every way.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/act/inputs.h"
#include "engine/decide/readiness.h"
#include "inputs_scene.h"

/* --- is it time? --- */

static const struct {
    enum source source;
    int stage, iteration;
    bool optional, fallback;
    enum readiness readiness;
    const char *why;
} ready_cases[] = {
    { SOURCE_THIS, LABEL, 2, false, false, INPUTS_READY, "" },
    { SOURCE_THIS, LABEL, 1, false, false, INPUTS_SKIP,
      "input 'in' needs 'out' of stage 'label', which has nothing to "
      "give" },
    { SOURCE_THIS, LABEL, 1, true, false, INPUTS_READY, "" },
    { SOURCE_THIS, LABEL, 1, false, true, INPUTS_READY, "" },
    { SOURCE_THIS, SELECT, 1, false, false, INPUTS_SKIP,
      "input 'in' needs 'out' of stage 'select', which has nothing to "
      "give" },
    { SOURCE_THIS, SELECT, 2, false, false, INPUTS_WAIT, "" },
    { SOURCE_THIS, TRAIN, 2, false, true, INPUTS_WAIT, "" },
    { SOURCE_THIS, TRAIN, 2, true, false, INPUTS_WAIT, "" },
    { SOURCE_PREVIOUS, SELECT, 1, false, false, INPUTS_READY, "" },
    { SOURCE_PREVIOUS, SELECT, 2, false, false, INPUTS_SKIP,
      "input 'in' needs 'out' of stage 'select', which has nothing to "
      "give" },
    { SOURCE_PREVIOUS, LABEL, 2, false, true, INPUTS_READY, "" },
    { SOURCE_PREVIOUS, SELECT, 0, false, false, INPUTS_SKIP,
      "input 'in' needs 'out' of stage 'select', which has no previous "
      "iteration" },
    { SOURCE_PREVIOUS, SELECT, 0, true, false, INPUTS_READY, "" },
    { SOURCE_LATEST, SELECT, 2, false, false, INPUTS_READY, "" },
    { SOURCE_LATEST, USER, 2, false, false, INPUTS_SKIP,
      "input 'in' needs 'out' of stage 'user', which has nothing to give" },
    { SOURCE_ALL, USER, 2, false, false, INPUTS_READY, "" },
    { SOURCE_LITERAL, -1, 0, false, false, INPUTS_READY, "" },
    { SOURCE_UNBOUND, -1, 0, false, false, INPUTS_READY, "" },
    { SOURCE_ITERATION, -1, 0, false, false, INPUTS_READY, "" },
};

static void test_readiness (void **unused)
{

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (ready_cases); i++) {
        const struct port port = { .name = "in",
                                   .optional = ready_cases[i].optional };
        struct json *fallback = ready_cases[i].fallback ? json_int (1) : NULL;
        struct binding binding = { .port = &port,
                                   .source = ready_cases[i].source,
                                   .stage = ready_cases[i].stage,
                                   .output = "out",
                                   .fallback = fallback };
        const int after[] = { ready_cases[i].stage };
        struct stage *user = &scene.stages[USER];
        struct strbuf why = STRBUF_INIT;

        print_message ("# case %zu\n", i);
        user->bindings = &binding;
        user->n_bindings = 1;
        user->after = after;
        user->n_after = ready_cases[i].source == SOURCE_THIS;
        assert_int_equal (inputs_readiness (&scene.plan, &scene.state, user,
                                            ready_cases[i].iteration, &why),
                          ready_cases[i].readiness);
        assert_string_equal (why.buf, ready_cases[i].why);
        strbuf_release (&why);
        json_unref (fallback);
    }
}

/* --- values --- */

/* A sliced int is bound to a number: how many. */
static void test_counted (void **unused)
{
    static const char *const fan_out[] = { "in", NULL };
    static const struct {
        const char *output;
        bool sliced;
        enum type_kind kind;
        const char *values;
    } cases[] = {
        { "count", true, TYPE_INT, "{'in':[0,1,2]}" },
        { "count", false, TYPE_INT, "{'in':3}" },
        { "count", true, TYPE_FLOAT, "{'in':3}" },
        { "energy", true, TYPE_INT, "{'in':[1,3,4]}" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct operator_spec op = { .name = "x.user",
                                          .code = "x",
                                          .fan_out = cases[i].sliced ? fan_out
                                                                     : NULL };
        const struct port port = { .name = "in", .type.kind = cases[i].kind };
        struct binding binding = { .port = &port,
                                   .source = SOURCE_THIS,
                                   .stage = LABEL,
                                   .output = cases[i].output };
        const struct stage user = {
            .name = "user", .op = &op, .bindings = &binding, .n_bindings = 1
        };
        struct json *values = inputs_resolve (&scene.plan, &scene.state,
                                              scene.outputs, &user, 0, NULL);
        struct json *wanted = json_of (cases[i].values);

        assert_true (json_equal (values, wanted));
        json_unref (wanted);
        json_unref (values);
    }
}

struct value_case {
    enum source source;
    int stage;
    const char *output;
    int iteration;
    enum type_kind kind;
    bool holes;
    const char *given; /* the literal, or the default of a reference */
    const char *values;
};

/* An output that a stage of an older version may have left out. */
static const char later[] = "later";

static struct json *resolve_one (const struct value_case *c, struct error *err)
{
    const struct port port = { .name = "in",
                               .type.kind = c->kind,
                               .holes = c->holes,
                               .from_if_made = c->output == later };
    bool fixed = c->source == SOURCE_LITERAL || c->source == SOURCE_UNBOUND;
    struct json *given = c->given ? json_of (c->given) : NULL;
    struct binding binding = { .port = &port,
                               .source = c->source,
                               .stage = c->stage,
                               .output = c->output,
                               .literal = fixed ? given : NULL,
                               .fallback = fixed ? NULL : given };
    const struct stage user = {
        .name = "user", .op = &user_op, .bindings = &binding, .n_bindings = 1
    };
    struct json *values = inputs_resolve (
        &scene.plan, &scene.state, scene.outputs, &user, c->iteration, err);

    json_unref (given);
    return values;
}

static const struct value_case value_cases[] = {
    { SOURCE_LITERAL, 0, NULL, 0, TYPE_INT, false, "3", "{'in':3}" },
    { SOURCE_UNBOUND, 0, NULL, 0, TYPE_INT, false, "4", "{'in':4}" },
    { SOURCE_UNBOUND, 0, NULL, 0, TYPE_INT, false, NULL, "{}" },
    { SOURCE_ITERATION, 0, NULL, 2, TYPE_INT, false, NULL, "{'in':2}" },
    /* an output that a version before did not make */
    { SOURCE_THIS, LABEL, later, 0, TYPE_FLOAT, false, "[]", "{'in':[]}" },
    /* a stage that has no tasks to miss */
    { SOURCE_THIS, SELECT, "accurate", 0, TYPE_FLOAT, false, NULL,
      "{'in':0.5}" },
    { SOURCE_THIS, SELECT, "count", 0, TYPE_INT, false, NULL, "{'in':1}" },
    { SOURCE_THIS, SELECT, "proceed", 0, TYPE_BOOL, false, NULL,
      "{'in':true}" },
    /* holes go in lockstep, or stay */
    { SOURCE_THIS, LABEL, "energy", 0, TYPE_FLOAT, false, NULL,
      "{'in':[1,3,4]}" },
    { SOURCE_THIS, LABEL, "energy", 0, TYPE_FLOAT, true, NULL,
      "{'in':[1,null,3,4]}" },
    { SOURCE_THIS, LABEL, "dataset", 0, TYPE_FRAMES, false, NULL,
      "{'in':['a','c','d']}" },
    { SOURCE_PREVIOUS, TRAIN, "model", 1, TYPE_FILE, false, NULL,
      "{'in':['m0']}" },
    { SOURCE_PREVIOUS, TRAIN, "best", 1, TYPE_LIST, false, NULL,
      "{'in':[7,null]}" }, /* collected: as it is */
    /* what has nothing to give */
    { SOURCE_PREVIOUS, SELECT, "frames", 2, TYPE_FRAMES, false, "'f'",
      "{'in':'f'}" },
    { SOURCE_PREVIOUS, SELECT, "frames", 2, TYPE_FRAMES, false, NULL, "{}" },
    { SOURCE_PREVIOUS, SELECT, "frames", 0, TYPE_FRAMES, false, "'f'",
      "{'in':'f'}" },
    { SOURCE_PREVIOUS, SELECT, "frames", 1, TYPE_FRAMES, false, "'f'",
      "{'in':'f0'}" },
    { SOURCE_LATEST, SELECT, "frames", 2, TYPE_FRAMES, false, "'f'",
      "{'in':'f0'}" },
    { SOURCE_LATEST, LABEL, "energy", 2, TYPE_FLOAT, false, NULL,
      "{'in':[2,5]}" },
    { SOURCE_LATEST, LABEL, "energy", 1, TYPE_FLOAT, false, NULL,
      "{'in':[1,3,4]}" },
    { SOURCE_LATEST, USER, "x", 2, TYPE_INT, false, "5", "{'in':5}" },
    /* every iteration so far: frames flat and after the initial data */
    { SOURCE_ALL, LABEL, "dataset", 2, TYPE_FRAMES, false, NULL,
      "{'in':['i1','i2','a','c','d','e','f']}" },
    { SOURCE_ALL, LABEL, "dataset", 2, TYPE_FRAMES, true, NULL,
      "{'in':['i1','i2','a',null,'c','d','e','f']}" },
    { SOURCE_ALL, LABEL, "dataset", 1, TYPE_FRAMES, false, NULL,
      "{'in':['i1','i2','a','c','d']}" },
    { SOURCE_ALL, SELECT, "frames", 2, TYPE_FRAMES, false, NULL,
      "{'in':['i1','i2','f0','f1']}" },
    { SOURCE_ALL, USER, "frames", 2, TYPE_FRAMES, false, NULL,
      "{'in':['i1','i2']}" },
    { SOURCE_ALL, LABEL, "energy", 2, TYPE_FLOAT, false, NULL,
      "{'in':[[1,3,4],[2,5]]}" },
    { SOURCE_ALL, TRAIN, "best", 2, TYPE_LIST, false, NULL,
      "{'in':[[7,null]]}" }, /* nothing of an iteration without tasks */
    { SOURCE_ALL, USER, "x", 2, TYPE_INT, false, NULL, "{'in':[]}" },
};

static void test_values (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (value_cases); i++) {
        struct error err = ERROR_INIT;
        struct json *values = resolve_one (&value_cases[i], &err);

        print_message ("# case %zu\n", i);
        if (!values)
            fail_msg ("%s", err.text);
        assert_json (values, value_cases[i].values);
        json_unref (values);
    }
}

/* --- joined lists --- */

struct part {
    enum source source;
    int stage;
    const char *output;
    bool is_item;
};

static const struct {
    enum type_kind kind;
    int iteration;
    struct part parts[4];
    size_t n_parts;
    bool fallback;
    const char *values;
    enum readiness readiness;
} joined_cases[] = {
    /* lists one after the other, what was skipped has nothing */
    { TYPE_FLOAT,
      2,
      { { SOURCE_THIS, LABEL, "energy", false },
        { SOURCE_PREVIOUS, LABEL, "energy", false } },
      2,
      false,
      "{'in':[2,5]}",
      INPUTS_READY },
    { TYPE_FLOAT,
      1,
      { { SOURCE_PREVIOUS, LABEL, "energy", false },
        { SOURCE_PREVIOUS, LABEL, "energy", false } },
      2,
      false,
      "{'in':[1,3,4,1,3,4]}",
      INPUTS_READY },
    /* a value is an item of the list */
    { TYPE_FLOAT,
      1,
      { { SOURCE_PREVIOUS, SELECT, "accurate", true },
        { SOURCE_PREVIOUS, LABEL, "energy", false },
        { SOURCE_PREVIOUS, SELECT, "accurate", true } },
      3,
      false,
      "{'in':[0.5,1,3,4,0.5]}",
      INPUTS_READY },
    /* all were skipped */
    { TYPE_FLOAT,
      0,
      { { SOURCE_PREVIOUS, LABEL, "energy", false },
        { SOURCE_PREVIOUS, SELECT, "accurate", true } },
      2,
      false,
      "{}",
      INPUTS_SKIP },
    { TYPE_FLOAT,
      0,
      { { SOURCE_PREVIOUS, LABEL, "energy", false },
        { SOURCE_PREVIOUS, SELECT, "accurate", true } },
      2,
      true,
      "{'in':[7]}",
      INPUTS_READY },
    /* frames, files after files; the initial data once and first */
    { TYPE_FRAMES,
      0,
      { { SOURCE_THIS, SELECT, "frames", false },
        { SOURCE_THIS, LABEL, "dataset", false } },
      2,
      false,
      "{'in':['f0','a','c','d']}",
      INPUTS_READY },
    { TYPE_FRAMES,
      2,
      { { SOURCE_THIS, LABEL, "dataset", false },
        { SOURCE_ALL, SELECT, "frames", false },
        { SOURCE_ALL, LABEL, "dataset", false } },
      3,
      false,
      "{'in':['i1','i2','e','f','f0','f1','a','c','d','e','f']}",
      INPUTS_READY },
    { TYPE_FRAMES,
      0,
      { { SOURCE_PREVIOUS, LABEL, "dataset", false },
        { SOURCE_ALL, USER, "x", false } },
      2,
      false,
      "{'in':['i1','i2']}",
      INPUTS_READY },
    { TYPE_FLOAT,
      2,
      { { SOURCE_ALL, LABEL, "energy", true },
        { SOURCE_ALL, LABEL, "energy", false } },
      2,
      false,
      "{'in':[[[1,3,4],[2,5]],[1,3,4],[2,5]]}",
      INPUTS_READY },
};

static void test_joined (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (joined_cases); i++) {
        const struct port port = { .name = "in",
                                   .type.kind = joined_cases[i].kind };
        struct binding parts[4];
        struct json *given = joined_cases[i].fallback ? json_of ("[7]") : NULL;
        struct binding binding = { .port = &port,
                                   .source = SOURCE_JOINED,
                                   .stage = -1,
                                   .parts = parts,
                                   .n_parts = joined_cases[i].n_parts,
                                   .fallback = given };
        const struct stage user = { .name = "user",
                                    .op = &user_op,
                                    .bindings = &binding,
                                    .n_bindings = 1 };
        struct error err = ERROR_INIT;
        struct strbuf why = STRBUF_INIT;
        struct json *values;

        print_message ("# case %zu\n", i);
        for (size_t k = 0; k < joined_cases[i].n_parts; k++) {
            const struct part *part = &joined_cases[i].parts[k];

            parts[k] = (struct binding){ .port = &port,
                                         .source = part->source,
                                         .stage = part->stage,
                                         .output = part->output,
                                         .is_item = part->is_item };
        }
        values = inputs_resolve (&scene.plan, &scene.state, scene.outputs,
                                 &user, joined_cases[i].iteration, &err);
        if (!values)
            fail_msg ("%s", err.text);
        assert_json (values, joined_cases[i].values);
        assert_int_equal (inputs_readiness (&scene.plan, &scene.state, &user,
                                            joined_cases[i].iteration, &why),
                          joined_cases[i].readiness);
        if (joined_cases[i].readiness == INPUTS_SKIP)
            assert_string_equal (why.buf,
                                 "input 'in' needs 'energy' of stage 'label', "
                                 "which has no previous iteration");
        strbuf_release (&why);
        json_unref (values);
        json_unref (given);
    }
}

static void test_what_should_be_there_is_not (void **unused)
{
    const struct value_case cases[] = {
        { SOURCE_THIS, LABEL, "virial", 0, TYPE_FLOAT, false, NULL,
          "input 'in': stage 'label' left no output 'virial' in iteration 0" },
        { SOURCE_THIS, LABEL, "virial", 0, TYPE_FLOAT, false, "[]",
          "input 'in': stage 'label' left no output 'virial' in iteration 0" },
        { SOURCE_THIS, LABEL, later, 0, TYPE_FLOAT, false, NULL,
          "input 'in': stage 'label' left no output 'later'" },
        { SOURCE_ALL, LABEL, "virial", 2, TYPE_FLOAT, false, NULL,
          "input 'in': stage 'label' left no output 'virial'" },
        { SOURCE_THIS, LABEL, "energy", 0, TYPE_FLOAT, false, NULL,
          "label/x/iter/000000/outputs.json" },
        { SOURCE_ALL, LABEL, "dataset", 2, TYPE_FRAMES, false, NULL,
          "label/x/iter/000000/outputs.json" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;

        if (i == 4) { /* what was read is kept, what is gone is missed */
            outputs_store_destroy (scene.outputs);
            scene.outputs = outputs_store_create (scene.dir.path, &scene.state);
            assert_int_equal (file_remove_tree ("label", NULL, NULL), 0);
        }
        assert_null (resolve_one (&cases[i], &err));
        if (!strstr (err.text, cases[i].values))
            fail_msg ("%s", err.text);
    }
}

static void test_outputs_files (void **unused)
{
    struct outputs_store *store =
        outputs_store_create (scene.dir.path, &scene.state);
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (unlink ("label/x/iter/000002/outputs.json"), 0);
    assert_null (outputs_store_get (store, 2, "label", &err));
    write_text ("label/x/iter/000002/outputs.json", "{\"format\": 1}");
    assert_null (outputs_store_get (store, 2, "label", &err));
    assert_non_null (strstr (err.text, "outputs.json: key 'outputs'"));
    write_text ("label/x/iter/000002/outputs.json",
                "{\"format\": 1, \"outputs\": {\"count\": 2}}");
    assert_json (outputs_store_get (store, 2, "label", &err), "{'count':2}");
    write_text ("label/x/iter/000002/outputs.json", "gone");
    assert_json (outputs_store_get (store, 2, "label", &err), "{'count':2}");
    outputs_store_destroy (store);
    outputs_store_destroy (NULL);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_readiness, enter, leave),
        cmocka_unit_test_setup_teardown (test_counted, enter, leave),
        cmocka_unit_test_setup_teardown (test_values, enter, leave),
        cmocka_unit_test_setup_teardown (test_joined, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_should_be_there_is_not,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_outputs_files, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
