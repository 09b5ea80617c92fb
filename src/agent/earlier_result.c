/* SPDX-License-Identifier: BSD-3-Clause */
/* earlier_result.c - was a task done before this element began? */
#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/earlier_result.h"
#include "agent/task_place.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/slice_file.h"
#include "handover/task_result.h"

/* Between two looks: often at first, then as a shared file system likes it. */
static const double first_wait_s = 0.02;
static const double longest_wait_s = 1;

/* For what another host did, and what does not show yet. */
struct patience {
    double end_s;
    double wait_s;
};

static struct patience patience_of (const struct assignment *a)
{
    return (struct patience){ .end_s = clock_mono_s () + a->job.visibility_s,
                              .wait_s = first_wait_s };
}

/* False when its time is over. */
static bool wait_on (struct patience *patience)
{
    if (clock_mono_s () >= patience->end_s)
        return false;
    clock_sleep (patience->wait_s, NULL);
    patience->wait_s = fmin (2 * patience->wait_s, longest_wait_s);
    return true;
}

static enum task_result read_once (const struct assignment *a, int task,
                                   size_t index, struct json **result,
                                   struct error *err)
{
    return task_result_read (
        a->campaign_dir, &a->stage.place, task,
        slice_identity (a->slices[index], a->stage.identity), result, err);
}

/* What is in a place may show later than the place itself, where another host
 * put it there: until then it is not damaged.
 */
static enum task_result read_when_it_shows (const struct assignment *a,
                                            int task, size_t index,
                                            struct json **result,
                                            struct error *err)
{
    struct patience patience = patience_of (a);
    enum task_result there;

    do
        there = read_once (a, task, index, result, err);
    while (there == TASK_RESULT_DAMAGED && error_is_absence (err)
           && wait_on (&patience));
    return there;
}

/* By its path: what has it, before it is read.  An empty directory is not in
 * the way, and has no content by which to tell it from another: it goes.  1, or
 * 0: there is nothing, or -1.
 */
static int look_at_place (const struct assignment *a, int task, struct stat *st,
                          struct error *err)
{
    _cleanup_free_ char *name = xasprintf (LAYOUT_TASK, task);
    _cleanup_free_ char *path = path_join (a->stage_dir, name);
    int rc = 1;

    if (rmdir (path) == 0)
        rc = 0;
    else if (stat (path, st) < 0)
        rc = errno == ENOENT ? 0
                             : error_errno (err, "cannot look at '%s'", path);
    return rc;
}

/* What was read by its path may be of another generation, while that of this
 * agent has a result that is good: nothing moves back, so a look behind it
 * tells.  And another agent of the element may have set it aside by now, and
 * put a good result there.  0: nothing is in the way, 1: it is to be read
 * again, -1.
 */
static int set_aside (const struct assignment *a, int task, size_t index,
                      struct error *err)
{
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    struct stat seen;
    int there = look_at_place (a, task, &seen, err);
    bool damaged =
        there > 0
        && read_once (a, task, index, &result, &why) == TASK_RESULT_DAMAGED;
    int moved = there < 0 ? -1 : assignment_moved (a, err);

    json_unref (result);
    if (moved > 0)
        return error_set (err,
                          "'%s' was moved away: its stage was prepared again",
                          a->stage_dir);
    if (moved < 0 || there == 0)
        return moved;
    return damaged ? task_place_set_aside (a, task, seen.st_ino, err) : 1;
}

int earlier_result (const struct assignment *a, const struct claim *claim,
                    int task, size_t index, bool *way_synced, struct error *err)
{
    struct patience patience = patience_of (a);
    struct error why = ERROR_INIT;
    struct json *result = NULL;
    enum task_result there;
    int rc = 0;

    while ((there = read_when_it_shows (a, task, index, &result, &why))
               == TASK_RESULT_DAMAGED
           && (rc = set_aside (a, task, index, err)) > 0) {
        if (!wait_on (&patience))
            return error_copy (err, &why);
    }
    switch (there) {
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
        rc = 0;
        break;
    case TASK_RESULT_DAMAGED:
        break;
    case TASK_RESULT_UNREADABLE:
        rc = error_copy (err, &why);
    }
    json_unref (result);
    return rc;
}
