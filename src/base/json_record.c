/* SPDX-License-Identifier: BSD-3-Clause */
/* json_record.c - typed getters, and JSON as text and files */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"

/* Nothing we write comes near; what is larger was not written by us. */
static const size_t file_bytes_max = (size_t)1 << 30;

/* The value of 'key' when it is of 'kind'; else NULL and "key 'x': expected
 * EXPECTED, got ...".
 */
static struct json *want (const struct json *object,
                          const char *key,
                          enum json_kind kind,
                          const char *expected,
                          struct error *err)
{
    struct json *v = json_get (object, key);

    if (!v)
        error_set (err, "key '%s': missing, expected %s", key, expected);
    else if (json_kind (v) == kind)
        return v;
    else
        error_set (err, "key '%s': expected %s, got %s", key, expected,
                   json_kind_name (v));
    return NULL;
}

int json_want_bool (const struct json *object,
                    const char *key,
                    bool *out,
                    struct error *err)
{
    struct json *v = want (object, key, JSON_KIND_BOOL, "a bool", err);

    if (!v)
        return -1;
    *out = json_as_bool (v);
    return 0;
}

int json_want_int (const struct json *object,
                   const char *key,
                   int64_t *out,
                   struct error *err)
{
    struct json *v = want (object, key, JSON_KIND_INT, "an integer", err);

    if (!v)
        return -1;
    *out = json_as_int (v);
    return 0;
}

int json_want_double (const struct json *object,
                      const char *key,
                      double *out,
                      struct error *err)
{
    struct json *v = json_get (object, key);

    if (json_kind (v) != JSON_KIND_INT)
        v = want (object, key, JSON_KIND_REAL, "a number", err);
    if (!v)
        return -1;
    *out = json_as_double (v);
    return 0;
}

int json_want_string (const struct json *object,
                      const char *key,
                      const char **out,
                      struct error *err)
{
    struct json *v = want (object, key, JSON_KIND_STRING, "a string", err);

    if (!v)
        return -1;
    *out = json_as_string (v);
    return 0;
}

int json_want_array (const struct json *object,
                     const char *key,
                     struct json **out,
                     struct error *err)
{
    struct json *v = want (object, key, JSON_KIND_ARRAY, "an array", err);

    if (!v)
        return -1;
    *out = v;
    return 0;
}

int json_want_object (const struct json *object,
                      const char *key,
                      struct json **out,
                      struct error *err)
{
    struct json *v = want (object, key, JSON_KIND_OBJECT, "an object", err);

    if (!v)
        return -1;
    *out = v;
    return 0;
}

/* --- text --- */

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

static void dump_value (const struct json *v,
                        int flags,
                        int depth,
                        struct strbuf *out);

/* What stands before an element ('first': no comma) or a closing bracket. */
static void dump_break (int flags, int depth, bool comma, struct strbuf *out)
{
    if (comma)
        strbuf_add_char (out, ',');
    if (flags & JSON_PRETTY)
        strbuf_addf (out, "\n%*s", 2 * depth, "");
}

static void dump_array (const struct json *v,
                        int flags,
                        int depth,
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

static void dump_object (const struct json *v,
                         int flags,
                         int depth,
                         struct strbuf *out)
{
    size_t n = 0;
    struct pair *pairs = xcalloc (json_count (v), sizeof (*pairs));

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
    free (pairs);
}

static void dump_value (const struct json *v,
                        int flags,
                        int depth,
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
        strbuf_addf (out, "%lld", (long long)json_as_int (v));
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

/* --- files --- */

struct json *json_read_file (const char *path, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct json *v = NULL;

    if (file_read (path, file_bytes_max, &text, err) == 0)
        v = json_parse (text.buf, text.len, path, err);
    strbuf_release (&text);
    return v;
}

int json_write_file (const char *path, const struct json *v, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc;

    json_dump (v, JSON_PRETTY, &text);
    rc = file_write_atomic (path, text.buf, text.len, err);
    strbuf_release (&text);
    return rc;
}
