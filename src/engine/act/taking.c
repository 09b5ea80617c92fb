/* SPDX-License-Identifier: BSD-3-Clause */
/* taking.c - results that are there already and are what a task would make */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "base/point.h"
#include "base/strbuf.h"
#include "campaign/plan.h"
#include "engine/act/generation.h"
#include "engine/act/stage_description.h"
#include "engine/act/taken_params.h"
#include "engine/act/taking.h"
#include "engine/act/witness.h"
#include "engine/history/engine.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"
#include "signature/outputs.h"
#include "signature/task_uses.h"
#include "space/layout.h"
#include "space/lease.h"

enum {
    BATCH = 1024,
    FEW = 256, /* more are synced by one call for all */
};

/* --- sources --- */

static void source_release (struct taking_source *source)
{
    free (source->dir);
    json_unref (source->manifest);
    json_unref (source->outputs);
    task_range_release (&source->ok);
    identity_index_release (&source->index);
}

void taking_release (struct taking *taking)
{
    for (size_t i = 0; i < taking->n; i++)
        source_release (&taking->sources[i]);
    free (taking->sources);
    task_range_release (&taking->ok);
    origins_release (&taking->origins);
    json_unref (taking->logs);
    *taking = (struct taking){ .whole = -1 };
}

/* Its manifest and, of a stage without artifacts, its outputs.  What is damaged
 * or not there is made again, and so is what is unsteady.  1, 0: nothing can be
 * taken from it, -1.
 */
static int source_read (const struct taking *taking,
                        struct taking_source *source, struct error *err)
{
    char *file = path_join (source->dir, LAYOUT_STAGE_MANIFEST);
    struct error why = ERROR_INIT;
    char *unsteady;
    int rc = 0;

    unsteady = witness_unsteady_in (source->dir);
    source->manifest = unsteady ? NULL : json_read_file (file, &why);
    if (!source->manifest && error_is_machine_error (&why)
        && !error_is_absence (&why))
        rc = error_copy (err, &why);
    if (source->manifest
        && strcmp (json_get_string (source->manifest, "identity"),
                   taking->description->identity)
               == 0)
        rc = taking->artifacts ? 1 : taken_params_read (source, err);
    free (unsteady);
    free (file);
    return rc;
}

/* Takes 'dir' over. */
static int add_source (struct taking *taking, char *dir,
                       const struct json *sha256, struct error *err)
{
    struct taking_source source = { .dir = dir,
                                    .sha256 = sha256 ? json_as_string (sha256)
                                                     : NULL };
    struct error why = ERROR_INIT;
    int rc = source_read (taking, &source, err);

    if (rc > 0
        && identity_index_build (&source.index, dir, source.manifest,
                                 &taking->engine->heartbeat, &why)
               < 0) {
        rc = error_is_machine_error (&why) && !error_is_absence (&why)
                 ? error_copy (err, &why)
                 : 0;
    }
    if (rc > 0)
        taking->sources[taking->n++] = source;
    else
        source_release (&source);
    return rc < 0 ? -1 : 0;
}

/* --- the whole --- */

/* Are the two files the same, or neither there?  1, 0, -1. */
static int same_text (const char *a_dir, const char *b_dir, const char *name,
                      struct error *err)
{
    char *a = path_join (a_dir, name), *b = path_join (b_dir, name);
    int there = file_look (a, err);
    int rc = there < 0 ? -1 : there == file_look (b, NULL);

    if (rc > 0 && there > 0)
        rc = file_compare (a, b, err);
    free (a);
    free (b);
    return rc;
}

/* Outputs of which `keep:` has removed some are not whole. */
static int goes_on (const struct taking *taking,
                    const struct taking_source *source, struct error *err)
{
    char *jobs = path_join (source->dir, LAYOUT_JOBS);
    char *removed = path_join (source->dir, LAYOUT_REMOVED);
    int rc = strcmp (json_get_string (source->manifest, "definition"),
                     taking->description->definition)
                         == 0
                     && !file_exists (removed)
                 ? file_look (jobs, err)
                 : 0;

    free (removed);
    free (jobs);
    return rc > 0 ? same_text (taking->making, source->dir, LAYOUT_SLICES, err)
                  : rc;
}

static int find_whole (struct taking *taking, struct error *err)
{
    int rc = 0;

    taking->whole = -1;
    for (size_t i = 0; taking->artifacts && rc == 0 && i < taking->n; i++) {
        rc = goes_on (taking, &taking->sources[i], err);
        if (rc > 0)
            taking->whole = (int)i;
    }
    return rc < 0 ? -1 : 0;
}

int taking_begin (struct taking *taking, struct engine *engine,
                  const struct stage *stage,
                  const struct stage_description *description,
                  const char *making, struct error *err)
{
    const struct json *superseded = engine->state.superseded;
    const struct stage_manifest *manifest = &description->manifest;
    const char *name = stage_manifest_first_name (manifest);
    size_t i = json_count (superseded);
    int rc = 0;

    *taking =
        (struct taking){ .engine = engine,
                         .stage = stage,
                         .description = description,
                         .making = making,
                         .artifacts =
                             outputs_have_artifacts (stage->op->outputs),
                         .sources = xcalloc (i + 1, sizeof (*taking->sources)),
                         .whole = -1 };
    while (rc == 0 && i-- > 0) {
        const struct json *one = json_at (superseded, i);

        if (strcmp (json_get_string (one, "stage"), name) == 0
            && json_get_int (one, "iteration") == manifest->place.iteration)
            rc = add_source (taking,
                             generation_replaced_dir (
                                 engine, (int)json_get_int (one, "generation")),
                             json_get (one, "outputs"), err);
    }
    return rc == 0 ? find_whole (taking, err) : -1;
}

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
    const struct stage_manifest *manifest = &taking->description->manifest;
    struct json *v = json_deep_copy (result);

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
    struct strbuf text = STRBUF_INIT;
    int rc;

    json_dump (result, JSON_PRETTY, &text);
    rc = file_create_sealed (to, text.buf, text.len, err);
    strbuf_release (&text);
    return rc;
}

static int put_result (const struct taking *taking, const char *from,
                       const char *to, int32_t task, const struct json *result,
                       struct error *err)
{
    char *file = path_join (to, LAYOUT_RESULT_FILE);
    char *old = path_join (from, LAYOUT_RESULT_FILE);
    struct json *own = NULL;
    int rc;

    if (is_in_its_place (taking, task, result)) {
        rc = file_link_tree (old, file, err);
    } else {
        own = result_of (taking, task, result);
        rc = write_result (file, own, err);
    }
    json_unref (own);
    free (old);
    free (file);
    return rc;
}

static int put_artifacts (const struct json *result, const char *from,
                          const char *to, struct error *err)
{
    int rc = 0;

    JSON_FOREACH (json_get (result, "artifacts"), it) {
        const char *name = json_get_string (json_iter_value (it), "path");
        char *old, *own;

        if (rc < 0 || json_is_null (json_iter_value (it)))
            continue;
        old = path_join (from, name);
        own = path_join (to, name);
        rc = file_make_parent (own, err);
        if (rc == 0)
            rc = file_link_tree (old, own, err);
        free (old);
        free (own);
    }
    return rc;
}

static void note_taken (struct taking *taking, int32_t task,
                        const struct json *result)
{
    origins_add (&taking->origins, json_get (result, "reused"), task);
    task_range_add (&taking->ok, task);
}

/* Task 'old' of the source becomes 'task'.  1, 0: it cannot be taken, -1. */
static int take_out (struct taking *taking, const struct taking_source *source,
                     int32_t old, int32_t task, const char *identity,
                     struct error *err)
{
    const struct stage_place place = place_of (source);
    char *from =
        xasprintf ("%s/" LAYOUT_JOBS "/%06d/" LAYOUT_OUT, source->dir, old);
    char *to =
        xasprintf ("%s/" LAYOUT_JOBS "/%06d/" LAYOUT_OUT, taking->making, task);
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    enum task_result there =
        task_result_read_in (from, &place, old, identity, &result, &why);
    int rc = 0;

    if (there == TASK_RESULT_UNREADABLE)
        rc = error_copy (err, &why);
    else if (there == TASK_RESULT_THERE)
        rc = file_make_dirs (to, err) == 0
                     && put_artifacts (result, from, to, err) == 0
                     && put_result (taking, from, to, task, result, err) == 0
                 ? 1
                 : -1;
    if (rc > 0)
        note_taken (taking, task, result);
    json_unref (result);
    free (from);
    free (to);
    return rc;
}

/* --- all tasks --- */

static int take_task (struct taking *taking, int32_t task, const char *identity,
                      struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < taking->n; i++) {
        struct taking_source *source = &taking->sources[i];
        int32_t old = identity_index_take (&source->index, identity);

        if (old >= 0)
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
        struct task_range batch = TASK_RANGE_INIT;
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
        task_range_release (&batch);
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
    char *from = path_join (taking->sources[taking->whole].dir, LAYOUT_JOBS);
    int rc =
        generation_put (taking->engine, &taking->description->manifest.place,
                        from, LAYOUT_JOBS, err);

    free (from);
    return rc;
}

/* Who put them there may have died before they were on the disk. */
static int make_last (const struct taking *taking, const char *to,
                      struct error *err)
{
    struct engine *engine = taking->engine;
    bool way_synced = false;

    return task_range_count (&taking->ok) > FEW
               ? file_sync_system (to, err)
               : task_results_make_last (
                   engine->dir, &taking->description->manifest.place,
                   &taking->ok, &way_synced, &engine->heartbeat, err);
}

int taking_finish (struct taking *taking, const char *dir, struct error *err)
{
    char *to;
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
    if (rc == 0)
        rc = make_last (taking, to, err);
    free (to);
    return rc;
}
