/* SPDX-License-Identifier: BSD-3-Clause */
/* test_agent.c - agents that run small shell commands in a campaign directory
 */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "agent/agent.h"
#include "agent/oom_kills.h"
#include "arrays/job_order.h"
#include "arrays/result_log.h"
#include "arrays/stage_order.h"
#include "base/json.h"
#include "temp_dir.h"

#define RUN_DIR ".fanfold/run/train/000003/000000/000000"
#define JOB_DIR "train/linear/iter/000003/job/"
#define TOKEN "a23456789012345"

/* --- the stage --- */

#define SH(text)                                                               \
    {                                                                          \
        "sh", "-c", text, NULL                                                 \
    }

/* What is run, and on what.  Zeros are sensible defaults. */
struct scene {
    const char *sh;    /* the first command, for sh -c */
    const char *then;  /* the second, or NULL */
    const char *argv0; /* instead of sh: a program without arguments */
    const struct port *inputs, *outputs;
    const char *values;     /* JSON; NULL: {} */
    const char *slices;     /* slices.jsonl; NULL: not sliced */
    const char *bundle;     /* NULL: "0" */
    struct resources needs; /* ranks 0: one core */
    int slots;              /* 0: 1 */
    double element_walltime_s;
    double grace_s;      /* 0: 10 */
    double visibility_s; /* 0: 10 */
    bool unrecorded;     /* submission.json is not there */
};

static const struct port no_ports[] = { { .name = NULL } };

static void write_json (const char *path, struct json *v)
{
    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (json_write_file (path, v, NULL), 0);
    json_unref (v);
}

static void write_stage (const struct scene *scene)
{
    const char *first[] = SH (scene->sh);
    const char *second[] = SH (scene->then);
    const char *alone[] = { scene->argv0, NULL };
    const char *const *commands[] = { scene->argv0 ? alone : first,
                                      scene->then ? second : NULL, NULL };
    const char *values = scene->values ? scene->values : "{}";
    struct stage_order order = {
        .campaign = "silicon",
        .place = { "train", "linear", 3 },
        .seed = 1,
        .tasks = 10,
        .sliced = scene->slices != NULL,
        .inputs = scene->inputs ? scene->inputs : no_ports,
        .outputs = scene->outputs ? scene->outputs : no_ports,
        .values = json_parse (values, strlen (values), "values", NULL),
        .commands = commands,
        .fatal_exits = (const int[]){ 3, 0 },
        .launcher = (const char *const[]){ "mpirun", "-n", "{ranks}", NULL },
    };

    assert_non_null (order.values);
    write_json (".fanfold/run/train/000003/stage.json",
                stage_order_to_json (&order));
    json_unref (order.values);
    if (scene->slices)
        write_text (".fanfold/run/train/000003/slices.jsonl", scene->slices);
}

static void record_submission (const char *id)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "token", json_string (TOKEN));
    json_set (v, "id", json_string (id));
    write_json (RUN_DIR "/submission.json", v);
}

static void write_job (const struct scene *scene)
{
    struct job_order order = {
        .token = TOKEN,
        .elements = 1,
        .slots = scene->slots ? scene->slots : 1,
        .task = scene->needs,
        .element_walltime_s = scene->element_walltime_s,
        .visibility_s = scene->visibility_s > 0 ? scene->visibility_s : 10,
        .grace_s = scene->grace_s > 0 ? scene->grace_s : 10,
    };

    if (order.task.ranks == 0)
        order.task.ranks = order.task.cores = 1;
    write_json (RUN_DIR "/job.json", job_order_to_json (&order));
    write_text (RUN_DIR "/bundles", scene->bundle ? scene->bundle : "0\n");
    if (!scene->unrecorded)
        record_submission ("4711");
}

static void set_scene (const struct scene *scene)
{
    write_stage (scene);
    write_job (scene);
}

/* --- the agent --- */

static pid_t start_agent_as (const char *job_id)
{
    const struct agent_options options = {
        .campaign_dir = ".",
        .run_dir = RUN_DIR,
        .element = 0,
        .job_id = job_id,
        .program = "/opt/fanfold",
    };
    struct error err = ERROR_INIT;
    sigset_t all, before;
    pid_t pid;
    int rc;

    /* What the agent is sent before it minds its signals stays pending. */
    sigfillset (&all);
    sigprocmask (SIG_SETMASK, &all, &before);
    pid = fork ();
    assert_true (pid >= 0);
    if (pid > 0) {
        sigprocmask (SIG_SETMASK, &before, NULL);
        return pid;
    }
    rc = agent_run (&options, &err);
    write_text ("agent-error", err.text);
    _exit (rc == 0 ? 0 : 1);
}

static int wait_agent (pid_t pid)
{
    int status;

    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_true (WIFEXITED (status));
    return WEXITSTATUS (status);
}

static int run_agent (void)
{
    return wait_agent (start_agent_as ("4711"));
}

/* What the agents logged: "start0 end0(ok) done". */
struct story {
    struct strbuf text;
    struct strbuf message; /* of the last end */
    int n_ok, n_found;
};

#define STORY_INIT                                                             \
    {                                                                          \
        STRBUF_INIT, STRBUF_INIT, 0, 0                                         \
    }

static void story_release (struct story *story)
{
    strbuf_release (&story->text);
    strbuf_release (&story->message);
}

static int tell (const struct result_event *event, void *arg, struct error *err)
{
    static const char *const words[] = { "claim", "start",    "end",
                                         "found", "returned", "done" };
    struct story *story = arg;

    (void)err;
    if (event->kind == RESULT_CLAIM)
        return 0;
    strbuf_addf (&story->text, "%s%s", story->text.len ? " " : "",
                 words[event->kind]);
    if (event->task >= 0)
        strbuf_addf (&story->text, "%d", event->task);
    if (event->kind == RESULT_END) {
        strbuf_addf (&story->text, "(%s)", outcome_name (event->outcome));
        strbuf_reset (&story->message);
        strbuf_add_str (&story->message, event->message);
    }
    story->n_ok += event->kind == RESULT_END && event->outcome == OUTCOME_OK;
    story->n_found += event->kind == RESULT_FOUND;
    return 0;
}

static void read_story (struct story *story)
{
    glob_t logs;

    assert_int_equal (glob (RUN_DIR "/results-0.*", 0, NULL, &logs), 0);
    for (size_t i = 0; i < logs.gl_pathc; i++) {
        struct strbuf text = STRBUF_INIT;
        uint64_t accepted;

        assert_int_equal (file_read (logs.gl_pathv[i], 1 << 20, &text, NULL),
                          0);
        assert_int_equal (result_log_scan (text.buf, text.len, logs.gl_pathv[i],
                                           tell, story, &accepted, NULL),
                          0);
        assert_int_equal (accepted, text.len);
        strbuf_release (&text);
    }
    globfree (&logs);
}

static void expect_story (const char *expected)
{
    struct story story = STORY_INIT;

    read_story (&story);
    assert_string_equal (story.text.buf, expected);
    story_release (&story);
}

static void expect_message (const char *part)
{
    struct story story = STORY_INIT;

    read_story (&story);
    if (!strstr (story.message.buf, part))
        fail_msg ("'%s' is not in '%s'", part, story.message.buf);
    story_release (&story);
}

static void expect_error (const char *part)
{
    struct strbuf text = STRBUF_INIT;

    assert_int_equal (file_read ("agent-error", 4096, &text, NULL), 0);
    if (!strstr (text.buf, part))
        fail_msg ("'%s' is not in '%s'", part, text.buf);
    strbuf_release (&text);
}

static size_t count_paths (const char *pattern)
{
    glob_t found;
    size_t n = 0;

    if (glob (pattern, 0, NULL, &found) == 0)
        n = found.gl_pathc;
    globfree (&found);
    return n;
}

/* --- tests --- */

static const struct port model_outputs[] = {
    { .name = "model", .type = { .kind = TYPE_DIR } },
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { .name = NULL },
};

static int enter (void **state)
{
    static struct temp_dir dir;

    temp_dir_enter (&dir);
    *state = &dir;
    return 0;
}

static int leave (void **state)
{
    temp_dir_leave (*state);
    return 0;
}

static void test_success (void **state)
{
    const struct scene scene = {
        .sh = "mkdir {outputs.model}; echo {seed} > {outputs.model}/w",
        .then = "echo fitted; echo '{{\"rmse\": 0.25}}' > {outputs.params}",
        .outputs = model_outputs,
    };
    struct json *result;
    struct json *task;
    char seed[32];

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    snprintf (seed, sizeof (seed), "%lld\n",
              (long long)task_seed (1, "train", 3, 0));
    assert_file_text (JOB_DIR "000000/out/model/w", seed);
    result = json_read_file (JOB_DIR "000000/out/result.json", NULL);
    assert_true (json_as_double (json_get (json_get (result, "params"), "rmse"))
                 == 0.25);
    assert_int_equal (
        json_count (json_get (json_get (result, "run"), "commands")), 2);
    assert_string_not_equal (
        json_as_string (json_get (json_get (result, "run"), "cores")), "");
    task = json_read_file (JOB_DIR "000000/in/task.json", NULL);
    assert_int_equal (json_as_int (json_get (task, "task")), 0);
    assert_string_equal (
        json_as_string (json_get (json_get (task, "outputs"), "model")),
        "out/model");
    json_unref (task);
    json_unref (result);
    assert_int_equal (count_paths (JOB_DIR "000000/log/0-????????.log"), 1);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

static void test_how_commands_end (void **state)
{
    static const struct {
        const char *sh, *story, *message;
    } cases[] = {
        { "echo one; echo ' two '; exit 1", "start0 end0(failed) done",
          "command 1 of 2, 'sh' exited with status 1; its last line: ' two'" },
        { "exit 2", "start0 end0(failed) done",
          "exited with status 2 and said nothing" },
        { "exit 3", "start0 end0(fatal) done", "status 3" },
        { "kill -9 $$", "start0 end0(failed) done",
          "killed by signal 9 (Killed)" },
        { "kill -SEGV $$", "start0 end0(failed) done", "signal 11" },
        { "rm -rf \"$PWD\"", "start0 end0(failed) done",
          "command 2 of 2, 'sh' cannot be started: cannot enter" },
        { "printf '\\000\\377\\r\\n'; exit 1", "start0 end0(failed) done",
          "its last line: '" },
        { "head -c 300000 /dev/zero | tr '\\0' x; exit 1",
          "start0 end0(failed) done", "xxx'" },
        { "rm -rf {campaign}/" JOB_DIR "000000/log; exit 1",
          "start0 end0(failed) done", "status 1" },
        { "echo {launcher}", "start0 end0(bad_input) done",
          "'{launcher}' is an array here" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = { .sh = cases[i].sh,
                                     .then = "touch {campaign}/second" };

        print_message ("# %s\n", cases[i].sh);
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story (cases[i].story);
        expect_message (cases[i].message);
        assert_false (file_exists ("second"));
        assert_false (file_exists (JOB_DIR "000000/out"));
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
    }
}

static void test_no_such_program (void **state)
{
    const struct scene scene = { .argv0 = "no-such-program" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(failed) done");
    expect_message ("command 'no-such-program' cannot be started: "
                    "no such program on PATH");
}

static void test_no_permission (void **state)
{
    const struct scene scene = { .argv0 = "/etc/passwd" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_message ("'passwd' cannot be started: Permission denied");
}

static void test_log_of_a_task (void **state)
{
    const struct scene scene = { .sh = "echo out; echo 'err' >&2",
                                 .then = "cat; echo done" };
    struct strbuf log = STRBUF_INIT;
    glob_t found;

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    assert_int_equal (glob (JOB_DIR "000000/log/*", 0, NULL, &found), 0);
    assert_int_equal (file_read (found.gl_pathv[0], 4096, &log, NULL), 0);
    globfree (&found);
    assert_int_equal (strncmp (log.buf, "=== 2", 5), 0);
    assert_non_null (
        strstr (log.buf, " command 1: sh -c 'echo out; echo '\\''err'"));
    assert_non_null (strstr (log.buf, "\nout\nerr\n=== 2"));
    assert_non_null (strstr (log.buf, "\ndone\n"));
    strbuf_release (&log);
}

static void test_timeout (void **state)
{
    static const char *const commands[] = {
        "sleep 1000",
        "trap '' TERM; sleep 1000",
        "trap 'exit 0' TERM; "
        "sleep 1000 & wait",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (commands); i++) {
        const struct scene scene = { .sh = commands[i],
                                     .needs = { 1, 1, 0, 0, 0.2 },
                                     .grace_s = 0.2 };

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(timeout) done");
        expect_message ("it took longer than its walltime of 0.2s");
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
    }
}

static void test_element_walltime_ends_tasks (void **state)
{
    const struct scene scene = { .sh = "sleep 1000",
                                 .bundle = "0-2\n",
                                 .element_walltime_s = 0.5,
                                 .grace_s = 1 };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(timeout) returned1 returned2 done");
    expect_message ("the element's walltime is over");
}

static void test_what_cannot_end_in_time_is_returned (void **state)
{
    const struct scene scene = { .sh = "true",
                                 .bundle = "3-5\n",
                                 .needs = { 1, 1, 0, 0, 100 },
                                 .element_walltime_s = 100,
                                 .slices = "{}\n{}\n{}\n{}\n{}\n{}\n" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start3 end3(ok) returned4 returned5 done");
}

static void test_bad_output (void **state)
{
    static const struct {
        const char *sh, *message;
    } cases[] = {
        { "true", "output 'model' is missing" },
        { "mkdir {outputs.model}", "output 'rmse' is missing" },
        { "mkdir {outputs.model}; echo '{{\"rmse\": 1, \"more\": 1}}' > "
          "{outputs.params}",
          "'more' is not declared" },
        { "mkdir {outputs.model}; echo '{{\"rmse\": \"x\"}}' > "
          "{outputs.params}",
          "expected float" },
        { "ln -s /etc {outputs.model}", "is a link" },
        { "rm -rf \"$PWD\"", "the task removed its own directory" },
        { "mkdir {outputs.model}; echo '{{\"rmse\": 1}}' > {outputs.params};"
          "echo mine > out/result.json",
          "a name that is Fanfold's" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = { .sh = cases[i].sh,
                                     .outputs = model_outputs };

        print_message ("# %s\n", cases[i].sh);
        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(bad_output) done");
        expect_message (cases[i].message);
        assert_false (file_exists (JOB_DIR "000000/out"));
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
    }
}

/* With nothing to put there, a task may do without its directories. */
static void test_no_outputs (void **state)
{
    const struct scene scene = { .sh = "rmdir out" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    assert_true (file_exists (JOB_DIR "000000/out/result.json"));
}

static const struct port mixed_inputs[] = {
    { .name = "frame", .type = { .kind = TYPE_FRAMES } },
    { .name = "models", .type = { .kind = TYPE_FILE, .depth = 1 } },
    { .name = "n", .type = { .kind = TYPE_INT } },
    { .name = "extra", .type = { .kind = TYPE_FILE }, .optional = true },
    { .name = NULL },
};

static void test_inputs (void **state)
{
    const struct scene scene = {
        .sh = "test -s {frame} && test {n} = 8",
        .inputs = mixed_inputs,
        .values = "{\"models\": [\"a.bin\", \"b.bin\"]}",
        .slices = "{\"n\": 7, \"frame\": \"x\"}\n"
                  "{\"n\": 8, \"frame\": {\"path\": \"all.extxyz\", "
                  "\"frame\": 1, \"offset\": 11, \"bytes\": 11, "
                  "\"line\": 4}}\n",
        .bundle = "1\n",
    };
    struct json *task;
    struct json *inputs;
    struct json *models;

    (void)state;
    write_text ("all.extxyz", "1\nA\nH 0 0 0\n1\nB\nH 1 1 1\n");
    write_text ("a.bin", "");
    write_text ("b.bin", "");
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start1 end1(ok) done");
    assert_file_text (JOB_DIR "000001/in/frame.extxyz", "\n1\nB\nH 1 1 ");
    task = json_read_file (JOB_DIR "000001/in/task.json", NULL);
    inputs = json_get (task, "inputs");
    models = json_get (inputs, "models");
    assert_int_equal (json_as_int (json_get (inputs, "n")), 8);
    assert_null (json_get (inputs, "extra"));
    assert_int_equal (json_count (models), 2);
    assert_int_equal (json_as_string (json_at (models, 0))[0], '/');
    assert_string_equal (path_base (json_as_string (json_at (models, 1))),
                         "b.bin");
    assert_string_equal (
        path_base (json_as_string (json_get (inputs, "frame"))),
        "frame.extxyz");
    json_unref (task);
}

static void test_bad_inputs (void **state)
{
    static const struct {
        const char *slice, *message;
    } cases[] = {
        { "{}", "input 'frame'" },
        { "{\"n\": 1, \"frame\": \"no-such-file\"}", "no-such-file" },
        { "{\"n\": \"x\", \"frame\": \"all.extxyz\"}", "input 'n'" },
        { "{\"n\": null, \"frame\": \"all.extxyz\"}", "input 'n'" },
        { "{\"n\": 1, \"frame\": {\"path\": \"all.extxyz\", \"frame\": 0, "
          "\"offset\": 0, \"bytes\": 1000, \"line\": 1}}",
          "input 'frame'" },
    };

    (void)state;
    write_text ("all.extxyz", "1\nA\nH 0 0 0\n");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = {
            .sh = "touch {campaign}/ran",
            .inputs = mixed_inputs,
            .values = "{\"models\": []}",
            .slices = cases[i].slice,
        };

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(bad_input) done");
        expect_message (cases[i].message);
        assert_false (file_exists ("ran"));
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
    }
}

static void test_environment (void **state)
{
    static const struct {
        struct resources needs;
        const char *text;
    } cases[] = {
        { { 1, 3, 0, 0, 0 }, "3 3 ob1 self 1 unset\n" },
        { { 2, 4, 0, 0, 0 }, "2 2 unset unset unset none\n" },
    };

    (void)state;
    setenv ("OMPI_MCA_btl", "self", 1);
    setenv ("OMP_NUM_THREADS", "77", 1);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = {
            .sh = "true > {campaign}/env; for v in OMP_NUM_THREADS "
                  "OPENBLAS_NUM_THREADS OMPI_MCA_pml "
                  "OMPI_MCA_btl OMPI_MCA_ess_singleton_isolated; do "
                  "eval \"printf '%s ' \\${{$v-unset}}\"; done "
                  ">> {campaign}/env; "
                  "echo ${{OMPI_MCA_hwloc_base_binding_policy-unset}} "
                  ">> {campaign}/env; "
                  "test $TMPDIR = $PWD && echo $FANFOLD_TAG $FANFOLD_TASK "
                  "> {campaign}/tags",
            .needs = cases[i].needs,
        };
        struct strbuf tags = STRBUF_INIT;

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(ok) done");
        assert_file_text ("env", cases[i].text);
        assert_int_equal (file_read ("tags", 4096, &tags, NULL), 0);
        assert_int_equal (strncmp (tags.buf, TOKEN ".0.", 18), 0);
        assert_string_equal (tags.buf + tags.len - 3, ".0\n");
        strbuf_release (&tags);
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL), 0);
    }
    unsetenv ("OMPI_MCA_btl");
    unsetenv ("OMP_NUM_THREADS");
}

static void test_results_are_found (void **state)
{
    const struct scene scene = { .sh = "echo {task} >> {campaign}/effects",
                                 .bundle = "0-2\n" };
    struct story story = STORY_INIT;

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    assert_int_equal (run_agent (), 0);
    read_story (&story);
    assert_int_equal (story.n_ok, 3);
    assert_int_equal (story.n_found, 3);
    story_release (&story);
    assert_file_text ("effects", "0\n1\n2\n");
}

static void test_damaged_result_is_set_aside (void **state)
{
    const struct scene scene = { .sh = "true" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (file_make_dirs (JOB_DIR "000000/out", NULL), 0);
    write_text (JOB_DIR "000000/out/result.json", "{\"format\": 1, ");
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    assert_int_equal (count_paths (JOB_DIR "000000/out.damaged-*"), 1);
}

/* --- what keeps an agent from starting --- */

static void test_closed_attempt (void **state)
{
    const struct scene scene = { .sh = "true" };

    (void)state;
    set_scene (&scene);
    write_text (".fanfold/run/train/000003/000000/closed", "");
    assert_int_equal (run_agent (), 1);
    expect_error ("closed");
    assert_int_equal (count_paths (RUN_DIR "/results-*"), 0);
}

/* Closing it while a task runs keeps the others from starting. */
static void test_attempt_closed_meanwhile (void **state)
{
    const struct scene scene = {
        .sh = "touch {campaign}/.fanfold/run/train/000003/000000/closed",
        .bundle = "0-2\n",
    };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) returned1 returned2 done");
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
        RUN_DIR "/bundles",
        ".fanfold/run/train/000003/stage.json",
        ".fanfold/run/train/000003/slices.jsonl",
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
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
    }
}

static void test_agent_that_cannot_write (void **state)
{
    const struct scene scene = { .sh = "true", .bundle = "0-1\n" };

    (void)state;
    set_scene (&scene);
    write_text (RUN_DIR "/work", "a file in the way");
    assert_int_equal (run_agent (), 1);
    expect_error ("task 000000: ");
    expect_story ("");
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
    const struct scene scene = { .sh = meet, .bundle = "0-2\n" };
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
        const struct scene scene = { .sh = meet, .bundle = "0-2\n" };
        pid_t pid;

        set_scene (&scene);
        pid = start_agent_as ("4711");
        wait_started ();
        assert_int_equal (kill (pid, signals[i]), 0);
        assert_int_equal (wait_agent (pid), 0);
        expect_story ("start0 returned1 returned2 end0(preempted) done");
        expect_message ("told to end");
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
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
        .bundle = "0-1\n",
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
                                 .bundle = "0-99\n",
                                 .slots = 2 };
    struct story story = STORY_INIT;

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    read_story (&story);
    assert_int_equal (story.n_ok, 100);
    story_release (&story);
    assert_int_equal (count_paths (JOB_DIR "*/out/result.json"), 100);
}

static void test_one_bad_task_among_good_ones (void **state)
{
    const struct scene scene = { .sh = "test {task} != 1", .bundle = "0-2\n" };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) start1 end1(failed) start2 end2(ok) done");
    assert_int_equal (count_paths (RUN_DIR "/work/0.*/*"), 1);
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
    assert_int_equal (story.n_ok, 1);
    assert_int_equal (story.n_found, 1);
    story_release (&story);
    result = json_read_file (JOB_DIR "000000/out/result.json", NULL);
    assert_int_equal (file_read (JOB_DIR "000000/out/who", 100, &who, NULL), 0);
    assert_non_null (
        strstr (who.buf, json_as_string (json_get (result, "claim"))));
    json_unref (result);
    strbuf_release (&who);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
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

static void test_leftovers_are_ended (void **state)
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
        assert_int_equal (file_remove_tree (".fanfold", NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL), 0);
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

/* --- out of memory --- */

static void test_oom_kills (void **state)
{
    (void)state;
    assert_int_equal (oom_kills ("no-such-file", "."), -1);
    write_text ("cgroup", "4:memory:/x\n0::/slurm/job_1\n");
    assert_int_equal (oom_kills ("cgroup", "."), -1);
    assert_int_equal (file_make_dirs ("slurm/job_1", NULL), 0);
    write_text ("slurm/job_1/memory.events",
                "low 0\nhigh 0\nmax 17\noom 4\noom_kill 3\n"
                "oom_group_kill 0\n");
    assert_int_equal (oom_kills ("cgroup", "."), 3);
    write_text ("slurm/job_1/memory.events", "low 0\n");
    assert_int_equal (oom_kills ("cgroup", "."), -1);
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_success),
        IN_DIR (test_how_commands_end),
        IN_DIR (test_no_such_program),
        IN_DIR (test_no_permission),
        IN_DIR (test_log_of_a_task),
        IN_DIR (test_timeout),
        IN_DIR (test_element_walltime_ends_tasks),
        IN_DIR (test_what_cannot_end_in_time_is_returned),
        IN_DIR (test_bad_output),
        IN_DIR (test_no_outputs),
        IN_DIR (test_inputs),
        IN_DIR (test_bad_inputs),
        IN_DIR (test_environment),
        IN_DIR (test_results_are_found),
        IN_DIR (test_damaged_result_is_set_aside),
        IN_DIR (test_closed_attempt),
        IN_DIR (test_attempt_closed_meanwhile),
        IN_DIR (test_another_job_is_recorded),
        IN_DIR (test_not_recorded),
        IN_DIR (test_recorded_late),
        IN_DIR (test_run_files_are_missing),
        IN_DIR (test_agent_that_cannot_write),
        IN_DIR (test_drain),
        IN_DIR (test_preemption),
        IN_DIR (test_told_to_end_before_anything),
        IN_DIR (test_slots_run_at_once),
        IN_DIR (test_many_tasks),
        IN_DIR (test_one_bad_task_among_good_ones),
        IN_DIR (test_two_agents),
        IN_DIR (test_leftovers_are_ended),
        IN_DIR (test_killed_agent),
        IN_DIR (test_oom_kills),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
