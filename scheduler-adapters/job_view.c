/* SPDX-License-Identifier: BSD-3-Clause */
/* job_view.c - the states of submissions, as replies tell them row by row */
#include "base/base.h"

#include "job_view.h"
#include "reply_text.h"

void job_view_init (struct job_view *view, const struct job_status *jobs,
                    size_t n, bool (*is_id) (const char *text))
{
    *view = (struct job_view){ xcalloc (n + 1, sizeof (*view->jobs)), n };
    for (size_t i = 0; i < n; i++) {
        struct job_view_job *job = &view->jobs[i];
        size_t elements = (size_t)jobs[i].n_elements;
        const char *digits = jobs[i].key.id;

        job->key = jobs[i].key;
        job->number = is_id (digits) ? reply_take_number (&digits) : -1;
        job->n_elements = jobs[i].n_elements;
        job->elements = xcalloc (elements + 1, sizeof (*job->elements));
        job->told = xcalloc (elements + 1, sizeof (*job->told));
    }
}

void job_view_release (struct job_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        free (view->jobs[i].elements);
        free (view->jobs[i].told);
    }
    free (view->jobs);
    *view = (struct job_view){ 0 };
}

/* A scheduler that began anew may have given one number to two of ours. */
struct job_view_job *job_view_find (struct job_view *view, int64_t number,
                                    const char *name)
{
    struct job_view_job *found = NULL;

    for (size_t i = 0; i < view->n && number >= 0; i++) {
        struct job_view_job *job = &view->jobs[i];

        if (job->number != number)
            continue;
        if (strcmp (job->key.token, name) == 0)
            found = job;
        else
            job->number = -1;
    }
    return found;
}

/* --- telling --- */

void job_view_tell (struct job_view_job *job, int64_t element,
                    enum element_state state, enum outcome outcome)
{
    const struct element_status status = { state, outcome };

    if (element == -1 && !job->rest_told) {
        job->rest_told = true;
        job->rest = status;
    }
    if (element < 0 || element >= job->n_elements || job->told[element])
        return;
    job->told[element] = true;
    job->elements[element] = status;
}

/* While it was not told, its state marks that it is lost. */
void job_view_tell_lost (struct job_view_job *job, int64_t element)
{
    if (element >= 0 && element < job->n_elements && !job->told[element])
        job->elements[element].state = ELEMENT_ENDED;
}

static bool is_lost (const struct job_view_job *job, int64_t element)
{
    return !job->told[element] && job->elements[element].state == ELEMENT_ENDED;
}

void job_view_settle (struct job_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        struct job_view_job *job = &view->jobs[i];

        for (int64_t e = 0; job->rest_told && e < job->n_elements; e++) {
            if (!is_lost (job, e))
                job_view_tell (job, e, job->rest.state, job->rest.outcome);
        }
        job->rest_told = false;
        for (int64_t e = 0; job->held && e < job->n_elements; e++) {
            if (job->elements[e].state == ELEMENT_QUEUED)
                job->elements[e].state = ELEMENT_HELD;
        }
    }
}

bool job_view_lacks (const struct job_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct job_view_job *job = &view->jobs[i];

        for (int64_t e = 0; job->number >= 0 && e < job->n_elements; e++) {
            if (!job->told[e])
                return true;
        }
    }
    return false;
}

bool job_view_is_silent (const struct job_view *view)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct job_view_job *job = &view->jobs[i];

        for (int64_t e = 0; e < job->n_elements; e++) {
            if (job->told[e] || is_lost (job, e))
                return false;
        }
    }
    return job_view_lacks (view);
}

void job_view_ids (const struct job_view *view, struct strvec *argv)
{
    for (size_t i = 0; i < view->n; i++) {
        if (view->jobs[i].number >= 0)
            strvec_push (argv, view->jobs[i].key.id);
    }
}

void job_view_infer (struct job_view *view, double now_s, double kept_s)
{
    for (size_t i = 0; i < view->n; i++) {
        struct job_view_job *job = &view->jobs[i];
        double age_s = isinf (job->since_s) ? 0 : now_s - job->since_s;

        if (job->number < 0 || job->since_s <= 0 || age_s < 0
            || age_s >= kept_s)
            continue;
        for (int64_t e = 0; e < job->n_elements; e++)
            job_view_tell (job, e, ELEMENT_ENDED, OUTCOME_CANCELLED);
    }
}

void job_view_result (const struct job_view *view, struct job_status *jobs)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct job_view_job *job = &view->jobs[i];

        for (int64_t e = 0; e < job->n_elements; e++)
            jobs[i].elements[e] = job->number >= 0 && job->told[e]
                                      ? job->elements[e]
                                      : (struct element_status){ 0 };
        memcpy (jobs[i].note, job->note, sizeof (job->note));
    }
}

/* --- notes --- */

void job_view_note_unclear (struct job_view_job *job, const char *id,
                            const char *state)
{
    if (!job->note[0])
        snprintf (job->note, sizeof (job->note),
                  "job %.60s: its state is '%.60s', a word not known here; "
                  "nothing is concluded from it",
                  id, state);
}

void job_view_note_waits (struct job_view_job *job, const char *id,
                          const char *reason, const char *advice)
{
    if (!job->note[0])
        snprintf (job->note, sizeof (job->note), "job %.60s waits: %.90s: %s",
                  id, reason, advice);
}

const char *stuck_advice (const struct stuck_reason *reasons,
                          const char *reason)
{
    for (; reasons->words; reasons++) {
        if (strstr (reason, reasons->words))
            return reasons->advice;
    }
    return NULL;
}
