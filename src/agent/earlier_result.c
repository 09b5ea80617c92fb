/* SPDX-License-Identifier: BSD-3-Clause */
/* earlier_result.c - was a task done before this element began? */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/earlier_result.h"
#include "agent/task_place.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"

/* A name beside 'out' that is free: the journal, by which attempts are counted,
 * may have been lost, and they began again.  Caller frees.
 */
static char *name_aside (const struct assignment *a, int task, int attempt,
                         int64_t claim)
{
    char *name = xasprintf (LAYOUT_OUT ".damaged-%d-%" PRId64, attempt, claim);

    for (int i = 1;; i++) {
        char *path =
            xasprintf ("%s/" LAYOUT_JOBS "/%06d/%s", a->stage_dir, task, name);
        bool there = file_exists (path);

        free (path);
        if (!there)
            return name;
        free (name);
        name = xasprintf (LAYOUT_OUT ".damaged-%d-%" PRId64 ".%d", attempt,
                          claim, i);
    }
}

static int set_aside (const struct assignment *a, const struct claim *claim,
                      int task, struct error *err)
{
    char *name = name_aside (a, task, a->job.attempt, claim->n);
    int rc = task_place_set_aside (a, task, name, err);

    free (name);
    return rc;
}

static int make_last (const struct assignment *a, int task, bool *way_synced,
                      struct error *err)
{
    struct task_range one = TASK_RANGE_INIT;
    int rc;

    task_range_add (&one, task);
    rc = task_results_make_last (a->campaign_dir, &a->stage.place, &one,
                                 way_synced, NULL, err);
    task_range_release (&one);
    return rc;
}

int earlier_result (const struct assignment *a, const struct claim *claim,
                    int task, size_t index, bool *way_synced, struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    int rc = 0;

    switch (task_result_read (
        a->campaign_dir, &a->stage.place, task,
        slice_identity (a->slices[index], a->stage.identity), &result, &why)) {
    case TASK_RESULT_THERE:
        /* What an older agent logged as ended it had synced before. */
        rc = task_range_contains (&claim->ended_ok, task)
                     || make_last (a, task, way_synced, err) == 0
                 ? 1
                 : -1;
        break;
    case TASK_RESULT_ABSENT:
        break;
    case TASK_RESULT_DAMAGED:
        rc = set_aside (a, claim, task, err);
        break;
    case TASK_RESULT_UNREADABLE:
        rc = error_copy (err, &why);
    }
    json_unref (result);
    return rc;
}
