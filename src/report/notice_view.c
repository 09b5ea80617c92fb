/* SPDX-License-Identifier: BSD-3-Clause */
/* notice_view.c - notices that were not given, and that nothing moves */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "engine/decide/notices.h"
#include "engine/history/engine.h"
#include "report/notice_view.h"
#include "report/scheduler_view.h"

struct json *notices_json (const struct state *state)
{
    struct json *v = json_object ();

    json_set (v, "waiting", json_int ((int64_t)json_count (state->notices)));
    json_set (v, "failed",
              state->notice_failed ? json_deep_copy (state->notice_failed)
                                   : json_null ());
    return v;
}

struct json *quiet_json (const struct state *state, double now_s)
{
    struct quiet quiet = quiet_look (state, engine_quiet_s ());
    struct json *v;

    if (quiet.since_s <= 0)
        return json_null ();
    v = json_object ();
    json_set (v, "since_s", json_real (quiet.since_s));
    json_set (v, "most_s", json_real (quiet.most_s));
    json_set (v, "stage", json_string (quiet.stage));
    json_set (v, "long", json_bool (quiet_is_long (&quiet, now_s)));
    return v;
}

static void failed_text (const struct json *failed, struct strbuf *out)
{
    strbuf_addf (out, "notice of '%s' failed: %s",
                 json_get_string (failed, "event"),
                 json_get_string (failed, "why"));
}

void notice_failed_text (const struct json *event, struct strbuf *out)
{
    if (strcmp (json_get_string (event, "ev"), "notice") == 0
        && strcmp (json_get_string (event, "phase"), "failed") == 0)
        failed_text (event, out);
}

void notices_text (const struct json *notices, struct strbuf *out)
{
    const struct json *failed = json_get (notices, "failed");
    int64_t waiting = json_get_int (notices, "waiting");

    if (waiting > 0)
        strbuf_addf (out, "%lld %s not given yet: the next driver does it\n",
                     (long long)waiting, waiting == 1 ? "notice" : "notices");
    if (!failed || json_is_null (failed))
        return;
    failed_text (failed, out);
    strbuf_add_str (out, "; at ");
    time_text (json_get_double (failed, "at_s"), out);
    strbuf_add_char (out, '\n');
}

void quiet_text (const struct json *quiet, struct strbuf *out)
{
    const char *stage = json_get_string (quiet, "stage");

    if (!json_as_bool (json_get (quiet, "long")))
        return;
    strbuf_add_str (out, "nothing has moved since ");
    time_text (json_get_double (quiet, "since_s"), out);
    strbuf_add_str (out, ", which is longer than ");
    format_duration (json_get_double (quiet, "most_s"), out);
    if (*stage)
        strbuf_addf (out, ", the most that '%s' should take", stage);
    strbuf_add_char (out, '\n');
}
