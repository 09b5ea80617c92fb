/* SPDX-License-Identifier: BSD-3-Clause */
/* key_report.c - what became of every key of an imported file */
#include "base/base.h"

#include "base/json.h"
#include "import/key_report.h"

static const struct {
    const char *name;
    const char *heading;
} fates[] = {
    [KEY_TRANSLATED] = { "translated", "Translated" },
    [KEY_DEFAULT] = { "default", "Not given, and what holds" },
    [KEY_NOT_NEEDED] = { "not needed", "Not needed" },
    [KEY_UNSUPPORTED] = { "unsupported",
                          "Not supported, and what happens instead" },
    [KEY_UNKNOWN] = { "unknown", "Unknown, and left out" },
    [KEY_COMMENT] = { "comment", "Comments" },
};

/* What is wrong first. */
static const enum key_fate order[] = {
    KEY_UNKNOWN, KEY_UNSUPPORTED, KEY_TRANSLATED,
    KEY_DEFAULT, KEY_NOT_NEEDED,  KEY_COMMENT,
};

const char *key_fate_name (enum key_fate fate)
{
    return fates[fate].name;
}

void key_report_init (struct key_report *report)
{
    *report = (struct key_report){ .places = json_object (),
                                   .taken = json_object () };
}

void key_report_release (struct key_report *report)
{
    for (size_t i = 0; i < report->n; i++) {
        free (report->v[i].path);
        free (report->v[i].words);
    }
    free (report->v);
    json_unref (report->places);
    json_unref (report->taken);
    *report = (struct key_report){ .places = NULL };
}

static struct key_entry *entry_of (const struct key_report *report,
                                   const char *path)
{
    struct json *place = json_get (report->places, path);

    return place ? &report->v[json_as_int (place)] : NULL;
}

void key_report_say (struct key_report *report, const char *path,
                     enum key_fate fate, const char *fmt, ...)
{
    struct key_entry *entry = entry_of (report, path);
    va_list ap;

    if (!entry) {
        report->v = grow_array (report->v, report->n, &report->alloc,
                                sizeof (*report->v));
        json_set (report->places, path, json_int ((int64_t)report->n));
        entry = &report->v[report->n++];
        entry->path = text_made_plain (xstrdup (path));
        entry->words = NULL;
    }
    free (entry->words);
    entry->fate = fate;
    va_start (ap, fmt);
    entry->words = text_made_plain (xvasprintf (fmt, ap));
    va_end (ap);
}

bool key_report_has (const struct key_report *report, const char *path)
{
    return entry_of (report, path) != NULL;
}

void key_report_take (struct key_report *report, const char *path)
{
    json_set (report->taken, path, json_bool (true));
}

bool key_report_is_taken (const struct key_report *report, const char *path)
{
    return json_get (report->taken, path) != NULL;
}

/* --- for people and programs --- */

size_t key_report_count (const struct key_report *report, enum key_fate fate)
{
    size_t n = 0;

    for (size_t i = 0; i < report->n; i++)
        n += report->v[i].fate == fate;
    return n;
}

void key_report_fate_text (const struct key_report *report, enum key_fate fate,
                           struct strbuf *out)
{
    if (key_report_count (report, fate) > 0)
        strbuf_addf (out, "\n%s:\n", fates[fate].heading);
    for (size_t i = 0; i < report->n; i++) {
        if (report->v[i].fate == fate)
            strbuf_addf (out, "  %-30s %s\n", report->v[i].path,
                         report->v[i].words);
    }
}

void key_report_text (const struct key_report *report, struct strbuf *out)
{
    for (size_t f = 0; f < ARRAY_SIZE (order); f++)
        key_report_fate_text (report, order[f], out);
}

struct json *key_report_json (const struct key_report *report)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < report->n; i++) {
        struct json *row = json_object ();

        json_set (row, "key", json_string (report->v[i].path));
        json_set (row, "fate", json_string (fates[report->v[i].fate].name));
        json_set (row, "words", json_string (report->v[i].words));
        json_push (list, row);
    }
    return list;
}
