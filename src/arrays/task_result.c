/* SPDX-License-Identifier: BSD-3-Clause */
/* task_result.c - out/result.json */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays/task_result.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"

static int check_int (const struct json *result,
                      const char *key,
                      int64_t expected,
                      struct error *err)
{
    int64_t n;

    if (json_want_int (result, key, &n, err) < 0)
        return -1;
    if (n != expected)
        return error_set (err, "key '%s': expected %" PRId64 ", got %" PRId64,
                          key, expected, n);
    return 0;
}

static int check_identity (const struct json *result,
                           const struct stage_place *place,
                           int task,
                           struct error *err)
{
    const char *stage;

    if (check_int (result, "format", 1, err) < 0
        || json_want_string (result, "stage", &stage, err) < 0)
        return -1;
    if (strcmp (stage, place->stage) != 0)
        return error_set (err, "key 'stage': expected '%s', got '%s'",
                          place->stage, stage);
    if (check_int (result, "iteration", place->iteration, err) < 0)
        return -1;
    return check_int (result, "task", task, err);
}

/* Nothing of it may be looked for outside out/. */
static int check_artifact (const struct json *artifact, struct error *err)
{
    const struct json *entries = json_get (artifact, "entries");
    const char *path;
    int64_t bytes;

    if (json_is_null (artifact)) /* optional, and not written */
        return 0;
    if (json_want_string (artifact, "path", &path, err) < 0
        || json_want_int (artifact, "bytes", &bytes, err) < 0)
        return -1;
    if (!path_is_inside (path))
        return error_set (err, "key 'path': '%s' is not below out/", path);
    if (bytes < 0)
        return error_set (err, "key 'bytes': %" PRId64 " is negative", bytes);
    for (size_t i = 0; i < json_count (entries); i++) {
        const char *name = json_as_string (json_at (entries, i));

        if (!path_is_inside (name) || strchr (name, '/'))
            return error_set (err, "key 'entries': '%s' is no file name", name);
    }
    return 0;
}

int task_result_check (const struct json *result,
                       const struct stage_place *place,
                       int task,
                       struct error *err)
{
    struct json *artifacts;
    struct json *params;

    if (check_identity (result, place, task, err) < 0
        || json_want_object (result, "params", &params, err) < 0
        || json_want_object (result, "artifacts", &artifacts, err) < 0)
        return -1;
    JSON_FOREACH (artifacts, it) {
        if (check_artifact (json_iter_value (it), err) < 0)
            return error_prefix (err, "artifact '%s'", json_iter_key (it));
    }
    return 0;
}

/* Is one artifact, found well formed, there with its size? */
static int look_at_artifact (const char *out_dir,
                             const struct json *artifact,
                             struct error *err)
{
    const char *name = json_as_string (json_get (artifact, "path"));
    int64_t expected = json_as_int (json_get (artifact, "bytes"));
    uint64_t bytes;
    char *path;
    int rc;

    if (json_is_null (artifact))
        return 0;
    path = path_join (out_dir, name);
    rc = file_tree_bytes (path, &bytes, err);
    if (rc == 0 && bytes != (uint64_t)expected)
        rc = error_set (err, "'%s' has %" PRIu64 " bytes instead of %" PRId64,
                        path, bytes, expected);
    free (path);
    return rc;
}

static int look_at_artifacts (const char *out_dir,
                              const struct json *result,
                              struct error *err)
{
    JSON_FOREACH (json_get (result, "artifacts"), it) {
        if (look_at_artifact (out_dir, json_iter_value (it), err) < 0)
            return error_prefix (err, "artifact '%s'", json_iter_key (it));
    }
    return 0;
}

static struct json *read_below (const char *out_dir,
                                const struct stage_place *place,
                                int task,
                                struct error *err)
{
    char *path = path_join (out_dir, LAYOUT_RESULT_FILE);
    struct json *result = json_read_file (path, err);

    if (result
        && (task_result_check (result, place, task, err) < 0
            || look_at_artifacts (out_dir, result, err) < 0)) {
        error_prefix (err, "%s", path);
        json_unref (result);
        result = NULL;
    }
    free (path);
    return result;
}

struct json *task_result_read (const char *campaign_dir,
                               const struct stage_place *place,
                               int task,
                               struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    struct json *result = NULL;
    struct stat st;
    char *out_dir;

    layout_task_out (place, task, &relative);
    out_dir = path_join (campaign_dir, relative.buf);
    if (stat (out_dir, &st) < 0 && errno == ENOENT)
        error_set (err, "%s", "");
    else
        result = read_below (out_dir, place, task, err);
    free (out_dir);
    strbuf_release (&relative);
    return result;
}
