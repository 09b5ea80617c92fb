/* SPDX-License-Identifier: BSD-3-Clause */
/* test_agent.c - what becomes of tasks: small shell commands run by agents */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "agent/shortage.h"
#include "agent_scene.h"
static const struct port model_outputs[] = {
    { .name = "model", .type = { .kind = TYPE_DIR } },
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { .name = NULL },
};

static void test_success (void **state)
{
    const struct scene scene = {
        .sh = "mkdir {outputs.model}; echo {seed} > {outputs.model}/w",
        .then = "echo fitted; echo '{{\"rmse\": 0.25}}' > {outputs.params}",
        .outputs = model_outputs,
    };
    struct json *result;
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
    json_unref (result);
    assert_int_equal (count_paths (JOB_DIR "000000/*"), 1);
    assert_int_equal (count_paths (JOB_DIR "000000/out/*"), 2);
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
}

/* The parameters that the logs tell of a task. */
static int take_params (const struct result_event *event, void *arg,
                        struct error *err)
{
    struct json **params = arg;

    (void)err;
    if (event->kind == RESULT_END && event->params) {
        json_unref (*params);
        *params = json_deep_copy (event->params);
    }
    return 0;
}

static struct json *logged_params_of_last (void)
{
    struct element_logs logs = ELEMENT_LOGS_INIT;
    struct json *params = NULL;

    assert_int_equal (element_logs_add (&logs, RUN_DIR, 0, 0, 0, NULL), 0);
    assert_int_equal (element_logs_limit (&logs, NULL), 0);
    assert_int_equal (element_log_scan (&logs.v[0], take_params, &params, NULL),
                      0);
    element_logs_release (&logs);
    return params;
}

static const struct port rmse_output[] = {
    { .name = "rmse", .type = { .kind = TYPE_FLOAT } },
    { .name = NULL },
};

/* However many they are, such tasks leave a log and what they printed. */
static void test_only_parameters (void **state)
{
    const struct scene scene = {
        .sh = "echo '{{\"rmse\": 0.{task}}}' > {outputs.params}",
        .bundle = "1-3",
        .slots = 2,
        .outputs = rmse_output,
    };
    struct story story = STORY_INIT;
    struct json *params;

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    read_story (&story);
    assert_int_equal (story.n_ok, 3);
    story_release (&story);
    params = logged_params_of_last ();
    assert_true (json_as_double (json_get (params, "rmse")) > 0.05);
    json_unref (params);
    assert_false (file_exists (JOB_DIR));
    assert_int_equal (count_paths (RUN_DIR "/work/*"), 0);
    assert_int_equal (count_paths (RUN_DIR "/*"), 5);
    assert_int_equal (count_paths (RUN_DIR "/*-0.0"), 2);
}

#define RULE "echo ----------------------------------------; "

static void test_how_commands_end (void **state)
{
    static const struct {
        const char *sh, *story, *message;
    } cases[] = {
        { "echo one; echo ' two '; exit 1", "start0 end0(failed) done",
          "command 1 of 2, 'sh' exited with status 1; its last line: ' two'" },
        { "echo ---; echo no such device; echo; echo '--- ---'; exit 1",
          "start0 end0(failed) done", "its last line: 'no such device'" },
        { "echo bad k-point; " RULE
          "echo MPI_ABORT was invoked on rank 0; " RULE RULE
          "echo Primary job ended; " RULE "exit 1",
          "start0 end0(failed) done", "its last line: 'bad k-point'" },
        { RULE "echo MPI_ABORT was invoked on rank 0; " RULE "exit 1",
          "start0 end0(failed) done",
          "its last line: 'MPI_ABORT was invoked on rank 0'" },
        { "echo table; " RULE "echo no such species; " RULE "exit 1",
          "start0 end0(failed) done", "its last line: 'no such species'" },
        { "exit 2", "start0 end0(failed) done",
          "exited with status 2 and printed nothing" },
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
        { "seq 20000; echo last of all; exit 1", "start0 end0(failed) done",
          "its last line: 'last of all'" },
        { "rm -rf {campaign}/" RUN_DIR "/work/0.0/slot-0.log; exit 1",
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
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
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

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    assert_int_equal (file_read (RUN_DIR "/output-0.0", 4096, &log, NULL), 0);
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
        "trap 'exit 0' TERM; sleep 1000 & wait",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (commands); i++) {
        const struct scene scene = { .sh = commands[i],
                                     .needs = { 1, 1, 0, 0, 0.2, 1 },
                                     .grace_s = 0.2 };

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(timeout) done");
        expect_message ("it took longer than its walltime of 0.2s");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
}

static void test_element_walltime_ends_tasks (void **state)
{
    const struct scene scene = { .sh = "sleep 1000",
                                 .bundle = "0-2",
                                 .element_walltime_s = 2,
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
                                 .bundle = "3-5",
                                 .needs = { 1, 1, 0, 0, 100, 1 },
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
          "'out/result.json' is no declared output" },
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
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
}

/* A program that writes where it stands needs no mv. */
static void test_taken_output (void **state)
{
    static const struct port taken[] = {
        { .name = "curve",
          .type = { .kind = TYPE_FILE },
          .path = "curve.txt",
          .take = "lcurve.out" },
        { .name = NULL },
    };
    const struct scene scene = { .sh = "echo 1 2 > lcurve.out",
                                 .outputs = taken };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    assert_file_text (JOB_DIR "000000/out/curve.txt", "1 2\n");
}

/* With nothing to put there, a task may do without its directories. */
static void test_no_outputs (void **state)
{
    const struct scene scene = {
        .sh = "rmdir out",
        .outputs = (const struct port[]){ { .name = "who",
                                            .type = { .kind = TYPE_FILE },
                                            .optional = true },
                                          { .name = NULL } },
    };

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
        .sh = "test -s {frame} && test {n} = 8 && exit 5",
        .inputs = mixed_inputs,
        .values = "{\"models\": [\"a.bin\", \"b.bin\"]}",
        .slices = "{\"n\": 7, \"frame\": \"x\"}\n"
                  "{\"n\": 8, \"frame\": {\"path\": \"all.extxyz\", "
                  "\"frame\": 1, \"offset\": 11, \"bytes\": 11, "
                  "\"line\": 4}}\n",
        .bundle = "1",
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
    expect_message ("exited with status 5");
    assert_file_text (RUN_DIR "/work/0.0/000001/in/frame.extxyz",
                      "\n1\nB\nH 1 1 ");
    task = json_read_file (RUN_DIR "/work/0.0/000001/task.json", NULL);
    assert_int_equal (json_as_int (json_get (task, "task")), 1);
    assert_null (json_get (task, "seed")); /* it uses neither */
    assert_null (json_get (task, "iteration"));
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
        { "{}\n", "input 'frame'" },
        { "{\"n\": 1, \"frame\": \"no-such-file\"}\n", "no-such-file" },
        { "{\"n\": \"x\", \"frame\": \"all.extxyz\"}\n", "input 'n'" },
        { "{\"n\": null, \"frame\": \"all.extxyz\"}\n", "input 'n'" },
        { "{\"n\": 1, \"frame\": {\"path\": \"all.extxyz\", \"frame\": 0, "
          "\"offset\": 0, \"bytes\": 1000, \"line\": 1}}\n",
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
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
    }
}

static const char *const mpi_environment[] = { "OMPI_MCA_pml=ob1",
                                               "OMPI_MCA_dir={dir}/mpi", NULL };
static const char *const mpi_not_inherited[] = { "OMPI_MCA_btl=self",
                                                 "OMPI_MCA_other=1", NULL };

static void test_environment (void **state)
{
    static const struct {
        struct resources needs;
        const char *const *environment, *const *not_inherited;
        const char *text;
    } cases[] = {
        { { .ranks = 1, .cores = 3, .nodes = 1 },
          NULL,
          NULL,
          "3 3 mine self unset\n" },
        { { .ranks = 1, .cores = 3, .nodes = 1 },
          mpi_environment,
          NULL,
          "3 3 ob1 self mpi\n" },
        { { .ranks = 2, .cores = 4, .nodes = 1 },
          NULL,
          mpi_not_inherited,
          "2 2 mine unset unset\n" },
    };

    (void)state;
    setenv ("OMPI_MCA_pml", "mine", 1);
    setenv ("OMPI_MCA_btl", "self", 1);
    setenv ("OMP_NUM_THREADS", "77", 1);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct scene scene = {
            .sh = "true > {campaign}/env; for v in OMP_NUM_THREADS "
                  "OPENBLAS_NUM_THREADS OMPI_MCA_pml OMPI_MCA_btl; do "
                  "eval \"printf '%s ' \\${{$v-unset}}\"; done "
                  ">> {campaign}/env; "
                  "case ${{OMPI_MCA_dir-unset}} in $PWD/mpi) echo mpi;; "
                  "*) echo ${{OMPI_MCA_dir-unset}};; esac >> {campaign}/env; "
                  "test \"$(cd $TMPDIR && pwd -P)\" = $PWD && "
                  "test ${{#TMPDIR}} -le 52 && echo $FANFOLD_TAG $FANFOLD_TASK "
                  "> {campaign}/tags",
            .needs = cases[i].needs,
            .environment = cases[i].environment,
            .not_inherited = cases[i].not_inherited,
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
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (file_remove_tree ("train", NULL, NULL), 0);
    }
    unsetenv ("OMPI_MCA_pml");
    unsetenv ("OMPI_MCA_btl");
    unsetenv ("OMP_NUM_THREADS");
}

static const struct port mark_output[] = {
    { .name = "mark", .type = { .kind = TYPE_FILE } },
    { .name = NULL },
};

/* What an older agent ended well is in its log, or in job/<task>/out. */
static void test_results_are_found (void **state)
{
    static const struct port *const outputs[] = { no_ports, mark_output };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (outputs); i++) {
        const struct scene scene = {
            .sh = "touch out/mark; test {task} != 1 || "
                  "test -e {campaign}/again || exit 1; "
                  "echo {task} >> {campaign}/effects",
            .bundle = "0-2",
            .outputs = outputs[i],
        };

        set_scene (&scene);
        assert_int_equal (run_agent (), 0);
        write_text ("again", "");
        assert_int_equal (run_agent (), 0);
        expect_story_in_any_order (
            outputs[i] == no_ports
                ? "start0 end0(ok) start1 end1(failed) start2 end2(ok) done "
                  "start1 end1(ok) done"
                : "start0 end0(ok) start1 end1(failed) start2 end2(ok) done "
                  "found0 start1 end1(ok) found2 done");
        assert_file_text ("effects", "0\n2\n1\n");
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        assert_int_equal (remove ("effects"), 0);
        assert_int_equal (remove ("again"), 0);
    }
}

/* Whatever is in its place and is not its result. */
static void test_damaged_result_is_set_aside (void **state)
{
    const struct scene scene = { .sh = "touch out/mark",
                                 .outputs = mark_output,
                                 .visibility_s = 0.1 };
    static const char *const left[] = { "000000/out/result.json",
                                        "000000/out/result.json", "000000/log",
                                        "000000" };

    (void)state;
    /* .fanfold is lost each time: attempts begin at 0 again. */
    for (size_t i = 0; i < ARRAY_SIZE (left); i++) {
        char *file = xasprintf (JOB_DIR "%s", left[i]);

        set_scene (&scene);
        file_remove_tree (JOB_DIR "000000", NULL, NULL);
        assert_int_equal (file_make_parent (file, NULL), 0);
        write_text (file, "{\"format\": 1, ");
        assert_int_equal (run_agent (), 0);
        expect_story ("start0 end0(ok) done");
        assert_true (file_exists (JOB_DIR "000000/out/mark"));
        assert_int_equal (count_paths (JOB_DIR "000000.damaged-*"), i + 1);
        assert_int_equal (file_remove_tree (".fanfold", NULL, NULL), 0);
        free (file);
    }
}

/* An empty directory is no result, and not in the way of one. */
static void test_empty_place (void **state)
{
    const struct scene scene = { .sh = "mkdir -p {campaign}/" JOB_DIR "000000; "
                                       "touch out/mark",
                                 .outputs = mark_output };

    (void)state;
    set_scene (&scene);
    assert_int_equal (run_agent (), 0);
    expect_story ("start0 end0(ok) done");
    assert_true (file_exists (JOB_DIR "000000/out/mark"));
}

/* --- out of memory --- */

static int64_t kills_of (const char *self_cgroup, const char *cgroup_mount)
{
    char *file = oom_kills_file (self_cgroup, cgroup_mount);
    int64_t n = oom_kills (file);

    free (file);
    return n;
}

static void test_oom_kills (void **state)
{
    (void)state;
    assert_int_equal (kills_of ("no-such-file", "."), -1);
    write_text ("cgroup", "4:memory:/x\n0::/slurm/job_1\n");
    assert_int_equal (kills_of ("cgroup", "."), -1);
    assert_int_equal (file_make_dirs ("slurm/job_1", NULL), 0);
    write_text ("slurm/job_1/memory.events",
                "low 0\nhigh 0\nmax 17\noom 4\noom_kill 3\n"
                "oom_group_kill 0\n");
    assert_int_equal (kills_of ("cgroup", "."), 3);
    write_text ("slurm/job_1/memory.events", "low 0\n");
    assert_int_equal (kills_of ("cgroup", "."), -1);
    /* Version 1, alone or with other controllers. */
    assert_int_equal (file_make_dirs ("memory/x", NULL), 0);
    write_text ("memory/x/memory.oom_control",
                "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    assert_int_equal (kills_of ("cgroup", "."), 2);
    write_text ("cgroup", "5:cpu,memory:/x\n0::/\n");
    assert_int_equal (kills_of ("cgroup", "."), 2);
    write_text ("cgroup", "5:cpu,memoryless:/x\n");
    assert_int_equal (kills_of ("cgroup", "."), -1);
    write_text ("cgroup", "5\n5:memory\n");
    assert_int_equal (kills_of ("cgroup", "."), -1);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        IN_DIR (test_success),
        IN_DIR (test_only_parameters),
        IN_DIR (test_how_commands_end),
        IN_DIR (test_no_such_program),
        IN_DIR (test_no_permission),
        IN_DIR (test_log_of_a_task),
        IN_DIR (test_timeout),
        IN_DIR (test_element_walltime_ends_tasks),
        IN_DIR (test_what_cannot_end_in_time_is_returned),
        IN_DIR (test_bad_output),
        IN_DIR (test_taken_output),
        IN_DIR (test_no_outputs),
        IN_DIR (test_inputs),
        IN_DIR (test_bad_inputs),
        IN_DIR (test_environment),
        IN_DIR (test_results_are_found),
        IN_DIR (test_damaged_result_is_set_aside),
        IN_DIR (test_empty_place),
        IN_DIR (test_oom_kills),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
