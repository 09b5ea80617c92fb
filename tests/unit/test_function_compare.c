/* SPDX-License-Identifier: BSD-3-Clause */
/* test_function_compare.c - where an operator and its Python function differ */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "quoted_json.h"
#include "signature/function_compare.h"
#include "signature/operator.h"

/* --- which function --- */

static void test_which (void **state)
{
    static const struct {
        const char *argv[8];
        const char *file, *name; /* NULL: none */
    } rows[] = {
        { { "python3", "-m", "fanfold.run", "{campaign}/lib/a.py", "f" },
          "lib/a.py",
          "f" },
        { { "{launcher}", "/opt/bin/python", "-u", "-m", "fanfold.serve",
            "{FANFOLD_PROGRAMS}/a.py", "f" },
          "a.py",
          "f" },
        { { "python3", "-m", "fanfold.run", "/elsewhere/a.py", "f" },
          NULL,
          NULL },
        { { "python3", "-m", "fanfold.run", "{campaign}/a.py" }, NULL, NULL },
        { { "python3", "-m", "fanfold.run" }, NULL, NULL },
        { { "python3", "-m", "mine.run", "{campaign}/a.py", "f" }, NULL, NULL },
        { { "python3", "{campaign}/a.py" }, NULL, NULL },
        { { "python3", "-m" }, NULL, NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const char *const *const commands[] = { rows[i].argv, NULL };
        const struct operator_spec op = { .commands = commands };
        struct function_place place = { NULL, NULL };

        assert_int_equal (operator_function (&op, &place),
                          rows[i].file != NULL);
        if (rows[i].file) {
            assert_string_equal (place.file, rows[i].file);
            assert_string_equal (place.name, rows[i].name);
        }
    }
    assert_false (operator_function (&(struct operator_spec){ 0 }, NULL));
}

/* --- differences --- */

static const struct port inputs[] = {
    { .name = "model", .type = { .kind = TYPE_INT } },
    { .name = "rate", .type = { .kind = TYPE_FLOAT }, .default_json = "0.5" },
    { .name = "data", .type = { .kind = TYPE_FRAMES, .depth = 1 } },
    { .name = "start", .type = { .kind = TYPE_FILE }, .optional = true },
    { .name = "grid",
      .type = { .kind = TYPE_NPY,
                .dtype = "f4",
                .n_dims = 3,
                .shape = { 3, -1, -1 },
                .sizes = { NULL, "n", NULL } } },
    { .name = NULL },
};
static const struct port outputs[] = {
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { .name = NULL },
};
static const struct port slices[] = {
    { .name = "cut", .type = { .kind = TYPE_INT } },
    { .name = NULL },
};
static const char *const fan_out[] = { "model", NULL };
static const char *const train[] = { "train", "{seed}", NULL };
static const char *const *const commands[] = { train, NULL };
static const char *const prepare[] = { "prepare", NULL };

static const struct operator_spec op = { .name = "my.train",
                                         .inputs = inputs,
                                         .outputs = outputs,
                                         .fan_out = fan_out,
                                         .commands = commands };
static const struct operator_spec prepared = { .name = "my.train",
                                               .inputs = inputs,
                                               .outputs = outputs,
                                               .slices = slices,
                                               .prepare = prepare,
                                               .fan_out = fan_out,
                                               .commands = commands };

#define MODEL "'model': {'type': 'int'}, "
#define RATE "'rate': {'type': 'float'}, "
#define DATA "'data': {'type': 'frames', 'list': true}, "
#define START "'start': {'type': 'file', 'optional': true}, "
#define GRID "'grid': {'type': 'npy'}"
#define SLICED "{'fan_out': ['model'], 'inputs': {"
#define REST "}, 'outputs': {'rmse': {'type': 'float'}}, 'reads': ['seed']}"

static const struct {
    const struct operator_spec *op;
    const char *function; /* ' for " */
    const char *differences;
} rows[] = {
    { &op, SLICED MODEL RATE DATA START GRID REST, "" },
    { &op,
      SLICED MODEL "'rate': {'type': 'float', 'default': 0.5}, " DATA
                   "'start': {'type': 'file', 'default': 'a'}, "
                   "'grid': {'type': 'npy', 'dtype': 'f4', "
                   "'shape': [3, 'n', 'any']}" REST,
      "input 'start': default is none here and \"a\" in the function; make "
      "them equal\n" },
    { &op,
      SLICED MODEL "'rate': {'type': 'int', 'default': 1}, "
                   "'data': {'type': 'frames', 'list': 2}, "
                   "'start': {'type': 'file'}, "
                   "'grid': {'type': 'npy', 'dtype': 'f8', 'shape': [3]}" REST,
      "input 'rate': type is \"float\" here and \"int\" in the function; make "
      "them equal\n"
      "input 'rate': default is 0.5 here and 1 in the function; make them "
      "equal\n"
      "input 'data': list is 1 here and 2 in the function; make them equal\n"
      "input 'start': optional is true here and none in the function; make "
      "them equal\n"
      "input 'grid': dtype is \"f4\" here and \"f8\" in the function; make "
      "them equal\n"
      "input 'grid': shape is [3,\"n\",\"any\"] here and [3] in the function; "
      "make them equal\n" },
    { &op,
      "{'fan_out': ['rate'], 'inputs': {" MODEL RATE DATA START GRID
      "}, 'outputs': {'rsme': {'type': 'float'}}, "
      "'reads': ['seed', 'iteration']}",
      "input 'model' is sliced here (fan_out) and not in the function; write "
      "Each[...] there\n"
      "input 'rate' is sliced in the function (Each) and not here; write it "
      "in fan_out\n"
      "output 'rmse' is declared here, and the function has none; remove one "
      "or add the other\n"
      "output 'rsme' of the function is not declared here; add it, or remove "
      "it there\n"
      "the function takes 'iteration', which is not in reads; write reads: "
      "[iteration]\n" },
    { &op, SLICED MODEL RATE DATA GRID ", 'more': {'type': 'int'}" REST,
      "input 'start' is declared here, and the function has none; remove one "
      "or add the other\n"
      "input 'more' of the function is not declared here; add it, or remove "
      "it there\n" },
    /* Inputs may be for prepare, which makes others. */
    { &prepared,
      "{'fan_out': ['cut', 'model'], 'inputs': {" MODEL
      "'cut': {'type': 'int'}" REST,
      "" },
    { &prepared, SLICED MODEL "'cut': {'type': 'string'}" REST,
      "input 'cut': type is \"int\" here and \"string\" in the function; make "
      "them equal\n"
      "input 'cut' is sliced here (fan_out) and not in the function; write "
      "Each[...] there\n" },
};

static void test_differences (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
        struct json *function = json_of (rows[i].function);

        function_compare (rows[i].op, function, &found);
        for (size_t k = 0; k < found.n; k++)
            strbuf_addf (&text, "%s\n", found.v[k]);
        assert_string_equal (text.buf, rows[i].differences);
        json_unref (function);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_which),
        cmocka_unit_test (test_differences),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
