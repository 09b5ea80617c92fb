/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_text.c - what a campaign would do, for people */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "report/group_view.h"
#include "report/node_view.h"
#include "report/plan_view.h"
#include "report/reuse_view.h"

static long long int_of (const struct json *v, const char *key)
{
    return (long long)json_get_int (v, key);
}

/* 'types' has those of some of them; or NULL. */
static void pairs_text (const struct json *pairs, const char *title,
                        const char *arrow, const struct json *types,
                        struct strbuf *out)
{
    size_t absent = 0;

    JSON_FOREACH (pairs, it) {
        const char *type = json_get_string (types, json_iter_key (it));

        if (strcmp (json_as_string (json_iter_value (it)), "absent") == 0) {
            absent++;
            continue;
        }
        strbuf_addf (out, "  %-7s %s %s %s%s%s\n", title, json_iter_key (it),
                     arrow, json_as_string (json_iter_value (it)),
                     type[0] ? " : " : "", type);
        title = "";
    }
    if (absent > 0) {
        strbuf_addf (out, "  %-7s and without ", title);
        format_count ((int64_t)absent, "optional input", out);
        strbuf_add_char (out, '\n');
    }
}

static void array_text (const struct json *stage, struct strbuf *out)
{
    const struct json *array = json_get (stage, "array");
    const struct json *hours = json_get (array, "node_hours_at_most");

    if (json_get (stage, "frames")) {
        strbuf_add_str (out, "  makes   ");
        format_count (int_of (stage, "frames"), "frame", out);
        strbuf_add_char (out, '\n');
    }
    if (json_get (stage, "error")) {
        strbuf_addf (out, "  array   %s\n", json_get_string (stage, "error"));
        return;
    }
    if (json_is_null (json_get (stage, "tasks"))) {
        strbuf_add_str (out, "  array   as many tasks as there are by then\n");
        return;
    }
    strbuf_add_str (out, "  array   ");
    if (json_get (stage, "only_iteration"))
        strbuf_addf (out, "iteration %lld: ",
                     (long long)int_of (stage, "only_iteration"));
    format_count (int_of (stage, "tasks"), "task", out);
    strbuf_add_str (out, " in ");
    format_count (int_of (array, "elements"), "element", out);
    strbuf_add_str (out, " of ");
    format_count (int_of (array, "slots"), "slot", out);
    strbuf_add_str (out, ", ");
    format_count (int_of (array, "chunks"), "submission", out);
    strbuf_add_str (out, ", ");
    format_count (int_of (array, "cores"), "core", out);
    strbuf_add_str (out, " each");
    if (json_get_double (array, "walltime_s") > 0) {
        strbuf_add_str (out, ", walltime ");
        format_duration (json_get_double (array, "walltime_s"), out);
    }
    if (hours && !json_is_null (hours))
        strbuf_addf (out, ", at most %.3g node-hours", json_as_double (hours));
    strbuf_add_char (out, '\n');
    if (json_get (array, "limits"))
        strbuf_addf (out, "  limits  %s\n", json_get_string (array, "limits"));
    if (json_get (stage, "warning"))
        strbuf_addf (out, "  warning %s\n", json_get_string (stage, "warning"));
}

static void learned_text (const struct json *stage, struct strbuf *out)
{
    const struct json *needs = json_get (stage, "needs");
    const char *before = "  task    ";

    JSON_FOREACH (json_get (stage, "learned"), it) {
        const char *kind = json_iter_key (it);
        long long tasks = json_as_int (json_iter_value (it));
        bool memory = strcmp (kind, "memory") == 0;

        strbuf_addf (out, "%s%s ", before, kind);
        before = ", ";
        if (memory && json_get_int (needs, "memory_bytes") > 0)
            format_bytes (json_get_int (needs, "memory_bytes"), out);
        else if (!memory && json_get_double (needs, "walltime_s") > 0)
            format_duration (json_get_double (needs, "walltime_s"), out);
        else
            strbuf_add_str (out, "not stated");
        if (tasks > 0)
            strbuf_addf (out, " (learned from %lld tasks)", tasks);
        else
            strbuf_add_str (out, " (nothing is learned yet)");
    }
    if (*before == ',')
        strbuf_add_char (out, '\n');
}

static void programs_text (const struct json *programs, struct strbuf *out)
{
    if (!programs)
        return;
    strbuf_add_str (out, "  copied  ");
    format_count (int_of (programs, "files"), "file", out);
    strbuf_addf (out, " of %s and what files: names, ",
                 json_get_string (programs, "dir"));
    format_bytes (int_of (programs, "bytes"), out);
    strbuf_add_char (out, '\n');
}

static void stage_text (const struct json *stage, struct strbuf *out)
{
    const struct json *after = json_get (stage, "after");

    strbuf_addf (out, "\n%s: %s on %s (%s)", json_get_string (stage, "name"),
                 json_get_string (stage, "operator"),
                 json_get_string (stage, "profile"),
                 json_get_string (stage, "scheduler"));
    for (size_t i = 0; i < json_count (after); i++)
        strbuf_addf (out, "%s%s", i == 0 ? ", after " : ", ",
                     json_as_string (json_at (after, i)));
    strbuf_add_char (out, '\n');
    if (*json_get_string (stage, "when"))
        strbuf_addf (out, "  when    %s\n", json_get_string (stage, "when"));
    pairs_text (json_get (stage, "inputs"), "inputs", "<-",
                json_get (stage, "arrays"), out);
    pairs_text (json_get (stage, "outputs"), "outputs", ":", NULL, out);
    group_view_text (json_get (stage, "group"), out);
    programs_text (json_get (stage, "programs"), out);
    learned_text (stage, out);
    array_text (stage, out);
    reuse_forecast_text (json_get (stage, "reuse"), out);
    if (json_get (stage, "node")) {
        strbuf_add_str (out, "  an element on a node of the topology:\n");
        node_view_text (json_get (stage, "node"), "    ", out);
    }
}

/* The stages below are those of one of them. */
static void phases_text (const struct json *view, struct strbuf *out)
{
    const struct json *phases = json_get (view, "phases");
    const char *shown = json_get_string (view, "phase");

    for (size_t i = 0; i < json_count (phases); i++) {
        const struct json *phase = json_at (phases, i);
        const char *name = json_get_string (phase, "name");
        const char *until = json_get_string (phase, "until");

        strbuf_addf (out, "  phase %s: at most %lld iterations%s%s%s\n", name,
                     int_of (phase, "iterations"), *until ? ", until " : "",
                     until, strcmp (name, shown) == 0 ? " (below)" : "");
    }
}

void plan_text (const struct json *view, struct strbuf *out)
{
    const struct json *stages = json_get (view, "stages");

    strbuf_addf (out, "%s: ", json_get_string (view, "campaign"));
    if (json_count (stages) == 0)
        strbuf_add_str (out, "no stages");
    else
        strbuf_addf (out, "at most %lld iterations",
                     int_of (view, "iterations"));
    if (*json_get_string (view, "stop"))
        strbuf_addf (out, ", until %s", json_get_string (view, "stop"));
    strbuf_add_char (out, '\n');
    phases_text (view, out);
    for (size_t i = 0; i < json_count (stages); i++)
        stage_text (json_at (stages, i), out);
}
