/* SPDX-License-Identifier: BSD-3-Clause */
/* identity.c - what a task's result depends on, as one SHA-256 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/act/identity.h"
#include "handover/stage_manifest.h"
#include "signature/group.h"
#include "signature/template.h"
#include "space/layout.h"

/* --- contents --- */

void contents_init (struct contents *contents, const char *dir,
                    const struct heartbeat *heartbeat)
{
    *contents = (struct contents){ .dir = dir,
                                   .sha256 = json_object (),
                                   .stages = json_object (),
                                   .heartbeat = heartbeat,
                                   .text = STRBUF_INIT };
}

void contents_release (struct contents *contents)
{
    json_unref (contents->sha256);
    json_unref (contents->stages);
    digest_cache_release (&contents->cache);
    strbuf_release (&contents->text);
}

int contents_digest (struct contents *contents, const char *path,
                     char hex[DIGEST_HEX_SIZE], struct error *err)
{
    if (!contents->cache.known) {
        char *file = path_join (contents->dir, LAYOUT_DIGESTS);

        digest_cache_init (&contents->cache, file, clock_wall_s ());
        free (file);
    }
    return digest_tree (path, hex, &contents->cache, contents->heartbeat, err);
}

void contents_keep (struct contents *contents)
{
    char *file = path_join (contents->dir, LAYOUT_DIGESTS);

    (void)digest_cache_write (&contents->cache, file, NULL);
    free (file);
}

/* 'artifact' is {bytes, sha256} of the path 'value', or a list of them. */
static void note (struct contents *contents, const struct json *value,
                  const struct json *artifact)
{
    const struct json *sha256 = json_get (artifact, "sha256");

    if (json_kind (value) == JSON_KIND_STRING && sha256)
        json_set (contents->sha256, json_as_string (value),
                  json_deep_copy (sha256));
    if (json_kind (value) != JSON_KIND_ARRAY)
        return;
    for (size_t i = 0; i < json_count (value); i++)
        note (contents, json_at (value, i), json_at (artifact, i));
}

/* What outputs.json of the stage that made 'path' tells, if it is there. */
static void note_stage (struct contents *contents, const char *path)
{
    size_t len = layout_stage_dir_length (path);
    struct strbuf dir = STRBUF_INIT;
    struct json *file = NULL;
    char *full;

    strbuf_addf (&dir, "%.*s", (int)len, path);
    if (len > 0 && !json_get (contents->stages, dir.buf)) {
        json_set (contents->stages, dir.buf, json_bool (true));
        strbuf_add_str (&dir, "/" LAYOUT_OUTPUTS);
        full = path_join (contents->dir, dir.buf);
        file = json_read_file (full, NULL);
        free (full);
    }
    JSON_FOREACH (json_get (file, "artifacts"), it) {
        note (contents,
              json_get (json_get (file, "outputs"), json_iter_key (it)),
              json_iter_value (it));
    }
    json_unref (file);
    strbuf_release (&dir);
}

/* Lent. */
static struct json *digest_of (struct contents *contents, const char *path,
                               struct error *err)
{
    struct json *known = json_get (contents->sha256, path);
    char hex[DIGEST_HEX_SIZE];
    char *full;
    int rc;

    if (!known) {
        note_stage (contents, path);
        known = json_get (contents->sha256, path);
    }
    if (known)
        return known;
    full = path_join (contents->dir, path);
    rc = contents_digest (contents, full, hex, err);
    free (full);
    if (rc < 0)
        return NULL;
    json_set (contents->sha256, path, json_string (hex));
    return json_get (contents->sha256, path);
}

/* A frame of a file: which one, and of what contents. */
static struct json *frame_contents (struct contents *contents,
                                    const struct json *frame, struct error *err)
{
    struct json *sha256 =
        digest_of (contents, json_get_string (frame, "path"), err);
    struct json *v;

    if (!sha256)
        return NULL;
    v = json_object ();
    json_set (v, "sha256", json_ref (sha256));
    json_set (v, "frame", json_ref (json_get (frame, "frame")));
    return v;
}

static struct json *artifact_contents (struct contents *contents,
                                       struct json *value, struct error *err)
{
    struct json *list;

    switch (json_kind (value)) {
    case JSON_KIND_STRING:
        return json_ref (digest_of (contents, json_as_string (value), err));
    case JSON_KIND_OBJECT:
        return frame_contents (contents, value, err);
    case JSON_KIND_ARRAY:
        break;
    default:
        return json_ref (value);
    }
    list = json_array ();
    for (size_t i = 0; i < json_count (value); i++) {
        struct json *one =
            artifact_contents (contents, json_at (value, i), err);

        if (!one) {
            json_unref (list);
            return NULL;
        }
        json_push (list, one);
    }
    return list;
}

struct json *contents_of (struct contents *contents, const struct port *port,
                          struct json *value, struct error *err)
{
    return type_is_artifact (&port->type)
               ? artifact_contents (contents, value, err)
               : json_ref (value);
}

/* {NAME: contents} of those of 'values' that are inputs; NULL with 'err'. */
static struct json *all_contents (struct contents *contents,
                                  const struct port *ports,
                                  const struct json *values, struct error *err)
{
    struct json *all = json_object ();

    for (; ports && ports->name; ports++) {
        struct json *value = json_get (values, ports->name), *v;

        if (!value)
            continue;
        heartbeat_send (contents->heartbeat);
        if (!(v = contents_of (contents, ports, value, err))) {
            error_prefix (err, "input '%s'", ports->name);
            json_unref (all);
            return NULL;
        }
        json_set (all, ports->name, v);
    }
    return all;
}

/* --- what commands name --- */

/* "{campaign}/label.sh" is a file of the campaign: what the operator does is in
 * it.  A directory is data, and one that is not there none.
 */
static int add_named (struct contents *contents, const char *argument,
                      struct json *files, struct error *err)
{
    static const char below[] = "{campaign}/";
    const char *path = argument + strlen (below);
    struct json *sha256;
    struct stat st;
    char *full;
    bool is_file;

    if (strncmp (argument, below, strlen (below)) != 0 || strchr (path, '{'))
        return 0;
    full = path_join (contents->dir, path);
    is_file = stat (full, &st) == 0 && S_ISREG (st.st_mode);
    free (full);
    if (!is_file)
        return 0;
    if (!(sha256 = digest_of (contents, path, err)))
        return -1;
    json_set (files, path, json_ref (sha256));
    return 0;
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

/* --- identities --- */

static void digest_json (const struct json *v, char hex[DIGEST_HEX_SIZE])
{
    struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_COMPACT, &text);
    digest_bytes (text.buf, text.len, hex);
    strbuf_release (&text);
}

/* What of stage.json says how and where tasks run, and how many there are. */
static const char *const not_results[] = {
    "campaign",      "tasks",    "fatal_exits", "checkpoint",
    "launcher",      "agents",   "values",      "environment",
    "not_inherited", "identity", "definition",
};

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

/* A command with a report is one without. */
static void drop_command_group (const struct group_spec *group, struct json *v)
{
    if (!group || !group_is_command (group))
        return;
    json_set (v, "commands", argvs_to_json (group->programs[0].commands));
    json_delete (v, "group");
}

int stage_identity (struct contents *contents,
                    const struct stage_manifest *manifest,
                    char hex[DIGEST_HEX_SIZE], struct error *err)
{
    struct json *v = stage_manifest_to_json (manifest);
    struct json *files = json_object ();
    struct json *inputs = NULL;
    int rc = -1;

    for (size_t i = 0; i < ARRAY_SIZE (not_results); i++)
        json_delete (v, not_results[i]);
    drop_not_results (json_get (v, "group"));
    drop_command_group (manifest->group, v);
    if (add_all_named (contents, json_get (v, "commands"), files, err) < 0
        || add_all_named (contents, json_get (v, "group"), files, err) < 0
        || !(inputs = all_contents (contents, manifest->inputs,
                                    manifest->values, err)))
        goto done;
    json_set (v, "stage", json_string (stage_manifest_first_name (manifest)));
    json_delete (v, "first_name");
    json_set (v, "files", json_ref (files));
    json_set (v, "contents", inputs);
    digest_json (v, hex);
    rc = 0;
done:
    json_unref (files);
    json_unref (v);
    return rc;
}

static struct json *argv_json (const char *const *argv)
{
    struct json *v = json_array ();

    for (; argv && *argv; argv++)
        json_push (v, json_string (*argv));
    return v;
}

int stage_definition (struct contents *contents, const struct operator_spec *op,
                      const struct stage_manifest *manifest,
                      const struct json *values, char hex[DIGEST_HEX_SIZE],
                      struct error *err)
{
    struct json *v = json_object ();
    struct json *files = json_object ();
    struct json *inputs;
    int rc = -1;

    json_set (v, "identity", json_string (manifest->identity));
    json_set (v, "prepare", argv_json (op->prepare));
    json_set (v, "collect", argv_json (op->collect));
    json_set (v, "fan_out", argv_json (op->fan_out));
    if (!(inputs = all_contents (contents, op->inputs, values, err)))
        goto done;
    json_set (v, "inputs", inputs);
    if (add_all_named (contents, v, files, err) < 0)
        goto done;
    json_set (v, "files", json_ref (files));
    digest_json (v, hex);
    rc = 0;
done:
    json_unref (files);
    json_unref (v);
    return rc;
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

int task_identity (struct contents *contents,
                   const struct stage_manifest *manifest, int task,
                   const struct json *slice, char hex[DIGEST_HEX_SIZE],
                   struct error *err)
{
    struct strbuf *text = &contents->text;
    struct json *inputs = NULL;

    if (has_artifacts (manifest->inputs, slice)
        && !(inputs = all_contents (contents, manifest->inputs, slice, err)))
        return -1;
    strbuf_reset (text);
    strbuf_addf (text, "%s %d ", manifest->identity, task);
    json_dump (inputs ? inputs : slice, JSON_COMPACT, text);
    digest_bytes (text->buf, text->len, hex);
    json_unref (inputs);
    return 0;
}
