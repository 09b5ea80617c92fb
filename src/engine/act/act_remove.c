/* SPDX-License-Identifier: BSD-3-Clause */
/* act_remove.c - outputs that nothing needs any more make room
 *
 * A driver that was suspended in here, and replaced, may go on when the stage
 * was made again where its old results were.  What it then removes is seen from
 * the directory that it opened while it had the lease: the old one, wherever
 * that is now.  Nothing is synced: should the host lose a removal, what is not
 * needed lies there a while longer.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/act/generation.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/output_artifacts.h"
#include "engine/history/outputs_store.h"
#include "engine/history/removal.h"
#include "space/layout.h"
#include "space/lease.h"

typedef int artifact_visit (const struct output_artifact *artifact, void *arg,
                            struct error *err);

struct removing {
    struct engine *engine;
    bool leaves_raw; /* its operator does */
    struct stage_place place;
    const char *first_name; /* of the stage */
    char *aside;            /* directory for trees on their way out */
};

/* --- what there is --- */

/* 'path': relative to the campaign. */
static int visit_raw (const struct removing *r, char *path,
                      artifact_visit *visit, void *arg, struct error *err)
{
    struct output_artifact artifact = { .output = REMOVAL_RAW, .path = path };
    _cleanup_free_ char *full = path_join (r->engine->dir, path);
    uint64_t bytes = 0;
    int rc = 0;

    engine_heartbeat (r->engine);
    if (file_exists (full)) {
        file_tree_bytes (full, &bytes, NULL);
        artifact.bytes = (int64_t)bytes;
        rc = visit (&artifact, arg, err);
    }
    return rc;
}

/* The raw files of each task. */
static int each_raw (const struct removing *r, artifact_visit *visit, void *arg,
                     struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf below = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec tasks = STRVEC_INIT;
    struct error why = ERROR_INIT;
    _cleanup_free_ char *jobs = NULL;
    int rc;

    layout_stage_path (&r->place, LAYOUT_JOBS, &below);
    jobs = path_join (r->engine->dir, below.buf);
    rc = file_list_dir (jobs, &tasks, &why);
    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    for (size_t i = 0; rc == 0 && i < tasks.n; i++) {
        _cleanup_free_ char *path =
            xasprintf ("%s/%s/" LAYOUT_TASK_RAW, below.buf, tasks.v[i]);

        rc = visit_raw (r, path, visit, arg, err);
    }
    return rc;
}

/* 'file': outputs.json, without which there is nothing. */
static int each_artifact (const struct removing *r, const struct json *file,
                          const char *name, artifact_visit *visit, void *arg,
                          struct error *err)
{
    if (file && r->leaves_raw && strcmp (name, REMOVAL_RAW) == 0)
        return each_raw (r, visit, arg, err);
    return output_artifacts_each (file, &r->place, name, visit, arg, err);
}

/* --- one of them --- */

/* Its parent changes, for which it has to be writable itself. */
static int move_tree_aside (struct removing *r, int dir_fd, const char *name,
                            struct error *err)
{
    _cleanup_free_ char *to =
        xasprintf ("%s/%" PRId64, r->aside, lease_epoch (r->engine->lease));
    int rc = -1, made_writable;

    if (file_remove_tree (to, &r->engine->heartbeat, err) < 0
        || file_make_dirs (r->aside, err) < 0
        || lease_check (r->engine->lease, err) < 0)
        return -1;
    /* Where this did not work renameat says what is wrong. */
    made_writable = fchmodat (dir_fd, name, 0700, 0);
    (void)made_writable;
    if (renameat (dir_fd, name, AT_FDCWD, to) == 0)
        rc = file_remove_tree (to, &r->engine->heartbeat, err);
    else if (errno == ENOENT)
        rc = 0;
    else
        error_errno (err, "cannot remove '%s'", name);
    return rc;
}

/* Removed from the open directory: 0; 1 where it is a directory; -1. */
static int unlink_file (int dir_fd, const char *name, struct error *err)
{
    if (unlinkat (dir_fd, name, 0) == 0
        || (errno == EACCES && fchmod (dir_fd, 0700) == 0
            && unlinkat (dir_fd, name, 0) == 0)
        || errno == ENOENT)
        return 0;
    if (errno == EISDIR || errno == EPERM) /* POSIX says the latter */
        return 1;
    return error_errno (err, "cannot remove it");
}

static int remove_from (struct removing *r, int dir_fd, const char *name,
                        struct error *err)
{
    int rc;

    if (lease_check (r->engine->lease, err) < 0)
        return -1;
    point_reached ("remove.checked");
    rc = unlink_file (dir_fd, name, err);
    return rc > 0 ? move_tree_aside (r, dir_fd, name, err) : rc;
}

/* The same below superseded generations, which may have it by another link:
 * else it would still take its room.
 */
static int remove_superseded (struct removing *r, const char *path,
                              struct error *err)
{
    const struct json *list = r->engine->state.superseded;
    const char *below = path + layout_stage_dir_length (path);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const struct json *one = json_at (list, i);
        char *dir, *full;

        if (strcmp (json_get_string (one, "stage"), r->first_name) != 0
            || json_get_int (one, "iteration") != r->place.iteration)
            continue;
        dir = generation_replaced_dir (r->engine,
                                       (int)json_get_int (one, "generation"));
        full = path_join (dir, below + 1);
        rc = file_remove_tree (full, &r->engine->heartbeat, err);
        free (full);
        free (dir);
    }
    return rc;
}

/* What is not there was removed before a crash, or by another. */
static int remove_artifact (const struct output_artifact *artifact, void *arg,
                            struct error *err)
{
    struct removing *r = arg;
    _cleanup_free_ char *path = path_join (r->engine->dir, artifact->path);
    char *name = strrchr (path, '/') + 1;
    int dir_fd, rc = 0;

    engine_heartbeat (r->engine);
    name[-1] = '\0';
    dir_fd = file_open (path, O_RDONLY | O_DIRECTORY, 0);
    name[-1] = '/';
    if (dir_fd >= 0)
        rc = remove_from (r, dir_fd, name, err);
    else if (errno != ENOENT && errno != ENOTDIR)
        rc = error_errno (err, "cannot open its directory");
    if (rc == 0)
        rc = remove_superseded (r, artifact->path, err);
    if (rc < 0)
        error_prefix (err, "%s", artifact->path);
    file_close (dir_fd);
    return rc;
}

/* --- all --- */

/* Names of outputs that are to go are the keys of 'gone', their bytes become
 * its values; what was said before a kill stays: some may be gone since.
 */
static int measure (const struct output_artifact *artifact, void *arg,
                    struct error *err)
{
    struct json *gone = arg;

    (void)err;
    json_set (
        gone, artifact->output,
        json_int (json_get_int (gone, artifact->output) + artifact->bytes));
    return 0;
}

static struct json *measure_outputs (const struct removing *r,
                                     const struct json *file,
                                     const struct json *removals)
{
    struct json *gone = json_object ();
    _cleanup_json_ struct json *said =
        removals_read (r->engine->dir, &r->place);

    JSON_FOREACH (removals, it) {
        const char *name = json_iter_key (it);
        const struct json *bytes = json_get (json_get (said, name), "bytes");

        if (json_get (json_iter_value (it), "bytes"))
            continue;
        json_set (gone, name, bytes ? json_deep_copy (bytes) : json_int (0));
        if (!bytes)
            each_artifact (r, file, name, measure, gone, NULL);
    }
    return gone;
}

static int write_removals (const struct removing *r, struct json *removals,
                           struct error *err)
{
    _cleanup_json_ struct json *file = removals_file (removals);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (file, JSON_PRETTY, &text);
    return generation_write (r->engine, &r->place, LAYOUT_REMOVED, &text, err);
}

/* Said beside them before any is gone. */
static int say (const struct removing *r, const struct json *removals,
                const struct json *gone, struct error *err)
{
    _cleanup_json_ struct json *all = json_deep_copy (removals);
    int rc;

    JSON_FOREACH (gone, it)
        json_set (json_get (all, json_iter_key (it)), "bytes",
                  json_ref (json_iter_value (it)));
    rc = lease_check (r->engine->lease, err);
    if (rc == 0)
        rc = write_removals (r, all, err);
    return rc;
}

static int remove_outputs (struct removing *r, const struct json *file,
                           const struct json *gone, struct error *err)
{
    int rc = 0;

    JSON_FOREACH (gone, it) {
        if (rc == 0)
            rc = each_artifact (r, file, json_iter_key (it), remove_artifact, r,
                                err);
    }
    return rc == 0 ? file_remove_tree (r->aside, &r->engine->heartbeat, err)
                   : -1;
}

static int record_removed (struct removing *r, const char *stage,
                           struct json *gone, struct error *err)
{
    struct json *event = event_of_stage ("removed", engine_now_s (r->engine),
                                         r->place.iteration, stage);

    json_set (event, "outputs", json_ref (gone));
    return engine_record (r->engine, event, err);
}

/* All that the state says is being removed. */
static int remove_all (struct removing *r, const char *stage, struct error *err)
{
    const struct json *removals =
        state_stage (&r->engine->state, r->place.iteration, stage)->removed;
    struct error why = ERROR_INIT;
    struct json *file =
        outputs_store_file (r->engine->outputs, &r->place, &why);
    _cleanup_json_ struct json *gone = NULL;
    int rc;

    if (!file && !error_is_absence (&why))
        return error_copy (err, &why);
    gone = measure_outputs (r, file, removals);
    rc = file ? say (r, removals, gone, err) : 0; /* else all is gone */
    if (rc == 0)
        rc = remove_outputs (r, file, gone, err);
    if (rc == 0)
        rc = record_removed (r, stage, gone, err);
    json_unref (file);
    return rc;
}

enum act_result act_remove (struct engine *engine, const struct action *action,
                            struct error *err)
{
    const struct stage *stage = &engine->plan->stages[action->stage];
    struct removing r = {
        .engine = engine,
        .leaves_raw = stage->op->leaves_raw,
        .first_name =
            state_first_name (&engine->state, stage->name, stage->name),
        .place = state_place (&engine->state, action->iteration, stage->name),
        .aside = path_join (engine->dir, LAYOUT_REMOVING_DIR)
    };
    int rc = action->event
                 ? engine_record (engine, json_ref (action->event), err)
                 : 0;

    if (rc == 0)
        rc = remove_all (&r, stage->name, err);
    free (r.aside);
    return rc < 0 ? ACT_FAILED : ACT_DONE;
}
