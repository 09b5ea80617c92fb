/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sections.c - inputs that stand together: declared, bound, changed by
 * phases, and in task.json
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "compile_scene.h"
#include "handover/task_file.h"
#include "quoted_json.h"
#include "signature/section.h"

/* --- values within objects --- */

static void test_paths (void **state)
{
    struct json *v = json_of ("{'a': {'b': 1, 'c': {'d': 2}}, 'e': 3}");
    struct json *shared = json_ref (json_get (v, "a"));

    (void)state;
    assert_int_equal (json_as_int (json_get_path (v, "e")), 3);
    assert_int_equal (json_as_int (json_get_path (v, "a.c.d")), 2);
    assert_null (json_get_path (v, "a.x"));
    assert_null (json_get_path (v, "e.x.y"));
    assert_null (json_get_path (NULL, "a"));
    json_set_path (v, "a.c.d", json_int (4));
    json_set_path (v, "e.f", json_int (5)); /* in place of 3 */
    json_set_path (v, "g.h", json_int (6));
    assert_json (v, "{'a':{'b':1,'c':{'d':4}},'e':{'f':5},"
                    "'g':{'h':6}}");
    assert_json (shared, "{'b':1,'c':{'d':2}}");
    json_unref (shared);
    json_unref (v);
}

/* --- names --- */

static const struct port ports[] = {
    { .name = "data", .type = { .kind = TYPE_FILE } },
    { .name = "pick.quota", .type = { .kind = TYPE_INT } },
    { .name = "pick.how", .type = { .kind = TYPE_STRING } },
    { .name = "picks", .type = { .kind = TYPE_INT } },
    { 0 },
};
static const struct other_name others[] = { { "limit", "pick: {quota: N}" },
                                            { NULL, NULL } };
static const struct operator_spec op = { .name = "my.op",
                                         .inputs = ports,
                                         .other_names = others };

static void expect_keys (const char *section, const char *expected)
{
    struct strvec keys = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    section_keys (ports, section, &keys);
    for (size_t i = 0; i < keys.n; i++)
        strbuf_addf (&text, "%s%s", i > 0 ? " " : "", keys.v[i]);
    assert_string_equal (text.buf, expected);
    strbuf_release (&text);
    strvec_release (&keys);
}

static void test_names (void **state)
{
    (void)state;
    assert_true (section_exists (ports, "pick"));
    assert_false (section_exists (ports, "data"));
    assert_false (section_exists (ports, "pic"));
    assert_false (section_exists (NULL, "pick"));
    assert_ptr_equal (section_input (ports, "pick", "how"), &ports[2]);
    assert_null (section_input (ports, "pick", "s"));
    expect_keys (NULL, "data pick picks");
    expect_keys ("pick", "quota how");
    expect_keys ("picks", "");
}

static void test_remedies (void **state)
{
    static const struct {
        const char *word;
        const char *remedy; /* NULL: none */
    } cases[] = {
        { "quota", "write pick: {quota: ...}" },
        { "pick.how", "write pick: {how: ...}" },
        { "limit", "write pick: {quota: N}" },
        { "qouta", "did you mean pick: {quota: ...}?" },
        { "datta", "did you mean 'data'?" },
        { "pik", "did you mean 'pick'?" },
        { "nothing_like_it", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;

        assert_int_equal (input_remedy (&op, cases[i].word, &text),
                          cases[i].remedy != NULL);
        assert_string_equal (text.buf, cases[i].remedy ? cases[i].remedy : "");
        strbuf_release (&text);
    }
}

/* --- of a declared operator --- */

#define OPERATOR                                                               \
    "operators:\n"                                                             \
    "  my.budget: {command: [run], outputs: {frames: {type: int}}}\n"          \
    "  my.choose:\n"                                                           \
    "    fan_out: [of.member]\n"                                               \
    "    inputs:\n"                                                            \
    "      title: {type: string, default: none}\n"                             \
    "      of: {inputs: {member: {type: int, from: models}}}\n"                \
    "      pick:\n"                                                            \
    "        doc: how many\n"                                                  \
    "        inputs:\n"                                                        \
    "          quota: {type: int}\n"                                           \
    "          how: {type: string, default: random}\n"                         \
    "          ranges: {type: map, optional: true}\n"                          \
    "    command: [choose, '{pick.quota}', '{pick.how}', '{of.member}']\n"

#define STAGE(WITH)                                                            \
    HEAD "stages:\n"                                                           \
         "  budget: {uses: my.budget}\n"                                       \
         "  choose: {uses: my.choose, with: {" WITH "}}\n"

#define PHASES "phases:\n"
#define IN_PHASE(NAME, WITH)                                                   \
    "  - {name: " NAME ", iterations: 1, stages: {choose: {with: {" WITH       \
    "}}}}\n"

static struct plan *compiled (const char *text)
{
    char *dir = make_directory ();
    struct problems problems = PROBLEMS_INIT;
    struct strbuf out = STRBUF_INIT;
    struct plan *plan;

    setenv ("XDG_CONFIG_HOME", dir, 1);
    plan = compile_texts (dir, text, NULL, &problems);
    problems_format (&problems, &out);
    if (!plan)
        fail_msg ("%s", out.buf);
    strbuf_release (&out);
    problems_release (&problems);
    temp_dir_remove (dir);
    return plan;
}

static const struct binding *binding_of (const struct plan *plan,
                                         const char *input)
{
    const struct stage *stage = &plan->stages[plan_stage_find (plan, "choose")];

    for (size_t i = 0; i < stage->n_bindings; i++) {
        if (strcmp (stage->bindings[i].port->name, input) == 0)
            return &stage->bindings[i];
    }
    fail_msg ("no input %s", input);
    return NULL;
}

/* Each key is bound by itself: to a value, an output, its default, nothing. */
static void test_bindings (void **state)
{
    struct plan *plan =
        compiled (STAGE ("pick: {quota: budget.frames, how: max"
                         "}, of: {member: [4, 5]}") STOP OPERATOR);
    const struct binding *quota = binding_of (plan, "pick.quota");

    (void)state;
    assert_int_equal (quota->source, SOURCE_THIS);
    assert_string_equal (quota->output, "frames");
    assert_json (binding_of (plan, "pick.how")->literal, "'max'");
    assert_json (binding_of (plan, "of.member")->literal, "[4,5]");
    assert_json (binding_of (plan, "title")->literal, "'none'");
    assert_null (binding_of (plan, "pick.ranges")->literal);
    assert_int_equal (plan->stages[plan_stage_find (plan, "choose")].n_after,
                      1);
    plan_destroy (plan);
    plan = compiled (STAGE ("pick: {quota: 3}") STOP OPERATOR);
    assert_json (binding_of (plan, "pick.how")->literal, "'random'");
    assert_json (binding_of (plan, "of.member")->literal, "[0,1,2,3]");
    plan_destroy (plan);
}

/* In phases: key by key in sections, values whole, ~ takes a key away, or a
 * section.
 */
static void test_phases (void **state)
{
    static const struct {
        const char *quota, *how, *ranges; /* NULL: absent */
        const char *member;
    } rows[] = {
        { "3", "'max'", "{'a':1,'b':2}", "[4,5]" },
        { "9", "'max'", "{'a':1,'b':2}", "[4,5]" },
        { "3", "'random'", "{'b':3}", "[4,5]" },
        { "3", "'max'", NULL, "[6]" },
        { "7", "'random'", NULL, "[0,1,2,3]" },
    };
    struct plan *plan = compiled (
        STAGE ("pick: {quota: 3, how: max, ranges: {a: 1, b: 2}}, of: {member: "
               "[4, 5]}") OPERATOR PHASES
        "  - {name: a, iterations: 1}\n" IN_PHASE ("b", "pick: {quota: 9}")
            IN_PHASE ("c", "pick: {how: ~, ranges: {b: 3}}") IN_PHASE (
                "d", "pick: {ranges: ~}, of: {member: [6]}")
                IN_PHASE ("e", "pick: {quota: 7, how: ~, ranges: ~}, of: ~"));

    (void)state;
    for (int i = 0; i < (int)ARRAY_SIZE (rows); i++) {
        const struct plan *in = plan_in_phase (plan, i);
        const struct json *ranges = binding_of (in, "pick.ranges")->literal;

        assert_json (binding_of (in, "pick.quota")->literal, rows[i].quota);
        assert_json (binding_of (in, "pick.how")->literal, rows[i].how);
        assert_json (binding_of (in, "of.member")->literal, rows[i].member);
        if (rows[i].ranges)
            assert_json (ranges, rows[i].ranges);
        else
            assert_null (ranges);
    }
    plan_destroy (plan);
}

/* Programs find them in sections; placeholders have their whole names. */
static void test_task_file (void **state)
{
    static const struct resources needs = { .cores = 1,
                                            .ranks = 1,
                                            .nodes = 1 };
    struct json *inputs =
        json_of ("{'title': 'x', 'pick.quota': 3, 'pick.how': 'max'}");
    const struct task_file file = { .campaign = "c",
                                    .campaign_dir = "/c",
                                    .program = "fanfold",
                                    .place = { "choose", "my", 0 },
                                    .needs = &needs,
                                    .inputs = inputs };
    struct json *values, *v = task_file_make (&file, &values, NULL);

    (void)state;
    assert_non_null (v);
    assert_json (json_get (v, "inputs"),
                 "{'title':'x','pick':{'quota':3,'how':'max'}}");
    assert_int_equal (json_as_int (json_get (values, "pick.quota")), 3);
    json_unref (values);
    json_unref (v);
    json_unref (inputs);
}

/* --- what is wrong --- */

#define BROKEN(WITH) STAGE (WITH) STOP OPERATOR

static const struct broken broken[] = {
    { BROKEN ("title: x"),
      NULL,
      { ":6:3: stage 'choose' needs the input 'pick.quota' (int); write pick: "
        "{quota: ...} in with:" } },
    { BROKEN ("quota: 3"),
      NULL,
      { ":6:36: my.choose has no input 'quota'; write pick: {quota: ...}" } },
    { BROKEN ("pick: {qouta: 3}"),
      NULL,
      { ":6:43: pick of my.choose has no input 'qouta'; did you mean "
        "'quota'?" } },
    { BROKEN ("pick: {quota: x, how: [1]}"),
      NULL,
      { ":6:50: input 'pick.quota' of stage 'choose': expected int, got 'x'; "
        "write a whole number",
        ":6:58: input 'pick.how' of stage 'choose': expected string, got a "
        "list; write text" } },
    { BROKEN ("pick: budget.frames"),
      NULL,
      { ":6:42: pick: got 'budget.frames'; write pick: {KEY: VALUE}, with "
        "quota, how, ranges" } },
    { BROKEN ("pcik: {quota: 3}"),
      NULL,
      { ":6:36: my.choose has no input 'pcik'; did you mean 'pick'?" } },
    { STAGE ("pick: {quota: 3}") OPERATOR PHASES IN_PHASE (
          "a", "pick: {qouta: 4}") IN_PHASE ("b", "pick: 4"),
      NULL,
      { ":22:62: pick of my.choose has no input 'qouta'; did you mean 'quota'?",
        ":23:61: pick: got '4'; write pick: {KEY: VALUE}, with quota, how" } },
    { DECLARED ("    command: [run, '{a.c}', '{b}', '{a.d}']\n"
                "    fan_out: [a, b]\n"
                "    inputs: {a: {inputs: {c: {type: int}, d: {type: int, "
                "optional: true}}}, b: {type: int}}\n"),
      NULL,
      { ":10:15: fan_out: 'a' is no input of the operator; did you mean "
        "'b'?" } },
    { DECLARED ("    command: [run, '{a.x}', '{a}', '{a.d}']\n"
                "    inputs: {a: {inputs: {c: {type: int}, d: {type: int, "
                "optional: true}}}}\n"),
      NULL,
      { ":9:20: unknown placeholder '{a.x}'; did you mean 'a.c'?",
        ":9:29: unknown placeholder '{a}'",
        ":9:36: placeholder '{a.d}' is optional and may be absent; give it" } },
    { DECLARED ("    command: [run]\n"
                "    inputs: {outputs: {inputs: {c: {type: int}}}, a: {inputs: "
                "{c: {}, D: {type: int}}, type: int}}\n"),
      NULL,
      { ":10:14: the name 'outputs' is taken by Fanfold; choose another",
        ":10:64: 'a.c' has no type; add type",
        ":10:71: 'D' cannot be a name here; use",
        ":10:88: unknown key 'type' in section 'a' of inputs" } },
    { DECLARED ("    command: [run]\n"
                "    inputs: {a: {inputs: [1]}}\n"),
      NULL,
      { ":10:26: inputs: got a list; write a mapping" } },
    { DECLARED ("    command: [run]\n"
                "    outputs: {a: {inputs: {c: {type: int}}}}\n"),
      NULL,
      { ":10:15: 'a' has no type; add type",
        ":10:19: unknown key 'inputs' in output 'a'" } },
};

static void test_broken (void **state)
{
    (void)state;
    expect_broken (broken, ARRAY_SIZE (broken));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_paths),    cmocka_unit_test (test_names),
        cmocka_unit_test (test_remedies), cmocka_unit_test (test_bindings),
        cmocka_unit_test (test_phases),   cmocka_unit_test (test_task_file),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
