/* SPDX-License-Identifier: BSD-3-Clause */
/* chain_view.c - which jobs will wake a chained campaign */
#include "config.h"

#include <time.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "engine/history/state.h"
#include "report/chain_view.h"

struct json *chain_json (const struct state *state)
{
    struct json *list;

    if (!state->chained)
        return json_null ();
    list = json_array ();
    for (size_t i = 0; i < state->n_dependency_jobs; i++) {
        const struct dependency_job *w = &state->dependency_jobs[i];
        const struct submission *after =
            w->after[0] ? state_submission (state, w->after) : NULL;
        struct json *v = json_object ();

        json_set (v, "job", json_string (w->job.id));
        json_set (v, "after", json_string (after ? after->id : NULL));
        json_set (v, "at_s", w->after[0] ? json_null () : json_real (w->at_s));
        json_push (list, v);
    }
    return list;
}

static void add_dependency_job (const struct json *dependency_job,
                                struct strbuf *out)
{
    const struct json *after = json_get (dependency_job, "after");
    const struct json *at_s = json_get (dependency_job, "at_s");
    time_t at = (time_t)json_as_double (at_s);
    struct tm tm;
    char when[32];

    strbuf_addf (out, "job %s drives on",
                 json_as_string (json_get (dependency_job, "job")));
    if (!json_is_null (after))
        strbuf_addf (out, " when job %s has ended", json_as_string (after));
    else if (!json_is_null (at_s) && localtime_r (&at, &tm)
             && strftime (when, sizeof (when), "%Y-%m-%d %H:%M:%S", &tm) > 0)
        strbuf_addf (out, " at %s", when);
}

void chain_json_text (const struct json *chain, struct strbuf *out)
{
    bool first = true;

    for (size_t i = 0; i < json_count (chain); i++) {
        const struct json *dependency_job = json_at (chain, i);

        if (json_is_null (json_get (dependency_job, "job")))
            continue;
        if (!first)
            strbuf_add_str (out, ", ");
        add_dependency_job (dependency_job, out);
        first = false;
    }
    if (first)
        strbuf_add_str (out, "no job will drive on; call `fanfold submit "
                             "--chain` again");
}

void chain_text (const struct state *state, struct strbuf *out)
{
    struct json *chain;

    if (!state->chained || state->phase != CAMPAIGN_RUNNING)
        return;
    chain = chain_json (state);
    chain_json_text (chain, out);
    json_unref (chain);
}
