/* SPDX-License-Identifier: BSD-3-Clause */
/* select_source.c - what a what-if selects from */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/named_stages.h"
#include "commands/what_if.h"
#include "engine/history/lost_results.h"
#include "handover/stage_manifest.h"
#include "selection/rules/rule_fields.h"
#include "signature/operator.h"
#include "signature/section.h"
#include "signature/value.h"
#include "space/layout.h"

/* --- below paths --- */

/* Of DP-GEN: model_devi.out, or model_devi1.out .. of each bead, which it puts
 * together in model_devi.out later.
 */
static bool is_deviation_name (const char *name, bool of_bead)
{
    size_t digits;

    if (strncmp (name, "model_devi", 10) != 0)
        return false;
    digits = strspn (name + 10, "0123456789");
    return (digits > 0) == of_bead && strcmp (name + 10 + digits, ".out") == 0;
}

/* Append the files of deviations below a directory. */
static int find_files (const char *dir, struct strvec *files, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    bool whole = false;
    int rc = file_list_dir (dir, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++)
        whole = whole || is_deviation_name (names.v[i], false);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *path = path_join (dir, names.v[i]);
        struct stat st;

        if (lstat (path, &st) < 0)
            rc = error_errno (err, "cannot find '%s'", path);
        else if (S_ISDIR (st.st_mode))
            rc = find_files (path, files, err);
        else if (is_deviation_name (names.v[i], !whole))
            strvec_push (files, path);
    }
    return rc;
}

/* The same; or the file itself, whatever its name is. */
static int find_named (const char *path, struct strvec *files,
                       struct error *err)
{
    struct stat st;

    if (stat (path, &st) < 0)
        return error_errno (err, "cannot find '%s'", path);
    if (S_ISDIR (st.st_mode))
        return find_files (path, files, err);
    strvec_push (files, path);
    return 0;
}

/* DP-GEN's task.SSS.TTTTTT is of system SSS; other paths tell of none. */
static struct json *system_of (const char *path)
{
    const char *task = strstr (path, "task.");
    size_t len = task ? strspn (task + 5, "0123456789") : 0;

    return len > 0 && task[5 + len] == '.'
               ? json_stringf ("%.*s", (int)len, task + 5)
               : json_string ("all");
}

/* A task with the rules that hold where none are given: every row counts. */
static struct json *make_task (const struct strvec *files)
{
    static const char rules[] = "{\"levels\": {\"force\": {\"low\": 0.05,"
                                " \"high\": 0.15}}, \"pick\": {\"quota\":"
                                " 100}, \"skip\": {\"steps\": 0}}";
    struct json *task = json_object ();
    struct json *inputs = json_parse (rules, sizeof (rules) - 1, "rules", NULL);
    struct json *deviations = json_array (), *systems = json_array ();

    for (size_t i = 0; i < files->n; i++) {
        json_push (deviations, json_string (files->v[i]));
        json_push (systems, system_of (files->v[i]));
    }
    json_set (inputs, "deviations", deviations);
    json_set (inputs, "system", systems);
    json_set (task, "format", json_int (1));
    json_set (task, "inputs", inputs);
    return task;
}

static enum exit_status find_below (const struct invocation *invocation,
                                    struct json **task)
{
    _cleanup_ (strvec_release) struct strvec files = STRVEC_INIT;
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;

    for (int i = 0; status == STATUS_DONE && i < invocation->n_args; i++) {
        if (find_named (invocation->args[i], &files, &err) < 0)
            status = complain (STATUS_FAILED, "%s", err.text);
    }
    if (status == STATUS_DONE && files.n == 0)
        status =
            complain (STATUS_FAILED, "there is no model_devi*.out below '%s'",
                      invocation->args[0]);
    if (status == STATUS_DONE)
        *task = make_task (&files);
    return status;
}

/* --- of a stage --- */

static struct json *task_json (const struct stage_manifest *stage,
                               const char *campaign_dir)
{
    _cleanup_json_ struct json *inputs = json_object ();
    struct json *v = json_object ();

    for (const struct port *port = stage->inputs; port->name; port++) {
        struct json *value = json_get (stage->values, port->name);

        if (value)
            json_set (inputs, port->name,
                      value_absolute (&port->type, value, campaign_dir));
    }
    json_set (v, "format", json_int (1));
    json_set (v, "campaign_dir", json_string (campaign_dir));
    json_set (v, "iteration", json_int (stage->place.iteration));
    json_set (v, "seed", json_int (stage_manifest_seed (stage, 0)));
    json_set (v, "inputs", inputs_in_sections (inputs));
    return v;
}

/* What the stage selected from and is no longer there, by `keep:` or by
 * a person, with what makes it again.  Deviations are enough to select by; then
 * rules that look at structures are left out.
 */
static void find_lost (const struct campaign *campaign,
                       const struct json *values, struct json *inputs,
                       struct error *lost)
{
    static const char *const names[] = { "forces", "deviations",
                                         "trajectories" };
    bool relative =
        json_as_bool (json_get_path (inputs, "levels.avg_relative"));
    bool by_deviations = json_count (json_get (values, "deviations")) > 0;

    for (size_t i = 0; i < ARRAY_SIZE (names) && !lost->text[0]; i++) {
        _cleanup_json_ struct json *one = json_object ();

        json_set (one, names[i], json_ref (json_get (values, names[i])));
        if (!lost_results_are_there (&campaign->engine.state, one,
                                     campaign->engine.dir, lost)
            && strcmp (names[i], "trajectories") == 0 && by_deviations
            && !relative) {
            *lost = (struct error)ERROR_INIT;
            json_delete (inputs, names[i]);
        }
    }
}

struct json *select_source_task (const struct campaign *campaign,
                                 const char *stage, int iteration,
                                 struct error *lost, struct error *err)
{
    const struct engine *engine = &campaign->engine;
    _cleanup_ (stage_manifest_release) struct stage_manifest manifest =
        STAGE_MANIFEST_INIT;
    _cleanup_json_ struct json *v = NULL;
    struct json *task = NULL;
    _cleanup_free_ char *file =
        engine_stage_path (engine, iteration, stage, LAYOUT_STAGE_MANIFEST);
    _cleanup_free_ char *out =
        engine_stage_path (engine, iteration, stage, LAYOUT_ONLY_OUT);

    if (out && file_exists (out))
        v = json_read_file (file, err);
    if (v && stage_manifest_from_json (v, &manifest, err) < 0)
        error_prefix (err, "%s", file);
    else if (v)
        task = task_json (&manifest, engine->dir);
    if (task)
        find_lost (campaign, manifest.values, json_get (task, "inputs"), lost);
    return task;
}

/* Of the iteration that is asked for, or the newest that has selected. */
static enum exit_status find_iteration (const struct campaign *campaign,
                                        const struct named_stages *named,
                                        struct json **task)
{
    const struct stage *stage = named_stage (named);
    int at, least = named->iteration >= 0 ? named->iteration : 0;
    struct error err = ERROR_INIT, lost = ERROR_INIT;
    enum exit_status status;

    if (!stage)
        return STATUS_USAGE;
    status = named_iteration (campaign, named, &at);
    if (status != STATUS_DONE)
        return status;
    for (; at >= least && !*task && !err.text[0]; at--)
        *task = select_source_task (campaign, stage->name, at, &lost, &err);
    if (*task && !lost.text[0])
        return STATUS_DONE;
    if (*task)
        return complain (STATUS_FAILED, "%s", lost.text);
    return complain (STATUS_FAILED, "%s",
                     err.text[0] ? err.text
                                 : "the stage has selected nothing yet");
}

static enum exit_status find_stage (const struct invocation *invocation,
                                    const struct campaign *campaign,
                                    const char *name, struct json **task)
{
    _cleanup_ (named_stages_release) struct named_stages named =
        NAMED_STAGES_INIT;
    enum exit_status status =
        named_stages_find (invocation, campaign->plan, name, NULL, &named);

    if (status == STATUS_DONE)
        status = find_iteration (campaign, &named, task);
    return status;
}

enum exit_status select_source_find (const struct invocation *invocation,
                                     struct json **task)
{
    const char *stage = invocation_option (invocation, "stage");
    struct campaign campaign;
    enum exit_status status;

    if (!stage && invocation->n_args == 0)
        return complain (STATUS_USAGE, "name files, directories or a --stage");
    if (stage && invocation->n_args > 0)
        return complain (STATUS_USAGE, "files or a --stage, but not both");
    if (!stage && invocation_option (invocation, "iteration"))
        return complain (STATUS_USAGE, "--iteration is that of a --stage");
    if (!stage)
        return find_below (invocation, task);
    status = campaign_open (invocation, &campaign);
    if (status == STATUS_DONE)
        status = find_stage (invocation, &campaign, stage, task);
    campaign_close (&campaign);
    return status;
}

/* --- structures beside files --- */

/* What DP-GEN keeps beside a file, whether it is there or not.  Caller frees.
 */
static char *trajectory_beside (const char *path)
{
    int dir_len = (int)(path_base (path) - path);
    char *merged = xasprintf ("%.*sall.lammpstrj", dir_len, path);

    if (file_exists (merged))
        return merged;
    free (merged);
    return xasprintf ("%.*straj/*.lammpstrj", dir_len, path);
}

/* Is the file there, or are there any in the directory of a pattern? */
static bool is_there (const char *path)
{
    _cleanup_free_ char *dir =
        xstrndup (path, (size_t)(path_base (path) - path));
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    return !strchr (path, '*')
           || (file_list_dir (dir, &names, NULL) == 0 && names.n > 0);
}

/* The trajectories of all files; *any: at least one is there. */
static struct json *trajectories_beside (const struct json *files, bool *any)
{
    struct json *paths = json_array ();

    *any = false;
    for (size_t i = 0; i < json_count (files); i++) {
        _cleanup_free_ char *path =
            trajectory_beside (json_as_string (json_at (files, i)));

        *any = *any || is_there (path);
        json_push (paths, json_string (path));
    }
    return paths;
}

/* Rules that look at structures; to take one out is to take out 'key'. */
static const struct {
    const char *key;
    const char *name;  /* what makes it such a rule; NULL: anything below */
    const char *value; /* NULL: any */
    const char *rule;
} looks[] = {
    { "filters", NULL, NULL, "filters" },
    { "duplicates", "duplicates.tolerance", NULL, "duplicates" },
    { "pick.how", "pick.how", "diverse", "pick: how: diverse" },
    { "pick.how", "pick.how", "fps", "pick: how: fps" },
    { "pick.how", "pick.how", "cover", "pick: how: cover" },
    { "pick.how", "pick.how", "doptimal", "pick: how: doptimal" },
};

static bool is_asked (const struct json *inputs, size_t i)
{
    const struct json *value;

    if (!looks[i].name)
        return rules_any_given (inputs, looks[i].key);
    value = json_get_path (inputs, looks[i].name);
    return looks[i].value ? strcmp (json_as_string (value), looks[i].value) == 0
                          : !json_is_null (value);
}

/* What is said of a batch has no meaning without it. */
static void leave_out_batch (struct json *inputs)
{
    static const char *const keys[] = { "pick.pool", "pick.weight",
                                        "pick.power", "pick.radius" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (json_get_path (inputs, keys[i]))
            json_set_path (inputs, keys[i], json_null ());
    }
}

static void leave_out (struct json *inputs, size_t i, const char *why,
                       struct json *left_out)
{
    struct json *one = json_object ();

    json_set (one, "rule", json_string (looks[i].rule));
    json_set (one, "why", json_string (why));
    json_push (left_out, one);
    json_set_path (inputs, looks[i].key, json_null ());
    if (strcmp (looks[i].key, "pick.how") == 0)
        leave_out_batch (inputs);
}

static bool has_labels (const struct json *inputs)
{
    return json_count (json_get_path (inputs, "duplicates.labelled")) > 0;
}

void select_source_complete (struct json *inputs, struct json *left_out)
{
    bool relative =
        json_as_bool (json_get_path (inputs, "levels.avg_relative"));
    bool needed = relative, any;
    struct json *paths;

    for (size_t i = 0; i < ARRAY_SIZE (looks); i++)
        needed = needed || is_asked (inputs, i);
    if (json_get (inputs, "trajectories") || !needed)
        return;
    paths = trajectories_beside (json_get (inputs, "deviations"), &any);
    needed = relative;
    for (size_t i = 0; i < ARRAY_SIZE (looks); i++) {
        if (!is_asked (inputs, i))
            continue;
        if (!any)
            leave_out (inputs, i, "there are no trajectories", left_out);
        else if (strcmp (looks[i].key, "duplicates") == 0
                 && !has_labels (inputs))
            leave_out (inputs, i, "no labelled data is named", left_out);
        else
            needed = true;
    }
    if (needed)
        json_set (inputs, "trajectories", paths);
    else
        json_unref (paths);
}
