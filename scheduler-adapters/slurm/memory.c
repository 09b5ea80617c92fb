/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - which elements of a job were pending when squeue was last asked */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/file.h"
#include "base/json.h"
#include "slurm/slurm.h"

static const double month_s = 30 * 86400.0;
static const char file_name[] = "slurm-elements.json";

enum { FORMAT = 2 };

/* --- what it means (pure) --- */

static void tell_cancelled (struct job_view_job *job, const struct json *text)
{
    _cleanup_ (task_range_release) struct task_range range = TASK_RANGE_INIT;

    if (task_range_parse (json_as_string (text), &range, NULL) == 0) {
        for (int32_t e = -1; (e = task_range_next (&range, e)) >= 0;)
            job_view_tell (job, e, ELEMENT_ENDED, OUTCOME_CANCELLED);
    }
}

/* A controller that knows nothing of the job has lost it: what was pending
 * there was not cancelled by anybody.
 */
static bool is_known (const struct job_view_job *job)
{
    bool told = job->since_s > 0;

    for (int64_t e = 0; !told && e < job->n_elements; e++)
        told = job->told[e];
    return told;
}

/* Half of the time leaves some for two hosts' clocks and a slow poll. */
void slurm_memory_recall (const struct json *memories, struct job_view *view,
                          double now_s, double min_job_age_s)
{
    for (size_t i = 0; i < view->n; i++) {
        struct job_view_job *job = &view->jobs[i];
        const struct json *memory = json_get (memories, job->key.token);
        bool known = is_known (job);
        double age_s = now_s - json_as_double (json_get (memory, "polled_s"));

        if (!memory || job->number < 0)
            continue;
        tell_cancelled (job, json_get (memory, "cancelled"));
        if (known && age_s >= 0 && age_s < min_job_age_s / 2)
            tell_cancelled (job, json_get (memory, "pending"));
    }
}

/* NULL: there is nothing to remember. */
static struct json *remember (const struct job_view_job *job, double now_s)
{
    _cleanup_ (task_range_release) struct task_range pending = TASK_RANGE_INIT;
    _cleanup_ (task_range_release) struct task_range cancelled =
        TASK_RANGE_INIT;
    struct json *v = NULL;

    for (int64_t e = 0; e < job->n_elements && e <= TASK_MAX; e++) {
        const struct element_status *element = &job->elements[e];

        if (element->state == ELEMENT_QUEUED || element->state == ELEMENT_HELD)
            task_range_add (&pending, (int32_t)e);
        else if (job->told[e] && element->state == ELEMENT_ENDED
                 && element->outcome == OUTCOME_CANCELLED)
            task_range_add (&cancelled, (int32_t)e);
    }
    if (pending.n_spans > 0 || cancelled.n_spans > 0) {
        v = json_object ();
        json_set (v, "polled_s", json_real (now_s));
        json_set (v, "pending", task_range_to_json (&pending));
        json_set (v, "cancelled", task_range_to_json (&cancelled));
    }
    return v;
}

struct json *slurm_memory_after (const struct json *memories,
                                 const struct job_view *view, double now_s)
{
    struct json *after = json_object ();

    JSON_FOREACH (memories, it) {
        struct json *one = json_iter_value (it);

        if (now_s - json_as_double (json_get (one, "polled_s")) < month_s)
            json_set (after, json_iter_key (it), json_ref (one));
    }
    for (size_t i = 0; i < view->n; i++) {
        struct json *memory = remember (&view->jobs[i], now_s);

        if (memory)
            json_set (after, view->jobs[i].key.token, memory);
        else
            json_delete (after, view->jobs[i].key.token);
    }
    return after;
}

/* --- the file --- */

struct json *slurm_memory_read (const char *dir)
{
    _cleanup_free_ char *path = path_join (dir ? dir : "", file_name);
    _cleanup_json_ struct json *file =
        dir && file_exists (path) ? json_read_file (path, NULL) : NULL;
    struct json *memories = NULL;

    if (json_as_int (json_get (file, "format")) == FORMAT)
        memories = json_ref (json_get (file, "jobs"));
    return memories;
}

void slurm_memory_write (const char *dir, struct json *memories)
{
    _cleanup_free_ char *path = path_join (dir, file_name);
    _cleanup_json_ struct json *file = json_object ();

    json_set (file, "format", json_int (FORMAT));
    json_set (file, "jobs", json_ref (memories));
    if (file_make_dirs (dir, NULL) == 0)
        json_write_file (path, file, NULL);
}
