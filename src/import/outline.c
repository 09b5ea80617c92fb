/* SPDX-License-Identifier: BSD-3-Clause */
/* outline.c - a YAML file that is being written, with notes beside its keys */
#include "base/base.h"

#include "base/json.h"
#include "import/outline.h"

enum { INDENT = 2, LINE_MOST = 79 };

void outline_init (struct outline *outline)
{
    outline->root = json_object ();
    outline->notes = json_object ();
    outline->shared = json_object ();
}

void outline_release (struct outline *outline)
{
    json_unref (outline->root);
    json_unref (outline->notes);
    json_unref (outline->shared);
    outline->root = outline->notes = outline->shared = NULL;
}

void outline_share (struct outline *outline, const char *key, struct json *v)
{
    json_set (outline->shared, key, json_ref (v));
}

void outline_note (struct outline *outline, const char *path, const char *note,
                   ...)
{
    va_list ap;
    _cleanup_free_ char *text = NULL;

    va_start (ap, note);
    text = xvasprintf (note, ap);
    va_end (ap);
    json_set (outline->notes, path, json_string (text_made_plain (text)));
}

void outline_set (struct outline *outline, const char *path, struct json *v,
                  const char *note, ...)
{
    va_list ap;
    _cleanup_free_ char *text = NULL;

    json_set_path (outline->root, path, v);
    if (!note)
        return;
    va_start (ap, note);
    text = xvasprintf (note, ap);
    va_end (ap);
    outline_note (outline, path, "%s", text);
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
    _cleanup_json_ struct json *v = NULL;

    if (is_plain (text) || (strncmp (text, "./", 2) == 0 && is_plain (text + 2))
        || (text[0] == '.' && is_plain (text + 1))) {
        strbuf_add_str (out, text);
        return;
    }
    v = json_string (text);
    json_dump (v, JSON_COMPACT, out);
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

/* --- what is written once --- */

/* What is being written, and where anchors and aliases stand in it. */
struct writing {
    const struct outline *outline;
    struct json *marks; /* {path: "&KEY" or "*KEY"} */
};

static char *path_below (const char *path, const char *key)
{
    return *path ? xasprintf ("%s.%s", path, key) : xstrdup (key);
}

/* Collect the paths, in their order, where shared values stand: {KEY: [path]}.
 */
static void find_shared (const struct json *shared, const struct json *v,
                         const char *path, struct json *places)
{
    for (size_t i = 0; json_kind (v) == JSON_KIND_ARRAY && i < json_count (v);
         i++) {
        _cleanup_free_ char *below = xasprintf ("%s.%zu", path, i);

        find_shared (shared, json_at (v, i), below, places);
    }
    if (json_kind (v) != JSON_KIND_OBJECT)
        return;
    JSON_FOREACH (v, it) {
        const char *key = json_iter_key (it);
        const struct json *one = json_get (shared, key);
        _cleanup_free_ char *below = path_below (path, key);

        if (one && json_equal (one, json_iter_value (it))) {
            if (!json_get (places, key))
                json_set (places, key, json_array ());
            json_push (json_get (places, key), json_string (below));
        } else {
            find_shared (shared, json_iter_value (it), below, places);
        }
    }
}

static struct json *marks_of (const struct outline *outline)
{
    _cleanup_json_ struct json *places = json_object ();
    struct json *marks = json_object ();

    find_shared (outline->shared, outline->root, "", places);
    JSON_FOREACH (places, it) {
        const struct json *paths = json_iter_value (it);

        for (size_t i = 0; json_count (paths) > 1 && i < json_count (paths);
             i++)
            json_set (marks, json_as_string (json_at (paths, i)),
                      json_stringf ("%csystem_%s", i == 0 ? '&' : '*',
                                    json_iter_key (it)));
    }
    return marks;
}

/* --- lines --- */

static bool has_key_below (const struct json *v, const char *path)
{
    size_t len = strlen (path);

    JSON_FOREACH (v, it) {
        const char *key = json_iter_key (it);

        if (strncmp (key, path, len) == 0 && key[len] == '.')
            return true;
    }
    return false;
}

/* NULL: it has none. */
static const char *note_of (const struct writing *w, const char *path)
{
    const struct json *note = json_get (w->outline->notes, path);

    return note ? json_as_string (note) : NULL;
}

/* Is there something in it that does not stand in a line with others? */
static bool has_lines_below (const struct writing *w, const char *path)
{
    return has_key_below (w->outline->notes, path)
           || has_key_below (w->marks, path);
}

/* End the line that begins at 'start' of 'out', with the note where there is
 * room, else with the note in lines above it.
 */
static void end_line (const char *note, size_t start, int indent,
                      struct strbuf *out)
{
    size_t room = LINE_MOST - (size_t)indent - 2;
    _cleanup_free_ char *line = NULL;

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
}

static void add_value (const struct writing *w, const struct json *v,
                       const char *path, size_t start, int indent,
                       struct strbuf *out);

static void add_pairs (const struct writing *w, const struct json *object,
                       const char *path, int indent, bool first_in_line,
                       struct strbuf *out)
{
    JSON_FOREACH (object, it) {
        const char *key = json_iter_key (it);
        _cleanup_free_ char *below = path_below (path, key);
        const char *mark = json_get_string (w->marks, below);
        size_t start = out->len;

        if (!first_in_line)
            strbuf_addf (out, "%*s", indent, "");
        else
            start -= (size_t)indent;
        first_in_line = false;
        add_key (key, out);
        strbuf_add_char (out, ':');
        if (*mark)
            strbuf_addf (out, " %s", mark);
        if (*mark == '*')
            end_line (note_of (w, below), start, indent, out);
        else
            add_value (w, json_iter_value (it), below, start, indent, out);
    }
}

static void add_items (const struct writing *w, const struct json *array,
                       const char *path, int indent, struct strbuf *out)
{
    for (size_t i = 0; i < json_count (array); i++) {
        struct json *item = json_at (array, i);
        _cleanup_free_ char *below = xasprintf ("%s.%zu", path, i);
        size_t start = out->len;

        strbuf_addf (out, "%*s- ", indent, "");
        if (json_kind (item) == JSON_KIND_OBJECT && json_count (item) > 0) {
            add_pairs (w, item, below, indent + INDENT, true, out);
        } else {
            add_flow (item, out);
            end_line (note_of (w, below), start, indent, out);
        }
    }
}

/* Behind "KEY:". */
static void add_value (const struct writing *w, const struct json *v,
                       const char *path, size_t start, int indent,
                       struct strbuf *out)
{
    const char *note = note_of (w, path);
    _cleanup_ (strbuf_release) struct strbuf flow = STRBUF_INIT;
    bool container = json_count (v) > 0;

    add_flow (v, &flow);
    if (!container
        || (out->len - start + 1 + flow.len <= LINE_MOST
            && !has_lines_below (w, path))) {
        strbuf_addf (out, " %s", flow.buf);
        end_line (note, start, indent, out);
    } else {
        end_line (note, start, indent, out);
        if (json_kind (v) == JSON_KIND_ARRAY)
            add_items (w, v, path, indent + INDENT, out);
        else
            add_pairs (w, v, path, indent + INDENT, false, out);
    }
}

void outline_write (const struct outline *outline, struct strbuf *out)
{
    struct writing w = { outline, marks_of (outline) };

    add_pairs (&w, outline->root, "", 0, false, out);
    json_unref (w.marks);
}

void outline_set_inputs (struct outline *campaign, const char *stage,
                         const struct json *inputs)
{
    JSON_FOREACH (inputs, it) {
        _cleanup_free_ char *path =
            xasprintf ("stages.%s.with.%s", stage, json_iter_key (it));

        outline_set (campaign, path, json_ref (json_iter_value (it)), NULL);
    }
}
