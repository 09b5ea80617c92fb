/* SPDX-License-Identifier: BSD-3-Clause */
/* in_job_check.c - is this job the one its driver recorded?
 *
 * A submission whose reply was lost may exist twice.  The driver records one
 * of them; a job that is not it does nothing.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/assignment.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

/* Between two looks: often at first, then as a shared file system likes it. */
static const double first_wait_s = 0.02;
static const double longest_wait_s = 1;

/* 0: it is ours; 1: not there, or torn; -1: it is another one's. */
static int check_record (const struct assignment *assignment,
                         const char *path,
                         struct error *err)
{
    struct json *v = json_read_file (path, NULL);
    const char *token;
    const char *id;
    int rc = 1;

    if (v && json_want_string (v, "token", &token, NULL) == 0
        && json_want_string (v, "id", &id, NULL) == 0) {
        rc = 0;
        if (strcmp (token, assignment->job.token) != 0
            || strcmp (id, assignment->job_id) != 0)
            rc = error_set (err,
                            "this is job '%s', but job '%s' was recorded for "
                            "these tasks; nothing was done",
                            assignment->job_id, id);
    }
    json_unref (v);
    return rc;
}

/* True when a signal of 'interrupts' came (it stays pending for nobody). */
static bool interrupted (const sigset_t *interrupts, double wait_s)
{
    const struct timespec wait = { (time_t)wait_s,
                                   (long)(fmod (wait_s, 1) * 1e9) };

    return sigtimedwait (interrupts, NULL, &wait) > 0;
}

int in_job_check (const struct assignment *assignment,
                  const sigset_t *interrupts,
                  struct error *err)
{
    char *path = path_join (assignment->run_dir, LAYOUT_SUBMISSION);
    double end_s = clock_mono_s () + assignment->job.visibility_s;
    double wait_s = first_wait_s;
    int rc;

    while ((rc = check_record (assignment, path, err)) == 1) {
        if (clock_mono_s () >= end_s) {
            rc = error_set (err,
                            "not_recorded: '%s' did not appear within %g s; "
                            "nothing was done",
                            path, assignment->job.visibility_s);
            break;
        }
        if (interrupted (interrupts, wait_s)) {
            rc = error_set (
                err, "not_recorded: told to end before '%s' appeared", path);
            break;
        }
        wait_s = fmin (2 * wait_s, longest_wait_s);
    }
    free (path);
    return rc;
}
