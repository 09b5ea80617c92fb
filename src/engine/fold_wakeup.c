/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_wakeup.c - the chain, and the jobs that wake the campaign, folded in */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "engine/fold.h"

int fold_chain (struct state *state,
                const struct json *event,
                struct error *err)
{
    bool on;

    if (json_want_bool (event, "on", &on, err) < 0)
        return -1;
    state->chained = on;
    return 0;
}

int fold_waking (struct state *state,
                 const struct json *event,
                 struct error *err)
{
    const char *after = json_as_string (json_get (event, "after"));
    const char *token;
    const char *stage;
    int64_t elements;
    struct wakeup *wakeup;

    if (json_want_string (event, "token", &token, err) < 0
        || json_want_string (event, "stage", &stage, err) < 0
        || json_want_int (event, "elements", &elements, err) < 0)
        return -1;
    if (elements < 1 || elements > WAKEUP_ELEMENTS
        || strlen (token) > TOKEN_LENGTH || strlen (after) > TOKEN_LENGTH)
        return error_set (err, "elements or tokens are out of range");
    state->wakeups = grow_array (state->wakeups, state->n_wakeups,
                                 &state->wakeups_alloc,
                                 sizeof (*state->wakeups));
    wakeup = &state->wakeups[state->n_wakeups++];
    memset (wakeup, 0, sizeof (*wakeup));
    snprintf (wakeup->job.token, sizeof (wakeup->job.token), "%s", token);
    snprintf (wakeup->after, sizeof (wakeup->after), "%s", after);
    wakeup->job.elements = elements;
    wakeup->job.intended_s = fold_now_s (event);
    wakeup->at_s = json_as_double (json_get (event, "at_s"));
    wakeup->stage = xstrdup (stage);
    return 0;
}

void fold_drop_wakeups (struct state *state)
{
    size_t kept = 0;

    for (size_t i = 0; i < state->n_wakeups; i++) {
        enum submission_phase phase = state->wakeups[i].job.phase;

        if (phase == SUBMISSION_ENDED || phase == SUBMISSION_ABSENT)
            wakeup_release (&state->wakeups[i]);
        else
            state->wakeups[kept++] = state->wakeups[i];
    }
    state->n_wakeups = kept;
}
