/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs.c - what a task left behind, checked against its declared outputs */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/problems.h"
#include "formats/extxyz/extxyz.h"
#include "signature/artifact_record.h"
#include "signature/operator.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"
#include "signature/sizes.h"
#include "signature/value.h"

/* Parameters are small values; what is larger belongs into an artifact. */
static const size_t params_bytes_max = (size_t)8 << 20;

bool outputs_have_artifacts (const struct port *ports)
{
    for (const struct port *port = ports; port && port->name; port++) {
        if (type_is_artifact (&port->type))
            return true;
    }
    return false;
}

void output_path (const struct port *port, struct strbuf *path)
{
    strbuf_add_str (path, port->path ? port->path : port->name);
    if (port->path || port->type.depth > 0)
        return;
    if (port->type.kind == TYPE_FRAMES)
        strbuf_add_str (path, ".extxyz");
    else if (port->type.kind == TYPE_NPY)
        strbuf_add_str (path, ".npy");
}

/* --- parameters --- */

/* The text of params.json, through no link and from no pipe.  1 when there is
 * none.
 */
static int read_params (const char *path, struct strbuf *text,
                        struct error *err)
{
    struct stat st;

    if (lstat (path, &st) < 0)
        return errno == ENOENT ? 1
                               : error_errno (err, "cannot read '%s'", path);
    if (!S_ISREG (st.st_mode))
        return error_set (err, "'%s' is not a regular file", path);
    if (st.st_size > (off_t)params_bytes_max)
        return error_set (err,
                          "params.json has %.1f MiB, and the parameters of a "
                          "task have at most %zu MiB; make what is large an "
                          "output file",
                          (double)st.st_size / 1048576, params_bytes_max >> 20);
    return file_read (path, params_bytes_max, text, err);
}

/* The object in DIR/params.json; empty when the file is not there. */
static struct json *load_params (const char *dir, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, "params.json");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *params = NULL;
    int rc = read_params (path, &text, err);

    if (rc == 1)
        params = json_object ();
    else if (rc == 0)
        params = json_parse (text.buf, text.len, "params.json", err);
    if (params && json_kind (params) != JSON_KIND_OBJECT) {
        error_set (err, "params.json: expected an object, got %s",
                   json_kind_name (params));
        json_unref (params);
        params = NULL;
    }
    return params;
}

static int unknown_param (const struct port *ports, const char *name,
                          struct error *err)
{
    _cleanup_ (strvec_release) struct strvec declared = STRVEC_INIT;
    const char *near;

    for (const struct port *port = ports; port && port->name; port++) {
        if (!type_is_artifact (&port->type))
            strvec_push (&declared, port->name);
    }
    near = nearest_word (name, &declared);
    error_set (
        err, "params.json: output parameter '%s' is not declared; %s%s%s", name,
        near ? "did you mean '" : "declare it in the operator's outputs",
        near ? near : "", near ? "'?" : "");
    return -1;
}

static int check_undeclared (const struct port *ports,
                             const struct json *params, struct error *err)
{
    JSON_FOREACH (params, it) {
        const struct port *port = port_find (ports, json_iter_key (it));

        if (!port || type_is_artifact (&port->type))
            return unknown_param (ports, json_iter_key (it), err);
    }
    return 0;
}

/* The value of a parameter: a new reference, null when it is optional and not
 * there; NULL with 'err'.
 */
static struct json *take_param (const struct port *port,
                                const struct json *params, struct error *err)
{
    struct json *value = json_get (params, port->name);

    if (json_is_null (value) && port->optional)
        return json_null ();
    if (!value) {
        error_set (err,
                   "output '%s' is missing; write it as a key of the JSON "
                   "object {outputs.params}",
                   port->name);
        return NULL;
    }
    if (value_check (&port->type, value, VALUE_SHAPE, ".", NULL, err) < 0) {
        error_prefix (err, "output '%s'", port->name);
        return NULL;
    }
    return json_ref (value);
}

/* --- artifacts --- */

static int check_frames (const char *path, struct error *err)
{
    _cleanup_ (extxyz_index_release) struct extxyz_index index =
        EXTXYZ_INDEX_INIT;

    return extxyz_index_file (path, &index, err);
}

/* One file or directory 'name' in directory 'dir'. */
static int check_file (const struct type *type, const char *dir,
                       const char *name, struct error *err)
{
    struct type one = *type;
    _cleanup_json_ struct json *value = json_string (name);
    _cleanup_free_ char *path = path_join (dir, name);
    int rc;

    one.depth = 0;
    rc = value_check (&one, value, VALUE_ON_DISK, dir, NULL, err);
    if (rc == 0 && type->kind == TYPE_FRAMES)
        rc = check_frames (path, err);
    return rc;
}

static struct json *list_entries (const struct type *type, const char *dir,
                                  const char *below,
                                  const struct heartbeat *heartbeat,
                                  struct error *err);

/* What 'name' is in a list whose items are of 'type': a path, or the list of
 * those below it.
 */
static struct json *list_entry (const struct type *type, const char *dir,
                                const char *name,
                                const struct heartbeat *heartbeat,
                                struct error *err)
{
    static const struct type dir_type = { .kind = TYPE_DIR };

    heartbeat_send (heartbeat);
    if (check_file (type->depth > 0 ? &dir_type : type, dir, name, err) < 0)
        return NULL;
    return type->depth > 0 ? list_entries (type, dir, name, heartbeat, err)
                           : json_string (name);
}

/* The sorted names of what the directory 'below' of 'dir' ("": itself) holds,
 * the list of 'type', as seen from 'dir'.
 */
static struct json *list_entries (const struct type *type, const char *dir,
                                  const char *below,
                                  const struct heartbeat *heartbeat,
                                  struct error *err)
{
    struct type item = *type;
    struct strvec names = STRVEC_INIT;
    struct json *entries = json_array (), *entry;
    char *path = path_join (dir, below);
    int rc = file_list_dir (path, &names, err);

    item.depth--;
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *name =
            below[0] ? path_join (below, names.v[i]) : xstrdup (names.v[i]);

        if ((entry = list_entry (&item, dir, name, heartbeat, err)))
            json_push (entries, entry);
        else
            rc = -1;
    }
    strvec_release (&names);
    free (path);
    if (rc == 0)
        return entries;
    json_unref (entries);
    return NULL;
}

/* "path", and what artifact_record tells of what is at 'path' and was found
 * good.
 */
static struct json *describe (const char *name, const char *path,
                              const struct heartbeat *heartbeat,
                              struct error *err)
{
    struct json *record = artifact_record (path, heartbeat, err);
    struct json *v;

    if (!record)
        return NULL;
    v = json_object ();
    json_set (v, "path", json_string (name));
    JSON_FOREACH (record, it)
        json_set (v, json_iter_key (it), json_ref (json_iter_value (it)));
    json_unref (record);
    return v;
}

/* An artifact that is there. */
static struct json *check_artifact (const struct port *port,
                                    const char *out_dir, const char *name,
                                    const struct heartbeat *heartbeat,
                                    struct error *err)
{
    static const struct type dir_type = { .kind = TYPE_DIR };
    bool list = port->type.depth > 0;
    _cleanup_json_ struct json *entries = NULL;
    struct json *v = NULL;
    _cleanup_free_ char *path = path_join (out_dir, name);

    if (check_file (list ? &dir_type : &port->type, out_dir, name, err) < 0)
        return NULL;
    if (list
        && !(entries = list_entries (&port->type, path, "", heartbeat, err)))
        return NULL;
    v = describe (name, path, heartbeat, err);
    if (v && list)
        json_set (v, "entries", json_ref (entries));
    return v;
}

static struct json *take_artifact (const struct port *port, const char *out_dir,
                                   const struct heartbeat *heartbeat,
                                   struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;
    struct json *v = NULL;
    struct stat st;
    _cleanup_free_ char *path = NULL;

    output_path (port, &name);
    path = path_join (out_dir, name.buf);
    if (lstat (path, &st) == 0) {
        v = check_artifact (port, out_dir, name.buf, heartbeat, err);
        if (!v)
            error_prefix (err, "output '%s'", port->name);
    } else if (errno != ENOENT && errno != ENOTDIR) {
        error_errno (err, "output '%s': cannot look at '%s'", port->name, path);
    } else if (port->optional) {
        v = json_null ();
    } else if (port->take) {
        error_set (err,
                   "output '%s' is missing; the command did not write '%s' in "
                   "its working directory",
                   port->name, port->take);
    } else {
        error_set (err,
                   "output '%s' is missing; the command did not write "
                   "out/%s, which is {outputs.%s}",
                   port->name, name.buf, port->name);
    }
    return v;
}

/* --- both --- */

/* The extents of the arrays, which agree with those of the inputs. */
static int note_sizes (const struct port *ports, const struct json *checked,
                       const char *out_dir, struct sizes *sizes,
                       const struct heartbeat *heartbeat, struct error *err)
{
    int rc = 0;

    for (const struct port *port = ports; rc == 0 && port && port->name;
         port++) {
        _cleanup_json_ struct json *value = output_value (port, checked, ".");

        rc = sizes_note_value (sizes, &port->type, value, out_dir, "output",
                               port->name, heartbeat, err);
    }
    return rc;
}

static int take_outputs (const struct port *ports, const struct json *written,
                         const char *out_dir, struct json *params,
                         struct json *artifacts,
                         const struct heartbeat *heartbeat, struct error *err)
{
    for (const struct port *port = ports; port && port->name; port++) {
        bool artifact = type_is_artifact (&port->type);
        struct json *v = artifact
                             ? take_artifact (port, out_dir, heartbeat, err)
                             : take_param (port, written, err);

        if (!v)
            return -1;
        json_set (artifact ? artifacts : params, port->name, v);
    }
    return 0;
}

struct json *outputs_check (const struct port *ports, const char *dir,
                            struct sizes *sizes,
                            const struct heartbeat *heartbeat,
                            struct error *err)
{
    _cleanup_free_ char *out_dir = path_join (dir, "out");
    _cleanup_json_ struct json *written = NULL;
    _cleanup_json_ struct json *params = json_object ();
    _cleanup_json_ struct json *artifacts = json_object ();
    struct json *checked = NULL;

    if (output_tree_check (ports, out_dir, heartbeat, err) < 0
        || !(written = load_params (dir, err))
        || check_undeclared (ports, written, err) < 0
        || take_outputs (ports, written, out_dir, params, artifacts, heartbeat,
                         err)
               < 0)
        return NULL;
    checked = json_object ();
    json_set (checked, "params", json_ref (params));
    json_set (checked, "artifacts", json_ref (artifacts));
    if (note_sizes (ports, checked, out_dir, sizes, heartbeat, err) < 0) {
        json_unref (checked);
        checked = NULL;
    }
    return checked;
}

/* "a" as OUT_DIR/PATH/a, and lists of such. */
static struct json *place_entries (const struct json *entries,
                                   const char *out_dir, const char *path)
{
    struct json *list;

    if (json_kind (entries) == JSON_KIND_STRING)
        return json_stringf ("%s/%s/%s", out_dir, path,
                             json_as_string (entries));
    list = json_array ();
    for (size_t i = 0; i < json_count (entries); i++)
        json_push (list, place_entries (json_at (entries, i), out_dir, path));
    return list;
}

struct json *output_value (const struct port *port, const struct json *checked,
                           const char *out_dir)
{
    bool artifact = type_is_artifact (&port->type);
    struct json *v = json_get (
        json_get (checked, artifact ? "artifacts" : "params"), port->name);
    const struct json *entries;
    const char *path;

    if (json_is_null (v))
        return json_null ();
    if (!artifact)
        return json_ref (v);
    path = json_as_string (json_get (v, "path"));
    entries = json_get (v, "entries");
    return entries ? place_entries (entries, out_dir, path)
                   : json_stringf ("%s/%s", out_dir, path);
}
