/* SPDX-License-Identifier: BSD-3-Clause */
/* scheduler_view.c - schedulers that cannot be used for now, for people */
#include "base/base.h"

#include <time.h>

#include "base/json.h"
#include "base/units.h"
#include "engine/history/state.h"
#include "report/scheduler_view.h"

void time_text (double wall_s, struct strbuf *out)
{
    time_t at = (time_t)wall_s;
    struct tm tm;
    char text[32];

    if (localtime_r (&at, &tm)
        && strftime (text, sizeof (text), "%Y-%m-%d %H:%M:%S", &tm) > 0)
        strbuf_add_str (out, text);
}

static void whose_text (const char *profile, const struct json *v,
                        struct strbuf *out)
{
    strbuf_addf (out, "the scheduler of profile '%s' (%s)", profile,
                 json_get_string (v, "scheduler"));
}

void scheduler_outage_text (const char *profile, const struct json *outage,
                            struct strbuf *out)
{
    whose_text (profile, outage, out);
    strbuf_add_str (out, json_as_bool (json_get (outage, "full"))
                             ? " has taken no jobs since "
                             : " has not answered since ");
    time_text (json_get_double (outage, "since_s"), out);
    strbuf_addf (out, ": %s", json_get_string (outage, "why"));
}

void scheduler_answers_text (const struct json *event, struct strbuf *out)
{
    whose_text (json_get_string (event, "profile"), event, out);
    strbuf_add_str (out, json_as_bool (json_get (event, "full"))
                             ? " takes jobs again, after "
                             : " answers again, after ");
    format_duration (json_get_double (event, "lasted_s"), out);
}

void scheduler_outages_text (const struct state *state, struct strbuf *out)
{
    JSON_FOREACH (state->outages, it) {
        strbuf_add_str (out, out->len > 0 ? "; " : "");
        scheduler_outage_text (json_iter_key (it), json_iter_value (it), out);
    }
}

struct json *scheduler_outages_json (const struct state *state)
{
    struct json *list = json_array ();

    JSON_FOREACH (state->outages, it) {
        struct json *v = json_object ();

        json_set (v, "profile", json_string (json_iter_key (it)));
        JSON_FOREACH (json_iter_value (it), member) {
            json_set (v, json_iter_key (member),
                      json_ref (json_iter_value (member)));
        }
        json_push (list, v);
    }
    return list;
}
