/* SPDX-License-Identifier: BSD-3-Clause */
/* taking.c - results that are there already and are what a task would make */
#include "base/base.h"

#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "base/point.h"
#include "campaign/plan.h"
#include "engine/act/generation.h"
#include "engine/act/other_campaigns.h"
#include "engine/act/stage_description.h"
#include "engine/act/taken_params.h"
#include "engine/act/taking.h"
#include "engine/history/engine.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "signature/artifact_record.h"
#include "signature/task_uses.h"
#include "space/layout.h"
#include "space/lease.h"

enum { BATCH = 1024 };

/* --- one task with artifacts --- */

static struct stage_place place_of (const struct taking_source *source)
{
    return (struct stage_place){
        .stage = json_get_string (source->manifest, "stage"),
        .code = json_get_string (source->manifest, "code"),
        .iteration = (int)json_get_int (source->manifest, "iteration"),
    };
}

/* Of whatever task it was: it is this one's now. */
static struct json *result_of (const struct taking *taking, int32_t task,
                               const struct json *result)
{
    static const char *const theirs[] = { "attempt", "claim" };
    const struct stage_manifest *manifest = &taking->description->manifest;
    struct json *v = json_deep_copy (result);

    for (size_t i = 0; json_get (v, "reused") && i < ARRAY_SIZE (theirs); i++)
        json_delete (v, theirs[i]);

    json_set (v, "stage", json_string (manifest->place.stage));
    json_set (v, "iteration", json_int (manifest->place.iteration));
    json_set (v, "task", json_int (task));
    if (manifest->uses & USES_SEED)
        json_set (v, "seed", json_int (stage_manifest_seed (manifest, task)));
    return v;
}

/* Is it a task of the same number there? */
static bool is_in_its_place (const struct taking *taking, int32_t task,
                             const struct json *result)
{
    return json_get_int (result, "task") == task
           && json_get_int (result, "iteration")
                  == taking->description->manifest.place.iteration;
}

static int write_result (const char *to, const struct json *result,
                         struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (result, JSON_PRETTY, &text);
    return file_create_sealed (to, text.buf, text.len, err);
}

static int put_result (const struct taking *taking, bool copies,
                       const char *from, const char *to, int32_t task,
                       const struct json *result, struct error *err)
{
    _cleanup_free_ char *file = path_join (to, LAYOUT_RESULT_FILE);
    _cleanup_free_ char *old = path_join (from, LAYOUT_RESULT_FILE);
    _cleanup_json_ struct json *own = NULL;
    int rc;

    if (!copies && is_in_its_place (taking, task, result)) {
        rc = file_link_tree (old, file, err);
    } else {
        own = result_of (taking, task, result);
        rc = write_result (file, own, err);
    }
    return rc;
}

/* A copy is compared with what is recorded: who edited the other campaign's
 * need not have changed size and time.
 */
static int put_artifact (const struct json *artifact, bool copies,
                         const char *from, const char *to, struct error *err)
{
    if (file_make_parent (to, err) < 0)
        return -1;
    if (!copies)
        return file_link_tree (from, to, err);
    if (file_twin_tree (from, to, err) < 0)
        return -1;
    return artifact_is_same (to, artifact, NULL, true, NULL, err) > 0
               ? 0
               : error_set (err, "'%s' is damaged", from);
}

static int put_artifacts (const struct json *result, bool copies,
                          const char *from, const char *to, struct error *err)
{
    int rc = 0;

    JSON_FOREACH (json_get (result, "artifacts"), it) {
        const struct json *artifact = json_iter_value (it);
        const char *name = json_get_string (artifact, "path");
        char *old, *own;

        if (rc < 0 || json_is_null (artifact))
            continue;
        old = path_join (from, name);
        own = path_join (to, name);
        rc = put_artifact (artifact, copies, old, own, err);
        free (old);
        free (own);
    }
    return rc;
}

/* What lies beside `out`. */
static int put_beside (const struct taking *taking, bool copies,
                       const char *from, const char *to, struct error *err)
{
    const char *const names[] = { LAYOUT_TASK_LOG, LAYOUT_TASK_IN,
                                  taking->description->manifest.keeps_raw
                                      ? LAYOUT_TASK_RAW
                                      : NULL };
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE (names) && names[i]; i++) {
        _cleanup_free_ char *old = path_join (from, names[i]);
        _cleanup_free_ char *own = path_join (to, names[i]);

        if (file_exists (old))
            rc = copies ? file_twin_tree (old, own, err)
                        : file_link_tree (old, own, err);
    }
    return rc;
}

static void note_taken (struct taking *taking, int32_t task,
                        const struct json *result)
{
    origins_add (&taking->origins, json_get (result, "reused"), task);
    task_range_add (&taking->ok, task);
}

static int put_task (const struct taking *taking, bool copies, const char *from,
                     const char *to, int32_t task, const struct json *result,
                     struct error *err)
{
    _cleanup_free_ char *old = path_join (from, LAYOUT_OUT);
    _cleanup_free_ char *own = path_join (to, LAYOUT_OUT);
    int rc = -1;

    if (file_make_dirs (own, err) == 0
        && put_artifacts (result, copies, old, own, err) == 0
        && put_result (taking, copies, old, own, task, result, err) == 0
        && put_beside (taking, copies, from, to, err) == 0)
        rc = 1;
    return rc;
}

/* What another campaign has is not ours to depend on: what cannot be read, or
 * copied whole, is made by the task, and what may be of a generation that took
 * the place of this one.
 */
static int put_other (const struct taking *taking, struct taking_source *source,
                      int32_t old, int32_t task, const char *from,
                      const char *to, struct json *result, struct error *err)
{
    struct error why = ERROR_INIT;

    if (!json_get (result, "reused"))
        json_set (result, "reused", taking_origin (source, old));
    if (put_task (taking, true, from, to, task, result, &why) > 0
        && taking_source_stays (source))
        return 1;
    if (!taking_source_stays (source))
        identity_index_release (&source->index);
    return file_remove_tree (to, &taking->engine->heartbeat, err);
}

/* Task 'old' of the source becomes 'task'.  1, 0: it cannot be taken, -1. */
static int take_out (struct taking *taking, struct taking_source *source,
                     int32_t old, int32_t task, const char *identity,
                     struct error *err)
{
    const struct stage_place place = place_of (source);
    _cleanup_free_ char *from = xasprintf ("%s/" LAYOUT_TASK, source->dir, old);
    _cleanup_free_ char *to =
        xasprintf ("%s/" LAYOUT_TASK, taking->making, task);
    struct error why = ERROR_INIT;
    _cleanup_json_ struct json *result = NULL;
    enum task_result there =
        task_result_read_in (from, &place, old, identity, &result, &why);
    int rc = 0;

    if (there == TASK_RESULT_THERE && source->campaign)
        rc = put_other (taking, source, old, task, from, to, result, err);
    else if (there == TASK_RESULT_THERE)
        rc = put_task (taking, false, from, to, task, result, err);
    else if (there == TASK_RESULT_UNREADABLE && !source->campaign)
        rc = error_copy (err, &why);
    if (rc > 0)
        note_taken (taking, task, result);
    return rc;
}

/* --- all tasks --- */

static int take_task (struct taking *taking, int32_t task, const char *identity,
                      struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < taking->n; i++) {
        struct taking_source *source = &taking->sources[i];
        int32_t old;

        if (source->campaign
            && !others_are_wanted (
                taking->engine, taking->stage,
                taking->description->manifest.place.iteration, task))
            continue;
        old = identity_index_take (&source->index, identity);
        if (old < 0
            || (source->campaign && !task_range_contains (&source->ok, old)))
            continue;
        rc = taking->artifacts
                 ? take_out (taking, source, old, task, identity, err)
                 : taken_params_add (taking, source, old, task, err);
    }
    return rc < 0 ? -1 : 0;
}

/* Those of the generation that is made. */
static int each_task (struct taking *taking, const char *dir,
                      int (*each) (struct taking *taking, int32_t task,
                                   const char *identity, struct error *err),
                      struct error *err)
{
    const struct stage_manifest *manifest = &taking->description->manifest;
    int rc = 0;

    if (!manifest->sliced)
        return each (taking, 0, manifest->identity, err);
    for (int32_t first = 0; rc == 0 && first < manifest->tasks;
         first += BATCH) {
        _cleanup_ (task_range_release) struct task_range batch =
            TASK_RANGE_INIT;
        struct json *slices[BATCH] = { 0 };

        engine_heartbeat (taking->engine);
        for (int32_t t = first; t < manifest->tasks && t < first + BATCH; t++)
            task_range_add (&batch, t);
        rc = slice_file_read (dir, &batch, slices, err);
        for (int32_t i = 0; i < BATCH && first + i < manifest->tasks; i++) {
            const char *identity =
                rc == 0 ? slice_identity (slices[i], NULL) : NULL;

            if (identity)
                rc = each (taking, first + i, identity, err);
            json_unref (slices[i]);
        }
    }
    return rc;
}

int taking_fill (struct taking *taking, struct error *err)
{
    if (taking->n == 0 || taking->whole >= 0)
        return 0;
    return taking->artifacts
               ? each_task (taking, taking->making, take_task, err)
               : taken_params_write (taking, take_task, each_task, err);
}

/* --- the whole goes on --- */

/* Is task 'task' in its place, as it was? */
static int look_at_task (struct taking *taking, int32_t task,
                         const char *identity, struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *result = NULL;

    switch (task_result_read (taking->engine->dir,
                              &taking->description->manifest.place, task,
                              identity, &result, &why)) {
    case TASK_RESULT_THERE:
        note_taken (taking, task, result);
        json_unref (result);
        return 0;
    case TASK_RESULT_UNREADABLE:
        return error_copy (err, &why);
    default: /* damaged: the agent of its try will see to it */
        return 0;
    }
}

/* From the superseded directory.  Who was killed behind it finds the target
 * there.
 */
static int move_jobs (const struct taking *taking, struct error *err)
{
    _cleanup_free_ char *from =
        path_join (taking->sources[taking->whole].dir, LAYOUT_JOBS);

    return generation_put (taking->engine, &taking->description->manifest.place,
                           from, LAYOUT_JOBS, err);
}

int taking_finish (struct taking *taking, const char *dir, struct error *err)
{
    bool way_synced = false;
    _cleanup_free_ char *to = NULL;
    int rc;

    if (taking->whole < 0)
        return 0;
    to = path_join (taking->engine->dir, dir);
    rc = lease_check (taking->engine->lease, err);
    point_reached ("take.checked");
    if (rc == 0)
        rc = move_jobs (taking, err);
    if (rc == 0)
        rc = each_task (taking, to, look_at_task, err);
    if (rc == 0) /* who put them there may have died before they were */
        rc = task_results_make_last (taking->engine->dir,
                                     &taking->description->manifest.place,
                                     &way_synced, err);
    return rc;
}
