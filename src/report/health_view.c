/* SPDX-License-Identifier: BSD-3-Clause */
/* health_view.c - what a selection found of the trajectories, for people */
#include "base/base.h"

#include "base/json.h"
#include "report/health_view.h"

void health_conditions (const struct json *conditions, struct strbuf *out)
{
    const char *before = "";

    JSON_FOREACH (conditions, it) {
        const struct json *value = json_iter_value (it);

        strbuf_addf (out, "%s%s=", before, json_iter_key (it));
        if (json_kind (value) == JSON_KIND_STRING)
            strbuf_add_str (out, json_as_string (value));
        else
            json_dump (value, JSON_COMPACT, out);
        before = ", ";
    }
}

void health_finding_text (const struct json *worst, struct strbuf *out)
{
    const char *finding = json_get_string (worst, "finding");
    const struct json *pair = json_get (worst, "pair");
    long long step = json_get_int (worst, "step");
    long long expected = json_get_int (worst, "expected");

    if (strcmp (finding, "too_close") == 0)
        strbuf_addf (out,
                     "%s and %s are %.3g A apart in step %lld, and %.3g A or "
                     "more in labelled frames",
                     json_as_string (json_at (pair, 0)),
                     json_as_string (json_at (pair, 1)),
                     json_get_double (worst, "distance"), step,
                     json_get_double (worst, "labelled"));
    else if (strcmp (finding, "broken") == 0)
        strbuf_addf (out,
                     "the frame of step %lld has coordinates that are no "
                     "numbers, or a cell without height",
                     step);
    else if (json_get_int (worst, "frames") < expected)
        strbuf_addf (out, "it has %lld of %lld frames",
                     (long long)json_get_int (worst, "frames"), expected);
    else
        strbuf_add_str (out, "it ended otherwise than it should");
}

void health_counts_text (const struct json *health, const char *of,
                         struct strbuf *out)
{
    static const char *const counts[][2] = {
        { "ended_early", "ended early" },
        { "broken", "broken" },
        { "too_close", "with atoms too close" },
        { "missing_tasks", "of tasks that left none" },
    };
    const char *before = " (";

    strbuf_addf (out, "%lld of %lld trajectories%s are sound",
                 (long long)json_get_int (health, "healthy"),
                 (long long)json_get_int (health, "trajectories"), of);
    for (size_t i = 0; i < ARRAY_SIZE (counts); i++) {
        long long n = json_get_int (health, counts[i][0]);

        if (n == 0)
            continue;
        strbuf_addf (out, "%s%lld %s", before, n, counts[i][1]);
        before = ", ";
    }
    if (before[0] == ',')
        strbuf_add_char (out, ')');
}

/* "task 7 of 'explore' (water, temperature=600)" */
static void add_task (const struct json *worst, const char *explorer,
                      struct strbuf *out)
{
    const struct json *conditions = json_get (worst, "conditions");

    strbuf_addf (out, "task %lld", (long long)json_get_int (worst, "task"));
    if (explorer)
        strbuf_addf (out, " of '%s'", explorer);
    strbuf_addf (out, " (%s", json_get_string (worst, "system"));
    if (json_count (conditions) > 0)
        strbuf_add_str (out, ", ");
    health_conditions (conditions, out);
    strbuf_add_char (out, ')');
}

void health_line (const char *stage, const char *explorer, int iteration,
                  const struct json *health, struct strvec *lines)
{
    const struct json *worst = json_at (json_get (health, "worst"), 0);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *of = xasprintf (" of iteration %d", iteration);

    if (!worst)
        return;
    strbuf_addf (&text, "stage '%s': ", stage);
    health_counts_text (health, of, &text);
    strbuf_add_str (&text, "; the worst is ");
    add_task (worst, explorer, &text);
    strbuf_add_str (&text, ": ");
    health_finding_text (worst, &text);
    strbuf_add_str (&text, "; look at the time step, the temperature and the "
                           "potential");
    strvec_push (lines, text.buf);
}

struct json *health_summary (const char *stage, int iteration,
                             const struct json *health)
{
    static const char *const kept[] = { "trajectories",  "healthy",
                                        "missing_tasks", "ended_early",
                                        "broken",        "too_close",
                                        "worst" };
    struct json *v = json_object ();

    json_set (v, "stage", json_string (stage));
    json_set (v, "iteration", json_int (iteration));
    for (size_t i = 0; i < ARRAY_SIZE (kept); i++)
        json_set (v, kept[i], json_ref (json_get (health, kept[i])));
    return v;
}
