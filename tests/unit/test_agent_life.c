/* SPDX-License-Identifier: BSD-3-Clause */
/* test_agent_life.c - agents that may not start, are told to end, or meet */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "agent/claim.h"
#include "agent/task.h"
#include "agent/task_finish.h"
#include "agent/task_outcome.h"
#include "agent_scene.h"
/* --- what keeps an agent from starting --- */

static void test_closed_attempt (void **state)
{
    const struct scene scene = { .sh = "true" };

    (void)state;
    set_scene (&scene);
    write_text (RUN_DIR "/../closed", "");
    assert_int_equal (run_agent (), 1);
    expect_error ("closed");
    assert_int_equal (count_paths (RUN_DIR "/results-*"), 0);
}

/* Closing it while a task runs keeps the others from starting. */
static void test_attempt_closed_meanwhile (void **state)
{
    const struct scene scene = {
        .sh = "touch {campaign}/" RUN_DIR "/../closed",
        .bundle = "0-2",
    };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) returned1 returned2 done");
}

/* The stage is prepared again under an agent that everybody took for dead: what
 * has its paths now is not its own.
 */
static void test_stage_prepared_again_meanwhile (void **state)
{
    static const struct port outputs[] = {
        { .name = "mark", .type = { .kind = TYPE_FILE } }, { .name = NULL }
    };
    const struct scene scene = {
        .sh = "echo > {outputs.mark}; cd {campaign} && mv " STAGE_DIR
              " moved && cp -R moved " STAGE_DIR,
        .bundle = "0-2",
        .outputs = outputs,
    };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    assert_int_equal (count_paths (JOB_DIR "*"), 0);
    expect_story ("start0 returned1 returned2 machine_error0 done");
    expect_message ("its stage was prepared again");
}

/* Nodes of one task number their devices each for itself: it is left what the
 * job was given.
 */
static void test_devices_of_several_nodes (void **state)
{
    static const struct {
        int nodes;
        const char *sh;
    } cases[] = {
        { 1, "test \"$CUDA_VISIBLE_DEVICES\" = 3,4" },
        { 2, "test \"$CUDA_VISIBLE_DEVICES\" = 3,4,5" },
    };

    (void)state;
    setenv ("CUDA_VISIBLE_DEVICES", "3,4,5", 1);
    setenv ("FANFOLD_SPOOL", "spool", 1);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = { .sh = cases[i].sh,
                                     .needs = { .ranks = 2,
                                                .cores = 2,
                                                .gpus = 2,
                                                .nodes = cases[i].nodes } };

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(ok) done");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
    unsetenv ("CUDA_VISIBLE_DEVICES");
    unsetenv ("FANFOLD_SPOOL");
}

static void test_another_job_is_recorded (void **state)
{
    const struct scene scene = { .sh = "true" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (wait_agent (start_agent_as ("4712")), 1);
    expect_error ("this is job '4712', but job '4711' was recorded");
    assert_int_equal (count_paths (RUN_DIR "/results-*"), 0);
}

static void test_not_recorded (void **state)
{
    const struct scene scene = { .sh = "true",
                                 .unrecorded = true,
                                 .visibility_s = 0.1 };

    (void)state;
    set_scene (&scene);
    write_text (RUN_DIR "/submission.json", "{\"format\": 1, \"tok");
    assert_int_equal (run_agent (), 1);
    expect_error ("not_recorded: ");
    assert_int_equal (count_paths (RUN_DIR "/results-*"), 0);
}

static void test_recorded_late (void **state)
{
    const struct scene scene = { .sh = "true", .unrecorded = true };
    pid_t pid;

    (void)state;
    set_scene (&scene);
    pid = start_agent_as ("4711");
    record_submission ("4711");
    assert_int_equal (wait_agent (pid), 0);
    expect_story ("start0 end0(ok) done");
}

static void test_run_files_are_missing (void **state)
{
    static const char *const files[] = {
        RUN_DIR "/job.json",
        STAGE_DIR "/stage.json",
        STAGE_DIR "/slices.jsonl",
        STAGE_DIR "/slices.index",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (files); i++) {
        const struct scene scene = { .sh = "true", .slices = "{}\n" };

        set_scene (&scene);
        assert_int_equal (unlink (files[i]), 0);
        assert_int_equal (run_agent (), 1);
        expect_error (path_base (files[i]));
        write_text (files[i], "");
        assert_int_equal (run_agent (), 1);
        expect_error (path_base (files[i]));
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
}

static void test_agent_that_cannot_write (void **state)
{
    const struct scene scene = { .sh = "true", .bundle = "0-1" };

    (void)state;
    set_scene (&scene);
    write_text (RUN_DIR "/work", "a file in the way");
    assert_int_equal (run_agent (), 0);
    expect_story ("machine_error0 returned1 done");
    expect_message ("cannot create directory");
}

/* --- what tasks leave running --- */

/* Task 1 fails when the process whose pid is in `pid` still runs. */
#define SEE_IT_GONE                                                            \
    "state=$(cut -d' ' -f3 /proc/$(cat {campaign}/pid)/stat 2>&1); "           \
    "case $state in Z | *'No such'*) exit 0;; esac; echo it runs: $state; "    \
    "exit 4"

static void test_leftovers_are_ended (void **state)
{
    static const struct {
        const char *first; /* what task 0 does */
        const char *story;
    } cases[] = {
        /* before its outputs are committed, or it is said to have failed */
        { "sleep 1000 & echo $! > {campaign}/pid",
          "start0 end0(ok) start1 end1(ok) done" },
        { "sleep 1000 & echo $! > {campaign}/pid; exit 1",
          "start0 end0(failed) start1 end1(ok) done" },
        /* out of its session, without our tag */
        { "env -i setsid sh -c 'echo $$ > {campaign}/pid; exec sleep 1000' & "
          "until test -s {campaign}/pid; do sleep 0.01; done",
          "start0 end0(ok) start1 end1(ok) done" },
        { "env -i setsid sh -c 'echo $$ > {campaign}/pid; exec sleep 1000' & "
          "until test -s {campaign}/pid; do sleep 0.01; done; exit 1",
          "start0 end0(failed) start1 end1(ok) done" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *sh = xasprintf ("if test {task} = 0; then %s; else %s; fi",
                              cases[i].first, SEE_IT_GONE);
        const struct scene scene = { .sh = sh, .bundle = "0-1" };

        print_message ("# %s\n", cases[i].first);
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story (cases[i].story);
        free (sh);
        assert_int_equal (unlink ("pid"), 0);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
}

/* A program that may not be executed is the task's fault, not the node's. */
static void test_program_that_may_not_be_executed (void **state)
{
    char *path = path_absolute ("program");
    const struct scene scene = { .argv0 = path };

    (void)state;
    write_text ("program", "#!/bin/sh\n");
    assert_int_equal (chmod ("program", 0644), 0);
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(failed) done");
    expect_message ("cannot be started: Permission denied");
    free (path);
}

/* A task whose time is over has a while to end in good order. */
static void test_grace (void **state)
{
    const struct scene scene = {
        .sh = "trap 'echo saved > {campaign}/saved; exit 0' TERM; "
              "while :; do sleep 0.01; done",
        .needs = { .ranks = 1, .cores = 1, .nodes = 1, .walltime_s = 2 },
        .grace_s = 60,
    };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(timeout) done");
    assert_true (file_exists ("saved"));
}

/* --- what an end means --- */

static void test_outcomes_of_ends (void **state)
{
    static const int fatal[] = { 3, 5, 0 };
    static const struct {
        int exit_code, signal;
        bool oom_kill; /* the kernel ended something for want of memory */
        enum outcome outcome;
    } cases[] = {
        { 1, 0, false, OUTCOME_FAILED },
        { 3, 0, false, OUTCOME_FATAL },
        { 5, 0, false, OUTCOME_FATAL },
        { 5, 0, true, OUTCOME_FATAL },
        { 4, 0, true, OUTCOME_FAILED },
        { -1, SIGKILL, false, OUTCOME_FAILED },
        { -1, SIGKILL, true, OUTCOME_OUT_OF_MEMORY },
        { -1, SIGSEGV, true, OUTCOME_FAILED },
        { 128 + SIGKILL, 0, true, OUTCOME_OUT_OF_MEMORY }, /* by a launcher */
        { 128 + SIGKILL, 0, false, OUTCOME_FAILED },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        assert_int_equal (task_end_outcome (cases[i].exit_code, cases[i].signal,
                                            cases[i].oom_kill, fatal),
                          cases[i].outcome);
    }
    assert_int_equal (task_end_outcome (3, 0, false, NULL), OUTCOME_FAILED);
}

static int note_sigterm (void *arg, bool sigterm, struct error *why,
                         struct error *err)
{
    (void)why;
    (void)err;
    *(bool *)arg = sigterm;
    return 0;
}

/* A shell tells SIGTERM of what it ran as exit status 143. */
static void test_ends_by_sigterm (void **state)
{
    static const struct {
        int exit_code, signal;
        bool sigterm;
    } cases[] = {
        { -1, SIGTERM, true },      { 128 + SIGTERM, 0, true }, { 1, 0, false },
        { 128 + SIGINT, 0, false }, { -1, SIGKILL, false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        bool sigterm = !cases[i].sigterm;
        const struct element element = { .listen = note_sigterm,
                                         .agent = &sigterm };
        const struct task_end end = { .exit_code = cases[i].exit_code,
                                      .signal = cases[i].signal };
        struct task task = { .element = &element,
                             .stop = OUTCOME_NONE,
                             .told = OUTCOME_NONE };

        assert_int_equal (task_hears_end (&task, &end, NULL), 0);
        assert_int_equal (sigterm, cases[i].sigterm);
    }
}

/* --- signals --- */

/* Tasks say on `started` that they run and end when they read from `go`. */
static const char meet[] = "echo {task} > {campaign}/started; "
                           "read x < {campaign}/go";

static void make_fifos (void)
{
    assert_int_equal (mkfifo ("started", 0600), 0);
    assert_int_equal (mkfifo ("go", 0600), 0);
}

static void wait_started (void)
{
    char byte;
    int fd = open ("started", O_RDONLY);

    assert_true (fd >= 0);
    assert_int_equal (read (fd, &byte, 1), 1);
    while (read (fd, &byte, 1) > 0) /* so that the next one is another's */
        continue;
    close (fd);
}

static void let_go (void)
{
    write_text ("go", "\n");
}

/* Wait until the agents have logged this. */
static void wait_story (const char *part)
{
    bool told = false;

    while (!told) {
        struct story story = STORY_INIT;

        usleep (1000);
        read_story (&story);
        told = strstr (story.text.buf, part) != NULL;
        story_release (&story);
    }
}

static void test_drain (void **state)
{
    const struct scene scene = { .sh = meet, .bundle = "0-2" };
    pid_t pid;

    (void)state;
    make_fifos ();
    set_scene (&scene);
    pid = start_agent_as ("4711");
    wait_started ();
    assert_int_equal (kill (pid, SIGUSR1), 0);
    /* The rest is handed back while the first one is still running. */
    wait_story ("returned2");
    let_go ();
    assert_int_equal (wait_agent (pid), 0);
    expect_story ("start0 returned1 returned2 end0(ok) done");
}

static void test_preemption (void **state)
{
    static const int signals[] = { SIGTERM, SIGINT };

    (void)state;
    make_fifos ();
    for (size_t i = 0; i < ARRAY_SIZE (signals); i++) {
        const struct scene scene = { .sh = meet, .bundle = "0-2" };
        pid_t pid;

        set_scene (&scene);
        pid = start_agent_as ("4711");
        wait_started ();
        assert_int_equal (kill (pid, signals[i]), 0);
        assert_int_equal (wait_agent (pid), 0);
        expect_story ("start0 returned1 returned2 end0(preempted) done");
        expect_message ("told to end");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
}

/* Who ends a job tells all its processes; its task hears it first, and ends as
 * it likes: of the signal, or with a status of its own.
 */
static void test_preemption_of_the_task_first (void **state)
{
    static const char *const ends[] = { "kill $task", "exit 9", "exit 3" };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (ends); i++) {
        char *sh = xasprintf ("agent=$PPID; task=$$; (while kill -0 $task; do "
                              "sleep 0.01; done; kill $agent) 2>/dev/null & %s",
                              ends[i]);
        const struct scene scene = { .sh = sh, .bundle = "0-2" };
        pid_t pid;

        print_message ("# %s\n", ends[i]);
        set_scene (&scene);
        pid = start_agent_as ("4711");
        assert_int_equal (wait_agent (pid), 0);
        expect_story ("start0 returned1 returned2 end0(preempted) done");
        expect_message ("told to end");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
        free (sh);
    }
}

static void test_told_to_end_before_anything (void **state)
{
    const struct scene scene = { .sh = "true",
                                 .unrecorded = true,
                                 .visibility_s = 1000 };
    pid_t pid;

    (void)state;
    set_scene (&scene);
    pid = start_agent_as ("4711");
    assert_int_equal (kill (pid, SIGTERM), 0);
    assert_int_equal (wait_agent (pid), 1);
    expect_error ("not_recorded: told to end");
}

/* --- many tasks --- */

/* Each of two tasks waits for the other: they must run at the same time. */
static void test_slots_run_at_once (void **state)
{
    const struct scene scene = {
        .sh = "if test {task} = 0; then read x < {campaign}/go; "
              "else echo > {campaign}/go; fi",
        .bundle = "0-1",
        .slots = 2,
    };
    struct story story = STORY_INIT;

    (void)state;
    if (sysconf (_SC_NPROCESSORS_ONLN) < 2)
        skip ();
    make_fifos ();
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    read_story (&story);
    assert_int_equal (story.n_ok, 2);
    story_release (&story);
}

static void test_many_tasks (void **state)
{
    const struct scene scene = { .argv0 = "true",
                                 .bundle = "0-99",
                                 .slots = 2 };
    struct story story = STORY_INIT;

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    read_story (&story);
    assert_int_equal (story.n_ok, 100);
    story_release (&story);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

/* A slot does not wait for the disk: what ended is committed behind its next
 * task.
 */
static void test_committed_behind_the_next_task (void **state)
{
    static const struct port outputs[] = {
        { .name = "mark", .type = { .kind = TYPE_FILE } },
        { .name = NULL },
    };
    const struct scene scene = { .sh = "touch {outputs.mark}",
                                 .outputs = outputs,
                                 .bundle = "0-1" };
    struct story story = STORY_INIT;

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    read_story (&story);
    assert_int_equal (story.n_ok, 2);
    assert_int_equal (strncmp (story.text.buf, "start0 start1 ", 14), 0);
    story_release (&story);
    assert_int_equal (count_paths (JOB_DIR "00000[01]/out/mark"), 2);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

static void test_one_bad_task_among_good_ones (void **state)
{
    const struct scene scene = { .sh = "test {task} != 1", .bundle = "0-2" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) start1 end1(failed) start2 end2(ok) done");
    assert_int_equal (count_paths (RUN_DIR "/work/0.0/000001"), 1);
    assert_int_equal (count_paths (RUN_DIR "/work/0.0/000001.log"), 1);
    assert_int_equal (count_paths (RUN_DIR "/work/0.0/*"), 2);
}

/* Both agents run every task; each task takes effect once. */
static void test_two_agents (void **state)
{
    const struct scene scene = {
        .sh = "echo {task} > {campaign}/started; read x < {campaign}/go; "
              "echo $FANFOLD_TAG > out/who",
        .outputs = (const struct port[]){ { .name = "who",
                                            .type = { .kind = TYPE_FILE } },
                                          { .name = NULL } },
    };
    struct story story = STORY_INIT;
    struct json *result;
    struct strbuf who = STRBUF_INIT;
    pid_t first, second;
    int go;

    (void)state;
    make_fifos ();
    set_scene (&scene);
    first = start_agent_as ("4711");
    wait_started ();
    second = start_agent_as ("4711");
    wait_started ();
    go = open ("go", O_RDWR); /* waits for nobody, and stays */
    assert_int_equal (write (go, "\n\n", 2), 2);
    assert_int_equal (wait_agent (first), 0);
    assert_int_equal (wait_agent (second), 0);
    close (go);
    read_story (&story);
    /* What the older one logs does not count any more. */
    assert_int_equal (story.n_ok + story.n_found, 1);
    story_release (&story);
    result = json_read_file (JOB_DIR "000000/out/result.json", NULL);
    assert_int_equal (file_read (JOB_DIR "000000/out/who", 100, &who, NULL), 0);
    assert_string_equal (json_as_string (json_get (result, "claim")),
                         who.buf[strlen (TOKEN ".0.")] == '0' ? "0" : "1");
    json_unref (result);
    strbuf_release (&who);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

/* Parameters count once as well: only the newer agent's, also when the older
 * one ended the task before.
 */
static void test_two_agents_without_artifacts (void **state)
{
    const struct scene scene = { .sh = meet };
    struct strbuf log = STRBUF_INIT;
    pid_t first, second;
    int go;

    (void)state;
    make_fifos ();
    set_scene (&scene);
    first = start_agent_as ("4711");
    wait_started ();
    second = start_agent_as ("4711");
    wait_started ();
    go = open ("go", O_RDWR);
    assert_int_equal (write (go, "\n\n", 2), 2);
    assert_int_equal (wait_agent (first) + wait_agent (second), 0);
    close (go);
    assert_int_equal (file_read (RUN_DIR "/results-0.0", 1 << 16, &log, NULL),
                      0);
    assert_non_null (strstr (log.buf, "\"end\""));
    strbuf_release (&log);
    expect_story ("start0 start0 end0(ok) done");
}

/* --- what is left running --- */

static pid_t read_pid (const char *path)
{
    struct strbuf text = STRBUF_INIT;
    pid_t pid;

    assert_int_equal (file_read (path, 100, &text, NULL), 0);
    pid = (pid_t)atoi (text.buf);
    assert_true (pid > 1);
    strbuf_release (&text);
    return pid;
}

static void test_orphan_processes_are_ended (void **state)
{
    static const char *const commands[] = {
        "sleep 1000 & echo $! > {campaign}/pid",
        "setsid sleep 1000 & echo $! > {campaign}/pid; sleep 0.01",
        "setsid sh -c 'sleep 1000 & echo $! > {campaign}/pid; exit 0'",
        "setsid sh -c 'sleep 1000 & echo $! > {campaign}/pid'; exit 1",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (commands); i++) {
        const struct scene scene = { .sh = commands[i] };
        pid_t pid;

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        pid = read_pid ("pid");
        assert_int_equal (kill (pid, 0), -1);
        assert_int_equal (errno, ESRCH);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
}

/* An agent that is killed takes its task's command with it. */
static void test_killed_agent (void **state)
{
    const struct scene scene = {
        .sh = "echo $$ > {campaign}/pid; echo > {campaign}/started; "
              "exec sleep 1000"
    };
    pid_t agent;
    int status;

    (void)state;
    make_fifos ();
    set_scene (&scene);
    agent = start_agent_as ("4711");
    wait_started ();
    wait_story ("start0");
    assert_int_equal (kill (agent, SIGKILL), 0);
    assert_int_equal (waitpid (agent, &status, 0), agent);
    while (kill (read_pid ("pid"), 0) == 0)
        usleep (1000);
    expect_story ("start0");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_closed_attempt),
        IN_DIR (test_attempt_closed_meanwhile),
        IN_DIR (test_stage_prepared_again_meanwhile),
        IN_DIR (test_devices_of_several_nodes),
        IN_DIR (test_another_job_is_recorded),
        IN_DIR (test_not_recorded),
        IN_DIR (test_recorded_late),
        IN_DIR (test_run_files_are_missing),
        IN_DIR (test_agent_that_cannot_write),
        IN_DIR (test_drain),
        IN_DIR (test_preemption),
        IN_DIR (test_preemption_of_the_task_first),
        IN_DIR (test_told_to_end_before_anything),
        IN_DIR (test_slots_run_at_once),
        IN_DIR (test_many_tasks),
        IN_DIR (test_committed_behind_the_next_task),
        IN_DIR (test_one_bad_task_among_good_ones),
        IN_DIR (test_two_agents),
        IN_DIR (test_two_agents_without_artifacts),
        IN_DIR (test_orphan_processes_are_ended),
        IN_DIR (test_killed_agent),
        IN_DIR (test_leftovers_are_ended),
        IN_DIR (test_program_that_may_not_be_executed),
        IN_DIR (test_grace),
        IN_DIR (test_outcomes_of_ends),
        IN_DIR (test_ends_by_sigterm),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
