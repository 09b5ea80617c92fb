/* SPDX-License-Identifier: BSD-3-Clause */
/* test_inputs.c - bindings become values, or reasons to wait or to skip
 *
 * Three iterations of label, select and train are past; a fourth stage, user,
 * is bound to them in every way.
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "campaign/plan.h"
#include "engine/act/inputs.h"
#include "engine/decide/conditions.h"
#include "engine/decide/observations.h"
#include "engine/decide/readiness.h"
#include "engine/history/outputs_store.h"
#include "history.h"
#include "signature/expression.h"
#include "space/layout.h"
#include "temp_dir.h"

enum { LABEL, SELECT, TRAIN, USER };

static const struct port label_outputs[] = {
    { .name = "dataset", .type.kind = TYPE_FRAMES },
    { .name = "energy", .type.kind = TYPE_FLOAT },
    { .name = NULL },
};
static const struct port select_outputs[] = {
    { .name = "frames", .type.kind = TYPE_FRAMES },
    { .name = "accurate", .type.kind = TYPE_FLOAT },
    { .name = NULL },
};
static const struct port train_outputs[] = {
    { .name = "model", .type.kind = TYPE_FILE },
    { .name = NULL },
};
static const struct port train_collected[] = {
    { .name = "best", .type.kind = TYPE_LIST },
    { .name = NULL },
};

static const struct operator_spec label_op = {
    .name = "x.label",
    .code = "x",
    .outputs = label_outputs,
    .fan_out = (const char *const[]){ "frames", NULL },
};
static const struct operator_spec select_op = { .name = "x.select",
                                                .code = "x",
                                                .outputs = select_outputs };
static const struct operator_spec train_op = {
    .name = "x.train",
    .code = "x",
    .outputs = train_outputs,
    .collected = train_collected,
    .fan_out = (const char *const[]){ "model", NULL },
};
static const struct operator_spec user_op = { .name = "x.user", .code = "x" };

static const char *const past[] = {
    "{'ev':'iteration','iteration':0}",
    "{'ev':'prepared','iteration':0,'stage':'label','tasks':4}",
    "{'ev':'results','iteration':0,'stage':'label','tried':'0-3','outcomes':"
    "{'ok':'0,2-3','failed':'1'}}",
    "{'ev':'stage','iteration':0,'stage':'label','phase':'done','count':3,"
    "'proceed':true}",
    "{'ev':'prepared','iteration':0,'stage':'select','tasks':1}",
    "{'ev':'stage','iteration':0,'stage':'select','phase':'done','count':1,"
    "'proceed':true}",
    "{'ev':'prepared','iteration':0,'stage':'train','tasks':2}",
    "{'ev':'results','iteration':0,'stage':'train','tried':'0-1','outcomes':"
    "{'ok':'0','lost':'1'}}",
    "{'ev':'stage','iteration':0,'stage':'train','phase':'done','count':1,"
    "'proceed':true}",
    "{'ev':'closing','iteration':0,'history':{}}",
    "{'ev':'iteration','iteration':1}",
    "{'ev':'skip','iteration':1,'stage':'label','why':'w'}",
    "{'ev':'prepared','iteration':1,'stage':'select','tasks':1}",
    "{'ev':'stage','iteration':1,'stage':'select','phase':'done','count':1,"
    "'proceed':false}",
    "{'ev':'prepared','iteration':1,'stage':'train','tasks':0}",
    "{'ev':'stage','iteration':1,'stage':'train','phase':'done','count':0,"
    "'proceed':false}",
    "{'ev':'closing','iteration':1,'history':{}}",
    "{'ev':'iteration','iteration':2}",
    "{'ev':'prepared','iteration':2,'stage':'label','tasks':2}",
    "{'ev':'results','iteration':2,'stage':'label','tried':'0-1','outcomes':"
    "{'ok':'0-1'}}",
    "{'ev':'stage','iteration':2,'stage':'label','phase':'done','count':2,"
    "'proceed':true}",
    "{'ev':'prepared','iteration':2,'stage':'train','tasks':2}",
    NULL,
};

static const struct {
    int stage, iteration;
    const char *outputs;
} left[] = {
    { LABEL, 0,
      "{'count':3,'proceed':true,'dataset':['a',null,'c','d'],"
      "'energy':[1,null,3,4]}" },
    { SELECT, 0, "{'count':1,'proceed':true,'frames':'f0','accurate':0.5}" },
    { TRAIN, 0,
      "{'count':1,'proceed':true,'model':['m0',null],'best':[7,null]}" },
    { SELECT, 1, "{'count':1,'proceed':false,'frames':'f1','accurate':0.9}" },
    { TRAIN, 1, "{'count':0,'proceed':false,'model':[],'best':[]}" },
    { LABEL, 2,
      "{'count':2,'proceed':true,'dataset':['e','f'],'energy':[2,5]}" },
};

struct scene {
    struct temp_dir dir;
    struct stage stages[4];
    struct plan plan;
    struct state state;
    struct outputs_store *outputs;
};

static struct scene scene;

static int enter (void **unused)
{
    static const char *const names[] = { "label", "select", "train", "user" };
    static const struct operator_spec *const ops[] = { &label_op, &select_op,
                                                       &train_op, &user_op };
    static const char *const initial[] = { "i1", "i2", NULL };

    (void)unused;
    memset (&scene, 0, sizeof (scene));
    temp_dir_enter (&scene.dir);
    for (int s = 0; s < 4; s++)
        scene.stages[s] = (struct stage){ .name = names[s], .op = ops[s] };
    scene.plan = (struct plan){
        .dir = scene.dir.path,
        .stages = scene.stages,
        .n_stages = 4,
        .initial = initial,
    };
    happen_all (&scene.state, past);
    scene.outputs = outputs_store_create (scene.dir.path);
    for (size_t i = 0; i < ARRAY_SIZE (left); i++) {
        struct stage_place place = { names[left[i].stage], "x",
                                     left[i].iteration };
        struct strbuf path = STRBUF_INIT;
        struct json *v = json_object ();

        json_set (v, "outputs", json_of (left[i].outputs));
        layout_stage_path (&place, LAYOUT_OUTPUTS, &path);
        assert_int_equal (file_make_parent (path.buf, NULL), 0);
        assert_int_equal (json_write_file (path.buf, v, NULL), 0);
        strbuf_release (&path);
        json_unref (v);
    }
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    outputs_store_destroy (scene.outputs);
    state_release (&scene.state);
    temp_dir_leave (&scene.dir);
    return 0;
}

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

static struct json *resolve_one (const struct value_case *c, struct error *err)
{
    const struct port port = { .name = "in",
                               .type.kind = c->kind,
                               .holes = c->holes };
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

static void test_values (void **unused)
{
    const struct value_case cases[] = {
        { SOURCE_LITERAL, 0, NULL, 0, TYPE_INT, false, "3", "{'in':3}" },
        { SOURCE_UNBOUND, 0, NULL, 0, TYPE_INT, false, "4", "{'in':4}" },
        { SOURCE_UNBOUND, 0, NULL, 0, TYPE_INT, false, NULL, "{}" },
        { SOURCE_ITERATION, 0, NULL, 2, TYPE_INT, false, NULL, "{'in':2}" },
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
        { SOURCE_PREVIOUS, SELECT, "frames", 2, TYPE_FRAMES, false, NULL,
          "{}" },
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

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        struct json *values = resolve_one (&cases[i], &err);

        print_message ("# case %zu\n", i);
        if (!values)
            fail_msg ("%s", err.text);
        assert_json (values, cases[i].values);
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

        if (i == 2) { /* what was read is kept, what is gone is missed */
            outputs_store_destroy (scene.outputs);
            scene.outputs = outputs_store_create (scene.dir.path);
            assert_int_equal (file_remove_tree ("label", NULL, NULL), 0);
        }
        assert_null (resolve_one (&cases[i], &err));
        if (!strstr (err.text, cases[i].values))
            fail_msg ("%s", err.text);
    }
}

static void test_outputs_files (void **unused)
{
    const struct stage_place place = { "label", "x", 2 };
    struct outputs_store *store = outputs_store_create (scene.dir.path);
    struct error err = ERROR_INIT;

    (void)unused;
    assert_int_equal (unlink ("label/x/iter/000002/outputs.json"), 0);
    assert_null (outputs_store_get (store, &place, &err));
    write_text ("label/x/iter/000002/outputs.json", "{\"format\": 1}");
    assert_null (outputs_store_get (store, &place, &err));
    assert_non_null (strstr (err.text, "outputs.json: key 'outputs'"));
    write_text ("label/x/iter/000002/outputs.json",
                "{\"format\": 1, \"outputs\": {\"count\": 2}}");
    assert_json (outputs_store_get (store, &place, &err), "{'count':2}");
    write_text ("label/x/iter/000002/outputs.json", "gone");
    assert_json (outputs_store_get (store, &place, &err), "{'count':2}");
    outputs_store_destroy (store);
    outputs_store_destroy (NULL);
}

/* --- names in expressions --- */

static int add_name (const struct stage_place *place, void *arg,
                     struct error *err)
{
    (void)err;
    strbuf_addf (arg, "%s.%d ", place->stage, place->iteration);
    return 0;
}

static int refuse (const struct stage_place *place, void *arg,
                   struct error *err)
{
    (void)place;
    (void)arg;
    return error_set (err, "stale");
}

/* What the `when:` of user needs, and what it gives once that was read. */
static void test_conditions (void **unused)
{
    static const struct {
        const char *text, *needs, *value;
    } cases[] = {
        { "iteration", "", "2" },
        { "label.energy", "label.2 ", "[2,5]" },
        { "label.count + previous.select.accurate", "label.2 select.1 ",
          "2.9" },
        { "previous.label.energy", "", "null" }, /* skipped */
        { "previous.select.accurate", "select.1 ", "0.9" },
        { "train.count", "", "null" },  /* still runs */
        { "select.count", "", "null" }, /* has not begun */
        { "label.virial", "label.2 ", "null" },
        { "nobody.count", "", "null" },
        { "select", "", "null" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct expression *when = expression_parse (cases[i].text, NULL);
        struct observations seen = { 0 };
        struct strbuf needs = STRBUF_INIT;
        struct error err = ERROR_INIT;
        struct json *v = NULL;

        print_message ("# %s\n", cases[i].text);
        scene.stages[USER].when = when;
        assert_int_equal (conditions_needs (&scene.plan, &scene.state, add_name,
                                            &needs, &err),
                          0);
        assert_string_equal (needs.buf ? needs.buf : "", cases[i].needs);
        if (needs.len > 0) {
            assert_int_equal (conditions_needs (&scene.plan, &scene.state,
                                                refuse, NULL, &err),
                              -1);
            assert_int_equal (condition_evaluate (when, &scene.plan,
                                                  &scene.state, &seen, &v,
                                                  &err),
                              CONDITION_UNKNOWN);
            assert_null (v);
        }
        for (size_t j = 0; j < ARRAY_SIZE (left); j++) {
            const struct stage_place place = { scene.stages[left[j].stage].name,
                                               "x", left[j].iteration };

            observations_add_outputs (
                &seen, place.stage, place.iteration,
                outputs_store_get (scene.outputs, &place, NULL));
        }
        assert_int_equal (condition_evaluate (when, &scene.plan, &scene.state,
                                              &seen, &v, &err),
                          CONDITION_KNOWN);
        assert_json (v, cases[i].value);
        json_unref (v);
        observations_release (&seen);
        strbuf_release (&needs);
        scene.stages[USER].when = NULL;
        expression_destroy (when);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_readiness, enter, leave),
        cmocka_unit_test_setup_teardown (test_values, enter, leave),
        cmocka_unit_test_setup_teardown (test_joined, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_should_be_there_is_not,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_outputs_files, enter, leave),
        cmocka_unit_test_setup_teardown (test_conditions, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
