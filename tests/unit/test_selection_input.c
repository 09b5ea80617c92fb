/* SPDX-License-Identifier: BSD-3-Clause */
/* test_selection_input.c - the reducer's task.json, good and bad in every key
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "reduce/selection_input.h"

/* A task whose second trajectory has no results. */
#define OUTPUTS                                                                \
    "'outputs': {'frames': 'out/frames', 'provenance': 'out/from',"            \
    " 'lists': 'out/lists'}"
#define GOOD                                                                   \
    "{'format': 1, 'campaign': 'c', 'campaign_dir': '/c', 'seed': 77,"         \
    " 'iteration': 4, 'inputs': {"                                             \
    "'trajectories': ['/a/t', null, '/c/t'],"                                  \
    " 'forces': [['/a/0', '/a/1'], null, ['/c/0', '/c/1']],"                   \
    " 'deviations': [], 'frames_expected': [50, null, 2],"                     \
    " 'system': ['x-1.b', null, 'y'], 'elements': ['Si', 'Ge'],"               \
    " 'semantics': 'dpgen2', 'lists': false,"                                  \
    " 'levels': {'force': {'low': 0.25, 'high': 1}, 'virial': null},"          \
    " 'pick': {'quota': 16}, 'skip': {'steps': 1}}, " OUTPUTS "}"

static int parse (const char *quoted, struct selection_input *input,
                  struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc;

    for (; *quoted; quoted++)
        strbuf_add_char (&text, *quoted == '\'' ? '"' : *quoted);
    rc = selection_input_parse (text.buf, text.len, "p", input, err);
    strbuf_release (&text);
    return rc;
}

static void test_good (void **state)
{
    struct selection_input input = SELECTION_INPUT_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    if (parse (GOOD, &input, &err) < 0)
        fail_msg ("%s", err.text);
    assert_int_equal (input.rules.seed, 77);
    assert_int_equal (input.rules.criteria[1].semantics, SEMANTICS_DPGEN2);
    assert_true (input.rules.criteria[1].levels[DEVIATION_FORCE].low == 0.25);
    assert_false (input.rules.criteria[0].has[DEVIATION_VIRIAL]);
    assert_int_equal (input.rules.quota, 16);
    assert_int_equal (input.iteration, 4);
    assert_null (input.earlier);
    assert_int_equal (input.elements.n, 2);
    assert_string_equal (input.elements.v[1], "Ge");
    assert_int_equal (input.systems.n, 2);
    assert_string_equal (input.systems.v[1], "y");
    assert_int_equal (input.n_trajectories, 2);
    assert_int_equal (input.missing_tasks, 1);
    assert_int_equal (input.n_models, 2);
    assert_int_equal (input.trajectories[1].task, 2);
    assert_int_equal (input.trajectories[1].system, 1);
    assert_string_equal (input.trajectories[1].path, "/c/t");
    assert_string_equal (input.trajectories[1].forces[1], "/c/1");
    assert_null (input.trajectories[1].deviations);
    assert_int_equal (input.trajectories[0].expected_frames, 50);
    assert_string_equal (input.frames_dir, "out/frames");
    assert_string_equal (input.provenance_path, "out/from");
    assert_string_equal (input.params_path, "params.json");
    assert_null (input.lists_dir);
    assert_true (input_trajectory (&input, 0) == &input.trajectories[0]);
    assert_null (input_trajectory (&input, 1));
    assert_true (input_trajectory (&input, 2) == &input.trajectories[1]);
    assert_null (input_trajectory (&input, 3));
    assert_null (input_trajectory (&input, -1));
    selection_input_release (&input);
    selection_input_release (&input);
}

/* The good task with one text in place of another. */
static char *changed (const char *from, const char *to)
{
    const char *found = strstr (GOOD, from);
    struct strbuf text = STRBUF_INIT;

    if (!found)
        fail_msg ("'%s' is not in the good task", from);
    strbuf_add (&text, GOOD, strlen (GOOD) - strlen (found));
    strbuf_add_str (&text, to);
    strbuf_add_str (&text, found + strlen (from));
    return strbuf_detach (&text);
}

#define FORCES "'forces': [['/a/0', '/a/1'], null, ['/c/0', '/c/1']]"

static void read_changed (const char *from, const char *to,
                          struct selection_input *input)
{
    char *text = changed (from, to);
    struct error err = ERROR_INIT;

    if (parse (text, input, &err) < 0)
        fail_msg ("%s: %s", to, err.text);
    free (text);
}

/* The code's own deviations in place of forces, with structures or without. */
static void test_deviations (void **state)
{
    struct selection_input input = SELECTION_INPUT_INIT;

    (void)state;
    read_changed (FORCES ", 'deviations': []",
                  "'deviations': ['/a/d', null, '/c/d']", &input);
    assert_int_equal (input.n_models, 0);
    assert_string_equal (input.trajectories[1].deviations, "/c/d");
    assert_string_equal (input.trajectories[1].path, "/c/t");
    assert_null (input.trajectories[1].forces);
    assert_int_equal (
        parse (
            "{'format': 1, 'inputs': {'deviations': ['/a', '/b'], 'system': "
            "['s', 's'], 'pick': {'quota': 1}, 'levels': {'force': [0, 1]}}}",
            &input, NULL),
        0);
    assert_null (input.trajectories[0].path);
    assert_int_equal (input.trajectories[0].expected_frames, 0);
    selection_input_release (&input);
}

/* Frames that are skipped are not expected. */
static void test_skipped_steps (void **state)
{
    static const struct {
        const char *rules;
        uint64_t expected[2];
    } cases[] = {
        { "'steps': 61, 'dump_every': 20", { 47, 0 } },
        { "'steps': 60, 'dump_every': 20", { 48, 0 } },
        { "'steps': 20, 'dump_every': 20", { 50, 2 } },
        { "'steps': 0", { 50, 2 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct selection_input input = SELECTION_INPUT_INIT;

        read_changed ("'steps': 1", cases[i].rules, &input);
        for (int k = 0; k < 2; k++)
            assert_int_equal (input.trajectories[k].expected_frames,
                              cases[i].expected[k]);
        selection_input_release (&input);
    }
}

/* What is in sections and is no rule. */
static void test_data_in_sections (void **state)
{
    struct selection_input input = SELECTION_INPUT_INIT;

    (void)state;
    read_changed ("'pick': {'quota': 16}",
                  "'pick': {'quota': 5, 'how': null}, 'filters': null,"
                  "'convergence': {'accurate': 0.5, 'earlier': [{}, {}]},"
                  "'duplicates': {'tolerance': 0.1, 'labelled': ['a', 'b']}",
                  &input);
    assert_int_equal (input.rules.quota, 5);
    assert_int_equal (input.rules.pick, PICK_RANDOM);
    assert_true (input.rules.convergence.accurate == 0.5);
    assert_true (input.rules.duplicates == 0.1);
    assert_int_equal (json_count (input.earlier), 2);
    assert_int_equal (input.labelled.n, 2);
    selection_input_release (&input);
}

static void test_lists_and_params (void **state)
{
    struct selection_input input = SELECTION_INPUT_INIT;

    (void)state;
    read_changed ("'lists': false", "'lists': true", &input);
    assert_string_equal (input.lists_dir, "out/lists");
    assert_string_equal (input.root, "/c");
    read_changed ("'lists': 'out/lists'", "'params': 'x/params.json'", &input);
    assert_null (input.lists_dir);
    assert_string_equal (input.params_path, "x/params.json");
    selection_input_release (&input);
}

static void test_nothing_to_read (void **state)
{
    struct selection_input input = SELECTION_INPUT_INIT;

    (void)state;
    assert_int_equal (parse ("{'format': 1, 'inputs': {'pick': {'quota': 1}, "
                             "'levels': {'force': [0, 1]}}}",
                             &input, NULL),
                      0);
    assert_int_equal (input.n_trajectories, 0);
    assert_int_equal (input.missing_tasks, 0);
    assert_int_equal (input.iteration, -1);
    assert_null (input.frames_dir);
    selection_input_release (&input);
}

static const struct {
    const char *from;
    const char *to;
    const char *message;
} bad_tasks[] = {
    { "{'format'", "'format'", "p:1:" },
    { "'format': 1", "'format': 2", "key 'format': 2; this program reads 1" },
    { "'format': 1, ", "", "key 'format': missing, expected an integer" },
    { "'seed': 77", "'seed': 1.5",
      "inputs: key 'seed': expected an integer, got" },
    { "'iteration': 4", "'iteration': 'x'", "key 'iteration': expected" },
    { "'inputs': {", "'inputs': 3, 'other': {",
      "key 'inputs': expected an object" },
    { "'quota': 16", "'qouta': 16",
      "inputs: pick: unknown key 'qouta'; there is quota, per" },
    { "'quota': 16", "'quota': -1", "inputs: pick: quota: -1 is less than 0" },
    { "'dpgen2'", "'dpgen3'",
      "inputs: semantics: 'dpgen3' is not known; use dpgen, dpgen2 or simpl" },
    { "{'low': 0.25, 'high': 1}", "3",
      "inputs: levels: force: expected two numbers, got an integer; write [" },
    { "'low': 0.25", "'low': 2",
      "inputs: levels: force: low is 2 and high 1 (of the system 'x-1.b'); "
      "write" },
    { "'low': 0.25, ", "",
      "inputs: levels: force: key 'low': missing; write [LOW" },
    { "['Si', 'Ge']", "[]", "key 'elements': the list is empty" },
    { "['Si', 'Ge']", "['Unobtainium']",
      "inputs: key 'elements': 'Unobtainium' is longer than 7 characters" },
    { "['Si', 'Ge']", "[14]",
      "inputs: key 'elements': expected a list of texts" },
    { "'x-1.b'", "'../b'", "inputs: system: '../b' cannot be the name" },
    { "'x-1.b'", "'.b'", "inputs: system: '.b' cannot be the name" },
    { "'x-1.b'", "3", "inputs: system: '' cannot be the name" },
    { "'system': ['x-1.b', null, 'y']", "'system': []",
      "inputs: trajectories has 3 elements, system has 0; bind them to" },
    { "'system': ['x-1.b', null, 'y']", "'system': 'x'",
      "inputs: key 'system': expected an array" },
    { "['/a/t', null, '/c/t']", "['/a/t', null, null]",
      "inputs: trajectories: [2]: expected a path, got null" },
    { "['/a/t', null, '/c/t']", "['', null, '/c']",
      "inputs: trajectories: [0]: expected a path" },
    { "['/a/t', null, '/c/t']", "[]", "inputs: forces need trajectories" },
    { "[50, null, 2]", "[50]",
      "inputs: frames_expected has 1 elements, system has 3" },
    { "[50, null, 2]", "[50, null, 'many']",
      "inputs: frames_expected: [2]: expected a number of frames" },
    { "[50, null, 2]", "[-1, null, 2]",
      "inputs: frames_expected: [0]: expected a number of frames" },
    { FORCES, "'forces': []", "inputs: neither forces nor deviations" },
    { "'deviations': []", "'deviations': ['d', null, 'e']",
      "inputs: forces and deviations; bind one to []" },
    { "['/a/0', '/a/1']", "['/a/0']",
      "inputs: forces: [0]: 1 files; expected one for each model" },
    { "['/c/0', '/c/1']", "['/c/0', '/c/1', '/c/2']",
      "inputs: forces: [2]: 3 files; expected one for each model" },
    { "['/c/0', '/c/1']", "['/c/0', null]",
      "inputs: forces: [2]: [1]: expected a path, got null" },
    { "'virial': null", "'avg_relative': true",
      "levels: avg_relative needs deviations, and trajectories with forces" },
    { FORCES ", 'deviations': [], 'frames_expected': [50, null, 2], "
             "'system': ['x-1.b', null, 'y'], 'elements': ['Si', 'Ge'], "
             "'semantics': 'dpgen2', 'lists': false, 'levels': {'force': "
             "{'low': 0.25, 'high': 1}, 'virial': null}",
      "'deviations': ['d', null, 'e'], 'system': ['x', null, 'y'], "
      "'elements': ['Si'], 'levels': {'force': [0.25, 1], 'relative': "
      "{'force': 1}}",
      "levels: relative needs forces; deviations are relative where" },
    { "'virial': null", "'distance': 1.5",
      "levels: distance: only files of deviations hold it" },
    { "'virial': null", "'relative': {'energy': 1}",
      "inputs: levels: relative: unknown key 'energy'" },
    { "'virial': null", "'relative': {'force': -1}",
      "inputs: levels: relative: force: -1 is less than 0" },
    { "'virial': null", "'pressure': [0, 1]",
      "inputs: levels: unknown key 'pressure'; there is force, virial" },
    { "'virial': null", "'virial': [1, 2, 3]",
      "inputs: levels: virial: expected two numbers, [LOW, HIGH]; write" },
    { "'virial': null", "'virial': [0, 'x']",
      "inputs: levels: virial: expected two numbers, [LOW, HIGH]; write" },
    { "'lists': false", "'convergence': {'accurate': 1, 'earlier': {}}",
      "inputs: key 'earlier': expected an array" },
    { "'lists': false", "'duplicates': {'labelled': 'l'}",
      "inputs: key 'labelled': expected an array" },
    { "'lists': false", "'columns': {'forces': 3}",
      "inputs: columns: key 'forces': expected a string" },
    { "'lists': false", "'quota': 2", "inputs: unknown key 'quota'" },
    { "'lists': false", "'clusters': 2",
      "inputs: clusters: expected an object, got an integer; write {KEY" },
    { "'lists': false", "'iterations': []",
      "inputs: unknown key 'iterations'" },
    { "'steps': 1", "'steps': 61", "inputs: skip: steps: 61 needs dump_every" },
    { "'steps': 1", "'steps': 61, 'dump_every': 0",
      "inputs: skip: dump_every: 0 is less than 1" },
    { "'steps': 1", "'steps': -1", "inputs: skip: steps: -1 is less than 0" },
    { "'trajectories': ['/a/t', null, '/c/t'], " FORCES ", 'deviations': []",
      "'deviations': ['/a', null, '/c']", "outputs: frames need trajectories" },
    { "'out/frames'", "''", "outputs: key 'frames': the text is empty" },
    { "'out/from'", "7", "outputs: key 'provenance': expected a string" },
};

static void test_bad (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad_tasks); i++) {
        struct selection_input input = SELECTION_INPUT_INIT;
        char *text = changed (bad_tasks[i].from, bad_tasks[i].to);
        struct error err = ERROR_INIT;

        input.rules.quota = 42;
        assert_int_equal (parse (text, &input, &err), -1);
        if (strncmp (err.text, "p:", 2) != 0
            || !strstr (err.text, bad_tasks[i].message))
            fail_msg ("expected '%s', found '%s'", bad_tasks[i].message,
                      err.text);
        assert_int_equal (input.rules.quota, 42);
        free (text);
    }
}

/* A quota; rules that look at structures, where there are none. */
static void test_needs (void **state)
{
    static const struct {
        const char *rule;
        const char *message;
    } cases[] = {
        { "'lists': false", "pick: key 'quota': missing, expected an integer" },
        { "'pick': {'quota': 1, 'how': 'diverse'}",
          "pick: how: diverse needs elements" },
        { "'pick': {'quota': 1, 'how': 'diverse'}, 'elements': ['H']",
          "pick: how: diverse needs trajectories" },
        { "'pick': {'quota': 1, 'how': 'fps'}",
          "pick: how: fps needs elements" },
        { "'pick': {'quota': 1, 'how': 'fps'}, 'features': {'frames': ['x']}",
          "pick: how: fps needs trajectories" },
        { "'pick': {'quota': 1, 'how': 'fps'}, 'features': {'frames': ['x', "
          "'y']}",
          "features: frames has 2 elements, system has 1" },
        { "'pick': {'quota': 1, 'how': 'fps'}, 'features': {'frames': [3]}",
          "features: frames: [0]: expected a path" },
        { "'pick': {'quota': 1}, 'duplicates': {'tolerance': 0.1}",
          "duplicates: they need trajectories" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct selection_input input = SELECTION_INPUT_INIT;
        struct strbuf text = STRBUF_INIT;
        struct error err = ERROR_INIT;

        strbuf_addf (&text,
                     "{'format': 1, 'inputs': {'levels': {'force': [0, 1]}, "
                     "'deviations': ['d'], 'system': ['s'], %s}}",
                     cases[i].rule);
        assert_int_equal (parse (text.buf, &input, &err), -1);
        assert_non_null (strstr (err.text, cases[i].message));
        strbuf_release (&text);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_good),
        cmocka_unit_test (test_deviations),
        cmocka_unit_test (test_skipped_steps),
        cmocka_unit_test (test_data_in_sections),
        cmocka_unit_test (test_lists_and_params),
        cmocka_unit_test (test_nothing_to_read),
        cmocka_unit_test (test_bad),
        cmocka_unit_test (test_needs),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
