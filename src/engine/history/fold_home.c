/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_home.c - which campaign it is, and where, folded in */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

static void fold_place (struct state *state, const struct json *event)
{
    fold_text (&state->home.path, json_get_string (event, "path"));
    fold_text (&state->home.inode, json_get_string (event, "inode"));
}

static int fold_campaign (struct state *state, const struct json *event,
                          struct error *err)
{
    const char *id;

    if (json_want_string (event, "id", &id, err) < 0)
        return -1;
    fold_text (&state->id, id);
    fold_generation (state, json_get_int (event, "generation"), NULL);
    fold_place (state, event);
    return 0;
}

/* What was submitted is the original's: it is not asked for from here.  Tasks
 * that have not ended yet are submitted again.
 */
static void leave_jobs (struct state *state)
{
    struct iteration_state *it =
        state->n_iterations > 0 ? &state->iterations[state->n_iterations - 1]
                                : NULL;

    for (size_t i = 0; it && i < it->n_stages; i++) {
        struct attempt *attempt = stage_open_attempt (&it->stages[i]);

        while (attempt && attempt->n_submissions > 0)
            submission_release (
                &attempt->submissions[--attempt->n_submissions]);
    }
    while (state->n_dependency_jobs > 0)
        dependency_job_release (
            &state->dependency_jobs[--state->n_dependency_jobs]);
    state->chained = false;
}

static int fold_adopted (struct state *state, const struct json *event,
                         struct error *err)
{
    bool copy;

    if (json_want_bool (event, "copy", &copy, err) < 0)
        return -1;
    fold_place (state, event);
    if (copy)
        leave_jobs (state);
    if (copy)
        fold_forget_notices (state);
    return 0;
}

const struct event_fold home_folds[] = {
    { "campaign", fold_campaign },
    { "adopted", fold_adopted },
    { NULL, NULL },
};
