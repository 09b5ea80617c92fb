/* SPDX-License-Identifier: BSD-3-Clause */
/* task_file.c - task.json, and what placeholders stand for */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "handover/task_file.h"
#include "signature/container.h"
#include "signature/operator.h"
#include "signature/task_uses.h"
#include "signature/outputs.h"
#include "signature/programs.h"
#include "signature/resources.h"
#include "signature/section.h"
#include "signature/template.h"

/* Where output artifacts go, seen from the working directory: {NAME: path}. */
static struct json *output_paths (const struct port *port)
{
    struct json *paths = json_object ();
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    for (; port && port->name; port++) {
        if (!type_is_artifact (&port->type))
            continue;
        strbuf_reset (&path);
        strbuf_add_str (&path, "out/");
        output_path (port, &path);
        json_set (paths, port->name, json_string (path.buf));
    }
    return paths;
}

static void set_resources (struct json *v, const struct resources *needs)
{
    json_set (v, "cores", json_int (needs->cores));
    json_set (v, "ranks", json_int (needs->ranks));
    json_set (v, "cores_per_rank", json_int (needs->cores / needs->ranks));
    json_set (v, "nodes", json_int (needs->nodes));
    json_set (v, "ranks_per_node", json_int (needs->ranks / needs->nodes));
    json_set (v, "gpus", json_int (needs->gpus));
    json_set (v, "memory_bytes", json_int (needs->memory_bytes));
}

static struct json *words (const char *text)
{
    _cleanup_ (strvec_release) struct strvec list = STRVEC_INIT;
    struct json *v = json_array ();

    strvec_split (&list, text ? text : "", " ");
    for (size_t i = 0; i < list.n; i++)
        json_push (v, json_string (list.v[i]));
    return v;
}

/* Where the copy is that the operator runs from. */
static void set_programs (struct json *v, const struct task_file *file)
{
    _cleanup_free_ char *dir = NULL;

    if (!file->programs)
        return;
    dir = path_join (file->campaign_dir, file->programs);
    json_set (v, PROGRAMS_PLACEHOLDER, json_string (dir));
}

static void set_caller (struct json *v, const char *call_dir)
{
    _cleanup_free_ char *dir = layout_caller (call_dir);

    json_set (v, CALLER_PLACEHOLDER, json_string (dir));
}

/* All placeholders but {launcher}. */
static struct json *placeholders (const struct task_file *file,
                                  const struct json *outputs)
{
    struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    JSON_FOREACH (file->inputs, it)
        json_set (v, json_iter_key (it), json_ref (json_iter_value (it)));
    JSON_FOREACH (outputs, it) {
        strbuf_reset (&name);
        strbuf_addf (&name, "outputs.%s", json_iter_key (it));
        json_set (v, name.buf, json_ref (json_iter_value (it)));
    }
    json_set (v, "outputs.params", json_string ("params.json"));
    json_set (v, "seed", json_int (file->seed));
    json_set (v, "iteration", json_int (file->place.iteration));
    json_set (v, "campaign", json_string (file->campaign_dir));
    if (file->called)
        set_caller (v, file->campaign_dir);
    json_set (v, "fanfold", json_string (file->program));
    set_programs (v, file);
    if (file->task == TASK_FRONT) {
        json_set (v, "outputs.slices", json_string ("slices.json"));
    } else {
        json_set (v, "task", json_int (file->task));
        json_set (v, "restart", json_bool (file->restart));
        json_set (v, "on_nodes", words (file->on_nodes));
        set_resources (v, file->needs);
    }
    return v;
}

/* The launcher's argv; empty for a single rank.  NULL with 'err'. */
static struct json *expand_launcher (const char *const *launcher,
                                     const struct resources *needs,
                                     const struct json *values,
                                     struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct json *expanded = NULL;

    if (launcher && needs->ranks > 1
        && template_expand_argv (launcher, values, &argv, err) < 0) {
        error_prefix (err, "launcher");
        return NULL;
    }
    expanded = json_array ();
    for (size_t i = 0; i < argv.n; i++)
        json_push (expanded, json_string (argv.v[i]));
    return expanded;
}

int task_values_of_share (struct json *values, const struct resources *needs,
                          const char *const *launcher, struct error *err)
{
    struct json *expanded;

    set_resources (values, needs);
    expanded = expand_launcher (launcher, needs, values, err);
    if (!expanded)
        return -1;
    json_set (values, "launcher", expanded);
    return 0;
}

/* Takes over 'outputs'. */
static struct json *describe (const struct task_file *file,
                              struct json *outputs, struct json *launcher)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "campaign", json_string (file->campaign));
    json_set (v, "campaign_dir", json_string (file->campaign_dir));
    json_set (v, "stage", json_string (file->place.stage));
    json_set (v, "code", json_string (file->place.code));
    if (file->uses & USES_ITERATION)
        json_set (v, "iteration", json_int (file->place.iteration));
    if (file->task == TASK_FRONT)
        json_set (v, "task", json_null ());
    else if (file->uses & USES_TASK)
        json_set (v, "task", json_int (file->task));
    if (file->uses & USES_SEED)
        json_set (v, "seed", json_int (file->seed));
    json_set (v, "resources", resources_to_json (file->needs));
    json_set (v, "launcher", json_ref (launcher));
    if (file->task != TASK_FRONT)
        json_set (v, "restart", json_bool (file->restart));
    if (file->keeps_raw)
        json_set (v, "raw", json_string (LAYOUT_TASK_RAW));
    json_set (v, "inputs", inputs_in_sections (file->inputs));
    json_set (v, "outputs", outputs);
    if (file->stacked)
        json_set (v, "stacked", json_ref (file->stacked));
    return v;
}

struct json *task_file_make (const struct task_file *file, struct json **values,
                             struct error *err)
{
    struct json *outputs = output_paths (file->outputs);
    struct json *made = placeholders (file, outputs);
    struct json *launcher =
        expand_launcher (file->task == TASK_FRONT ? NULL : file->launcher,
                         file->needs, made, err);
    struct json *v;

    if (!launcher) {
        json_unref (made);
        json_unref (outputs);
        return NULL;
    }
    v = describe (file, outputs, launcher);
    if (file->task == TASK_FRONT)
        json_unref (launcher);
    else
        json_set (made, "launcher", launcher);
    *values = made;
    return v;
}
