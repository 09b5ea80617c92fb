/* SPDX-License-Identifier: BSD-3-Clause */
/* front_step.c - an operator's prepare or collect, run by the driver */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/process.h"
#include "campaign/plan.h"
#include "engine/history/engine.h"
#include "engine/act/front_step.h"
#include "engine/act/slices.h"
#include "handover/list_file.h"
#include "handover/python_path.h"
#include "handover/script_run.h"
#include "handover/task_file.h"
#include "signature/container.h"
#include "signature/operator.h"
#include "signature/script.h"
#include "signature/task_uses.h"
#include "signature/template.h"
#include "signature/value.h"
#include "space/layout.h"
#include "space/lease.h"

/* A front-end step is for quick work; what takes longer is a stage. */
#define FRONT_STEP_DEADLINE_S 3600.0

/* The directory of a step of this driver, which is not made; what this and
 * earlier drivers left of the same step is removed.  A later one, of whom this
 * one knows nothing yet, may be at work in its own.
 */
static char *step_dir (struct engine *engine, const struct front_step *step,
                       struct error *err)
{
    const struct stage_state *stage =
        state_stage (&engine->state, step->iteration, step->stage->name);
    struct strbuf relative = STRBUF_INIT;
    _cleanup_free_ char *prefix = xasprintf ("%s.", step->name);
    int64_t epoch = lease_epoch (engine->lease);
    _cleanup_free_ char *run = NULL;
    char *dir = NULL;

    layout_run (stage->generation, &relative);
    run = engine_path (engine, &relative);
    if (file_discard_numbered (run, prefix, epoch, &engine->heartbeat, err)
        == 0)
        dir = xasprintf ("%s/" LAYOUT_STEP, run, step->name, epoch);
    return dir;
}

static struct json *absolute_inputs (const struct operator_spec *op,
                                     const struct json *inputs, const char *dir)
{
    _cleanup_free_ struct port *ports = slices_ports (op);
    struct json *absolute = json_object ();

    JSON_FOREACH (inputs, it) {
        const struct port *port = port_find (ports, json_iter_key (it));

        json_set (absolute, json_iter_key (it),
                  value_absolute (&port->type, json_iter_value (it), dir));
    }
    return absolute;
}

/* What task.json says, and what placeholders stand for: *values. */
static struct json *describe_step (struct engine *engine,
                                   const struct front_step *step,
                                   struct json **values, struct error *err)
{
    const struct plan *plan = engine->plan;
    const struct stage *stage = step->stage;
    const struct task_file file = {
        .campaign = plan->name,
        .campaign_dir = plan->dir,
        .called = plan->call != NULL,
        .program = engine->program,
        .programs = step->programs,
        .place = { stage->name, stage->op->code, step->iteration },
        .task = TASK_FRONT,
        .seed = plan->seed,
        .uses = operator_step_uses (stage->op, step->command, step->script),
        .needs = &stage->needs,
        .inputs = absolute_inputs (stage->op, step->inputs, plan->dir),
        .outputs = step->outputs,
        .stacked = step->stacked,
    };
    struct json *task = task_file_make (&file, values, err);

    json_unref (file.inputs);
    return task;
}

/* The log's last line that says something, for the message. */
static void add_last_line (const char *log, struct strbuf *text)
{
    _cleanup_ (strbuf_release) struct strbuf content = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    const char *failure, *said;
    size_t n;

    if (file_read (log, 1 << 20, &content, NULL) == 0) {
        strvec_split (&lines, content.buf, "\r\n");
        n = lines.n;
        if (n > 0 && (failure = script_failure (lines.v[n - 1]))) {
            strbuf_addf (text, " at %.400s", failure);
            n--;
        }
        if ((said = strvec_last_words (&lines, n)))
            strbuf_addf (text, ": %.400s", said);
    }
}

/* What is run. */
struct step_command {
    const char *name; /* as people are told */
    struct strvec argv, env;
    struct script_variables variables;
};

static void release_command (struct step_command *command)
{
    script_variables_release (&command->variables);
    strvec_release (&command->env);
    strvec_release (&command->argv);
}

/* Was it ended by one who may have meant the driver or needed the memory? */
static bool was_killed (const struct process_result *result)
{
    return result->started && !result->timed_out && !result->stopped
           && (result->signal == SIGKILL || result->signal == SIGTERM);
}

/* 0, 1, -1 as front_step_run. */
static int run_logged (struct engine *engine,
                       const struct step_command *command, const char *path,
                       bool *killed, struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *log = path_join (path, LAYOUT_STEP_LOG);
    _cleanup_fd_ int fd = file_open (log, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (fd < 0)
        return error_errno (err, "%s", log);
    spec.argv = (const char *const *)command->argv.v;
    spec.env = command->env.v;
    spec.cwd = path;
    spec.deadline_s = FRONT_STEP_DEADLINE_S;
    spec.heartbeat = (struct heartbeat){ engine_heartbeat, engine };
    spec.stop = engine->stop;
    spec.output_fd = fd;
    if (process_run (&spec, &result, err) < 0)
        return error_is_machine_error (err) ? -1 : 1;
    *killed = was_killed (&result);
    if (process_succeeded (&result))
        return 0;
    process_describe (&result, &text);
    if (result.stopped) {
        errno = EINTR;
        return error_errno (err, "%s %s", command->name, text.buf);
    }
    add_last_line (log, &text);
    error_set (err, "%s %s (log: %s)", command->name, text.buf, log);
    return 1;
}

/* The lists that the command takes as files. */
static int write_lists (const struct front_step *step, const char *dir,
                        struct json *values, struct error *err)
{
    _cleanup_json_ struct json *templates = argv_to_json (step->command);
    _cleanup_free_ char *in = path_join (dir, "in");

    return list_files_write (templates, in, values, err);
}

/* The file of its script, and its variables. */
static int prepare_script (const struct front_step *step, const char *dir,
                           struct json *values, struct step_command *command,
                           struct error *err)
{
    const char *text = step->script;

    if (!text)
        return 0;
    if (script_files_write (text, NULL, step->stage->op->inputs, dir, values,
                            err)
            < 0
        || script_variables_make (text, values, dir, &command->variables, err)
               < 0)
        return -1;
    script_set_words (text, NULL, values);
    return 0;
}

static void make_env (const struct operator_spec *op, const char *program,
                      struct step_command *command)
{
    _cleanup_free_ char *package = python_path (program);

    strvec_push_all (&command->env, environ);
    for (const char *const *entry = op->env; entry && *entry; entry++)
        environment_set (&command->env, *entry);
    script_variables_join (&command->variables, &command->env);
    python_path_append (package, &command->env);
}

/* It runs in the stage's image, like tasks. */
static int make_command (const struct engine *engine,
                         const struct front_step *step, const char *dir,
                         struct json *values, struct step_command *command,
                         struct error *err)
{
    const struct stage *stage = step->stage;
    _cleanup_free_ char *image = image_path (stage->image, engine->dir);
    const struct container container = { .argv = stage->profile->container,
                                         .image = image,
                                         .env = stage->op->env,
                                         .dir = dir };

    if (container_set (&container, values, err) < 0
        || container_expand (step->command, values, &command->argv, err) < 0)
        return -1;
    make_env (stage->op, engine->program, command);
    command->name = step->script ? "script" : command->argv.v[0];
    return 0;
}

/* One try; *killed says that it is worth another one. */
static int run_once (struct engine *engine, const struct front_step *step,
                     const char *dir, bool *killed, struct error *err)
{
    _cleanup_json_ struct json *values = NULL;
    _cleanup_json_ struct json *task =
        describe_step (engine, step, &values, err);
    _cleanup_ (release_command) struct step_command command = {
        .argv = STRVEC_INIT,
        .env = STRVEC_INIT,
        .variables = SCRIPT_VARIABLES_INIT,
    };
    _cleanup_free_ char *out = path_join (dir, "out");
    _cleanup_free_ char *file = path_join (dir, "task.json");
    int rc = 1;

    if (!task || file_remove_tree (dir, &engine->heartbeat, err) < 0
        || file_make_lasting_dirs (out, err) < 0
        || json_write_file (file, task, err) < 0)
        return -1;
    if (write_lists (step, dir, values, err) < 0
        || prepare_script (step, dir, values, &command, err) < 0)
        return err && error_is_machine_error (err) ? -1 : 1;
    if (make_command (engine, step, dir, values, &command, err) == 0)
        rc = run_logged (engine, &command, dir, killed, err);
    if (rc > 0 && err && err->number == E2BIG)
        template_explain_too_long (step->command, values, err);
    return rc;
}

int front_step_run (struct engine *engine, const struct front_step *step,
                    char **dir, struct error *err)
{
    bool killed = false;
    int rc;

    if (!(*dir = step_dir (engine, step, err)))
        return -1;
    point_reached ("step.checked");
    rc = run_once (engine, step, *dir, &killed, err);
    if (killed)
        rc = run_once (engine, step, *dir, &killed, err);
    return front_step_stop (engine, *dir, err) < 0 ? -1 : rc;
}

int front_step_keep (const struct engine *engine, const char *dir,
                     const char *to, const char *point, struct error *err)
{
    _cleanup_free_ char *from = path_join (dir, "out");
    _cleanup_free_ char *place = path_join (engine->dir, to);

    if (file_seal_tree (from, &engine->heartbeat, err) < 0
        || file_make_lasting_parent (place, err) < 0
        || lease_check (engine->lease, err) < 0)
        return -1;
    point_reached (point);
    return file_replace_tree (from, place, &engine->heartbeat, err);
}

int front_step_stop (const struct engine *engine, const char *dir,
                     struct error *err)
{
    if (lease_check (engine->lease, err) == 0)
        return 0;
    file_remove_tree (dir, &engine->heartbeat, NULL);
    return -1;
}
