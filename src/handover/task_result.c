/* SPDX-License-Identifier: BSD-3-Clause */
/* task_result.c - out/result.json */
#include "base/base.h"

#include "arrays/task_range.h"
#include "handover/task_result.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "signature/artifact_record.h"
#include "signature/type.h"

/* Parameters may be large lists; this bounds what a damaged file can cost. */
enum { RESULT_MAX_BYTES = 1 << 30 };

static int check_int (const struct json *result, const char *key,
                      int64_t expected, struct error *err)
{
    int64_t n;

    if (json_want_int (result, key, &n, err) < 0)
        return -1;
    if (n != expected)
        return error_set (err, "key '%s': expected %" PRId64 ", got %" PRId64,
                          key, expected, n);
    return 0;
}

static int check_place (const struct json *result,
                        const struct stage_place *place, int task,
                        struct error *err)
{
    const char *stage;

    if (check_int (result, "format", 1, err) < 0
        || json_want_string (result, "stage", &stage, err) < 0)
        return -1;
    /* An identity knows it better: it may have been renamed since. */
    if (!json_get (result, "identity") && strcmp (stage, place->stage) != 0)
        return error_set (err, "key 'stage': expected '%s', got '%s'",
                          place->stage, stage);
    if (check_int (result, "iteration", place->iteration, err) < 0)
        return -1;
    return check_int (result, "task", task, err);
}

/* An entry is 'level' names below its list, and below nothing else; lists in
 * lists are one level down.
 */
static int check_entries (const struct json *entries, int level,
                          struct error *err)
{
    const char *name = json_as_string (entries);
    int slashes = 0;

    if (json_kind (entries) != JSON_KIND_ARRAY) {
        for (const char *at = name; (at = strchr (at, '/')); at++)
            slashes++;
        return path_is_inside (name) && slashes == level - 1
                   ? 0
                   : error_set (err, "key 'entries': '%s' is no file name",
                                name);
    }
    if (level == TYPE_MAX_DEPTH)
        return error_set (err, "key 'entries': more than %d lists in lists",
                          TYPE_MAX_DEPTH);
    for (size_t i = 0; i < json_count (entries); i++) {
        if (check_entries (json_at (entries, i), level + 1, err) < 0)
            return -1;
    }
    return 0;
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
    return json_is_null (entries) ? 0 : check_entries (entries, 0, err);
}

int task_result_check (const struct json *result,
                       const struct stage_place *place, int task,
                       struct error *err)
{
    struct json *artifacts;
    struct json *params;

    if (check_place (result, place, task, err) < 0
        || json_want_object (result, "params", &params, err) < 0
        || json_want_object (result, "artifacts", &artifacts, err) < 0)
        return -1;
    JSON_FOREACH (artifacts, it) {
        if (check_artifact (json_iter_value (it), err) < 0)
            return error_prefix (err, "artifact '%s'", json_iter_key (it));
    }
    return 0;
}

/* Of what could not be read: what is missing or too large is damaged. */
static enum task_result state_of (const struct error *why)
{
    return error_is_machine_error (why) ? TASK_RESULT_UNREADABLE
                                        : TASK_RESULT_DAMAGED;
}

/* Nothing but its size is known. */
static int compare_bytes (const char *path, const struct json *artifact,
                          struct error *err)
{
    int64_t expected = json_get_int (artifact, "bytes");
    uint64_t bytes;

    if (file_tree_bytes (path, &bytes, err) < 0)
        return -1;
    return bytes == (uint64_t)expected
               ? 0
               : error_set (err,
                            "'%s' has %" PRIu64 " bytes instead of %" PRId64,
                            path, bytes, expected);
}

static int compare (const char *path, const struct json *artifact,
                    bool contents, struct error *err)
{
    const struct json *seen = json_get (artifact, "seen");
    int same;

    if (!seen)
        return compare_bytes (path, artifact, err);
    same = artifact_is_same (path, artifact, json_as_string (seen), contents,
                             NULL, err);
    if (same == 0)
        artifact_say_difference (path, artifact, NULL, err);
    return same > 0 ? 0 : -1;
}

/* Is one artifact, found well formed, there as it was recorded? */
static enum task_result look_at_artifact (const char *out_dir,
                                          const struct json *artifact,
                                          bool contents, struct error *err)
{
    enum task_result state = TASK_RESULT_THERE;
    _cleanup_free_ char *path = NULL;

    if (json_is_null (artifact))
        return TASK_RESULT_THERE;
    path = path_join (out_dir, json_get_string (artifact, "path"));
    if (compare (path, artifact, contents, err) < 0)
        state = state_of (err);
    return state;
}

static enum task_result look_at_artifacts (const char *out_dir,
                                           const struct json *result,
                                           bool contents, struct error *err)
{
    JSON_FOREACH (json_get (result, "artifacts"), it) {
        enum task_result state =
            look_at_artifact (out_dir, json_iter_value (it), contents, err);

        if (state != TASK_RESULT_THERE) {
            error_prefix (err, "artifact '%s'", json_iter_key (it));
            return state;
        }
    }
    return TASK_RESULT_THERE;
}

/* What an older program made says nothing of it. */
static int check_identity (const struct json *result, const char *identity,
                           struct error *err)
{
    const struct json *found = json_get (result, "identity");

    if (!identity || !found || strcmp (json_as_string (found), identity) == 0)
        return 0;
    return error_set (err, "it was made by another definition of the stage, or "
                           "from other inputs");
}

/* What is looked for, and what else is to be told. */
struct reading {
    const struct stage_place *place;
    int task;
    const char *identity;
    bool contents;
    char *sha256; /* or NULL */
};

static enum task_result read_below (const char *out_dir,
                                    const struct reading *reading,
                                    struct json **result, struct error *err)
{
    _cleanup_free_ char *path = path_join (out_dir, LAYOUT_RESULT_FILE);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    enum task_result state = TASK_RESULT_DAMAGED;
    _cleanup_json_ struct json *found = NULL;

    if (file_read (path, RESULT_MAX_BYTES, &text, err) < 0)
        state = state_of (err);
    else if ((found = json_parse (text.buf, text.len, path, err))
             && task_result_check (found, reading->place, reading->task, err)
                    == 0
             && check_identity (found, reading->identity, err) == 0)
        state = look_at_artifacts (out_dir, found, reading->contents, err);
    if (state == TASK_RESULT_THERE) {
        *result = json_ref (found);
        if (reading->sha256)
            digest_bytes (text.buf, text.len, reading->sha256);
    } else if (found) {
        error_prefix (err, "%s", path);
    }
    return state;
}

static enum task_result read_dir (const char *task_dir,
                                  const struct reading *reading,
                                  struct json **result, struct error *err)
{
    struct error why = ERROR_INIT;
    enum task_result state = TASK_RESULT_ABSENT;
    int there = file_look (task_dir, &why);

    if (there < 0) {
        state = TASK_RESULT_UNREADABLE;
    } else if (there > 0) {
        _cleanup_free_ char *out_dir = path_join (task_dir, LAYOUT_OUT);

        state = read_below (out_dir, reading, result, &why);
    }
    if (state == TASK_RESULT_DAMAGED || state == TASK_RESULT_UNREADABLE)
        error_copy (err, &why);
    return state;
}

static enum task_result read_result (const char *campaign_dir,
                                     const struct reading *reading,
                                     struct json **result, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    enum task_result state;
    _cleanup_free_ char *task_dir = NULL;

    layout_task_dir (reading->place, reading->task, &relative);
    task_dir = path_join (campaign_dir, relative.buf);
    state = read_dir (task_dir, reading, result, err);
    return state;
}

enum task_result task_result_read_in (const char *task_dir,
                                      const struct stage_place *place, int task,
                                      const char *identity,
                                      struct json **result, struct error *err)
{
    const struct reading reading = { place, task, identity, false, NULL };

    return read_dir (task_dir, &reading, result, err);
}

enum task_result task_result_read (const char *campaign_dir,
                                   const struct stage_place *place, int task,
                                   const char *identity, struct json **result,
                                   struct error *err)
{
    const struct reading reading = { place, task, identity, false, NULL };

    return read_result (campaign_dir, &reading, result, err);
}

enum task_result task_result_read_whole (const char *campaign_dir,
                                         const struct stage_place *place,
                                         int task, bool contents,
                                         struct json **result,
                                         char sha256[DIGEST_HEX_SIZE],
                                         struct error *err)
{
    const struct reading reading = { place, task, NULL, contents, sha256 };

    return read_result (campaign_dir, &reading, result, err);
}

int task_results_make_last (const char *campaign_dir,
                            const struct stage_place *place, bool *way_synced,
                            struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf job = STRBUF_INIT;
    int rc;

    strbuf_addf (&job, "%s/", campaign_dir);
    layout_stage_path (place, LAYOUT_JOBS, &job);
    rc = file_sync_dir (job.buf, err);
    if (rc == 0 && !*way_synced) {
        rc = file_sync_way (job.buf, campaign_dir, err);
        *way_synced = rc == 0;
    }
    return rc;
}
