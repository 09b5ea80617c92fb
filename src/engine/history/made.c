/* SPDX-License-Identifier: BSD-3-Clause */
/* made.c - is what stages made what was recorded of it? */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/history/made.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/outputs_store.h"
#include "signature/artifact_record.h"
#include "space/layout.h"
#include "space/layout_read.h"

void made_init (struct made *made, const char *dir,
                const struct outputs_store *outputs, bool always,
                const struct heartbeat *heartbeat)
{
    *made = (struct made){ .dir = dir,
                           .outputs = outputs,
                           .records = json_object (),
                           .stages = json_object (),
                           .always = always,
                           .heartbeat = heartbeat };
}

void made_release (struct made *made)
{
    json_unref (made->records);
    json_unref (made->stages);
}

/* --- what is recorded --- */

static int note_artifact (const struct output_artifact *artifact, void *arg,
                          struct error *err)
{
    struct made *made = arg;
    struct json *record = json_object ();

    (void)err;
    json_set (record, "sha256", json_string (artifact->sha256));
    if (artifact->files)
        json_set (record, "files", json_ref (artifact->files));
    json_set (made->records, artifact->path, record);
    return 0;
}

/* {PATH: how it looked}; without the file it is empty. */
static struct json *read_seen (const struct made *made,
                               const struct stage_place *place)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    _cleanup_json_ struct json *file = NULL;
    struct json *seen;
    _cleanup_free_ char *path = NULL;

    layout_stage_path (place, LAYOUT_SEEN, &relative);
    path = path_join (made->dir, relative.buf);
    file = json_read_file (path, NULL);
    seen = json_get (file, "seen");
    json_ref (seen);
    return seen ? seen : json_object ();
}

/* The artifacts that outputs.json at 'place' tells of, if it is there. */
static int note_stage (struct made *made, const struct stage_place *place,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    struct error why = ERROR_INIT;
    _cleanup_json_ struct json *file = NULL;
    int rc = 0;

    layout_stage_dir (place, &dir);
    if (json_get (made->stages, dir.buf))
        return 0;
    file = outputs_store_file (made->outputs, place, &why);
    if (!file && !error_is_absence (&why))
        return error_copy (err, &why);
    json_set (made->stages, dir.buf, read_seen (made, place));
    if (file)
        rc =
            output_artifacts_each (file, place, NULL, note_artifact, made, err);
    return rc;
}

/* The files of a task's artifact, as its result tells them. */
static void note_files (const struct made *made, const struct space_path *at,
                        struct json *record)
{
    const struct stage_place place = { at->name, at->code, at->iteration, 0 };
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    _cleanup_json_ struct json *result = NULL;
    _cleanup_free_ char *path = NULL;

    layout_task_out (&place, at->task, &out);
    strbuf_add_str (&out, "/" LAYOUT_RESULT_FILE);
    path = path_join (made->dir, out.buf);
    result = json_read_file (path, NULL);
    JSON_FOREACH (json_get (result, "artifacts"), it) {
        struct json *artifact = json_iter_value (it);
        struct json *files = json_get (artifact, "files");

        if (files
            && strcmp (json_get_string (artifact, "sha256"),
                       json_get_string (record, "sha256"))
                   == 0)
            json_set (record, "files", json_ref (files));
    }
}

static int say_changed (struct made *made, const char *full,
                        const struct space_path *at, struct json *record,
                        int same, struct error *err)
{
    const struct stage_place place = { at->name, at->code, at->iteration, 0 };
    struct error none = ERROR_INIT;

    if (!err)
        err = &none;
    if (same < 0 && error_is_machine_error (err))
        return -1;
    if (same == 0 && at->task >= 0)
        note_files (made, at, record);
    if (same == 0)
        artifact_say_difference (full, record, made->heartbeat, err);
    return outputs_store_say (made->outputs, &place, err);
}

/* Is the artifact at 'path' what was recorded of it?  It is asked once. */
static int compare (struct made *made, const struct space_path *at,
                    const char *path, struct json *record, struct error *err)
{
    const struct stage_place place = { at->name, at->code, at->iteration, 0 };
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    const struct json *seen;
    _cleanup_free_ char *full = NULL;
    int same, rc = 0;

    if (json_get (record, "compared"))
        return 0;
    layout_stage_dir (&place, &dir);
    seen = json_get (json_get (made->stages, dir.buf), path);
    full = path_join (made->dir, path);
    same = artifact_is_same (full, record, seen ? json_as_string (seen) : NULL,
                             made->always, made->heartbeat, err);
    if (same > 0)
        json_set (record, "compared", json_bool (true));
    else
        rc = say_changed (made, full, at, record, same, err);
    return rc;
}

/* Compare the artifact that is at 'path', or that the path is in; *sha256: of
 * the path where it is the former.
 */
int made_compare (struct made *made, const char *path, struct json **sha256,
                  struct error *err)
{
    _cleanup_free_ char *owner = xstrdup (path);
    struct json *record = NULL;
    struct space_path at;
    char *slash;
    int rc = 0;

    space_path_read (path, &at);
    if (at.kind == SPACE_STAGE)
        rc = note_stage (
            made, &(struct stage_place){ at.name, at.code, at.iteration, 0 },
            err);
    while (rc == 0 && at.kind == SPACE_STAGE
           && !(record = json_get (made->records, owner))
           && (slash = strrchr (owner, '/')))
        *slash = '\0';
    if (record)
        rc = compare (made, &at, owner, record, err);
    if (rc == 0 && sha256 && record && strcmp (owner, path) == 0)
        *sha256 = json_ref (json_get (record, "sha256"));
    return rc;
}

int made_compare_value (struct made *made, const struct json *value,
                        struct error *err)
{
    int rc = 0;

    if (json_kind (value) == JSON_KIND_OBJECT)
        value = json_get (value, "path");
    if (json_kind (value) == JSON_KIND_STRING)
        return made_compare (made, json_as_string (value), NULL, err);
    if (json_kind (value) != JSON_KIND_ARRAY)
        return 0;
    for (size_t i = 0; rc == 0 && i < json_count (value); i++)
        rc = made_compare_value (made, json_at (value, i), err);
    return rc;
}
