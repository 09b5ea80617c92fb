/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_manifest.c - stage.json */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "handover/stage_manifest.h"
#include "arrays/task_range.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_record.h"
#include "base/strbuf.h"
#include "signature/group.h"
#include "signature/task_uses.h"
#include "signature/template.h"

/* Marsaglia's generator in LAMMPS (RanMars) takes 1..900000000, the least of
 * the engines we know.
 */
static const uint64_t seed_max = 900000000;

int64_t task_seed (int64_t campaign_seed, const char *stage, int iteration,
                   int task)
{
    const uint64_t words[] = { hash_string ((uint64_t)campaign_seed, stage),
                               (uint64_t)iteration, (uint64_t)task };
    uint64_t hash = hash_words ((uint64_t)campaign_seed, words, 3);

    return (int64_t)(1 + hash % seed_max);
}

int stage_manifest_generation (const char *dir, const struct stage_place *place)
{
    struct strbuf relative = STRBUF_INIT;
    struct json *manifest;
    char *path;
    int number;

    layout_stage_path (place, LAYOUT_STAGE_MANIFEST, &relative);
    path = path_join (dir, relative.buf);
    manifest = json_read_file (path, NULL);
    number = (int)json_get_int (manifest, "generation");
    json_unref (manifest);
    strbuf_release (&relative);
    free (path);
    return number;
}

const char *stage_manifest_first_name (const struct stage_manifest *manifest)
{
    return manifest->first_name ? manifest->first_name : manifest->place.stage;
}

int64_t stage_manifest_seed (const struct stage_manifest *manifest, int task)
{
    return task_seed (manifest->seed, stage_manifest_first_name (manifest),
                      manifest->place.iteration, task);
}

static const struct json_field fields[] = {
    JSON_FIELD_AS (struct stage_manifest, place.iteration, "iteration", COUNT),
    JSON_FIELD_AS (struct stage_manifest, place.generation, "generation",
                   COUNT),
    JSON_FIELD (struct stage_manifest, seed, COUNT),
    JSON_FIELD (struct stage_manifest, tasks, COUNT, .most = TASK_MAX + 1),
    JSON_FIELD (struct stage_manifest, sliced, BOOL),
    JSON_FIELDS_END,
};

/* --- writing --- */

static struct json *port_to_json (const struct port *port)
{
    struct json *v = json_object ();

    json_set (v, "name", json_string (port->name));
    json_set (v, "type", type_to_json (&port->type));
    json_set (v, "optional", json_bool (port->optional));
    json_set (v, "holes", json_bool (port->holes));
    if (port->copy)
        json_set (v, "copy", json_bool (true));
    if (port->path)
        json_set (v, "path", json_string (port->path));
    if (port->take)
        json_set (v, "take", json_string (port->take));
    return v;
}

static struct json *ports_to_json (const struct port *ports)
{
    struct json *v = json_array ();

    for (; ports && ports->name; ports++)
        json_push (v, port_to_json (ports));
    return v;
}

struct json *stage_manifest_to_json (const struct stage_manifest *manifest)
{
    struct json *v = json_object ();
    struct json *fatal_exits = json_array ();

    for (const int *code = manifest->fatal_exits; code && *code; code++)
        json_push (fatal_exits, json_int (*code));
    json_set (v, "format", json_int (1));
    json_set (v, "campaign", json_string (manifest->campaign));
    if (manifest->operator_name)
        json_set (v, "operator", json_string (manifest->operator_name));
    if (manifest->operator_version > 0)
        json_set (v, "version", json_int (manifest->operator_version));
    json_set (v, "stage", json_string (manifest->place.stage));
    json_set (v, "code", json_string (manifest->place.code));
    if (manifest->first_name)
        json_set (v, "first_name", json_string (manifest->first_name));
    json_record_write (manifest, fields, v);
    json_set (v, "uses", task_uses_to_json (manifest->uses));
    if (manifest->identity)
        json_set (v, "identity", json_string (manifest->identity));
    if (manifest->parts)
        json_set (v, "parts", json_ref (manifest->parts));
    if (manifest->witness)
        json_set (v, "witness", json_ref (manifest->witness));
    if (manifest->definition)
        json_set (v, "definition", json_string (manifest->definition));
    if (manifest->files)
        json_set (v, "files", argv_to_json (manifest->files));
    if (manifest->programs)
        json_set (v, "programs", json_string (manifest->programs));
    json_set (v, "inputs", ports_to_json (manifest->inputs));
    json_set (v, "outputs", ports_to_json (manifest->outputs));
    json_set (v, "values",
              manifest->values ? json_ref (manifest->values) : json_object ());
    json_set (v, "commands", argvs_to_json (manifest->commands));
    if (manifest->called)
        json_set (v, "called", json_bool (true));
    if (manifest->script)
        json_set (v, "script", json_string (manifest->script));
    if (manifest->worker)
        json_set (v, "worker", json_bool (true));
    if (manifest->group)
        json_set (v, "group", group_to_json (manifest->group));
    if (manifest->image)
        json_set (v, "image", json_string (manifest->image));
    if (manifest->env && manifest->env[0])
        json_set (v, "env", argv_to_json (manifest->env));
    if (manifest->image)
        json_set (v, "container", argv_to_json (manifest->container));
    json_set (v, "fatal_exits", fatal_exits);
    json_set (v, "checkpoint", argv_to_json (manifest->checkpoint));
    if (manifest->keeps_logs)
        json_set (v, "keeps_logs", json_bool (true));
    if (manifest->input_files)
        json_set (v, "input_files", argv_to_json (manifest->input_files));
    if (manifest->version_line)
        json_set (v, "version_line", json_string (manifest->version_line));
    if (manifest->keeps_raw)
        json_set (v, "keeps_raw", json_bool (true));
    if (manifest->versions)
        json_set (v, "versions", argv_to_json (manifest->versions));
    json_set (v, "launcher", argv_to_json (manifest->launcher));
    json_set (v, "agents", argv_to_json (manifest->agents));
    json_set (v, "environment", argv_to_json (manifest->environment));
    json_set (v, "not_inherited", argv_to_json (manifest->not_inherited));
    return v;
}

/* --- reading --- */

static int port_from_json (const struct json *v, struct arena *arena,
                           struct port *port, struct error *err)
{
    struct json *type;

    if (json_want_text (v, "name", arena, &port->name, err) < 0
        || json_want_object (v, "type", &type, err) < 0
        || type_from_json (type, arena, &port->type, err) < 0
        || json_want_bool (v, "optional", &port->optional, err) < 0
        || json_want_bool (v, "holes", &port->holes, err) < 0)
        return -1;
    if (json_get (v, "copy")
        && json_want_bool (v, "copy", &port->copy, err) < 0)
        return -1;
    if (json_get (v, "path")
        && json_want_text (v, "path", arena, &port->path, err) < 0)
        return -1;
    if (json_get (v, "take"))
        return json_want_text (v, "take", arena, &port->take, err);
    return 0;
}

static int want_ports (const struct json *v, const char *key,
                       struct arena *arena, const struct port **out,
                       struct error *err)
{
    struct json *list;
    struct port *ports;

    if (json_want_array (v, key, &list, err) < 0)
        return -1;
    ports = arena_array (arena, json_count (list) + 1, sizeof (*ports));
    for (size_t i = 0; i < json_count (list); i++) {
        if (port_from_json (json_at (list, i), arena, &ports[i], err) < 0)
            return error_prefix (err, "key '%s': [%zu]", key, i);
    }
    *out = ports;
    return 0;
}

static int want_fatal_exits (const struct json *v, struct arena *arena,
                             const int **out, struct error *err)
{
    struct json *list;
    int *codes;

    if (json_want_array (v, "fatal_exits", &list, err) < 0)
        return -1;
    codes = arena_array (arena, json_count (list) + 1, sizeof (*codes));
    for (size_t i = 0; i < json_count (list); i++) {
        int64_t code = json_as_int (json_at (list, i));

        if (code < 1 || code > 255)
            return error_set (err, "key 'fatal_exits': [%zu]: expected 1..255",
                              i);
        codes[i] = (int)code;
    }
    *out = json_count (list) > 0 ? codes : NULL;
    return 0;
}

/* NULL in manifest->group when there is none. */
static int read_group (const struct json *v, struct stage_manifest *manifest,
                       struct error *err)
{
    struct group_spec *group;
    struct json *body;

    if (!json_get (v, "group"))
        return 0;
    if (json_want_object (v, "group", &body, err) < 0)
        return -1;
    group = arena_alloc (manifest->arena, sizeof (*group));
    if (group_from_json (body, manifest->arena, group, err) < 0)
        return error_prefix (err, "key 'group'");
    manifest->group = group;
    return 0;
}

static int read_body (const struct json *v, struct stage_manifest *manifest,
                      struct error *err)
{
    if (json_get (v, "version_line")
        && json_want_text (v, "version_line", manifest->arena,
                           &manifest->version_line, err)
               < 0)
        return -1;
    if (json_get (v, "versions")
        && json_want_argv (v, "versions", manifest->arena, &manifest->versions,
                           err)
               < 0)
        return -1;
    if (json_get (v, "worker")
        && json_want_bool (v, "worker", &manifest->worker, err) < 0)
        return -1;
    if (json_get (v, "called")
        && json_want_bool (v, "called", &manifest->called, err) < 0)
        return -1;
    if (json_get (v, "programs")
        && json_want_text (v, "programs", manifest->arena, &manifest->programs,
                           err)
               < 0)
        return -1;
    return json_get (v, "script") ? json_want_text (
               v, "script", manifest->arena, &manifest->script, err)
                                  : 0;
}

/* What lies beside results. */
static int read_beside (const struct json *v, struct stage_manifest *manifest,
                        struct error *err)
{
    if (json_get (v, "keeps_logs")
        && json_want_bool (v, "keeps_logs", &manifest->keeps_logs, err) < 0)
        return -1;
    if (json_get (v, "keeps_raw")
        && json_want_bool (v, "keeps_raw", &manifest->keeps_raw, err) < 0)
        return -1;
    return json_get (v, "input_files") ? json_want_argv (
               v, "input_files", manifest->arena, &manifest->input_files, err)
                                       : 0;
}

/* What commands run in, and the variables they have. */
static int read_image (const struct json *v, struct stage_manifest *manifest,
                       struct error *err)
{
    struct arena *arena = manifest->arena;

    if (json_get (v, "env")
        && json_want_argv (v, "env", arena, &manifest->env, err) < 0)
        return -1;
    if (!json_get (v, "image"))
        return 0;
    if (json_want_text (v, "image", arena, &manifest->image, err) < 0)
        return -1;
    return json_want_argv (v, "container", arena, &manifest->container, err);
}

static int read_programs (const struct json *v, struct stage_manifest *manifest,
                          struct error *err)
{
    struct arena *arena = manifest->arena;

    if (json_want_argvs (v, "commands", arena, &manifest->commands, err) < 0
        || read_body (v, manifest, err) < 0 || read_group (v, manifest, err) < 0
        || read_image (v, manifest, err) < 0
        || read_beside (v, manifest, err) < 0
        || want_fatal_exits (v, arena, &manifest->fatal_exits, err) < 0
        || json_want_argv (v, "checkpoint", arena, &manifest->checkpoint, err)
               < 0
        || json_want_argv (v, "launcher", arena, &manifest->launcher, err) < 0
        || json_want_argv (v, "agents", arena, &manifest->agents, err) < 0
        || json_want_argv (v, "environment", arena, &manifest->environment, err)
               < 0
        || json_want_argv (v, "not_inherited", arena, &manifest->not_inherited,
                           err)
               < 0)
        return -1;
    return 0;
}

static int read_manifest (const struct json *v, struct stage_manifest *manifest,
                          struct error *err)
{
    struct json *values;
    int64_t format;

    if (json_want_int (v, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return error_set (err,
                          "format %lld is newer than this program; update it",
                          (long long)format);
    if (json_record_read (v, fields, manifest, err) < 0
        || json_want_text (v, "campaign", manifest->arena, &manifest->campaign,
                           err)
               < 0
        || json_want_text (v, "stage", manifest->arena, &manifest->place.stage,
                           err)
               < 0
        || json_want_text (v, "code", manifest->arena, &manifest->place.code,
                           err)
               < 0
        || want_ports (v, "inputs", manifest->arena, &manifest->inputs, err) < 0
        || want_ports (v, "outputs", manifest->arena, &manifest->outputs, err)
               < 0
        || json_want_object (v, "values", &values, err) < 0)
        return -1;
    if (task_uses_from_json (json_get (v, "uses"), &manifest->uses, err) < 0)
        return -1;
    manifest->values = json_ref (values);
    if (json_get (v, "identity")
        && json_want_text (v, "identity", manifest->arena, &manifest->identity,
                           err)
               < 0)
        return -1;
    if (json_get (v, "first_name")
        && json_want_text (v, "first_name", manifest->arena,
                           &manifest->first_name, err)
               < 0)
        return -1;
    return read_programs (v, manifest, err);
}

int stage_manifest_from_json (const struct json *v,
                              struct stage_manifest *manifest,
                              struct error *err)
{
    struct stage_manifest read = { .arena = arena_create () };

    if (read_manifest (v, &read, err) < 0) {
        stage_manifest_release (&read);
        return -1;
    }
    *manifest = read;
    return 0;
}

void stage_manifest_release (struct stage_manifest *manifest)
{
    json_unref (manifest->values);
    arena_destroy (manifest->arena);
    *manifest = (struct stage_manifest)STAGE_MANIFEST_INIT;
}
