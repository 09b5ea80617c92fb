/* SPDX-License-Identifier: BSD-3-Clause */
/* request_view.c - what a request changes, for people */
#include "base/base.h"

#include "base/json.h"
#include "report/request_view.h"
#include "space/layout.h"

static bool is_meant (const char *name, const char *stage)
{
    return !stage || strcmp (name, stage) == 0;
}

static void say_anew (const struct json *tries_anew, const char *stage,
                      struct strbuf *out)
{
    JSON_FOREACH (tries_anew, it) {
        const char *name = json_iter_key (it);
        const char *tasks = json_as_string (json_iter_value (it));

        if (!is_meant (name, stage))
            continue;
        if (tasks[0])
            strbuf_addf (out, "%s: task%s %s get%s new tries\n", name,
                         strpbrk (tasks, ",-") ? "s" : "", tasks,
                         strpbrk (tasks, ",-") ? "" : "s");
        else
            strbuf_addf (out, "%s: its inputs are bound again\n", name);
    }
}

static void say_enough (const struct json *enough, const char *stage,
                        struct strbuf *out)
{
    for (size_t i = 0; i < json_count (enough); i++) {
        const char *name = json_as_string (json_at (enough, i));

        if (is_meant (name, stage))
            strbuf_addf (out,
                         "%s: as many tasks are ok as `success:` needs now; "
                         "it goes on with these\n",
                         name);
    }
}

/* Only where it is told before it is done. */
static void say_frames (const struct json *event, struct strbuf *out)
{
    long long n = (long long)json_get_int (event, "frames");

    if (n > 0 && !json_get (event, "keep"))
        strbuf_addf (out, "%lld labelled frame%s no training data any more\n",
                     n, n == 1 ? " is" : "s are");
}

static void say_reset (const struct json *event, struct strbuf *out)
{
    long long results = (long long)json_get_int (event, "results");
    long long iterations = (long long)json_get_int (event, "iterations");

    strbuf_addf (out, "%lld result%s of %lld iteration%s move%s to ", results,
                 results == 1 ? "" : "s", iterations,
                 iterations == 1 ? "" : "s", results == 1 ? "s" : "");
    layout_replaced_dir ((int)json_get_int (event, "number"), out);
    strbuf_add_str (out, "; the campaign begins again\n");
    if (!json_get (event, "keep"))
        return;
    strbuf_addf (out, "%s moves to ", json_get_string (event, "keep"));
    layout_kept_dir ((int)json_get_int (event, "number"), out);
    strbuf_add_str (out, " and is initial data from then on\n");
}

static void say_forgotten (const struct json *event, struct strbuf *out)
{
    long long results = (long long)json_get_int (event, "results");

    strbuf_addf (out, "%s: %lld result%s to ",
                 json_get_string (event, "forgotten"), results,
                 results == 1 ? " moves" : "s move");
    strbuf_add_str (out, LAYOUT_REPLACED_DIR);
    strbuf_addf (out,
                 "; nothing that was made of %s is computed again by itself\n",
                 results == 1 ? "it" : "them");
}

void request_text (const struct json *event, const char *stage,
                   struct strbuf *out)
{
    bool redo = strcmp (json_get_string (event, "kind"), "redo") == 0;
    const struct json *stages = json_get (event, "stages");

    say_anew (json_get (event, "tries_anew"), stage, out);
    say_enough (json_get (event, "enough"), stage, out);
    if (json_get (event, "forgotten"))
        say_forgotten (event, out);
    if (strcmp (json_get_string (event, "kind"), "reset") == 0)
        say_reset (event, out);
    say_frames (event, out);
    for (size_t i = 0; i < json_count (stages); i++) {
        const char *name = json_as_string (json_at (stages, i));

        if (!is_meant (name, stage))
            continue;
        if (json_get (event, "forgotten"))
            strbuf_addf (out, "%s: prepared again by campaign.yaml\n", name);
        else if (!redo)
            strbuf_addf (out,
                         "%s: prepared again, since its definition or its "
                         "inputs changed; what is ok and has the same identity "
                         "stays\n",
                         name);
        else if (json_array_has_string (json_get (event, "fresh"), name))
            strbuf_addf (out, "%s: all its tasks run again\n", name);
        else
            strbuf_addf (out,
                         "%s: prepared again; tasks whose identity is "
                         "unchanged stay\n",
                         name);
    }
}

struct json *request_changes (const struct json *event)
{
    static const char *const told[] = { "to",         "stages",  "fresh",
                                        "tries_anew", "enough",  "steps",
                                        "forgotten",  "results", "iterations",
                                        "frames",     "keep" };
    struct json *v = json_object ();

    for (size_t i = 0; i < ARRAY_SIZE (told); i++) {
        const struct json *value = json_get (event, told[i]);

        if (value)
            json_set (v, told[i], json_deep_copy (value));
    }
    return v;
}
