/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_dependency_job.c - the chain, and the jobs that wake the campaign,
 * folded in */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

static int fold_chain (struct state *state, const struct json *event,
                       struct error *err)
{
    bool on;

    if (json_want_bool (event, "on", &on, err) < 0)
        return -1;
    state->chained = on;
    return 0;
}

static int fold_new_dependency_job (struct state *state,
                                    const struct json *event, struct error *err)
{
    const char *after = json_as_string (json_get (event, "after"));
    const char *token;
    const char *stage;
    int64_t elements;
    struct dependency_job *dependency_job;

    if (json_want_string (event, "token", &token, err) < 0
        || json_want_string (event, "stage", &stage, err) < 0
        || json_want_int (event, "elements", &elements, err) < 0)
        return -1;
    if (elements < 1 || elements > DEPENDENCY_JOB_ELEMENTS
        || strlen (token) > TOKEN_LENGTH || strlen (after) > TOKEN_LENGTH)
        return error_set (err, "elements or tokens are out of range");
    state->dependency_jobs = grow_array (
        state->dependency_jobs, state->n_dependency_jobs,
        &state->dependency_jobs_alloc, sizeof (*state->dependency_jobs));
    dependency_job = &state->dependency_jobs[state->n_dependency_jobs++];
    memset (dependency_job, 0, sizeof (*dependency_job));
    snprintf (dependency_job->job.token, sizeof (dependency_job->job.token),
              "%s", token);
    snprintf (dependency_job->after, sizeof (dependency_job->after), "%s",
              after);
    dependency_job->job.elements = elements;
    dependency_job->job.intended_s = fold_now_s (event);
    dependency_job->job.uid = fold_uid (event);
    dependency_job->at_s = json_as_double (json_get (event, "at_s"));
    dependency_job->stage = xstrdup (stage);
    return 0;
}

void fold_drop_dependency_jobs (struct state *state)
{
    size_t kept = 0;

    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        enum submission_status status = state->dependency_jobs[i].job.status;

        if (status == SUBMISSION_ENDED || status == SUBMISSION_ABSENT)
            dependency_job_release (&state->dependency_jobs[i]);
        else
            state->dependency_jobs[kept++] = state->dependency_jobs[i];
    }
    state->n_dependency_jobs = kept;
}

const struct event_fold dependency_job_folds[] = {
    { "chain", fold_chain },
    { "dependency_job", fold_new_dependency_job },
    { NULL, NULL },
};
