/* SPDX-License-Identifier: BSD-3-Clause */
/* printed.c - where it is that a task printed */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/packing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "commands/printed.h"
#include "handover/job_manifest.h"
#include "handover/result_log.h"
#include "space/layout.h"

void printed_release (struct printed *printed)
{
    free (printed->path);
    printed->path = NULL;
}

/* --- one log --- */

/* What it says of the task. */
struct listening {
    int task;
    int slot; /* -1: it was not started */
    bool ended;
    bool printed;
    uint64_t at, bytes;
};

static int listen (const struct result_event *event,
                   void *arg,
                   struct error *err)
{
    struct listening *listening = arg;

    (void)err;
    if (event->task != listening->task)
        return 0;
    if (event->kind == RESULT_START)
        listening->slot = event->slot;
    if (event->kind == RESULT_END || event->kind == RESULT_MACHINE_ERROR)
        listening->ended = true;
    if (event->kind == RESULT_END && event->printed) {
        listening->printed = true;
        listening->at = event->printed_at;
        listening->bytes = event->printed_bytes;
    }
    return 0;
}

/* Where the log of claim 'n' says it is; 1: found. */
static int find_in_log (const char *chunk,
                        int64_t element,
                        int64_t n,
                        const struct listening *said,
                        struct printed *printed)
{
    if (said->slot < 0)
        return 0;
    printed->at = 0;
    printed->bytes = UINT64_MAX;
    if (said->printed) {
        printed->path =
            xasprintf ("%s/" LAYOUT_OUTPUT_PREFIX "%" PRId64 ".%" PRId64, chunk,
                       element, n);
        printed->at = said->at;
        printed->bytes = said->bytes;
        return 1;
    }
    printed->path =
        xasprintf ("%s/" LAYOUT_WORK "/%" PRId64 ".%" PRId64 "/%06d.log", chunk,
                   element, n, said->task);
    if (file_exists (printed->path) || said->ended)
        return 1;
    free (printed->path);
    printed->path = xasprintf ("%s/" LAYOUT_WORK "/%" PRId64 ".%" PRId64
                               "/" LAYOUT_SLOT_LOG,
                               chunk, element, n, said->slot);
    return 1;
}

static int read_log (const char *chunk,
                     int64_t element,
                     int64_t n,
                     struct listening *listening,
                     struct error *err)
{
    char *path = xasprintf ("%s/" LAYOUT_RESULTS_PREFIX "%" PRId64 ".%" PRId64,
                            chunk, element, n);
    struct strbuf text = STRBUF_INIT;
    uint64_t accepted;
    int rc = file_read (path, 1 << 30, &text, err);

    if (rc == 0)
        rc = result_log_scan (text.buf, text.len, path, listen, listening,
                              &accepted, err);
    strbuf_release (&text);
    free (path);
    return rc;
}

/* --- the logs of an element, the newest first --- */

static int64_t newest_claim (const char *chunk, int64_t element)
{
    struct strvec names = STRVEC_INIT;
    int64_t newest = -1;

    file_list_dir (chunk, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        int64_t n;

        if (result_log_element (names.v[i], &n) == element && n > newest)
            newest = n;
    }
    strvec_release (&names);
    return newest;
}

static int find_in_element (const char *chunk,
                            int64_t element,
                            int task,
                            struct printed *printed,
                            struct error *err)
{
    int rc = 0;

    for (int64_t n = newest_claim (chunk, element); rc == 0 && n >= 0; n--) {
        struct listening listening = { .task = task, .slot = -1 };

        rc = read_log (chunk, element, n, &listening, err);
        if (rc == 0)
            rc = find_in_log (chunk, element, n, &listening, printed);
    }
    return rc;
}

/* --- chunks and attempts --- */

/* The element of a submission that has the task; -1: none. */
static int64_t element_of (const struct job_manifest *job, int task)
{
    int64_t element = -1;

    if (!task_range_contains (&job->tasks, task))
        return -1;
    for (int64_t e = 0; element < 0 && e < job->elements; e++) {
        struct task_range tasks = TASK_RANGE_INIT;

        packing_bundle (&job->tasks, job->elements, e, &tasks);
        if (task_range_contains (&tasks, task))
            element = e;
        task_range_release (&tasks);
    }
    return element;
}

static int look_into_chunk (const char *dir,
                            int task,
                            struct printed *printed,
                            struct error *err)
{
    char *path = path_join (dir, LAYOUT_JOB_MANIFEST);
    struct json *v = json_read_file (path, err);
    struct job_manifest job = { .elements = 0 };
    int64_t element = -1;
    int rc = -1;

    if (v && job_manifest_from_json (v, &job, err) < 0)
        error_prefix (err, "%s", path);
    else if (v)
        rc = 0;
    if (rc == 0)
        element = element_of (&job, task);
    if (element >= 0)
        rc = find_in_element (dir, element, task, printed, err);
    job_manifest_release (&job);
    json_unref (v);
    free (path);
    return rc;
}

/* Look into every directory with a number for a name, the highest first. */
static int for_each_numbered (const char *dir,
                              int (*look_into) (const char *dir,
                                                int task,
                                                struct printed *printed,
                                                struct error *err),
                              int task,
                              struct printed *printed,
                              struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = 0;

    file_list_dir (dir, &names, NULL);
    for (size_t i = names.n; rc == 0 && i-- > 0;) {
        char *path;

        if (strspn (names.v[i], "0123456789") != strlen (names.v[i]))
            continue;
        path = path_join (dir, names.v[i]);
        rc = look_into (path, task, printed, err);
        free (path);
    }
    strvec_release (&names);
    return rc;
}

static int look_into_attempt (const char *dir,
                              int task,
                              struct printed *printed,
                              struct error *err)
{
    return for_each_numbered (dir, look_into_chunk, task, printed, err);
}

int printed_find (const char *campaign_dir,
                  const struct stage_place *place,
                  int task,
                  struct printed *printed,
                  struct error *err)
{
    struct strbuf run = STRBUF_INIT;
    char *dir;
    int rc;

    *printed = (struct printed){ 0 };
    layout_run_stage (place->stage, place->iteration, &run);
    dir = path_join (campaign_dir, run.buf);
    rc = for_each_numbered (dir, look_into_attempt, task, printed, err);
    strbuf_release (&run);
    free (dir);
    return rc < 0 ? -1 : 0;
}
