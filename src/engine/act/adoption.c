/* SPDX-License-Identifier: BSD-3-Clause */
/* adoption.c - results that are there already and are what a task would make */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/act/adoption.h"
#include "engine/history/engine.h"
#include "handover/task_result.h"
#include "space/lease.h"

void adoption_begin (struct adoption *adoption, struct engine *engine,
                     const struct stage_place *place, int after)
{
    struct strbuf jobs = STRBUF_INIT;
    char *path;

    layout_stage_path (place, LAYOUT_JOBS, &jobs);
    path = engine_path (engine, &jobs);
    *adoption = (struct adoption){ .engine = engine,
                                   .place = *place,
                                   .in_place = file_exists (path),
                                   .newest = engine->state.replaced,
                                   .after = after,
                                   .ok = TASK_RANGE_INIT };
    free (path);
}

void adoption_release (struct adoption *adoption)
{
    task_range_release (&adoption->ok);
}

/* 1 when it is there, below 'dir', with its identity; 0; -1. */
static int look (const struct adoption *adoption, const char *dir, int task,
                 const char *identity, struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    enum task_result there =
        task_result_read (dir, &adoption->place, task, identity, &result, &why);
    bool known = json_get (result, "identity") != NULL;

    json_unref (result);
    if (there == TASK_RESULT_UNREADABLE)
        return error_copy (err, &why);
    return there == TASK_RESULT_THERE && known;
}

/* The task's directory moves: `out` itself may not be written to. */
static int move_back (const struct adoption *adoption, const char *from_dir,
                      int task, struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    char *from, *to;
    int rc = -1;

    layout_task_dir (&adoption->place, task, &relative);
    from = path_join (from_dir, relative.buf);
    to = path_join (adoption->engine->dir, relative.buf);
    if (lease_check (adoption->engine->lease, err) == 0
        && file_make_parent (to, err) == 0)
        rc = file_rename (from, to, err);
    strbuf_release (&relative);
    free (from);
    free (to);
    return rc;
}

/* 1 when it was among those replaced as number 'n', and is in place now. */
static int try_replaced (const struct adoption *adoption, int n, int task,
                         const char *identity, struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    char *dir;
    int rc;

    layout_replaced_dir (n, &relative);
    dir = engine_path (adoption->engine, &relative);
    rc = look (adoption, dir, task, identity, err);
    if (rc > 0 && move_back (adoption, dir, task, err) < 0)
        rc = -1;
    free (dir);
    return rc;
}

int adoption_try (struct adoption *adoption, int task, const char *identity,
                  struct error *err)
{
    int found = 0;

    if (adoption->in_place)
        found = look (adoption, adoption->engine->dir, task, identity, err);
    for (int n = adoption->newest; found == 0 && n > adoption->after; n--)
        found = try_replaced (adoption, n, task, identity, err);
    if (found > 0)
        task_range_add (&adoption->ok, task);
    return found < 0 ? -1 : 0;
}
