/* SPDX-License-Identifier: BSD-3-Clause */
/* front_step.c - an operator's prepare or collect, run by the driver */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/engine.h"
#include "engine/front_step.h"
#include "engine/slices.h"
#include "signature/operator.h"
#include "signature/outputs.h"
#include "signature/template.h"
#include "signature/value.h"
#include "space/layout.h"
#include "space/lease.h"

/* A front-end step is for quick work; what takes longer is a stage. */
#define FRONT_STEP_DEADLINE_S 3600.0

/* Is it the directory of 'step' of a driver up to 'epoch'?  A later one, of
 * whom this one knows nothing yet, may be at work in its own.
 */
static bool is_older (const char *name, const char *step, int64_t epoch)
{
    size_t len = strlen (step);

    return strncmp (name, step, len) == 0 && name[len] == '.'
           && strtoll (name + len + 1, NULL, 10) <= epoch;
}

/* Remove what this and earlier drivers left of the step in 'run'. */
static int remove_older (const char *run,
                         const char *step,
                         int64_t epoch,
                         struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_look (run, err);

    if (rc > 0)
        rc = file_list_dir (run, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path = path_join (run, names.v[i]);

        if (is_older (names.v[i], step, epoch))
            rc = file_remove_tree (path, err);
        free (path);
    }
    strvec_release (&names);
    return rc;
}

char *front_step_dir (struct engine *engine,
                      const struct stage *stage,
                      int iteration,
                      const char *step,
                      struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    char *run;
    char *dir = NULL;
    int64_t epoch = lease_epoch (engine->lease);

    layout_run_stage (stage->name, iteration, &relative);
    run = engine_path (engine, &relative);
    if (remove_older (run, step, epoch, err) == 0)
        dir = xasprintf ("%s/%s.%" PRId64, run, step, epoch);
    free (run);
    return dir;
}

static struct json *absolute_inputs (const struct operator* op,
                                     const struct json *inputs,
                                     const char *dir)
{
    struct port *ports = slices_ports (op);
    struct json *absolute = json_object ();

    JSON_FOREACH (inputs, it) {
        const struct port *port = port_find (ports, json_iter_key (it));

        json_set (absolute, json_iter_key (it),
                  value_absolute (&port->type, json_iter_value (it), dir));
    }
    free (ports);
    return absolute;
}

static void set_output_paths (struct json *outputs,
                              struct json *values,
                              const struct port *ports)
{
    for (; ports && ports->name; ports++) {
        struct strbuf path = STRBUF_INIT;
        char *key;

        if (!type_is_artifact (&ports->type))
            continue;
        strbuf_add_str (&path, "out/");
        output_path (ports, &path);
        key = xasprintf ("outputs.%s", ports->name);
        json_set (outputs, ports->name, json_string (path.buf));
        json_set (values, key, json_string (path.buf));
        free (key);
        strbuf_release (&path);
    }
}

/* What placeholders stand for, and what task.json says. */
static void describe_step (struct engine *engine,
                           const struct front_step *step,
                           struct json *values,
                           struct json *task)
{
    const struct plan *plan = engine->plan;
    const struct stage *stage = step->stage;
    struct json *absolute =
        absolute_inputs (stage->op, step->inputs, engine->plan->dir);
    struct json *outputs = json_object ();

    JSON_FOREACH (absolute, it) {
        json_set (values, json_iter_key (it), json_ref (json_iter_value (it)));
    }
    set_output_paths (outputs, values, stage->op->collected);
    json_set (values, "outputs.params", json_string ("params.json"));
    json_set (values, "outputs.slices", json_string ("slices.json"));
    json_set (values, "seed", json_int (plan->seed));
    json_set (values, "iteration", json_int (step->iteration));
    json_set (values, "campaign", json_string (plan->dir));
    json_set (values, "fanfold", json_string (engine->program));
    json_set (task, "format", json_int (1));
    json_set (task, "campaign", json_string (plan->name));
    json_set (task, "campaign_dir", json_string (plan->dir));
    json_set (task, "stage", json_string (stage->name));
    json_set (task, "code", json_string (stage->op->code));
    json_set (task, "iteration", json_int (step->iteration));
    json_set (task, "task", json_null ());
    json_set (task, "seed", json_int (plan->seed));
    json_set (task, "resources", resources_to_json (&stage->needs));
    json_set (task, "launcher", json_array ());
    json_set (task, "inputs", absolute);
    json_set (task, "outputs", outputs);
    if (step->stacked)
        json_set (task, "stacked", json_ref (step->stacked));
}

/* The log's last line that says something, for the message. */
static void add_last_line (const char *log, struct strbuf *text)
{
    struct strbuf content = STRBUF_INIT;
    struct strvec lines = STRVEC_INIT;

    if (file_read (log, 1 << 20, &content, NULL) == 0) {
        strvec_split (&lines, content.buf, "\r\n");
        if (lines.n > 0)
            strbuf_addf (text, ": %.400s", lines.v[lines.n - 1]);
    }
    strvec_release (&lines);
    strbuf_release (&content);
}

/* Did somebody end it, who may have meant the driver or needed the memory? */
static bool was_killed (const struct process_result *result)
{
    return result->started && !result->timed_out
           && (result->signal == SIGKILL || result->signal == SIGTERM);
}

/* 0, 1, -1 as front_step_run. */
static int run_logged (struct engine *engine,
                       char *const *argv,
                       const char *path,
                       bool *killed,
                       struct error *err)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    struct process_result result = PROCESS_RESULT_INIT;
    struct strbuf text = STRBUF_INIT;
    char *log = path_join (path, "log");
    int rc = 1;

    spec.argv = (const char *const *)argv;
    spec.cwd = path;
    spec.deadline_s = FRONT_STEP_DEADLINE_S;
    spec.beat = engine_beat;
    spec.beat_arg = engine;
    spec.output_fd = file_open (log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (spec.output_fd < 0) {
        rc = error_errno (err, "%s", log);
        goto done;
    }
    if (process_run (&spec, &result, err) < 0) {
        rc = error_is_trouble (err) ? -1 : 1;
        goto done;
    }
    *killed = was_killed (&result);
    if (process_succeeded (&result)) {
        rc = 0;
        goto done;
    }
    process_describe (&result, &text);
    add_last_line (log, &text);
    error_set (err, "%s %s (log: %s)", argv[0], text.buf, log);
done:
    if (spec.output_fd >= 0)
        close (spec.output_fd);
    process_result_release (&result);
    strbuf_release (&text);
    free (log);
    return rc;
}

/* One try; *killed says that it is worth another one. */
static int run_once (struct engine *engine,
                     const struct front_step *step,
                     const char *dir,
                     bool *killed,
                     struct error *err)
{
    struct json *values = json_object ();
    struct json *task = json_object ();
    struct strvec argv = STRVEC_INIT;
    char *out = path_join (dir, "out");
    char *file = path_join (dir, "task.json");
    int rc = -1;

    describe_step (engine, step, values, task);
    if (file_remove_tree (dir, err) < 0 || file_make_dirs (out, err) < 0
        || json_write_file (file, task, err) < 0)
        goto done;
    rc = 1;
    if (template_expand_argv (step->command, values, &argv, err) == 0)
        rc = run_logged (engine, argv.v, dir, killed, err);
done:
    free (file);
    free (out);
    strvec_release (&argv);
    json_unref (values);
    json_unref (task);
    return rc;
}

int front_step_run (struct engine *engine,
                    const struct front_step *step,
                    char **dir,
                    struct error *err)
{
    bool killed = false;
    int rc;

    *dir =
        front_step_dir (engine, step->stage, step->iteration, step->name, err);
    if (!*dir)
        return -1;
    point_reached ("step.checked");
    rc = run_once (engine, step, *dir, &killed, err);
    if (killed)
        rc = run_once (engine, step, *dir, &killed, err);
    return front_step_stop (engine, *dir, err) < 0 ? -1 : rc;
}

int front_step_stop (const struct engine *engine,
                     const char *dir,
                     struct error *err)
{
    if (lease_check (engine->lease, err) == 0)
        return 0;
    file_remove_tree (dir, NULL);
    return -1;
}
