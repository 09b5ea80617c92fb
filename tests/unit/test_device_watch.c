/* SPDX-License-Identifier: BSD-3-Clause */
/* test_device_watch.c - devices that fail tasks which others do not fail */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "agent/device_runs.h"
#include "agent_scene.h"

/* --- which devices are sick --- */

enum { RUNS = 8 };

struct run {
    const char *devices;
    enum outcome outcome;
    double wall_s;
};

#define F(device, s)                                                           \
    {                                                                          \
        device, OUTCOME_FAILED, s                                              \
    }
#define OK(device, s)                                                          \
    {                                                                          \
        device, OUTCOME_OK, s                                                  \
    }

static const struct judged {
    struct run runs[RUNS];
    size_t from;
    int failures; /* of "a" */
    bool witness;
} judged[] = {
    { { { NULL, OUTCOME_NONE, 0 } }, 0, 0, false },
    { { F ("a", 1), F ("a", 1), F ("a", 1), OK ("b", 60) }, 0, 3, true },
    { { F ("a", 1), F ("a", 1), OK ("b", 60) }, 0, 2, true },
    { { F ("a", 1), F ("a", 1), F ("a", 1), F ("b", 1) }, 0, 3, false },
    /* an ok on itself is no witness, and ends the row */
    { { F ("a", 1), F ("a", 1), OK ("a", 60), F ("a", 1) }, 0, 1, false },
    { { F ("a", 1), F ("a", 1), F ("a", 1), F ("a", 1), OK ("b", 60) },
      0,
      3,
      true },
    /* slow failures are the tasks' own */
    { { F ("a", 9), F ("a", 11), F ("a", 9), OK ("b", 20) }, 0, 1, true },
    { { F ("a", 29), F ("a", 29), F ("a", 29), OK ("b", 60) }, 0, 3, true },
    { { F ("a", 31), F ("a", 31), F ("a", 31), OK ("b", 60) }, 0, 0, true },
    { { F ("a", 31), F ("a", 31), F ("a", 31), OK ("b", 60), OK ("b", 80) },
      0,
      3,
      true },
    /* the end of the time says nothing of a device */
    { { F ("a", 1), { "a", OUTCOME_TIMEOUT, 1 }, F ("a", 1), OK ("b", 1) },
      0,
      1,
      true },
    { { { "a", OUTCOME_BAD_OUTPUT, 1 }, F ("a", 1), F ("a", 1), OK ("b", 1) },
      0,
      3,
      true },
    /* several devices, and names that begin alike */
    { { F ("b a", 1), F ("a b", 1), F ("a", 1), OK ("ab", 1) }, 0, 3, true },
    { { F ("ab", 1), F ("ab", 1), F ("ba", 1), OK ("b", 1) }, 0, 0, true },
    /* before this nothing counts */
    { { F ("a", 1), F ("a", 1), F ("a", 1), F ("a", 1), OK ("b", 1) },
      2,
      2,
      true },
};

static void test_failures (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (judged); i++) {
        struct device_runs runs = { 0 };
        size_t which[SICK_AFTER];
        int n;

        print_message ("# case %zu\n", i);
        for (int k = 0; k < RUNS && judged[i].runs[k].devices; k++)
            device_runs_add (&runs, judged[i].runs[k].devices, k,
                             judged[i].runs[k].outcome,
                             judged[i].runs[k].wall_s);
        n = device_failures (&runs, judged[i].from, "a", which);
        assert_int_equal (n, judged[i].failures);
        assert_int_equal (device_has_witness (&runs, "a"), judged[i].witness);
        for (int k = 0; k < n; k++) {
            assert_true (device_is_in (runs.v[which[k]].devices, "a"));
            assert_int_not_equal (runs.v[which[k]].outcome, OUTCOME_OK);
            assert_true (k == 0 || which[k] < which[k - 1]);
        }
        device_runs_release (&runs);
    }
}

static void test_old_runs_are_forgotten (void **state)
{
    struct device_runs runs = { 0 };
    size_t forgotten = 0;

    (void)state;
    for (int i = 0; i < 300; i++)
        forgotten += device_runs_add (&runs, "a", i, OUTCOME_FAILED, 1);
    assert_int_equal (runs.n, DEVICE_RUNS_MOST);
    assert_int_equal (forgotten, 300 - DEVICE_RUNS_MOST);
    assert_int_equal (runs.v[0].task, 300 - DEVICE_RUNS_MOST);
    assert_int_equal (device_failures (&runs, 0, "a", NULL), SICK_AFTER);
    device_runs_release (&runs);
}

/* --- elements --- */

static const struct port done_output[] = {
    { .name = "done", .type = { .kind = TYPE_FILE } },
    { .name = NULL },
};

static int count_in (const char *text, const char *part)
{
    int n = 0;

    for (; (text = strstr (text, part)); text += strlen (part))
        n++;
    return n;
}

/* Until three tasks failed. */
#define THREE_FAILED                                                           \
    "until [ $(grep -c '\"outcome\":\"failed\"' {campaign}/" RUN_DIR           \
    "/results-0.0) -ge 3 ]; do sleep 0.01; done; "

static const struct element_case {
    const char *sh, *given;
    int slots;
    int failed, retired, handed_back, ok;
} elements[] = {
    { "[ $CUDA_VISIBLE_DEVICES = GPU-b ]; touch {outputs.done}; sleep 0.05",
      "GPU-b,GPU-c", 2, 0, 0, 0, 8 },
    /* one is sick */
    { "[ $CUDA_VISIBLE_DEVICES = GPU-b ] || exit 1; touch {outputs.done}; "
      "sleep 0.05",
      "GPU-a,GPU-b", 2, 3, 1, 3, 5 },
    /* which is known late: until then it rests */
    { "[ $CUDA_VISIBLE_DEVICES = GPU-b ] || exit 1; " THREE_FAILED
      "touch {outputs.done}",
      "GPU-a,GPU-b", 2, 3, 1, 3, 5 },
    /* no evidence: the tasks are to blame */
    { "exit 1", "GPU-a,GPU-b", 2, 8, 0, 0, 0 },
    { "exit 1", "GPU-a", 1, 8, 0, 0, 0 },
};

/* Of eight tasks. */
static void test_elements (void **state)
{
    (void)state;
    setenv ("HWLOC_SYNTHETIC", "core:8 pu:1", 1);
    for (size_t i = 0; i < ARRAY_SIZE (elements); i++) {
        const struct element_case *c = &elements[i];
        const struct scene scene = {
            .sh = c->sh,
            .bundle = "0-7",
            .slots = c->slots,
            .outputs = done_output,
            .needs = { .ranks = 1, .cores = 1, .gpus = 1 },
        };
        struct story story = STORY_INIT;

        print_message ("# case %zu\n", i);
        setenv ("CUDA_VISIBLE_DEVICES", c->given, 1);
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        read_story (&story);
        assert_int_equal (count_in (story.text.buf, "(failed)"), c->failed);
        assert_int_equal (count_in (story.text.buf, "retired"), c->retired);
        assert_int_equal (count_in (story.text.buf, "machine_error"),
                          c->handed_back);
        assert_int_equal (count_in (story.text.buf, "(ok)"), c->ok);
        story_release (&story);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        file_remove_tree ("train", NULL, NULL);
    }
    unsetenv ("CUDA_VISIBLE_DEVICES");
    unsetenv ("HWLOC_SYNTHETIC");
}

/* What an earlier attempt retired has no task from the beginning; where that
 * would be all, or the names are numbers, which another job may give to other
 * devices, it is tried again.
 */
static void test_remembered (void **state)
{
    static const struct {
        const char *given, *devices[2];
        const char *used;
    } cases[] = {
        { "GPU-a,GPU-b", { "GPU-a", NULL }, "GPU-b " },
        { "GPU-a,GPU-b", { "GPU-x", "GPU-b" }, "GPU-a " },
        { "GPU-a,GPU-b", { "GPU-b", "GPU-a" }, "GPU-a " },
        { "7,8", { "7", NULL }, "7 8 " },
    };
    char host[256] = "";

    (void)state;
    gethostname (host, sizeof (host) - 1);
    setenv ("HWLOC_SYNTHETIC", "core:8 pu:1", 1);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct scene scene = { .sh = "echo $CUDA_VISIBLE_DEVICES >> "
                                     "{campaign}/used; sleep 0.05; "
                                     "touch {outputs.done}",
                               .bundle = "0-7",
                               .slots = 2,
                               .outputs = done_output,
                               .needs = { .ranks = 1, .cores = 1, .gpus = 1 } };
        struct strbuf retired = STRBUF_INIT, used = STRBUF_INIT;

        strbuf_addf (&retired, "[{\"host\": \"other\", \"device\": \"%s\"}",
                     strchr (cases[i].used, 'a') ? "GPU-a" : "GPU-b");
        for (int k = 0; k < 2 && cases[i].devices[k]; k++)
            strbuf_addf (&retired, ", {\"host\": \"%s\", \"device\": \"%s\"}",
                         host, cases[i].devices[k]);
        strbuf_add_str (&retired, "]");
        scene.retired = retired.buf;
        print_message ("# %s\n", retired.buf);
        setenv ("CUDA_VISIBLE_DEVICES", cases[i].given, 1);
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        assert_int_equal (system ("sort -u used | tr '\\n' ' ' >sorted"), 0);
        assert_int_equal (file_read ("sorted", 4096, &used, NULL), 0);
        assert_string_equal (used.buf, cases[i].used);
        strbuf_release (&used);
        strbuf_release (&retired);
        unlink ("used");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
    unsetenv ("CUDA_VISIBLE_DEVICES");
    unsetenv ("HWLOC_SYNTHETIC");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_failures),
        cmocka_unit_test (test_old_runs_are_forgotten),
        IN_DIR (test_elements),
        IN_DIR (test_remembered),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
