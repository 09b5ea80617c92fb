/* SPDX-License-Identifier: BSD-3-Clause */
/* adoption.c - results that are there already and are what a task would make */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/act/adoption.h"
#include "engine/act/stage_description.h"
#include "engine/act/witness.h"
#include "engine/history/engine.h"
#include "handover/task_result.h"
#include "space/lease.h"

static bool has_jobs (const struct engine *engine,
                      const struct stage_place *place)
{
    struct strbuf jobs = STRBUF_INIT;
    char *path;
    bool has;

    layout_stage_path (place, LAYOUT_JOBS, &jobs);
    path = engine_path (engine, &jobs);
    has = file_exists (path);
    free (path);
    return has;
}

static struct stage_place place_of (const struct adoption *adoption,
                                    const char *name)
{
    return (struct stage_place){ name, adoption->place.code,
                                 adoption->place.iteration };
}

static char *place_below (const struct adoption *adoption, const char *dir,
                          const char *name)
{
    const struct stage_place place = place_of (adoption, name);
    struct strbuf relative = STRBUF_INIT;
    char *path;

    layout_stage_dir (&place, &relative);
    path = path_join (dir, relative.buf);
    strbuf_release (&relative);
    return path;
}

static void note_unsteady (struct adoption *adoption, const char *dir,
                           const char *name)
{
    const struct stage_place place = place_of (adoption, name);
    char *says = witness_unsteady (dir, &place);
    char *path = place_below (adoption, dir, name);

    if (says)
        strvec_push (&adoption->unsteady, path);
    free (path);
    free (says);
}

static char *replaced_dir (const struct adoption *adoption, int n)
{
    struct strbuf relative = STRBUF_INIT;

    layout_replaced_dir (n, &relative);
    return engine_path (adoption->engine, &relative);
}

/* Of all places that are looked at but the stage's own. */
static void find_unsteady (struct adoption *adoption)
{
    for (int n = adoption->newest; n > adoption->after; n--) {
        char *dir = replaced_dir (adoption, n);

        note_unsteady (adoption, dir, adoption->place.stage);
        for (size_t i = 0; i < adoption->names.n; i++)
            note_unsteady (adoption, dir, adoption->names.v[i]);
        free (dir);
    }
}

bool adoption_is_unsteady (const struct adoption *adoption, const char *dir,
                           const char *name)
{
    bool is = false;

    if (adoption->unsteady.n > 0) {
        char *path = place_below (adoption, dir, name);

        is = strvec_contains (&adoption->unsteady, path);
        free (path);
    }
    return is;
}

void adoption_begin (struct adoption *adoption, struct engine *engine,
                     const struct stage_description *stage, struct strvec names,
                     int after)
{
    const struct stage_place *place = &stage->manifest.place;

    *adoption = (struct adoption){ .engine = engine,
                                   .place = *place,
                                   .names = names,
                                   .in_place = has_jobs (engine, place),
                                   .newest = engine->state.replaced,
                                   .after = after,
                                   .unsteady = STRVEC_INIT,
                                   .ok = TASK_RANGE_INIT };
    for (size_t i = 0; i < names.n; i++) {
        const struct stage_place former = place_of (adoption, names.v[i]);

        adoption->in_place = adoption->in_place || has_jobs (engine, &former);
    }
    find_unsteady (adoption);
}

void adoption_release (struct adoption *adoption)
{
    strvec_release (&adoption->unsteady);
    task_range_release (&adoption->ok);
    origins_release (&adoption->origins);
    strvec_release (&adoption->names);
}

/* 1 when it is at 'place' below 'dir', with its identity; 0; -1. */
static int look (struct adoption *adoption, const struct stage_place *place,
                 const char *dir, int task, const char *identity,
                 struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    enum task_result there =
        task_result_read (dir, place, task, identity, &result, &why);
    bool known = json_get (result, "identity") != NULL;

    if (there == TASK_RESULT_THERE && known)
        origins_add (&adoption->origins, json_get (result, "reused"), task);
    json_unref (result);
    if (there == TASK_RESULT_UNREADABLE)
        return error_copy (err, &why);
    return there == TASK_RESULT_THERE && known;
}

/* The task's directory moves: `out` itself may not be written to.  1; 0 where
 * something else is in its place; -1.
 */
static int move_back (const struct adoption *adoption, const char *from_dir,
                      const struct stage_place *place, int task,
                      struct error *err)
{
    struct strbuf there = STRBUF_INIT, here = STRBUF_INIT;
    char *from, *to;
    int rc;

    layout_task_dir (place, task, &there);
    layout_task_dir (&adoption->place, task, &here);
    from = path_join (from_dir, there.buf);
    to = engine_path (adoption->engine, &here);
    rc = file_look (to, err);
    if (rc == 0)
        rc = lease_check (adoption->engine->lease, err) == 0
                     && file_make_lasting_parent (to, err) == 0
                     && file_rename (from, to, err) == 0
                 ? 1
                 : -1;
    else if (rc > 0)
        rc = 0;
    strbuf_release (&there);
    free (from);
    free (to);
    return rc;
}

/* 1 when it was below 'dir', by that name, and is in place now; 0; -1. */
static int try_name (struct adoption *adoption, const char *dir,
                     const char *name, int task, const char *identity,
                     struct error *err)
{
    const struct stage_place place = place_of (adoption, name);
    int rc = adoption_is_unsteady (adoption, dir, name)
                 ? 0
                 : look (adoption, &place, dir, task, identity, err);

    return rc > 0 ? move_back (adoption, dir, &place, task, err) : rc;
}

static int try_names (struct adoption *adoption, const char *dir, int task,
                      const char *identity, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < adoption->names.n; i++)
        rc =
            try_name (adoption, dir, adoption->names.v[i], task, identity, err);
    return rc;
}

/* 1 when it was among those replaced as number 'n', and is in place now. */
static int try_replaced (struct adoption *adoption, int n, int task,
                         const char *identity, struct error *err)
{
    char *dir = replaced_dir (adoption, n);
    int rc =
        try_name (adoption, dir, adoption->place.stage, task, identity, err);
    if (rc == 0)
        rc = try_names (adoption, dir, task, identity, err);
    free (dir);
    return rc;
}

int adoption_try (struct adoption *adoption, int task, const char *identity,
                  struct error *err)
{
    const char *dir = adoption->engine->dir;
    int found = 0;

    if (adoption->in_place
        && (found = look (adoption, &adoption->place, dir, task, identity, err))
               == 0)
        found = try_names (adoption, dir, task, identity, err);
    for (int n = adoption->newest; found == 0 && n > adoption->after; n--)
        found = try_replaced (adoption, n, task, identity, err);
    if (found > 0)
        task_range_add (&adoption->ok, task);
    return found < 0 ? -1 : 0;
}
