/* SPDX-License-Identifier: BSD-3-Clause */
/* outline.c - a YAML file that is being written, with notes beside its keys */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "import/outline.h"

enum { INDENT = 2, LINE_MOST = 79 };

void outline_init (struct outline *outline)
{
    outline->root = json_object ();
    outline->notes = json_object ();
}

void outline_release (struct outline *outline)
{
    json_unref (outline->root);
    json_unref (outline->notes);
    outline->root = outline->notes = NULL;
}

void outline_note (struct outline *outline, const char *path, const char *note,
                   ...)
{
    va_list ap;
    char *text;

    va_start (ap, note);
    text = xvasprintf (note, ap);
    va_end (ap);
    json_set (outline->notes, path, json_string (text_made_plain (text)));
    free (text);
}

void outline_set (struct outline *outline, const char *path, struct json *v,
                  const char *note, ...)
{
    va_list ap;
    char *text;

    json_set_path (outline->root, path, v);
    if (!note)
        return;
    va_start (ap, note);
    text = xvasprintf (note, ap);
    va_end (ap);
    outline_note (outline, path, "%s", text);
    free (text);
}

/* --- values in one line --- */

/* Is text what it says without quotes, wherever it stands? */
static bool is_plain (const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_./+-";
    static const char *const otherwise[] = { "true", "false", "null", "yes",
                                             "no",   "on",    "off",  "nan" };
    char *end;

    if (!*text || text[strspn (text, safe)] || strchr ("-.+", text[0]))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE (otherwise); i++) {
        if (strcasecmp (text, otherwise[i]) == 0)
            return false;
    }
    strtod (text, &end);
    return *end != '\0';
}

static void add_text (const char *text, struct strbuf *out)
{
    struct json *v;

    if (is_plain (text) || (strncmp (text, "./", 2) == 0 && is_plain (text + 2))
        || (text[0] == '.' && is_plain (text + 1))) {
        strbuf_add_str (out, text);
        return;
    }
    v = json_string (text);
    json_dump (v, JSON_COMPACT, out);
    json_unref (v);
}

static void add_key (const char *key, struct strbuf *out)
{
    char *end;

    /* A key is always text: 000 needs no quotes to be a name. */
    strtod (key, &end);
    if (*key && *end == '\0' && strspn (key, "0123456789") == strlen (key))
        strbuf_add_str (out, key);
    else
        add_text (key, out);
}

static void add_flow (const struct json *v, struct strbuf *out)
{
    const char *separator = "";

    switch (json_kind (v)) {
    case JSON_KIND_STRING:
        add_text (json_as_string (v), out);
        break;
    case JSON_KIND_ARRAY:
        strbuf_add_char (out, '[');
        for (size_t i = 0; i < json_count (v); i++) {
            strbuf_add_str (out, i > 0 ? ", " : "");
            add_flow (json_at (v, i), out);
        }
        strbuf_add_char (out, ']');
        break;
    case JSON_KIND_OBJECT:
        strbuf_add_char (out, '{');
        JSON_FOREACH (v, it) {
            strbuf_add_str (out, separator);
            add_key (json_iter_key (it), out);
            strbuf_add_str (out, ": ");
            add_flow (json_iter_value (it), out);
            separator = ", ";
        }
        strbuf_add_char (out, '}');
        break;
    default:
        json_dump (v, JSON_COMPACT, out);
    }
}

/* --- lines --- */

/* NULL: it has none. */
static const char *note_of (const struct outline *outline, const char *path)
{
    const struct json *note = json_get (outline->notes, path);

    return note ? json_as_string (note) : NULL;
}

static bool has_notes_below (const struct outline *outline, const char *path)
{
    size_t len = strlen (path);

    JSON_FOREACH (outline->notes, it) {
        const char *key = json_iter_key (it);

        if (strncmp (key, path, len) == 0 && key[len] == '.')
            return true;
    }
    return false;
}

/* End the line that begins at 'start' of 'out', with the note where there is
 * room, else with the note in lines above it.
 */
static void end_line (const char *note, size_t start, int indent,
                      struct strbuf *out)
{
    size_t room = LINE_MOST - (size_t)indent - 2;
    char *line;

    if (!note || out->len - start + strlen (note) + 4 <= LINE_MOST) {
        strbuf_addf (out, "%s%s\n", note ? "  # " : "", note ? note : "");
        return;
    }
    line = xstrdup (out->buf + start);
    strbuf_truncate (out, start);
    while (*note) {
        size_t len = strlen (note);

        if (len > room) {
            len = room;
            while (len > 0 && note[len] != ' ')
                len--;
            if (len == 0)
                len = strcspn (note, " ");
        }
        strbuf_addf (out, "%*s# %.*s\n", indent, "", (int)len, note);
        note += len + strspn (note + len, " ");
    }
    strbuf_addf (out, "%s\n", line);
    free (line);
}

static void add_value (const struct outline *outline, const struct json *v,
                       const char *path, size_t start, int indent,
                       struct strbuf *out);

static void add_pairs (const struct outline *outline, const struct json *object,
                       const char *path, int indent, bool first_in_line,
                       struct strbuf *out)
{
    JSON_FOREACH (object, it) {
        const char *key = json_iter_key (it);
        char *below = *path ? xasprintf ("%s.%s", path, key) : xstrdup (key);
        size_t start = out->len;

        if (!first_in_line)
            strbuf_addf (out, "%*s", indent, "");
        else
            start -= (size_t)indent;
        first_in_line = false;
        add_key (key, out);
        strbuf_add_char (out, ':');
        add_value (outline, json_iter_value (it), below, start, indent, out);
        free (below);
    }
}

static void add_items (const struct outline *outline, const struct json *array,
                       const char *path, int indent, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (array); i++) {
        struct json *item = json_at (array, i);
        char *below = xasprintf ("%s.%zu", path, i);
        size_t start = out->len;

        strbuf_addf (out, "%*s- ", indent, "");
        if (json_kind (item) == JSON_KIND_OBJECT && json_count (item) > 0) {
            add_pairs (outline, item, below, indent + INDENT, true, out);
        } else {
            add_flow (item, out);
            end_line (note_of (outline, below), start, indent, out);
        }
        free (below);
    }
}

/* Behind "KEY:". */
static void add_value (const struct outline *outline, const struct json *v,
                       const char *path, size_t start, int indent,
                       struct strbuf *out)
{
    const char *note = note_of (outline, path);
    struct strbuf flow = STRBUF_INIT;
    bool container = json_count (v) > 0;

    add_flow (v, &flow);
    if (!container
        || (out->len - start + 1 + flow.len <= LINE_MOST
            && !has_notes_below (outline, path))) {
        strbuf_addf (out, " %s", flow.buf);
        end_line (note, start, indent, out);
    } else {
        end_line (note, start, indent, out);
        if (json_kind (v) == JSON_KIND_ARRAY)
            add_items (outline, v, path, indent + INDENT, out);
        else
            add_pairs (outline, v, path, indent + INDENT, false, out);
    }
    strbuf_release (&flow);
}

void outline_write (const struct outline *outline, struct strbuf *out)
{
    add_pairs (outline, outline->root, "", 0, false, out);
}

void outline_set_inputs (struct outline *campaign, const char *stage,
                         const struct json *inputs)
{
    JSON_FOREACH (inputs, it) {
        char *path = xasprintf ("stages.%s.with.%s", stage, json_iter_key (it));

        outline_set (campaign, path, json_ref (json_iter_value (it)), NULL);
        free (path);
    }
}
