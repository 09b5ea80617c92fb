/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slices.c - inputs cut into tasks */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "engine/act/slices.h"
#include "history.h"
#include "signature/operator.h"
#include "temp_dir.h"

#define FRAME_A "1\nProperties=species:S:1:pos:R:3\nSi 0 0 0\n"
#define FRAME_B "2\nProperties=species:S:1:pos:R:3\nSi 0 0 0\nSi 1 1 1\n"
#define FRAME_C "1\nProperties=species:S:1:pos:R:3\nGe 0.25 0 0\n"

static const struct port inputs[] = {
    { .name = "model", .type.kind = TYPE_INT },
    { .name = "weight", .type.kind = TYPE_FLOAT, .optional = true },
    { .name = "frames", .type.kind = TYPE_FRAMES, .optional = true },
    { .name = "input", .type.kind = TYPE_FILE, .optional = true },
    { .name = "lists",
      .type.kind = TYPE_INT,
      .type.depth = 1,
      .optional = true },
    { .name = "parts",
      .type.kind = TYPE_FRAMES,
      .type.depth = 1,
      .optional = true,
      .holes = true },
    { .name = NULL },
};

static const struct port made_slices[] = {
    { .name = "scale", .type.kind = TYPE_FLOAT },
    { .name = "label", .type.kind = TYPE_STRING },
    { .name = NULL },
};

#define FAN_OUT(...)                                                           \
    (const char *const[])                                                      \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }

static struct temp_dir dir;

static int enter (void **state)
{
    (void)state;
    temp_dir_enter (&dir);
    write_text ("ab.extxyz", FRAME_A FRAME_B);
    write_text ("c.extxyz", FRAME_C);
    write_text ("none.extxyz", "");
    write_text ("bad.extxyz", "2\nhalf\n");
    return 0;
}

static int leave (void **state)
{
    (void)state;
    temp_dir_leave (&dir);
    return 0;
}

static struct operator_spec operator_of (const char *const *fan_out,
                                         bool prepares)
{
    return (struct operator_spec){ .inputs = inputs,
                                   .fan_out = fan_out,
                                   .slices = prepares ? made_slices : NULL };
}

static int add_line (const struct json *slice, void *lines, struct error *err)
{
    (void)err;
    json_dump (slice, JSON_COMPACT, lines);
    strbuf_add_char (lines, '\n');
    return 0;
}

static void expect_cut (const struct operator_spec *op, const char *values_text,
                        const char *made_text, size_t n_wanted,
                        const char *lines_wanted, const char *same_wanted)
{
    struct json *values = json_of (values_text);
    struct json *made = made_text ? json_of (made_text) : NULL;
    struct strbuf lines = STRBUF_INIT;
    struct error err = ERROR_INIT;
    size_t n = 99;
    struct json *same = slices_cut (op, values, made, dir.path, add_line,
                                    &lines, &n, NULL, &err);

    if (!same)
        fail_msg ("%s", err.text);
    for (size_t i = 0; i < lines.len; i++) {
        if (lines.buf[i] == '"')
            lines.buf[i] = '\'';
    }
    assert_int_equal (n, n_wanted);
    assert_string_equal (lines.buf, lines_wanted);
    assert_json (same, same_wanted);
    json_unref (same);
    json_unref (values);
    json_unref (made);
    strbuf_release (&lines);
}

static void test_cut (void **unused)
{
    const struct operator_spec whole = operator_of (NULL, false);
    const struct operator_spec one = operator_of (FAN_OUT ("model"), false);
    const struct operator_spec two =
        operator_of (FAN_OUT ("weight", "model"), false);
    const struct operator_spec makes = operator_of (NULL, true);
    const struct operator_spec both = operator_of (FAN_OUT ("model"), true);
    const struct operator_spec nested = operator_of (FAN_OUT ("lists"), false);

    (void)unused;
    expect_cut (&whole, "{'model':1,'input':'x'}", NULL, 1, "",
                "{'model':1,'input':'x'}");
    expect_cut (&one, "{'model':[3,1,3],'input':'x','weight':0.5}", NULL, 3,
                "{'model':3}\n{'model':1}\n{'model':3}\n",
                "{'input':'x','weight':0.5}");
    expect_cut (&one, "{'model':[]}", NULL, 0, "", "{}");
    expect_cut (&two, "{'weight':[0.5,2],'model':[0,1]}", NULL, 2,
                "{'model':0,'weight':0.5}\n{'model':1,'weight':2}\n", "{}");
    /* one that is optional and not there */
    expect_cut (&two, "{'model':[0,1]}", NULL, 2, "{'model':0}\n{'model':1}\n",
                "{}");
    expect_cut (&makes, "{'model':7}", "{'scale':[1,1.5],'label':['a','b']}", 2,
                "{'scale':1,'label':'a'}\n{'scale':1.5,'label':'b'}\n",
                "{'model':7}");
    expect_cut (&makes, "{'model':7}", "{'scale':[],'label':[]}", 0, "",
                "{'model':7}");
    expect_cut (&both, "{'model':[7]}", "{'scale':[1],'label':['a'],'x':3}", 1,
                "{'model':7,'scale':1,'label':'a'}\n", "{}");
    expect_cut (&nested, "{'lists':[[1,2],[]],'model':0}", NULL, 2,
                "{'lists':[1,2]}\n{'lists':[]}\n", "{'model':0}");
}

static void test_frames (void **unused)
{
    const struct operator_spec op = operator_of (FAN_OUT ("frames"), false);
    const struct operator_spec with =
        operator_of (FAN_OUT ("frames", "model"), false);
    const struct operator_spec parts = operator_of (FAN_OUT ("parts"), false);
    char *full = path_join (dir.path, "c.extxyz");
    struct strbuf values = STRBUF_INIT;
    struct strbuf lines = STRBUF_INIT;

    (void)unused;
    expect_cut (&op, "{'frames':'ab.extxyz','model':1}", NULL, 2,
                "{'frames':{'path':'ab.extxyz','frame':0,'offset':0,"
                "'bytes':42}}\n"
                "{'frames':{'path':'ab.extxyz','frame':1,'offset':42,"
                "'bytes':51}}\n",
                "{'model':1}");
    expect_cut (&with, "{'frames':['c.extxyz','ab.extxyz'],'model':[5,6,7]}",
                NULL, 3,
                "{'model':5,'frames':{'path':'c.extxyz','frame':0,'offset':0,"
                "'bytes':45}}\n"
                "{'model':6,'frames':{'path':'ab.extxyz','frame':0,'offset':0,"
                "'bytes':42}}\n"
                "{'model':7,'frames':{'path':'ab.extxyz','frame':1,"
                "'offset':42,'bytes':51}}\n",
                "{}");
    expect_cut (&op, "{'frames':'none.extxyz'}", NULL, 0, "", "{}");
    expect_cut (&op, "{'frames':[]}", NULL, 0, "", "{}");
    /* the entries of tasks that failed hold no frames */
    expect_cut (&op, "{'frames':[null,'c.extxyz',null]}", NULL, 1,
                "{'frames':{'path':'c.extxyz','frame':0,'offset':0,"
                "'bytes':45}}\n",
                "{}");
    strbuf_addf (&values, "{'frames':'%s'}", full);
    strbuf_addf (&lines,
                 "{'frames':{'path':'%s','frame':0,'offset':0,'bytes':45}}\n",
                 full);
    expect_cut (&op, values.buf, NULL, 1, lines.buf, "{}");
    /* a list of lists of files is cut into lists of files */
    expect_cut (&parts, "{'parts':[['ab.extxyz'],['c.extxyz','x']]}", NULL, 2,
                "{'parts':['ab.extxyz']}\n{'parts':['c.extxyz','x']}\n", "{}");
    strbuf_release (&lines);
    strbuf_release (&values);
    free (full);
}

static void test_cannot_cut (void **unused)
{
    const struct operator_spec two =
        operator_of (FAN_OUT ("weight", "model"), false);
    const struct operator_spec frames =
        operator_of (FAN_OUT ("frames", "model"), false);
    const struct operator_spec both = operator_of (FAN_OUT ("model"), true);
    const struct {
        const struct operator_spec *op;
        const char *values, *made, *message;
    } cases[] = {
        { &two, "{'weight':[0.5,1],'model':[0,1,2]}", NULL,
          "'model' has 3 items but 'weight' has 2" },
        { &frames, "{'frames':'ab.extxyz','model':[0,1,2]}", NULL,
          "'model' has 3 items but 'frames' has 2" },
        { &both, "{'model':[0,1]}", "{'scale':[1],'label':['a']}",
          "'model' has 2 items but 'scale' has 1" },
        { &both, "{'model':[0]}", "{'scale':[1],'label':['a','b']}",
          "'model' has 1 items but 'label' has 2" },
        { &two, "{'model':3}", NULL, "'model' is sliced, but is an integer" },
        { &two, "{}", NULL, "nothing to slice" },
        { &frames, "{'frames':'gone.extxyz'}", NULL, "gone.extxyz" },
        { &frames, "{'frames':'bad.extxyz'}", NULL, "bad.extxyz" },
        { &frames, "{'frames':['c.extxyz','bad.extxyz']}", NULL, "bad.extxyz" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *values = json_of (cases[i].values);
        struct json *made = cases[i].made ? json_of (cases[i].made) : NULL;
        struct strbuf lines = STRBUF_INIT;
        struct error err = ERROR_INIT;
        size_t n = 99;

        print_message ("# %s\n", cases[i].message);
        assert_null (slices_cut (cases[i].op, values, made, dir.path, add_line,
                                 &lines, &n, NULL, &err));
        if (!strstr (err.text, cases[i].message))
            fail_msg ("%s", err.text);
        assert_int_equal (n, 99);
        assert_int_equal (lines.len, 0);
        json_unref (values);
        json_unref (made);
    }
}

static const struct port made_files[] = {
    { .name = "n", .type.kind = TYPE_INT },
    { .name = "start", .type.kind = TYPE_FILE },
    { .name = "frame", .type.kind = TYPE_FRAMES },
    { .name = "parts", .type = { .kind = TYPE_FILE, .depth = 1 } },
    { .name = NULL },
};

#define MADE(start, frame, parts)                                              \
    "{'n':[1],'start':" start ",'frame':" frame ",'parts':" parts "}"

/* Paths that prepare writes are seen from its out/, which is kept. */
static void test_made (void **unused)
{
    const struct operator_spec op = { .slices = made_files };
    const struct {
        const char *made;
        const char *placed; /* or a message */
        bool good;
    } cases[] = {
        { MADE ("['c.extxyz']", "'ab.extxyz'", "[['c.extxyz'],[]]"),
          "{'n':[1],'start':['k/c.extxyz'],'frame':'k/ab.extxyz',"
          "'parts':[['k/c.extxyz'],[]]}",
          true },
        { MADE ("[]", "['ab.extxyz']", "[]"),
          "{'n':[1],'start':[],'frame':['k/ab.extxyz'],'parts':[]}", true },
        { "{'n':[1]}", "prepare made no list 'start'", false },
        { "[]", "prepare made no list 'n'", false },
        { "{'n':1}", "'n', which prepare made: expected list of int", false },
        { "{'n':['a']}", "[0]: expected int, got a string", false },
        { MADE ("['gone']", "[]", "[]"),
          "'start', which prepare made: [0]: no such file 'gone'", false },
        { MADE ("['.']", "[]", "[]"), "'.' is not below out/", false },
        { MADE ("['/etc/passwd']", "[]", "[]"),
          "'/etc/passwd' is not below out/; write paths as seen", false },
        { MADE ("[]", "[]", "[['c.extxyz','../x']]"),
          "'parts', which prepare made: '../x' is not below out/", false },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *made = json_of (cases[i].made);
        struct error err = ERROR_INIT;
        struct json *placed = slices_made (&op, made, dir.path, "k", &err);

        print_message ("# %s\n", cases[i].made);
        if (cases[i].good != (placed != NULL))
            fail_msg ("%s", err.text);
        if (placed)
            assert_json (placed, cases[i].placed);
        else if (!strstr (err.text, cases[i].placed))
            fail_msg ("%s", err.text);
        json_unref (placed);
        json_unref (made);
    }
}

static void test_check (void **unused)
{
    const struct operator_spec whole = operator_of (NULL, false);
    const struct operator_spec sliced =
        operator_of (FAN_OUT ("model", "frames"), false);
    const struct {
        const struct operator_spec *op;
        const char *values;
        const char *message; /* NULL: it fits */
    } cases[] = {
        { &whole, "{'model':1}", NULL },
        { &whole, "{}", "input 'model' has no value" },
        { &whole, "{'model':1.5}", "input 'model': expected int" },
        { &whole, "{'model':[1]}", "input 'model': expected int" },
        { &whole, "{'model':null}", "input 'model': expected int" },
        { &whole, "{'model':1,'weight':2}", NULL },
        { &whole, "{'model':1,'input':'c.extxyz'}", NULL },
        { &whole, "{'model':1,'input':'gone'}", "no such file 'gone'" },
        { &whole, "{'model':1,'input':'.'}", "not a regular file" },
        { &whole, "{'model':1,'frames':'c.extxyz'}", NULL },
        { &whole, "{'model':1,'frames':['c.extxyz','ab.extxyz']}", NULL },
        { &whole, "{'model':1,'frames':['c.extxyz','gone']}",
          "input 'frames': [1]: no such file 'gone'" },
        { &whole, "{'model':1,'frames':['c.extxyz',null]}",
          "input 'frames': [1]: " },
        { &whole, "{'model':1,'parts':['c.extxyz',null]}", NULL },
        { &sliced, "{'model':[1,2]}", NULL },
        { &sliced, "{'model':[]}", NULL },
        { &sliced, "{'model':1}", "input 'model': expected list of int" },
        { &sliced, "{'model':[1,'x']}", "input 'model': [1]: expected int" },
        { &sliced, "{'model':[1],'frames':'c.extxyz'}", NULL },
        { &sliced, "{'model':[1],'frames':['c.extxyz']}", NULL },
        { &sliced, "{'model':[1],'frames':7}", "input 'frames': expected" },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *values = json_of (cases[i].values);
        struct error err = ERROR_INIT;
        int rc = slices_check (cases[i].op, values, dir.path, NULL, &err);

        print_message ("# %s\n", cases[i].values);
        if (rc < 0
            && !(cases[i].message && strstr (err.text, cases[i].message)))
            fail_msg ("%s", err.text);
        assert_int_equal (rc, cases[i].message ? -1 : 0);
        json_unref (values);
    }
}

static void test_a_default_needs_no_value (void **unused)
{
    static const struct port ports[] = {
        { .name = "ridge", .type.kind = TYPE_FLOAT, .default_json = "1e-7" },
        { .name = NULL },
    };
    const struct operator_spec op = { .inputs = ports };
    const struct operator_spec none = { 0 };
    struct json *empty = json_object ();

    (void)unused;
    assert_int_equal (slices_check (&op, empty, dir.path, NULL, NULL), 0);
    assert_int_equal (slices_check (&none, empty, dir.path, NULL, NULL), 0);
    json_unref (empty);
}

static void test_ports (void **unused)
{
    const struct operator_spec both = operator_of (FAN_OUT ("model"), true);
    const struct operator_spec none = { 0 };
    struct port *ports = slices_ports (&both);

    (void)unused;
    assert_string_equal (ports[0].name, "model");
    assert_string_equal (ports[5].name, "parts");
    assert_string_equal (ports[6].name, "scale");
    assert_string_equal (ports[7].name, "label");
    assert_null (ports[8].name);
    free (ports);
    ports = slices_ports (&none);
    assert_null (ports[0].name);
    free (ports);
    assert_true (slices_name (&both, "model"));
    assert_true (slices_name (&both, "scale"));
    assert_false (slices_name (&both, "weight"));
    assert_false (slices_name (&none, "model"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_cut),
        cmocka_unit_test (test_frames),
        cmocka_unit_test (test_cannot_cut),
        cmocka_unit_test (test_made),
        cmocka_unit_test (test_check),
        cmocka_unit_test (test_a_default_needs_no_value),
        cmocka_unit_test (test_ports),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, enter, leave);
}
