/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - how submissions stand, from what squeue and sacct print (pure) */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "slurm/view.h"
#include "slurm/rows.h"
#include "slurm/states.h"

void slurm_view_init (struct slurm_view *view,
                      const struct job_status *jobs,
                      size_t n)
{
    *view = (struct slurm_view){ xcalloc (n + 1, sizeof (*view->jobs)), n };
    for (size_t i = 0; i < n; i++) {
        struct slurm_view_job *job = &view->jobs[i];
        size_t elements = (size_t)jobs[i].n_elements;

        job->id = slurm_id_number (jobs[i].id);
        job->n_elements = jobs[i].n_elements;
        job->elements = xcalloc (elements + 1, sizeof (*job->elements));
        job->told = xcalloc (elements + 1, sizeof (*job->told));
    }
}

void slurm_view_release (struct slurm_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        free (view->jobs[i].elements);
        free (view->jobs[i].told);
    }
    free (view->jobs);
    *view = (struct slurm_view){ 0 };
}

static struct slurm_view_job *find_job (struct slurm_view *view, int64_t id)
{
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].id == id)
            return &view->jobs[i];
    }
    return NULL;
}

/* --- one row --- */

struct setting {
    struct slurm_view_job *job;
    struct element_status status;
};

static void set_element (int64_t index, void *arg)
{
    const struct setting *setting = arg;

    if (setting->job->told[index])
        return;
    setting->job->told[index] = true;
    setting->job->elements[index] = setting->status;
}

/* The first thing worth a person's attention. */
static void add_note (struct slurm_view_job *job,
                      const struct slurm_row *row,
                      struct element_status status)
{
    const char *advice = NULL;

    if (job->note[0])
        return;
    if (status.state == ELEMENT_UNCLEAR) {
        snprintf (job->note, sizeof (job->note),
                  "job %" PRId64 ": its state is '%.60s', a word not known "
                  "here; nothing is concluded from it",
                  row->id, row->state);
        return;
    }
    if (status.state == ELEMENT_QUEUED || status.state == ELEMENT_HELD)
        advice = slurm_stuck (row->reason);
    if (advice)
        snprintf (job->note, sizeof (job->note),
                  "job %" PRId64 " waits: %.60s: %s", row->id, row->reason,
                  advice);
}

static int take_row (struct slurm_view_job *job,
                     const struct slurm_row *row,
                     struct element_status status,
                     struct error *err)
{
    struct setting setting = { job, status };

    if (!*row->indices) {
        job->rest = status;
        job->rest_told = true;
        return 0;
    }
    if (slurm_each_index (row->indices, job->n_elements, set_element, &setting)
        < 0)
        return error_set (err,
                          "job %" PRId64 ": cannot read the indices '%.80s'",
                          row->id, row->indices);
    return 0;
}

static int squeue_row (const struct slurm_row *row,
                       void *arg,
                       struct error *err)
{
    struct slurm_view_job *job = find_job (arg, row->id);
    struct element_status status;

    if (!job)
        return 0;
    status = slurm_state (row->state, row->reason);
    job->seen = true;
    job->submit_s = row->submit_s;
    add_note (job, row, status);
    return take_row (job, row, status, err);
}

/* sacct runs late: what it shows as queued or running is over when squeue does
 * not know it, but nobody knows how.
 */
static int sacct_row (const struct slurm_row *row, void *arg, struct error *err)
{
    struct slurm_view_job *job = find_job (arg, row->id);
    struct element_status status;

    if (!job)
        return 0;
    status = slurm_state (row->state, NULL);
    return status.state == ELEMENT_ENDED ? take_row (job, row, status, err) : 0;
}

/* A row without index ("10|CANCELLED") speaks for those without a row. */
static void apply_rest (struct slurm_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        struct slurm_view_job *job = &view->jobs[i];
        struct setting setting = { job, job->rest };

        for (int64_t e = 0; job->rest_told && e < job->n_elements; e++)
            set_element (e, &setting);
        job->rest_told = false;
    }
}

int slurm_view_squeue (struct slurm_view *view,
                       const char *text,
                       size_t len,
                       struct error *err)
{
    if (slurm_read_squeue (text, len, squeue_row, view, err) < 0)
        return -1;
    apply_rest (view);
    return 0;
}

int slurm_view_sacct (struct slurm_view *view,
                      const char *text,
                      size_t len,
                      struct error *err)
{
    if (slurm_read_sacct (text, len, sacct_row, view, err) < 0)
        return -1;
    apply_rest (view);
    return 0;
}

/* --- the whole --- */

bool slurm_view_lacks (const struct slurm_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct slurm_view_job *job = &view->jobs[i];

        for (int64_t e = 0; job->id > 0 && e < job->n_elements; e++) {
            if (!job->told[e])
                return true;
        }
    }
    return false;
}

void slurm_view_infer (struct slurm_view *view,
                       double now_s,
                       double min_job_age_s)
{
    const struct element_status cancelled = { ELEMENT_ENDED,
                                              OUTCOME_CANCELLED };

    for (size_t i = 0; i < view->n; i++) {
        struct slurm_view_job *job = &view->jobs[i];
        struct setting setting = { job, cancelled };
        double age_s = now_s - job->submit_s;

        if (!job->seen || job->submit_s <= 0 || age_s < 0
            || age_s >= min_job_age_s / 2)
            continue;
        for (int64_t e = 0; e < job->n_elements; e++)
            set_element (e, &setting);
    }
}

void slurm_view_result (const struct slurm_view *view, struct job_status *jobs)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct slurm_view_job *job = &view->jobs[i];

        memcpy (jobs[i].elements, job->elements,
                (size_t)job->n_elements * sizeof (*job->elements));
        memcpy (jobs[i].note, job->note, sizeof (job->note));
    }
}
