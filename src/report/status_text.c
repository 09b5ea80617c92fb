/* SPDX-License-Identifier: BSD-3-Clause */
/* status_text.c - where a campaign stands, as tables */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "report/chain_view.h"
#include "report/status_view.h"
#include "report/text_table.h"

/* A value of the history: four significant digits, "-" for null. */
static void value_text (const struct json *value, struct strbuf *out)
{
    switch (json_kind (value)) {
    case JSON_KIND_NULL:
        strbuf_add_str (out, "-");
        break;
    case JSON_KIND_REAL:
        strbuf_addf (out, "%.4g", json_as_double (value));
        break;
    case JSON_KIND_STRING:
        strbuf_add_str (out, json_as_string (value));
        break;
    default:
        json_dump (value, JSON_COMPACT, out);
    }
}

static void add_cell (struct text_table *table, struct strbuf *text)
{
    text_table_cell (table, text->buf);
    strbuf_reset (text);
}

/* Values are shown in the order of the first row; wall_s comes last. */
void history_text (const struct json *history, struct strbuf *out)
{
    const struct json *first = json_at (history, 0);
    struct text_table *table = text_table_create (json_count (first));
    struct strbuf text = STRBUF_INIT;

    JSON_FOREACH (first, it) {
        if (strcmp (json_iter_key (it), "wall_s") != 0)
            text_table_cell (table, json_iter_key (it));
    }
    text_table_cell (table, "wall");
    for (size_t i = 0; i < json_count (history); i++) {
        const struct json *row = json_at (history, i);

        JSON_FOREACH (first, it) {
            if (strcmp (json_iter_key (it), "wall_s") == 0)
                continue;
            value_text (json_get (row, json_iter_key (it)), &text);
            add_cell (table, &text);
        }
        format_duration (json_as_double (json_get (row, "wall_s")), &text);
        add_cell (table, &text);
    }
    if (json_count (history) > 0)
        text_table_format (table, out);
    strbuf_release (&text);
    text_table_destroy (table);
}

static void counts_text (const struct json *tasks, struct strbuf *text)
{
    JSON_FOREACH (tasks, it) {
        if (json_as_int (json_iter_value (it)) > 0)
            strbuf_addf (text, "%s%lld %s", text->len > 0 ? ", " : "",
                         (long long)json_as_int (json_iter_value (it)),
                         json_iter_key (it));
    }
}

static void stages_text (const struct json *stages, struct strbuf *out)
{
    struct text_table *table = text_table_create (5);
    struct strbuf text = STRBUF_INIT;

    text_table_cell (table, "stage");
    text_table_cell (table, "state");
    text_table_cell (table, "tasks");
    text_table_cell (table, "wall");
    text_table_cell (table, "");
    for (size_t i = 0; i < json_count (stages); i++) {
        const struct json *s = json_at (stages, i);

        text_table_cell (table, json_as_string (json_get (s, "name")));
        text_table_cell (table, json_as_string (json_get (s, "state")));
        counts_text (json_get (s, "tasks"), &text);
        add_cell (table, &text);
        if (!json_is_null (json_get (s, "wall_s")))
            format_duration (json_as_double (json_get (s, "wall_s")), &text);
        add_cell (table, &text);
        text_table_cell (table, json_as_string (json_get (s, "why")));
    }
    text_table_format (table, out);
    strbuf_release (&text);
    text_table_destroy (table);
}

static void driver_text (const struct json *view, struct strbuf *out)
{
    const struct json *driver = json_get (view, "driver");
    const char *state = json_as_string (json_get (view, "state"));

    if (!json_is_null (driver))
        strbuf_addf (out, "driven by pid %lld on %s\n",
                     (long long)json_as_int (json_get (driver, "pid")),
                     json_as_string (json_get (driver, "host")));
    else if (strcmp (state, "waiting") == 0
             && !json_is_null (json_get (view, "chain"))) {
        strbuf_add_str (out, "chained: ");
        chain_json_text (json_get (view, "chain"), out);
        strbuf_add_char (out, '\n');
    } else if (strcmp (state, "waiting") == 0)
        strbuf_add_str (out, "nobody is driving: `fanfold run`, or `fanfold "
                             "advance` from cron\n");
}

void status_text (const struct json *view, struct strbuf *out)
{
    const char *why = json_as_string (json_get (view, "why"));

    strbuf_addf (out, "%s: %s%s%s%s\n",
                 json_as_string (json_get (view, "campaign")),
                 json_as_string (json_get (view, "state")), *why ? " (" : "",
                 why, *why ? ")" : "");
    driver_text (view, out);
    if (json_count (json_get (view, "history")) > 0) {
        strbuf_add_char (out, '\n');
        history_text (json_get (view, "history"), out);
    }
    if (json_count (json_get (view, "stages")) > 0) {
        strbuf_addf (out, "\niteration %lld\n",
                     (long long)json_as_int (json_get (view, "iteration")));
        stages_text (json_get (view, "stages"), out);
    }
}
