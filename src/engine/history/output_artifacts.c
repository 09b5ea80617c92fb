/* SPDX-License-Identifier: BSD-3-Clause */
/* output_artifacts.c - the files that outputs.json of a stage tells of */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/history/output_artifacts.h"

struct json *output_file_read (const char *dir, const struct stage_place *place,
                               struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    struct json *file;
    _cleanup_free_ char *path = NULL;

    layout_stage_path (place, LAYOUT_OUTPUTS, &relative);
    path = path_join (dir, relative.buf);
    file = json_read_file (path, err);
    return file;
}

struct artifact_walk {
    struct strbuf below; /* the stage's directory, and a slash */
    const char *output;
    int (*each) (const struct output_artifact *artifact, void *arg,
                 struct error *err);
    void *arg;
};

/* The first path in 'value', how many lists deep it is; NULL: there is none. */
static const char *first_path (const struct json *value, int *depth)
{
    const char *path = NULL;

    if (json_kind (value) == JSON_KIND_STRING)
        return json_as_string (value);
    ++*depth;
    for (size_t i = 0; !path && i < json_count (value); i++)
        path = first_path (json_at (value, i), depth);
    if (!path)
        --*depth;
    return path;
}

/* Where the artifact is whose value is a path or a list of those in it.  NULL:
 * that is not known, or it is not the stage's own.
 */
static char *path_of (const struct artifact_walk *walk,
                      const struct json *value)
{
    int depth = 0;
    const char *path = first_path (value, &depth);
    char *found;

    if (!path || !path_is_inside (path)
        || strncmp (path, walk->below.buf, walk->below.len) != 0)
        return NULL;
    found = xstrdup (path);
    for (; depth > 0 && strlen (found) > walk->below.len; depth--)
        *strrchr (found, '/') = '\0';
    if (depth == 0 && strlen (found) > walk->below.len)
        return found;
    free (found);
    return NULL;
}

/* 'told': {bytes, sha256}, or a list with one of each task. */
static int walk_value (const struct artifact_walk *walk,
                       const struct json *value, const struct json *told,
                       struct error *err)
{
    struct output_artifact artifact = { .output = walk->output };
    int rc = 0;

    if (json_kind (told) == JSON_KIND_ARRAY) {
        for (size_t i = 0; rc == 0 && i < json_count (told); i++)
            rc = walk_value (walk, json_at (value, i), json_at (told, i), err);
        return rc;
    }
    if (json_is_null (told) || !(artifact.path = path_of (walk, value)))
        return 0;
    artifact.bytes = json_get_int (told, "bytes");
    artifact.sha256 = json_get_string (told, "sha256");
    artifact.files = json_get (told, "files");
    rc = walk->each (&artifact, walk->arg, err);
    free (artifact.path);
    return rc;
}

int output_artifacts_each (const struct json *file,
                           const struct stage_place *place, const char *name,
                           int (*each) (const struct output_artifact *artifact,
                                        void *arg, struct error *err),
                           void *arg, struct error *err)
{
    struct artifact_walk walk = { .below = STRBUF_INIT,
                                  .each = each,
                                  .arg = arg };
    const struct json *outputs = json_get (file, "outputs");
    int rc = 0;

    layout_stage_dir (place, &walk.below);
    strbuf_add_char (&walk.below, '/');
    JSON_FOREACH (json_get (file, "artifacts"), it) {
        walk.output = json_iter_key (it);
        if (rc == 0 && (!name || strcmp (name, walk.output) == 0))
            rc = walk_value (&walk, json_get (outputs, walk.output),
                             json_iter_value (it), err);
    }
    strbuf_release (&walk.below);
    return rc;
}
