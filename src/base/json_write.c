/* SPDX-License-Identifier: BSD-3-Clause */
/* json_write.c - values to JSON text; files of it */
#include "base/base.h"

#include "base/file.h"
#include "base/json_private.h"

/* Nothing we write comes near; what is larger was not written by us. */
static const size_t file_bytes_max = (size_t)1 << 30;

static void dump_string (const char *s, struct strbuf *out)
{
    strbuf_add_char (out, '"');
    while (*s) {
        size_t plain = 0;

        while ((unsigned char)s[plain] >= 0x20 && s[plain] != '"'
               && s[plain] != '\\' && s[plain] != 0x7f)
            plain++;
        strbuf_add (out, s, plain);
        s += plain;
        if (!*s)
            break;
        if (*s == '"' || *s == '\\')
            strbuf_addf (out, "\\%c", *s);
        else if (*s == '\n')
            strbuf_add_str (out, "\\n");
        else if (*s == '\t')
            strbuf_add_str (out, "\\t");
        else
            strbuf_addf (out, "\\u%04x", (unsigned int)*s);
        s++;
    }
    strbuf_add_char (out, '"');
}

static void dump_value (const struct json *v, int flags, int depth,
                        struct strbuf *out);

static void add_line (int depth, struct strbuf *out)
{
    strbuf_add_char (out, '\n');
    for (int i = 0; i < depth; i++)
        strbuf_add (out, "  ", 2);
}

/* What stands before an element ('first': no comma) or a closing bracket. */
static void dump_break (int flags, int depth, bool comma, struct strbuf *out)
{
    if (comma)
        strbuf_add_char (out, ',');
    if (flags & JSON_PRETTY)
        add_line (depth, out);
}

static void dump_array (const struct json *v, int flags, int depth,
                        struct strbuf *out)
{
    size_t n = json_count (v);

    strbuf_add_char (out, '[');
    for (size_t i = 0; i < n; i++) {
        dump_break (flags, depth + 1, i > 0, out);
        dump_value (json_at (v, i), flags, depth + 1, out);
    }
    if (n > 0)
        dump_break (flags, depth, false, out);
    strbuf_add_char (out, ']');
}

struct pair {
    const char *key;
    const struct json *value;
};

static int compare_keys (const void *a, const void *b)
{
    return strcmp (((const struct pair *)a)->key,
                   ((const struct pair *)b)->key);
}

static void dump_object (const struct json *v, int flags, int depth,
                         struct strbuf *out)
{
    size_t n = 0;
    _cleanup_free_ struct pair *pairs =
        xcalloc (json_count (v), sizeof (*pairs));

    JSON_FOREACH (v, it)
        pairs[n++] = (struct pair){ json_iter_key (it), json_iter_value (it) };
    if (flags & JSON_SORTED)
        qsort (pairs, n, sizeof (*pairs), compare_keys);
    strbuf_add_char (out, '{');
    for (size_t i = 0; i < n; i++) {
        dump_break (flags, depth + 1, i > 0, out);
        dump_string (pairs[i].key, out);
        strbuf_add_str (out, flags & JSON_PRETTY ? ": " : ":");
        dump_value (pairs[i].value, flags, depth + 1, out);
    }
    if (n > 0)
        dump_break (flags, depth, false, out);
    strbuf_add_char (out, '}');
}

static void dump_value (const struct json *v, int flags, int depth,
                        struct strbuf *out)
{
    switch (json_kind (v)) {
    case JSON_KIND_NULL:
        strbuf_add_str (out, "null");
        break;
    case JSON_KIND_BOOL:
        strbuf_add_str (out, json_as_bool (v) ? "true" : "false");
        break;
    case JSON_KIND_INT:
        strbuf_add_int (out, json_as_int (v));
        break;
    case JSON_KIND_REAL:
        strbuf_add_double (out, json_as_double (v));
        break;
    case JSON_KIND_STRING:
        dump_string (json_as_string (v), out);
        break;
    case JSON_KIND_ARRAY:
        dump_array (v, flags, depth, out);
        break;
    case JSON_KIND_OBJECT:
        dump_object (v, flags, depth, out);
        break;
    }
}

void json_dump (const struct json *v, int flags, struct strbuf *out)
{
    dump_value (v, flags, 0, out);
    if (flags & JSON_PRETTY)
        strbuf_add_char (out, '\n');
}

/* --- what must not be written --- */

static void add_place (const struct json_place *place, struct strbuf *out)
{
    if (!place)
        return;
    add_place (place->up, out);
    if (!place->key)
        strbuf_addf (out, "[%zu]", place->index);
    else
        strbuf_addf (out, "%s%s", place->up ? "." : "", place->key);
}

void json_place_text (const struct json_place *place, struct strbuf *out)
{
    if (!place)
        return;
    strbuf_add_str (out, "key '");
    add_place (place, out);
    strbuf_add_str (out, "': ");
}

static int check_at (const struct json *v, const struct json_place *place,
                     struct error *err)
{
    struct json_place inner = { .up = place };
    _cleanup_ (strbuf_release) struct strbuf where = STRBUF_INIT;
    int64_t n = json_as_int (v);

    if (json_kind (v) == JSON_KIND_ARRAY) {
        for (; inner.index < json_count (v); inner.index++) {
            if (check_at (json_at (v, inner.index), &inner, err) < 0)
                return -1;
        }
    }
    JSON_FOREACH (v, it) {
        inner.key = json_iter_key (it);
        if (check_at (json_iter_value (it), &inner, err) < 0)
            return -1;
    }
    if (json_int_fits (n))
        return 0;
    json_place_text (place, &where);
    error_set (err,
               "%sthe integer %" PRId64 " is beyond 2^53 - 1; write it as "
               "text",
               where.buf, n);
    return -1;
}

int json_check (const struct json *v, struct error *err)
{
    return check_at (v, NULL, err);
}

/* --- files --- */

struct json *json_read_file (const char *path, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *v = NULL;

    if (file_read (path, file_bytes_max, &text, err) == 0)
        v = json_parse (text.buf, text.len, path, err);
    return v;
}

int json_write_file (const char *path, const struct json *v, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (json_check (v, err) < 0)
        return error_prefix (err, "%s", path);
    json_dump (v, JSON_PRETTY, &text);
    return file_write_atomic (path, text.buf, text.len, err);
}
