/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_text.c - what a campaign would do, as text */
#include "config.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "report/plan_view.h"

static const char *text_of (const struct json *v, const char *key)
{
    return json_as_string (json_get (v, key));
}

static long long int_of (const struct json *v, const char *key)
{
    return (long long)json_as_int (json_get (v, key));
}

static void pairs_text (const struct json *pairs,
                        const char *title,
                        const char *arrow,
                        struct strbuf *out)
{
    JSON_FOREACH (pairs, it) {
        strbuf_addf (out, "  %-7s %s %s %s\n", title, json_iter_key (it), arrow,
                     json_as_string (json_iter_value (it)));
        title = "";
    }
}

static void array_text (const struct json *stage, struct strbuf *out)
{
    const struct json *array = json_get (stage, "array");
    const struct json *hours = json_get (array, "node_hours_at_most");

    if (json_get (stage, "error")) {
        strbuf_addf (out, "  array   %s\n", text_of (stage, "error"));
        return;
    }
    if (json_is_null (json_get (stage, "tasks"))) {
        strbuf_add_str (out, "  array   as many tasks as there are by then\n");
        return;
    }
    strbuf_addf (out,
                 "  array   %lld tasks in %lld elements of %lld slots, %lld "
                 "submissions, %lld cores each",
                 int_of (stage, "tasks"), int_of (array, "elements"),
                 int_of (array, "slots"), int_of (array, "chunks"),
                 int_of (array, "cores"));
    if (json_as_double (json_get (array, "walltime_s")) > 0) {
        strbuf_add_str (out, ", walltime ");
        format_duration (json_as_double (json_get (array, "walltime_s")), out);
    }
    if (hours && !json_is_null (hours))
        strbuf_addf (out, ", at most %.3g node-hours", json_as_double (hours));
    strbuf_add_char (out, '\n');
    if (json_get (stage, "warning"))
        strbuf_addf (out, "  warning %s\n", text_of (stage, "warning"));
}

static void stage_text (const struct json *stage, struct strbuf *out)
{
    const struct json *after = json_get (stage, "after");

    strbuf_addf (out, "\n%s: %s on %s (%s)", text_of (stage, "name"),
                 text_of (stage, "operator"), text_of (stage, "profile"),
                 text_of (stage, "scheduler"));
    for (size_t i = 0; i < json_count (after); i++)
        strbuf_addf (out, "%s%s", i == 0 ? ", after " : ", ",
                     json_as_string (json_at (after, i)));
    strbuf_add_char (out, '\n');
    if (*text_of (stage, "when"))
        strbuf_addf (out, "  when    %s\n", text_of (stage, "when"));
    pairs_text (json_get (stage, "inputs"), "inputs", "<-", out);
    pairs_text (json_get (stage, "outputs"), "outputs", ":", out);
    array_text (stage, out);
}

void plan_text (const struct json *view, struct strbuf *out)
{
    const struct json *stages = json_get (view, "stages");

    strbuf_addf (out, "%s: at most %lld iterations", text_of (view, "campaign"),
                 int_of (view, "iterations"));
    if (*text_of (view, "stop"))
        strbuf_addf (out, ", until %s", text_of (view, "stop"));
    strbuf_add_char (out, '\n');
    for (size_t i = 0; i < json_count (stages); i++)
        stage_text (json_at (stages, i), out);
}
