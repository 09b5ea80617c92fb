/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_manifest.c - stage.json */
#include "base/base.h"

#include "handover/stage_manifest.h"
#include "arrays/task_range.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_record.h"
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
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    _cleanup_json_ struct json *manifest = NULL;
    _cleanup_free_ char *path = NULL;
    int number;

    layout_stage_path (place, LAYOUT_STAGE_MANIFEST, &relative);
    path = path_join (dir, relative.buf);
    manifest = json_read_file (path, NULL);
    number = (int)json_get_int (manifest, "generation");
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

/* --- its keys, in the order of the text --- */

struct key {
    const char *name;
    enum key_kind {
        TEXT,     /* const char * */
        BOOL,     /* bool */
        NUMBER,   /* int; written only */
        OBJECT,   /* struct json *; NULL is written as an empty one */
        ARGV,     /* const char *const * */
        COMMANDS, /* const char *const *const * */
        PORTS,    /* const struct port * */
        GROUP,    /* const struct group_spec * */
        EXITS,    /* const int * */
    } kind;
    enum presence {
        REQUIRED,
        OPTIONAL,   /* false, 0 and NULL are written as no key */
        FOR_ENGINE, /* the same, and not read */
        WITH_IMAGE, /* required where there is one, else no key */
    } presence;
    size_t offset, size; /* of the member */
};

#define KEY_AS(member, text, what, when)                                       \
    {                                                                          \
        .name = (text), .kind = (what), .presence = (when),                    \
        .offset = offsetof (struct stage_manifest, member),                    \
        .size = sizeof (((struct stage_manifest *)0)->member)                  \
    }
#define KEY(member, what, when) KEY_AS (member, #member, what, when)
#define KEYS_END                                                               \
    {                                                                          \
        .name = NULL                                                           \
    }

static const struct key head_keys[] = {
    KEY (campaign, TEXT, REQUIRED),
    KEY_AS (operator_name, "operator", TEXT, FOR_ENGINE),
    KEY_AS (operator_version, "version", NUMBER, FOR_ENGINE),
    KEY_AS (place.stage, "stage", TEXT, REQUIRED),
    KEY_AS (place.code, "code", TEXT, REQUIRED),
    KEY (first_name, TEXT, OPTIONAL),
    KEYS_END,
};

static const struct json_field numbers[] = {
    JSON_FIELD_AS (struct stage_manifest, place.iteration, "iteration", COUNT),
    JSON_FIELD_AS (struct stage_manifest, place.generation, "generation",
                   COUNT),
    JSON_FIELD (struct stage_manifest, seed, COUNT),
    JSON_FIELD (struct stage_manifest, tasks, COUNT, .most = TASK_MAX + 1),
    JSON_FIELD (struct stage_manifest, sliced, BOOL),
    JSON_FIELDS_END,
};

static const struct key body_keys[] = {
    KEY (identity, TEXT, OPTIONAL),
    KEY (parts, OBJECT, FOR_ENGINE),
    KEY (witness, OBJECT, FOR_ENGINE),
    KEY (definition, TEXT, FOR_ENGINE),
    KEY (files, ARGV, FOR_ENGINE),
    KEY (programs, TEXT, OPTIONAL),
    KEY (inputs, PORTS, REQUIRED),
    KEY (outputs, PORTS, REQUIRED),
    KEY (values, OBJECT, REQUIRED),
    KEY (commands, COMMANDS, REQUIRED),
    KEY (called, BOOL, OPTIONAL),
    KEY (script, TEXT, OPTIONAL),
    KEY (worker, BOOL, OPTIONAL),
    KEY (group, GROUP, OPTIONAL),
    KEY (image, TEXT, OPTIONAL),
    KEY (env, ARGV, OPTIONAL),
    KEY (container, ARGV, WITH_IMAGE),
    KEY (fatal_exits, EXITS, REQUIRED),
    KEY (checkpoint, ARGV, REQUIRED),
    KEY (keeps_logs, BOOL, OPTIONAL),
    KEY (input_files, ARGV, OPTIONAL),
    KEY (version_line, TEXT, OPTIONAL),
    KEY (keeps_raw, BOOL, OPTIONAL),
    KEY (versions, ARGV, OPTIONAL),
    KEY (launcher, ARGV, REQUIRED),
    KEY (agents, ARGV, REQUIRED),
    KEY (environment, ARGV, REQUIRED),
    KEY (not_inherited, ARGV, REQUIRED),
    KEYS_END,
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

static struct json *fatal_exits_to_json (const int *codes)
{
    struct json *v = json_array ();

    for (; codes && *codes; codes++)
        json_push (v, json_int (*codes));
    return v;
}

static struct json *key_to_json (enum key_kind kind, const void *member)
{
    struct json *object;

    switch (kind) {
    case TEXT:
        return json_string (*(const char *const *)member);
    case BOOL:
        return json_bool (*(const bool *)member);
    case NUMBER:
        return json_int (*(const int *)member);
    case OBJECT:
        object = *(struct json *const *)member;
        return object ? json_ref (object) : json_object ();
    case ARGV:
        return argv_to_json (*(const char *const *const *)member);
    case COMMANDS:
        return argvs_to_json (*(const char *const *const *const *)member);
    case PORTS:
        return ports_to_json (*(const struct port *const *)member);
    case GROUP:
        return group_to_json (*(const struct group_spec *const *)member);
    case EXITS:
        return fatal_exits_to_json (*(const int *const *)member);
    }
    return NULL;
}

static bool is_written (const struct key *key,
                        const struct stage_manifest *manifest)
{
    static const char none[sizeof (void *)];

    if (key->presence == REQUIRED)
        return true;
    if (key->presence == WITH_IMAGE)
        return manifest->image;
    return memcmp ((const char *)manifest + key->offset, none, key->size) != 0;
}

static void write_keys (const struct stage_manifest *manifest,
                        const struct key *keys, struct json *v)
{
    for (; keys->name; keys++) {
        if (is_written (keys, manifest))
            json_set (v, keys->name,
                      key_to_json (keys->kind,
                                   (const char *)manifest + keys->offset));
    }
}

struct json *stage_manifest_to_json (const struct stage_manifest *manifest)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    write_keys (manifest, head_keys, v);
    json_record_write (manifest, numbers, v);
    json_set (v, "uses", task_uses_to_json (manifest->uses));
    write_keys (manifest, body_keys, v);
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

static int want_fatal_exits (const struct json *v, const char *key,
                             struct arena *arena, const int **out,
                             struct error *err)
{
    struct json *list;
    int *codes;

    if (json_want_array (v, key, &list, err) < 0)
        return -1;
    codes = arena_array (arena, json_count (list) + 1, sizeof (*codes));
    for (size_t i = 0; i < json_count (list); i++) {
        int64_t code = json_as_int (json_at (list, i));

        if (code < 1 || code > 255)
            return error_set (err, "key '%s': [%zu]: expected 1..255", key, i);
        codes[i] = (int)code;
    }
    *out = json_count (list) > 0 ? codes : NULL;
    return 0;
}

static int want_group (const struct json *v, const char *key,
                       struct arena *arena, const struct group_spec **out,
                       struct error *err)
{
    struct group_spec *group = arena_alloc (arena, sizeof (*group));
    struct json *body;

    if (json_want_object (v, key, &body, err) < 0)
        return -1;
    if (group_from_json (body, arena, group, err) < 0)
        return error_prefix (err, "key '%s'", key);
    *out = group;
    return 0;
}

static int want_values (const struct json *v, const char *key,
                        struct json **out, struct error *err)
{
    struct json *values;

    if (json_want_object (v, key, &values, err) < 0)
        return -1;
    *out = json_ref (values);
    return 0;
}

static int read_key (const struct json *v, const struct key *key,
                     struct arena *arena, void *member, struct error *err)
{
    switch (key->kind) {
    case TEXT:
        return json_want_text (v, key->name, arena, member, err);
    case BOOL:
        return json_want_bool (v, key->name, member, err);
    case OBJECT:
        return want_values (v, key->name, member, err);
    case ARGV:
        return json_want_argv (v, key->name, arena, member, err);
    case COMMANDS:
        return json_want_argvs (v, key->name, arena, member, err);
    case PORTS:
        return want_ports (v, key->name, arena, member, err);
    case GROUP:
        return want_group (v, key->name, arena, member, err);
    case EXITS:
        return want_fatal_exits (v, key->name, arena, member, err);
    case NUMBER:
        break;
    }
    return error_set (err, "key '%s': not one that is read", key->name);
}

static bool is_read (const struct key *key, const struct json *v)
{
    switch (key->presence) {
    case OPTIONAL:
        return json_get (v, key->name);
    case FOR_ENGINE:
        return false;
    case WITH_IMAGE:
        return json_get (v, "image");
    case REQUIRED:
        break;
    }
    return true;
}

static int read_keys (const struct json *v, const struct key *keys,
                      struct stage_manifest *manifest, struct error *err)
{
    for (; keys->name; keys++) {
        if (is_read (keys, v)
            && read_key (v, keys, manifest->arena,
                         (char *)manifest + keys->offset, err)
                   < 0)
            return -1;
    }
    return 0;
}

static int read_manifest (const struct json *v, struct stage_manifest *manifest,
                          struct error *err)
{
    int64_t format;

    if (json_want_int (v, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return error_set (err,
                          "format %lld is newer than this program; update it",
                          (long long)format);
    if (read_keys (v, head_keys, manifest, err) < 0
        || json_record_read (v, numbers, manifest, err) < 0
        || task_uses_from_json (json_get (v, "uses"), &manifest->uses, err) < 0)
        return -1;
    return read_keys (v, body_keys, manifest, err);
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
