/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_outage.c - schedulers that cannot be used for now, folded in */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

static int fold_outage (struct state *state, const struct json *event,
                        struct error *err)
{
    const char *profile;
    const char *scheduler;
    const char *why;
    struct json *v;

    if (json_want_string (event, "profile", &profile, err) < 0
        || json_want_string (event, "scheduler", &scheduler, err) < 0
        || json_want_string (event, "why", &why, err) < 0)
        return -1;
    v = json_object ();
    json_set (v, "scheduler", json_string (scheduler));
    json_set (v, "since_s", json_real (json_get_double (event, "since_s")));
    json_set (v, "why", json_string (why));
    json_set (v, "full", json_bool (json_as_bool (json_get (event, "full"))));
    if (!state->outages)
        state->outages = json_object ();
    json_set (state->outages, profile, v);
    return 0;
}

static int fold_answers (struct state *state, const struct json *event,
                         struct error *err)
{
    const char *profile;

    if (json_want_string (event, "profile", &profile, err) < 0)
        return -1;
    if (!state->outages)
        return 0;
    json_delete (state->outages, profile);
    if (json_count (state->outages) == 0)
        fold_forget_outages (state);
    return 0;
}

void fold_forget_outages (struct state *state)
{
    json_unref (state->outages);
    state->outages = NULL;
}

const struct event_fold outage_folds[] = {
    { "outage", fold_outage },
    { "answers", fold_answers },
    { NULL, NULL },
};
