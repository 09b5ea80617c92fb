/* SPDX-License-Identifier: BSD-3-Clause */
/* test_agent_group.c - tasks of several programs, run by agents */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sched.h>
#include <unistd.h>

#include "agent_scene.h"
#include "base/clock.h"
#include "handover/group_file.h"
#include "signature/group.h"

static const char *const local[] = { "local", NULL };

static const struct port steps_output[] = {
    { .name = "steps", .type = { .kind = TYPE_INT } },
    { .name = NULL },
};

static const struct port beads_output[] = {
    { .name = "beads", .type = { .kind = TYPE_DIR } },
    { .name = "steps", .type = { .kind = TYPE_INT } },
    { .name = NULL },
};

#define STEPS "echo '{{\"steps\": 3}}' >{outputs.params}"
#define ONE_CORE                                                               \
    {                                                                          \
        .ranks = 1, .cores = 1, .nodes = 1                                     \
    }

/* A driver that runs 'sh', with an exit and, if given, a report; and a program
 * of two instances that run 'other'.
 */
struct pair {
    const char *sh, *other;
    const char *report;
    bool global;
};

/* Play one task of it to the agent's end; or, with 'pid', start the agent. */
static void play (const struct pair *pair, const struct scene *more, pid_t *pid)
{
    const char *driver[] = SH (pair->sh);
    const char *other[] = SH (pair->other);
    const char *driver_exit[] = SH ("echo exit >>{campaign}/exits");
    const char *report[] = SH (pair->report);
    const char *const *driver_commands[] = { driver, NULL };
    const char *const *other_commands[] = { other, NULL };
    const char *const *exits[] = { driver_exit, NULL };
    const struct group_program programs[] = {
        { .name = "driver",
          .node = "local",
          .instances = 1,
          .needs = ONE_CORE,
          .exit = exits,
          .commands = driver_commands },
        { .name = "force",
          .node = "local",
          .instances = 2,
          .needs = ONE_CORE,
          .commands = other_commands },
    };
    const struct group_spec group = {
        .workspace_global = pair->global,
        .nodes = local,
        .report = { pair->report ? report : NULL, 100 },
        .programs = programs,
        .n_programs = 2,
    };
    struct scene scene = *more;

    scene.group = &group;
    scene.needs.ranks = 1;
    scene.needs.cores = 3;
    scene.needs.nodes = 1;
    set_scene (&scene);
    if (pid)
        *pid = start_agent_as ("4711");
    else
        assert_int_equal (run_agent (), 0);
}

/* Private workspaces are made below TMPDIR, which is the test's. */
static size_t workspaces (void)
{
    return count_paths ("fanfold-*");
}

static void test_with_artifacts (void **state)
{
    const struct pair pair = {
        .sh = "touch {workspace}/there; mkdir {outputs.beads}; " STEPS,
        .other = "until test -e {workspace}/there; do sleep 0.01; done; "
                 "echo {instance}",
        .report = "echo '{{\"far\": 7}}'",
    };
    const struct scene scene = { .outputs = beads_output };
    struct strbuf printed = STRBUF_INIT;
    struct json *result, *run;

    (void)state;
    play (&pair, &scene, NULL);
    expect_story ("start0 end0(ok) done");
    result = json_read_file (JOB_DIR "000000/out/result.json", NULL);
    assert_int_equal (json_get_int (json_get (result, "params"), "steps"), 3);
    run = json_get (result, "run");
    assert_int_equal (
        json_get_int (json_get (json_get (run, "report"), "local"), "far"), 7);
    assert_string_equal (
        json_get_string (json_at (json_get (run, "nodes"), 0), "name"),
        "local");
    assert_int_equal (json_count (json_get (run, "programs")), 3);
    json_unref (result);
    assert_int_equal (file_read (RUN_DIR "/output-0.0", 65536, &printed, NULL),
                      0);
    assert_non_null (strstr (printed.buf, "\nlocal/force:1: 1\n"));
    strbuf_release (&printed);
    assert_file_text ("exits", "exit\n");
    assert_int_equal (workspaces (), 0);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

/* The report of the last end that the log has. */
static int take_report (const struct result_event *event, void *arg,
                        struct error *err)
{
    struct json **report = arg;

    (void)err;
    if (event->kind == RESULT_END && event->report) {
        json_unref (*report);
        *report = json_deep_copy (event->report);
    }
    return 0;
}

static void test_only_parameters (void **state)
{
    const struct pair pair = { .sh = STEPS,
                               .other = "true",
                               .report = "echo '{{\"far\": 7}}'" };
    const struct scene scene = { .outputs = steps_output };
    struct element_logs logs = ELEMENT_LOGS_INIT;
    struct json *report = NULL;

    (void)state;
    play (&pair, &scene, NULL);
    expect_story ("start0 end0(ok) done");
    assert_int_equal (element_logs_add (&logs, RUN_DIR, 0, 0, 0, NULL), 0);
    assert_int_equal (element_logs_limit (&logs, NULL), 0);
    assert_int_equal (element_log_scan (&logs.v[0], take_report, &report, NULL),
                      0);
    assert_int_equal (json_get_int (json_get (report, "local"), "far"), 7);
    json_unref (report);
    element_logs_release (&logs);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

static void test_failures (void **state)
{
    static const struct {
        struct pair pair;
        const char *story, *message;
    } cases[] = {
        { { .sh = STEPS "; exec sleep 1000",
            .other =
                "test {instance} = 0 || {{ echo ' why'; echo ---; exit 2; }}" },
          "start0 end0(failed) done",
          "program 'local/force:1' exited with status 2; its last line: ' "
          "why'" },
        { { .sh = "exec sleep 1000", .other = "exit 3" },
          "start0 end0(fatal) done",
          "exited with status 3" },
        { { .sh = "kill -9 $$", .other = "exec sleep 1000" },
          "start0 end0(failed) done",
          "program 'local/driver' was killed by signal 9" },
        { { .sh = STEPS, .other = STEPS },
          "start0 end0(bad_output) done",
          "parameter 'steps' was written by 'local/driver' and by "
          "'local/force:0'" },
        { { .sh = "true", .other = "true" },
          "start0 end0(bad_output) done",
          "steps" },
        { { .sh = "{nonsense}", .other = "exec sleep 1000" },
          "start0 end0(bad_input) done",
          "program 'local/driver' cannot be started" },
        { { .sh = "kill -9 $PPID; exec sleep 1000", .other = "sleep 1000" },
          "start0 end0(failed) done",
          "the group was killed by signal 9" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = { .outputs = steps_output };

        print_message ("# %s\n", cases[i].message);
        play (&cases[i].pair, &scene, NULL);
        expect_story (cases[i].story);
        expect_message (cases[i].message);
        assert_int_equal (workspaces (), 0);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
}

static void test_time_over (void **state)
{
    const struct pair pair = { .sh = "exec sleep 1000", .other = "true" };
    const struct scene scene = { .needs = { .walltime_s = 3 }, .grace_s = 60 };

    (void)state;
    play (&pair, &scene, NULL);
    expect_story ("start0 end0(timeout) done");
    expect_message ("the group was ended: it took longer than its walltime");
    assert_file_text ("exits", "exit\n");
    assert_int_equal (workspaces (), 0);
}

/* The machine's failure is not the task's. */
static void test_no_workspace (void **state)
{
    const struct pair pair = { .sh = "true", .other = "true", .global = true };
    const struct scene scene = { .tasks = 1 };

    (void)state;
    assert_int_equal (file_make_dirs (".fanfold/workspace/train", NULL), 0);
    write_text (".fanfold/workspace/train/000000", "in the way");
    play (&pair, &scene, NULL);
    expect_story ("start0 machine_error0 done");
    expect_message ("workspace/train/000000'");
}

/* What is granted is one CPU, which a slot gets where slots are bound. */
static void test_bind (void **state)
{
    const struct pair pair = {
        .sh = "cp {campaign}/" RUN_DIR "/work/*/*/" GROUP_FILE
              " {campaign}/order.json",
        .other = "true",
    };
    static const struct {
        enum bind_rule bind;
        bool bound;
    } cases[] = { { BIND_CLOSE, true },
                  { BIND_SPREAD, true },
                  { BIND_NONE, false } };
    cpu_set_t before, one;
    int cpu = 0;

    (void)state;
    assert_int_equal (sched_getaffinity (0, sizeof (before), &before), 0);
    while (!CPU_ISSET (cpu, &before))
        cpu++;
    CPU_ZERO (&one);
    CPU_SET (cpu, &one);
    assert_int_equal (sched_setaffinity (0, sizeof (one), &one), 0);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = { .bind = cases[i].bind };
        struct json *order;

        play (&pair, &scene, NULL);
        expect_story ("start0 end0(ok) done");
        order = json_read_file ("order.json", NULL);
        assert_true (json_as_bool (json_get (order, "bind")) == cases[i].bound);
        json_unref (order);
        assert_int_equal (unlink ("order.json"), 0);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
    assert_int_equal (sched_setaffinity (0, sizeof (before), &before), 0);
}

/* Wait for a file that a program makes. */
static void await_file (const char *path)
{
    for (int i = 0; i < 3000 && !file_exists (path); i++)
        clock_sleep (0.02, NULL);
    assert_true (file_exists (path));
}

static pid_t read_pid (const char *path)
{
    struct strbuf text = STRBUF_INIT;
    pid_t pid;

    assert_int_equal (file_read (path, 64, &text, NULL), 0);
    pid = (pid_t)atoi (text.buf);
    strbuf_release (&text);
    assert_true (pid > 0);
    return pid;
}

static void await_end_of (pid_t pid)
{
    for (int i = 0; i < 3000 && kill (pid, 0) == 0; i++)
        clock_sleep (0.02, NULL);
    assert_int_equal (kill (pid, 0), -1);
}

/* An agent that is told to end ends its group in good order; one that is killed
 * takes the group with it, and the next one runs it again.
 */
static void test_end_of_the_agent (void **state)
{
    const struct pair pair = {
        .sh = "cd {campaign}; echo $$ >pid.new; mv pid.new pid; "
              "exec sleep 1000",
        .other = "true",
    };
    const struct scene scene = { .grace_s = 60 };
    static const int signals[] = { SIGTERM, SIGKILL };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (signals); i++) {
        pid_t agent, program;

        play (&pair, &scene, &agent);
        await_file ("pid");
        program = read_pid ("pid");
        assert_int_equal (workspaces (), 1);
        assert_int_equal (kill (agent, signals[i]), 0);
        assert_int_equal (waitpid (agent, NULL, 0), agent);
        await_end_of (program);
        for (int k = 0; k < 3000 && workspaces () > 0; k++)
            clock_sleep (0.02, NULL);
        assert_int_equal (workspaces (), 0);
        assert_int_equal (file_exists ("exits"), signals[i] == SIGTERM);
        expect_story (signals[i] == SIGTERM ? "start0 end0(preempted) done"
                                            : "start0");
        unlink ("exits");
        unlink ("pid");
        if (signals[i] == SIGTERM)
            assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
}

static char *tmpdir; /* before */

static int enter_with_tmpdir (void **state)
{
    const char *before = getenv ("TMPDIR");
    char here[PATH_MAX];

    tmpdir = xstrdup (before ? before : "/tmp");
    enter (state);
    assert_non_null (getcwd (here, sizeof (here)));
    setenv ("TMPDIR", here, 1);
    return 0;
}

static int leave_with_tmpdir (void **state)
{
    setenv ("TMPDIR", tmpdir, 1);
    free (tmpdir);
    return leave (state);
}

#define HERE(test)                                                             \
    cmocka_unit_test_setup_teardown (test, enter_with_tmpdir, leave_with_tmpdir)

int main (void)
{
    const struct CMUnitTest tests[] = {
        HERE (test_with_artifacts),   HERE (test_only_parameters),
        HERE (test_failures),         HERE (test_bind),
        HERE (test_time_over),        HERE (test_no_workspace),
        HERE (test_end_of_the_agent),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
