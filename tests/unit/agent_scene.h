/* SPDX-License-Identifier: BSD-3-Clause */
/* agent_scene.h - a stage, a submission and an agent to play it
 *
 * A test describes the stage by a struct scene, runs agents in processes of
 * their own, and reads the story their logs tell, as far as they count: "start0
 * end0(ok) done".
 */
#ifndef TESTS_AGENT_SCENE_H
#define TESTS_AGENT_SCENE_H

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/wait.h>

#include "signature/task_uses.h"
#include "agent/agent.h"
#include "handover/job_manifest.h"
#include "handover/element_logs.h"
#include "handover/stage_manifest.h"
#include "base/json.h"
#include "temp_dir.h"

#define GENERATION 7
#define RUN_DIR ".fanfold/run/000007/000000/000000"
#define STAGE_DIR "train/linear/iter/000003"
#define JOB_DIR STAGE_DIR "/job/"
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
    const struct group_spec *group; /* instead of sh: programs together */
    const struct port *inputs, *outputs;
    const char *values;     /* JSON; NULL: {} */
    const char *slices;     /* slices.jsonl; NULL: not sliced */
    const char *bundle;     /* NULL: "0" */
    int tasks;              /* of the stage; 0: 10 */
    struct resources needs; /* ranks 0: one core */
    const char *const *environment, *const *not_inherited;
    int slots; /* 0: 1 */
    double element_walltime_s;
    double grace_s;      /* 0: 10 */
    double visibility_s; /* 0: 10 */
    bool unrecorded;     /* submission.json is not there */
    bool mps;
    bool worker; /* the command is one */
    bool keeps_logs, keeps_raw;
    const char *const *input_files;
    enum bind_rule bind;
    const char *retired; /* JSON of the manifest's; NULL: none */
};

static const struct port no_ports[] = { { .name = NULL } };

static inline void write_json (const char *path, struct json *v)
{
    assert_int_equal (file_make_parent (path, NULL), 0);
    assert_int_equal (json_write_file (path, v, NULL), 0);
    json_unref (v);
}

/* As the engine leaves them, but of any text. */
static inline void write_slices (const char *lines)
{
    FILE *index = fopen (STAGE_DIR "/slices.index", "w");
    uint64_t offset = 0;

    write_text (STAGE_DIR "/slices.jsonl", lines);
    assert_non_null (index);
    for (const char *at = lines;; at++) {
        if (at == lines || at[-1] == '\n') {
            offset = (uint64_t)(at - lines);
            assert_int_equal (fwrite (&offset, 8, 1, index), 1);
        }
        if (!*at)
            break;
    }
    assert_int_equal (fclose (index), 0);
}

static inline void write_stage (const struct scene *scene)
{
    const char *first[] = SH (scene->sh);
    const char *second[] = SH (scene->then);
    const char *alone[] = { scene->argv0, NULL };
    const char *runner[] = { "{fanfold}", "group", NULL };
    const char *const *commands[] = { scene->group   ? runner
                                      : scene->argv0 ? alone
                                                     : first,
                                      scene->then ? second : NULL, NULL };
    const char *values = scene->values ? scene->values : "{}";
    struct stage_manifest order = {
        .campaign = "silicon",
        .place = { "train", "linear", 3, GENERATION },
        .seed = 1,
        .uses = USES_TASK,
        .tasks = scene->tasks ? scene->tasks : 10,
        .sliced = scene->slices != NULL,
        .inputs = scene->inputs ? scene->inputs : no_ports,
        .outputs = scene->outputs ? scene->outputs : no_ports,
        .values = json_parse (values, strlen (values), "values", NULL),
        .commands = commands,
        .group = scene->group,
        .worker = scene->worker,
        .keeps_logs = scene->keeps_logs,
        .keeps_raw = scene->keeps_raw,
        .input_files = scene->input_files,
        .fatal_exits = (const int[]){ 3, 0 },
        .launcher = (const char *const[]){ "mpirun", "-n", "{ranks}", NULL },
        .environment = scene->environment,
        .not_inherited = scene->not_inherited,
    };

    assert_non_null (order.values);
    write_json (STAGE_DIR "/stage.json", stage_manifest_to_json (&order));
    json_unref (order.values);
    if (scene->slices)
        write_slices (scene->slices);
}

static inline void record_submission (const char *id)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "token", json_string (TOKEN));
    json_set (v, "id", json_string (id));
    write_json (RUN_DIR "/submission.json", v);
}

static inline void write_job (const struct scene *scene)
{
    struct job_manifest order = {
        .token = TOKEN,
        .stage_dir = strdup (STAGE_DIR),
        .generation = GENERATION,
        .elements = 1,
        .slots = scene->slots ? scene->slots : 1,
        .task = scene->needs,
        .element_walltime_s = scene->element_walltime_s,
        .visibility_s = scene->visibility_s > 0 ? scene->visibility_s : 10,
        .grace_s = scene->grace_s > 0 ? scene->grace_s : 10,
    };

    order.mps = scene->mps;
    order.rules.bind = scene->bind;
    if (scene->retired)
        order.retired = json_parse (scene->retired, strlen (scene->retired),
                                    "retired", NULL);
    if (order.task.ranks == 0)
        order.task.ranks = order.task.cores = 1;
    assert_int_equal (task_range_parse (scene->bundle ? scene->bundle : "0",
                                        &order.tasks, NULL),
                      0);
    write_json (RUN_DIR "/job.json", job_manifest_to_json (&order));
    job_manifest_release (&order);
    if (!scene->unrecorded)
        record_submission ("4711");
}

static inline void set_scene (const struct scene *scene)
{
    write_stage (scene);
    write_job (scene);
}

/* --- the agent --- */

/* The program as it was built, for groups. */
static inline const char *program_path (void)
{
    const char *dir = getenv ("abs_top_builddir");
    static char path[4096];

    snprintf (path, sizeof (path), "%s/fanfold", dir ? dir : "/opt");
    return path;
}

/* In a child: signals blocked until the agent minds them. */
static inline _Noreturn void be_agent (const char *job_id)
{
    const struct agent_options options = {
        .campaign_dir = ".",
        .run_dir = RUN_DIR,
        .element = 0,
        .job_id = job_id,
        .program = program_path (),
    };
    struct error err = ERROR_INIT;
    int rc = agent_run (&options, &err);

    write_text ("agent-error", err.text);
    _exit (rc == 0 ? 0 : 1);
}

static inline pid_t start_agent_as (const char *job_id)
{
    sigset_t all, before;
    pid_t pid;

    /* What the agent is sent before it minds its signals stays pending. */
    sigfillset (&all);
    sigprocmask (SIG_SETMASK, &all, &before);
    pid = fork ();
    assert_true (pid >= 0);
    if (pid == 0)
        be_agent (job_id);
    sigprocmask (SIG_SETMASK, &before, NULL);
    return pid;
}

static inline int wait_agent (pid_t pid)
{
    int status;

    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_true (WIFEXITED (status));
    return WEXITSTATUS (status);
}

static inline int run_agent (void)
{
    return wait_agent (start_agent_as ("4711"));
}

/* What the agents logged: "start0 end0(ok) done". */
struct story {
    struct strbuf text;
    struct strbuf message; /* of the last end that has one */
    int n_ok, n_found;
};

#define STORY_INIT                                                             \
    {                                                                          \
        STRBUF_INIT, STRBUF_INIT, 0, 0                                         \
    }

static inline void story_release (struct story *story)
{
    strbuf_release (&story->text);
    strbuf_release (&story->message);
}

static inline int tell (const struct result_event *event, void *arg,
                        struct error *err)
{
    static const char *const words[] = { "claim",   "start",    "end",
                                         "found",   "returned", "machine_error",
                                         "durable", "done",     "retired" };
    struct story *story = arg;

    (void)err;
    if (event->kind == RESULT_CLAIM || event->kind == RESULT_DURABLE)
        return 0;
    strbuf_addf (&story->text, "%s%s", story->text.len ? " " : "",
                 words[event->kind]);
    if (event->task >= 0)
        strbuf_addf (&story->text, "%d", event->task);
    if (event->kind == RESULT_END)
        strbuf_addf (&story->text, "(%s)", outcome_name (event->outcome));
    if ((event->kind == RESULT_END || event->kind == RESULT_MACHINE_ERROR)
        && event->message[0]) {
        strbuf_reset (&story->message);
        strbuf_add_str (&story->message, event->message);
    }
    story->n_ok += event->kind == RESULT_END && event->outcome == OUTCOME_OK;
    story->n_found += event->kind == RESULT_FOUND;
    return 0;
}

static inline size_t count_paths (const char *pattern)
{
    glob_t found;
    size_t n = 0;

    if (glob (pattern, 0, NULL, &found) == 0)
        n = found.gl_pathc;
    globfree (&found);
    return n;
}

/* What counts of the agents' logs, the older agent first. */
static inline void read_story (struct story *story)
{
    struct element_logs logs = ELEMENT_LOGS_INIT;

    for (int n = 0; count_paths (RUN_DIR "/results-0.*") > logs.n; n++)
        assert_int_equal (element_logs_add (&logs, RUN_DIR, 0, n, 0, NULL), 0);
    assert_int_equal (element_logs_limit (&logs, NULL), 0);
    for (size_t i = 0; i < logs.n; i++) {
        assert_int_equal (logs.v[i].extent.whole_bytes, logs.v[i].text.len);
        assert_int_equal (element_log_scan (&logs.v[i], tell, story, NULL), 0);
    }
    element_logs_release (&logs);
}

static inline void expect_story (const char *expected)
{
    struct story story = STORY_INIT;

    read_story (&story);
    assert_string_equal (story.text.buf, expected);
    story_release (&story);
}

/* The same where tasks are committed while others run. */
static inline void expect_story_in_any_order (const char *expected)
{
    struct story story = STORY_INIT;
    struct strvec told = STRVEC_INIT, wanted = STRVEC_INIT;

    read_story (&story);
    strvec_split (&told, story.text.buf, " ");
    strvec_split (&wanted, expected, " ");
    strvec_sort (&told);
    strvec_sort (&wanted);
    for (size_t i = 0; i < told.n && i < wanted.n; i++) {
        if (strcmp (told.v[i], wanted.v[i]) != 0)
            fail_msg ("'%s' is not '%s'", story.text.buf, expected);
    }
    assert_int_equal (told.n, wanted.n);
    strvec_release (&told);
    strvec_release (&wanted);
    story_release (&story);
}

static inline void expect_message (const char *part)
{
    struct story story = STORY_INIT;

    read_story (&story);
    if (!strstr (story.message.buf, part))
        fail_msg ("'%s' is not in '%s'", part, story.message.buf);
    story_release (&story);
}

static inline void expect_error (const char *part)
{
    struct strbuf text = STRBUF_INIT;

    assert_int_equal (file_read ("agent-error", 4096, &text, NULL), 0);
    if (!strstr (text.buf, part))
        fail_msg ("'%s' is not in '%s'", part, text.buf);
    strbuf_release (&text);
}

/* Setup and teardown of a test: in a directory of its own. */
static inline int enter (void **state)
{
    static struct temp_dir dir;

    temp_dir_enter (&dir);
    *state = &dir;
    return 0;
}

static inline int leave (void **state)
{
    temp_dir_leave (*state);
    return 0;
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

#endif /* !TESTS_AGENT_SCENE_H */
