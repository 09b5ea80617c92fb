/* SPDX-License-Identifier: BSD-3-Clause */
/* earlier_result.c - was a task done before this element began? */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/earlier_result.h"
#include "agent/task_place.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"

/* A name beside the task's place that is free: the journal, by which attempts
 * are counted, may have been lost, and they began again.  Caller frees.
 */
static char *name_aside (const struct assignment *a, int task, int attempt,
                         int64_t claim)
{
    char *name = xasprintf (LAYOUT_DAMAGED, task, attempt, claim);

    for (int i = 1;; i++) {
        char *path = path_join (a->stage_dir, name);
        bool there = file_exists (path);

        free (path);
        if (!there)
            return name;
        free (name);
        name = xasprintf (LAYOUT_DAMAGED ".%d", task, attempt, claim, i);
    }
}

/* What was read by its path may be of another generation, while that of this
 * agent has a result that is good: nothing moves back, so a look behind it
 * tells.
 */
static int set_aside (const struct assignment *a, const struct claim *claim,
                      int task, struct error *err)
{
    int rc = assignment_moved (a, err);
    char *name;

    if (rc > 0)
        return error_set (err,
                          "'%s' was moved away: its stage was prepared again",
                          a->stage_dir);
    if (rc < 0)
        return -1;
    name = name_aside (a, task, a->job.attempt, claim->n);
    rc = task_place_set_aside (a, task, name, err);
    free (name);
    return rc;
}

/* Between two looks: often at first, then as a shared file system likes it. */
static const double first_wait_s = 0.02;
static const double longest_wait_s = 1;

/* What is in a place may show later than the place itself, where another host
 * put it there: until then it is not damaged.
 */
static enum task_result read_when_it_shows (const struct assignment *a,
                                            int task, size_t index,
                                            struct json **result,
                                            struct error *err)
{
    const char *identity = slice_identity (a->slices[index], a->stage.identity);
    double end_s = clock_mono_s () + a->job.visibility_s;
    double wait_s = first_wait_s;
    enum task_result there;

    while ((there = task_result_read (a->campaign_dir, &a->stage.place, task,
                                      identity, result, err))
               == TASK_RESULT_DAMAGED
           && error_is_absence (err) && clock_mono_s () < end_s) {
        clock_sleep (wait_s, NULL);
        wait_s = fmin (2 * wait_s, longest_wait_s);
    }
    return there;
}

int earlier_result (const struct assignment *a, const struct claim *claim,
                    int task, size_t index, bool *way_synced, struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    int rc = 0;

    switch (read_when_it_shows (a, task, index, &result, &why)) {
    case TASK_RESULT_THERE:
        /* What an older agent logged as ended it had synced before. */
        rc = task_range_contains (&claim->ended_ok, task)
                     || task_results_make_last (
                            a->campaign_dir, &a->stage.place, way_synced, err)
                            == 0
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
