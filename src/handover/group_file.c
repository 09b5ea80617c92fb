/* SPDX-License-Identifier: BSD-3-Clause */
/* group_file.c - group.json and group-end.json */
#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/json.h"
#include "handover/group_file.h"
#include "handover/node_name.h"
#include "signature/template.h"

/* --- group.json --- */

/* What is not there in most. */
static void set_surroundings (const struct group_file *file, struct json *v)
{
    if (file->dir)
        json_set (v, "dir", json_string (file->dir));
    if (file->env)
        json_set (v, "env", argv_to_json (file->env));
    if (!file->image)
        return;
    json_set (v, "image", json_string (file->image));
    json_set (v, "container", argv_to_json (file->container));
}

static int read_surroundings (const struct json *v, struct group_file *file,
                              struct error *err)
{
    struct arena *arena = file->arena;

    if ((json_get (v, "dir")
         && json_want_text (v, "dir", arena, &file->dir, err) < 0)
        || (json_get (v, "env")
            && json_want_argv (v, "env", arena, &file->env, err) < 0))
        return -1;
    if (!json_get (v, "image"))
        return 0;
    if (json_want_text (v, "image", arena, &file->image, err) < 0)
        return -1;
    return json_want_argv (v, "container", arena, &file->container, err);
}

struct json *group_file_to_json (const struct group_file *file)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "group", group_to_json (&file->group));
    json_set (v, "values", json_ref (file->values));
    json_set (v, "resources", resources_to_json (&file->needs));
    json_set (v, "launcher", argv_to_json (file->launcher));
    set_surroundings (file, v);
    json_set (v, "agents", argv_to_json (file->agents));
    json_set (v, "grace_s", json_real (file->grace_s));
    json_set (v, "bind", json_bool (file->bind));
    json_set (v, "id", json_string (file->id));
    json_set (v, "workspace_dir", json_string (file->workspace_dir));
    return v;
}

static int read_file (const struct json *v, struct group_file *file,
                      struct error *err)
{
    const char *id, *workspace_dir;
    struct json *group, *values, *needs;
    int64_t format;

    if (json_want_int (v, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return error_set (err, "format %" PRId64 " is newer than this program",
                          format);
    if (json_want_object (v, "group", &group, err) < 0
        || group_from_json (group, file->arena, &file->group, err) < 0
        || json_want_object (v, "values", &values, err) < 0
        || json_want_object (v, "resources", &needs, err) < 0
        || resources_from_json (needs, &file->needs, err) < 0
        || json_want_argv (v, "launcher", file->arena, &file->launcher, err) < 0
        || read_surroundings (v, file, err) < 0
        || json_want_argv (v, "agents", file->arena, &file->agents, err) < 0
        || json_want_double (v, "grace_s", &file->grace_s, err) < 0
        || json_want_bool (v, "bind", &file->bind, err) < 0
        || json_want_string (v, "id", &id, err) < 0
        || json_want_string (v, "workspace_dir", &workspace_dir, err) < 0)
        return -1;
    file->values = json_ref (values);
    file->id = arena_strdup (file->arena, id);
    file->workspace_dir = arena_strdup (file->arena, workspace_dir);
    return 0;
}

int group_file_from_json (const struct json *v, struct group_file *file,
                          struct error *err)
{
    struct group_file read = { .arena = arena_create (), .dir = "." };

    if (read_file (v, &read, err) < 0) {
        group_file_release (&read);
        return -1;
    }
    *file = read;
    return 0;
}

void group_file_release (struct group_file *file)
{
    json_unref (file->values);
    arena_destroy (file->arena);
    *file = (struct group_file)GROUP_FILE_INIT;
}

/* --- private workspaces --- */

/* Short: the path of a socket may have 107 bytes.  The node is in it since the
 * directory may be one that nodes share.
 */
void group_workspace_prefix (struct strbuf *out)
{
    char host[256] = "unknown";

    gethostname (host, sizeof (host) - 1);
    strbuf_addf (out, "fanfold-%06" PRIx64 "-",
                 hash_string (0, host) & 0xffffff);
}

char *group_workspace_path (const char *dir, const char *id)
{
    struct strbuf path = STRBUF_INIT;
    bool usable = access (dir, W_OK | X_OK) == 0;

    strbuf_addf (&path, "%s/", usable ? dir : "/tmp");
    group_workspace_prefix (&path);
    strbuf_add_str (&path, id);
    return strbuf_detach (&path);
}

/* --- group-end.json --- */

bool group_end_ok (const struct group_end *end)
{
    return end->outcome == OUTCOME_NONE && !end->machine_error
           && end->exit_code == 0 && end->signal == 0;
}

struct json *group_end_to_json (const struct group_end *end)
{
    struct json *v = json_object ();

    json_set (v, "outcome",
              end->outcome == OUTCOME_NONE
                  ? json_null ()
                  : json_string (outcome_name (end->outcome)));
    json_set (v, "machine_error", json_bool (end->machine_error));
    json_set (v, "exit_code", json_int (end->exit_code));
    json_set (v, "signal", json_int (end->signal));
    json_set (v, "message", json_string (end->message ? end->message : ""));
    if (end->partly)
        json_set (v, "partly", json_bool (true));
    if (end->lost_node)
        json_set (v, "lost_node", json_string (end->lost_node));
    if (end->run)
        json_set (v, "run", json_ref (end->run));
    return v;
}

int group_end_from_json (const struct json *v, struct group_end *end,
                         struct error *err)
{
    struct group_end read = GROUP_END_INIT;
    int64_t exit_code, signal;
    const char *message;

    if (json_want_int (v, "exit_code", &exit_code, err) < 0
        || json_want_int (v, "signal", &signal, err) < 0
        || json_want_bool (v, "machine_error", &read.machine_error, err) < 0
        || json_want_string (v, "message", &message, err) < 0)
        return -1;
    read.partly = json_as_bool (json_get (v, "partly"));
    if (!json_is_null (json_get (v, "outcome")))
        read.outcome = outcome_from_name (json_get_string (v, "outcome"));
    if (read.outcome == OUTCOME_COUNT)
        return error_set (err, "key 'outcome': there is no outcome '%s'",
                          json_get_string (v, "outcome"));
    read.exit_code = (int)exit_code;
    read.signal = (int)signal;
    read.message = xstrdup (message);
    if (is_node_name (json_get_string (v, "lost_node")))
        read.lost_node = xstrdup (json_get_string (v, "lost_node"));
    read.run = json_ref (json_get (v, "run"));
    *end = read;
    return 0;
}

void group_end_release (struct group_end *end)
{
    free (end->message);
    free (end->lost_node);
    json_unref (end->run);
    *end = (struct group_end)GROUP_END_INIT;
}
