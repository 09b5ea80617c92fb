/* SPDX-License-Identifier: BSD-3-Clause */
/* identity.c - what a task's result depends on, as one SHA-256 */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "campaign/listed_files.h"
#include "engine/act/identity.h"
#include "handover/stage_manifest.h"
#include "signature/container.h"
#include "signature/group.h"
#include "signature/operator.h"
#include "signature/script.h"
#include "signature/task_uses.h"
#include "signature/template.h"
#include "space/layout.h"

/* --- what commands name --- */

static int add_file (struct contents *contents, const char *path,
                     struct json *files, struct error *err)
{
    struct json *sha256 = contents_of_path (contents, path, err);

    if (sha256)
        json_set (files, path, json_ref (sha256));
    return sha256 ? 0 : -1;
}

/* A directory is data, and what is not there is none. */
static int add_if_file (struct contents *contents, const char *path,
                        struct json *files, struct error *err)
{
    _cleanup_free_ char *full = path_join (contents->dir, path);
    struct stat st;
    bool is_file = stat (full, &st) == 0 && S_ISREG (st.st_mode);

    return is_file ? add_file (contents, path, files, err) : 0;
}

/* "{campaign}/label.sh" is a file of the campaign: what the operator does is in
 * it, be it the whole argument or a word of it, as in `sh -c`.
 */
static int add_named (struct contents *contents, const char *argument,
                      struct json *files, struct error *err)
{
    static const char below[] = "{campaign}/";
    static const char ends_word[] = " \t\n\"'`;|&<>(){}$*?[]\\";
    const char *at = argument;
    int rc = 0;

    if (strncmp (argument, below, strlen (below)) == 0
        && !strchr (argument + strlen (below), '{'))
        rc = add_if_file (contents, argument + strlen (below), files, err);
    while (rc == 0 && (at = strstr (at, below))) {
        _cleanup_free_ char *path = NULL;

        at += strlen (below);
        path = xstrndup (at, strcspn (at, ends_word));
        rc = *path ? add_if_file (contents, path, files, err) : 0;
    }
    return rc;
}

/* "$campaign/label.sh" in a script is the same. */
static int add_script (struct contents *contents, bool called, const char *text,
                       struct json *files, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    int rc = 0;

    if (text)
        script_campaign_paths (text, &paths);
    for (size_t i = 0; rc == 0 && i < paths.n; i++) {
        _cleanup_free_ char *argument = xasprintf (
            "{campaign}/%s%s", called ? LAYOUT_CALL_UP "/" : "", paths.v[i]);

        rc = add_named (contents, argument, files, err);
    }
    return rc;
}

static int add_scripts (struct contents *contents,
                        const struct stage_manifest *manifest,
                        struct json *files, struct error *err)
{
    const struct group_spec *group = manifest->group;

    for (size_t i = 0; group && i < group->n_programs; i++) {
        if (add_script (contents, manifest->called, group->programs[i].script,
                        files, err)
            < 0)
            return -1;
    }
    return add_script (contents, manifest->called, manifest->script, files,
                       err);
}

/* Every text in 'v' may be an argument. */
static int add_all_named (struct contents *contents, const struct json *v,
                          struct json *files, struct error *err)
{
    if (json_kind (v) == JSON_KIND_STRING)
        return add_named (contents, json_as_string (v), files, err);
    if (json_kind (v) == JSON_KIND_OBJECT) {
        JSON_FOREACH (v, it) {
            if (add_all_named (contents, json_iter_value (it), files, err) < 0)
                return -1;
        }
        return 0;
    }
    for (size_t i = 0; json_kind (v) == JSON_KIND_ARRAY && i < json_count (v);
         i++) {
        if (add_all_named (contents, json_at (v, i), files, err) < 0)
            return -1;
    }
    return 0;
}

/* Of the operator's `files`, each by its path; one that stands for nothing is
 * an error.
 */
static int add_listed (struct contents *contents, const char *const *item,
                       struct json *files, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    int rc = 0;

    for (; rc == 0 && item && *item; item++)
        rc = listed_files (contents->dir, *item, &paths, err);
    for (size_t i = 0; rc == 0 && i < paths.n; i++)
        rc = add_file (contents, paths.v[i], files, err);
    return rc == 0 ? 0 : error_prefix (err, "files");
}

/* --- what the operator does --- */

/* What of stage.json says how and where tasks run, and how many there are. */
static const char *const not_results[] = {
    "campaign",     "tasks",     "fatal_exits", "checkpoint",    "launcher",
    "agents",       "values",    "environment", "not_inherited", "identity",
    "definition",   "parts",     "files",       "uses",          "container",
    "called",       "witness",   "keeps_logs",  "input_files",   "programs",
    "version_line", "keeps_raw", "versions",
};

/* What of it is the task's place in the campaign. */
static const char *const places[] = { "stage",     "first_name", "code",
                                      "iteration", "seed",       "generation" };

/* What of a group says how much its programs get, and what watches them. */
static void drop_not_results (struct json *group)
{
    struct json *programs = json_get (group, "programs");

    if (!group)
        return;
    json_delete (group, "report");
    for (size_t i = 0; i < json_count (programs); i++) {
        struct json *program = json_at (programs, i);
        struct json *each = json_get (program, "per_instance");

        json_delete (program, "task");
        if (each)
            json_delete (each, "report");
        if (json_count (each) == 0)
            json_delete (program, "per_instance");
    }
}

/* What may be in a map that is given changes no result. */
static void drop_input_checks (struct json *inputs)
{
    for (size_t i = 0; i < json_count (inputs); i++)
        type_json_drop_checks (json_get (json_at (inputs, i), "type"));
}

static void set_text (struct json *v, const char *key, const char *text)
{
    if (text)
        json_set (v, key, json_string (text));
}

/* A command with a report is one without. */
static void drop_command_group (const struct group_spec *group, struct json *v)
{
    if (!group || !group_is_command (group))
        return;
    json_set (v, "commands", argvs_to_json (group->programs[0].commands));
    set_text (v, "script", group->programs[0].script);
    json_delete (v, "group");
}

/* stage.json without all that: what the operator does to its inputs. */
static struct json *work_of (const struct stage_manifest *manifest)
{
    struct json *v = stage_manifest_to_json (manifest);

    for (size_t i = 0; i < ARRAY_SIZE (not_results); i++)
        json_delete (v, not_results[i]);
    drop_input_checks (json_get (v, "inputs"));
    drop_not_results (json_get (v, "group"));
    drop_command_group (manifest->group, v);
    return v;
}

/* The files that its commands name; NULL with 'err'. */
static struct json *named_files (struct contents *contents,
                                 const struct stage_manifest *manifest,
                                 const struct json *work, struct error *err)
{
    _cleanup_json_ struct json *files = json_object ();

    if (add_all_named (contents, json_get (work, "commands"), files, err) < 0
        || add_all_named (contents, json_get (work, "group"), files, err) < 0
        || add_scripts (contents, manifest, files, err) < 0)
        return NULL;
    return steal (&files);
}

/* --- parts --- */

static void digest_json (const struct json *v, char hex[DIGEST_HEX_SIZE])
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_COMPACT, &text);
    digest_bytes (text.buf, text.len, hex);
}

static void set_digest (struct json *parts, const char *name,
                        const struct json *v)
{
    char hex[DIGEST_HEX_SIZE];

    digest_json (v, hex);
    json_set (parts, name, json_string (hex));
}

/* A local image is a file, whose contents count and not its name, or a
 * directory.
 */
static int set_image (struct contents *contents, const char *image,
                      struct json *work, struct error *err)
{
    _cleanup_free_ char *path = image_path (image, contents->dir);
    struct json *sha256 = NULL;
    struct stat st;
    bool is_file = path && !image_is_remote (image) && stat (path, &st) == 0
                   && S_ISREG (st.st_mode);

    if (is_file && !(sha256 = contents_of_path (contents, image, err)))
        return error_prefix (err, "image");
    if (is_file)
        json_set (work, "image", json_ref (sha256));
    return 0;
}

static int add_version (struct contents *contents,
                        const struct stage_manifest *manifest,
                        struct json *parts, struct error *err)
{
    _cleanup_json_ struct json *work = work_of (manifest);
    _cleanup_json_ struct json *files =
        named_files (contents, manifest, work, err);

    if (!files || add_listed (contents, manifest->files, files, err) < 0
        || set_image (contents, manifest->image, work, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE (places); i++)
        json_delete (work, places[i]);
    json_set (work, "files", json_ref (files));
    set_digest (parts, "version", work);
    json_set (parts, "files", json_ref (files));
    return 0;
}

/* Digests of single inputs, parameters apart from artifacts. */
static int add_inputs (struct contents *contents,
                       const struct stage_manifest *manifest,
                       struct json *parts, struct error *err)
{
    _cleanup_json_ struct json *all =
        contents_of_all (contents, manifest->inputs, manifest->values, err);
    struct json *parameters = json_object (), *artifacts = json_object ();

    for (const struct port *port = manifest->inputs; port && port->name;
         port++) {
        const struct json *v = json_get (all, port->name);

        if (v)
            set_digest (type_is_artifact (&port->type) ? artifacts : parameters,
                        port->name, v);
    }
    json_set (parts, "parameters", parameters);
    json_set (parts, "inputs", artifacts);
    return all ? 0 : -1;
}

/* What the operator uses of it: all tasks have the iteration in common, an only
 * task the rest.
 */
static struct json *place_of (const struct stage_manifest *manifest)
{
    unsigned uses = manifest->uses;
    struct json *v = json_object ();

    if (uses & USES_ITERATION)
        json_set (v, "iteration", json_int (manifest->place.iteration));
    if ((uses & USES_SEED) && !manifest->sliced)
        json_set (v, "seed", json_int (stage_manifest_seed (manifest, 0)));
    if ((uses & USES_TASK) && !manifest->sliced)
        json_set (v, "task", json_int (0));
    return v;
}

struct json *identity_parts (struct contents *contents,
                             const struct stage_manifest *manifest,
                             struct error *err)
{
    _cleanup_json_ struct json *parts = json_object ();

    if (add_version (contents, manifest, parts, err) < 0
        || add_inputs (contents, manifest, parts, err) < 0)
        return NULL;
    json_set (parts, "place", place_of (manifest));
    return steal (&parts);
}

int identity_add_sliced (struct contents *contents, const struct port *ports,
                         const struct json *values, struct json *parts,
                         struct error *err)
{
    struct json *sliced = json_get (parts, "sliced");
    _cleanup_json_ struct json *all =
        contents_of_all (contents, ports, values, err);

    if (!sliced)
        json_set (parts, "sliced", sliced = json_object ());
    JSON_FOREACH (all, it)
        set_digest (sliced, json_iter_key (it), json_iter_value (it));
    return all ? 0 : -1;
}

/* --- identities --- */

void stage_identity (const struct json *parts, char hex[DIGEST_HEX_SIZE])
{
    static const char *const keys[] = { "version", "parameters", "inputs",
                                        "place" };
    _cleanup_json_ struct json *v = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set (v, keys[i], json_ref (json_get (parts, keys[i])));
    digest_json (v, hex);
}

/* Mostly slices are parameters, which are their own contents. */
static bool has_artifacts (const struct port *ports, const struct json *values)
{
    for (; ports && ports->name; ports++) {
        if (type_is_artifact (&ports->type) && json_get (values, ports->name))
            return true;
    }
    return false;
}

/* 'hex' of contents->text, which begins with what is not the slice. */
static int digest_task (struct contents *contents, const struct port *ports,
                        const struct json *slice, char hex[DIGEST_HEX_SIZE],
                        struct error *err)
{
    struct strbuf *text = &contents->text;
    _cleanup_json_ struct json *inputs = NULL;

    if (has_artifacts (ports, slice)
        && !(inputs = contents_of_all (contents, ports, slice, err)))
        return -1;
    json_dump (inputs ? inputs : slice, JSON_COMPACT, text);
    digest_bytes (text->buf, text->len, hex);
    return 0;
}

int task_identity (struct contents *contents,
                   const struct stage_manifest *manifest, int task,
                   const struct json *slice, char hex[DIGEST_HEX_SIZE],
                   struct error *err)
{
    struct strbuf *text = &contents->text;

    strbuf_reset (text);
    strbuf_addf (text, "%s ", manifest->identity);
    if (manifest->uses & USES_TASK)
        strbuf_addf (text, "task %d ", task);
    if (manifest->uses & USES_SEED)
        strbuf_addf (text, "seed %" PRId64 " ",
                     stage_manifest_seed (manifest, task));
    return digest_task (contents, manifest->inputs, slice, hex, err);
}

/* --- the definition --- */

/* The files that prepare and collect name, of which 'v' has the argvs. */
static int add_steps (struct contents *contents, const struct operator_spec *op,
                      bool called, const struct json *v, struct json *files,
                      struct error *err)
{
    if (add_all_named (contents, v, files, err) < 0
        || add_script (contents, called, op->prepare_script, files, err) < 0)
        return -1;
    return add_script (contents, called, op->collect_script, files, err);
}

struct json *identity_files (struct contents *contents,
                             const struct operator_spec *op,
                             const struct stage_manifest *manifest,
                             struct error *err)
{
    _cleanup_json_ struct json *work = work_of (manifest);
    _cleanup_json_ struct json *steps = json_object ();
    _cleanup_json_ struct json *files =
        named_files (contents, manifest, work, err);

    json_set (steps, "prepare", argv_to_json (op->prepare));
    json_set (steps, "collect", argv_to_json (op->collect));
    if (!files || add_listed (contents, manifest->files, files, err) < 0
        || add_steps (contents, op, manifest->called, steps, files, err) < 0)
        return NULL;
    return steal (&files);
}

int stage_definition (struct contents *contents, const struct operator_spec *op,
                      const struct stage_manifest *manifest,
                      const struct json *values, char hex[DIGEST_HEX_SIZE],
                      struct error *err)
{
    unsigned uses = manifest->uses
                    | operator_step_uses (op, op->prepare, op->prepare_script)
                    | operator_step_uses (op, op->collect, op->collect_script);
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_json_ struct json *files = json_object ();
    struct json *inputs = contents_of_all (contents, op->inputs, values, err);

    if (!inputs)
        return -1;
    json_set (v, "identity", json_string (manifest->identity));
    if (uses & USES_SEED)
        json_set (v, "seed", json_int (manifest->seed));
    json_set (v, "prepare", argv_to_json (op->prepare));
    json_set (v, "collect", argv_to_json (op->collect));
    json_set (v, "fan_out", argv_to_json (op->fan_out));
    json_set (v, "inputs", inputs);
    if (add_steps (contents, op, manifest->called, v, files, err) < 0)
        return -1;
    set_text (v, "prepare_script", op->prepare_script);
    set_text (v, "collect_script", op->collect_script);
    json_set (v, "files", json_ref (files));
    digest_json (v, hex);
    return 0;
}
