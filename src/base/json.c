/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON values, kept by jansson
 *
 * This is the only file that knows the library: 'struct json' is its json_t.
 * What takes the library's functions of the names base/json.h redefines comes
 * before that header is included.
 */
#include "config.h"

#include <jansson.h>

static json_t *library_null (void)
{
    return json_null ();
}

static json_t *library_real (double v)
{
    return json_real (v);
}

static json_t *library_array (void)
{
    return json_array ();
}

static json_t *library_object (void)
{
    return json_object ();
}

static json_t *library_deep_copy (const json_t *v)
{
    return json_deep_copy (v);
}

static int library_equal (const json_t *a, const json_t *b)
{
    return json_equal (a, b);
}

/* These are macros in the library and ours below. */
#undef JSON_COMPACT
#undef json_is_null

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"

/* Deeper text is refused before the library recurses into it. */
enum { DEPTH_MAX = 512 };

static json_t *inside (const struct json *v)
{
    return (json_t *)v;
}

/* The library makes values out of nothing but memory and checked text. */
static struct json *made (json_t *v)
{
    if (!v)
        alloc_failed (sizeof (void *));
    return (struct json *)v;
}

/* --- making --- */

struct json *json_null (void)
{
    return made (library_null ());
}

struct json *json_bool (bool v)
{
    return made (v ? json_true () : json_false ());
}

struct json *json_int (int64_t v)
{
    return made (json_integer (v));
}

struct json *json_real (double v)
{
    return isfinite (v) ? made (library_real (v)) : json_null ();
}

/* The length of the UTF-8 character at 's', or 0 when there is none (Unicode
 * 15.0, table 3-7, which leaves out surrogates and longer forms).
 */
static size_t utf8_length (const unsigned char *s)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t len;

    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if (s[0] == 0xe0)
        low = 0xa0;
    else if (s[0] == 0xed)
        high = 0x9f;
    else if (s[0] == 0xf0)
        low = 0x90;
    else if (s[0] == 0xf4)
        high = 0x8f;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    return len;
}

/* Append 's' with every byte that is no UTF-8 replaced. */
static void add_as_utf8 (struct strbuf *out, const char *s)
{
    while (*s) {
        size_t len = utf8_length ((const unsigned char *)s);

        if (len > 0)
            strbuf_add (out, s, len);
        else
            strbuf_add_str (out, "\xef\xbf\xbd");
        s += len > 0 ? len : 1;
    }
}

struct json *json_string (const char *s)
{
    struct strbuf clean = STRBUF_INIT;
    struct json *v;

    if (!s)
        return json_null ();
    add_as_utf8 (&clean, s);
    v = made (json_stringn_nocheck (clean.buf, clean.len));
    strbuf_release (&clean);
    return v;
}

struct json *json_stringf (const char *fmt, ...)
{
    struct strbuf text = STRBUF_INIT;
    struct json *v;
    va_list ap;

    va_start (ap, fmt);
    strbuf_vaddf (&text, fmt, ap);
    va_end (ap);
    v = json_string (text.buf);
    strbuf_release (&text);
    return v;
}

struct json *json_array (void)
{
    return made (library_array ());
}

struct json *json_object (void)
{
    return made (library_object ());
}

struct json *json_ref (struct json *v)
{
    json_incref (inside (v));
    return v;
}

void json_unref (struct json *v)
{
    json_decref (inside (v));
}

struct json *json_deep_copy (const struct json *v)
{
    return v ? made (library_deep_copy (inside (v))) : json_null ();
}

void json_set (struct json *object, const char *key, struct json *v)
{
    struct strbuf clean = STRBUF_INIT;

    add_as_utf8 (&clean, key);
    if (json_object_set_new_nocheck (inside (object), clean.buf,
                                     inside (v ? v : json_null ()))
        < 0)
        alloc_failed (clean.len);
    strbuf_release (&clean);
}

void json_push (struct json *array, struct json *v)
{
    if (json_array_append_new (inside (array), inside (v ? v : json_null ()))
        < 0)
        alloc_failed (sizeof (void *));
}

void json_delete (struct json *object, const char *key)
{
    json_object_del (inside (object), key);
}

/* --- looking --- */

enum json_kind json_kind (const struct json *v)
{
    if (!v)
        return JSON_KIND_NULL;
    switch (json_typeof (inside (v))) {
    case JSON_OBJECT:
        return JSON_KIND_OBJECT;
    case JSON_ARRAY:
        return JSON_KIND_ARRAY;
    case JSON_STRING:
        return JSON_KIND_STRING;
    case JSON_INTEGER:
        return JSON_KIND_INT;
    case JSON_REAL:
        return JSON_KIND_REAL;
    case JSON_TRUE:
    case JSON_FALSE:
        return JSON_KIND_BOOL;
    case JSON_NULL:
        break;
    }
    return JSON_KIND_NULL;
}

const char *json_kind_name (const struct json *v)
{
    static const char *const names[] = {
        [JSON_KIND_NULL] = "null",        [JSON_KIND_BOOL] = "a bool",
        [JSON_KIND_INT] = "an integer",   [JSON_KIND_REAL] = "a real number",
        [JSON_KIND_STRING] = "a string",  [JSON_KIND_ARRAY] = "an array",
        [JSON_KIND_OBJECT] = "an object",
    };

    return names[json_kind (v)];
}

bool json_is_null (const struct json *v)
{
    return json_kind (v) == JSON_KIND_NULL;
}

size_t json_count (const struct json *v)
{
    return json_is_array (inside (v)) ? json_array_size (inside (v))
                                      : json_object_size (inside (v));
}

struct json *json_get (const struct json *object, const char *key)
{
    return (struct json *)json_object_get (inside (object), key);
}

struct json *json_at (const struct json *array, size_t i)
{
    return (struct json *)json_array_get (inside (array), i);
}

bool json_as_bool (const struct json *v)
{
    return json_is_true (inside (v));
}

int64_t json_as_int (const struct json *v)
{
    return json_integer_value (inside (v));
}

double json_as_double (const struct json *v)
{
    return json_number_value (inside (v));
}

const char *json_as_string (const struct json *v)
{
    const char *s = json_string_value (inside (v));

    return s ? s : "";
}

bool json_equal (const struct json *a, const struct json *b)
{
    if (json_is_null (a) || json_is_null (b))
        return json_is_null (a) && json_is_null (b);
    return library_equal (inside (a), inside (b));
}

void *json_iter (const struct json *object)
{
    return json_object_iter (inside (object));
}

void *json_iter_next (const struct json *object, void *it)
{
    return json_object_iter_next (inside (object), it);
}

const char *json_iter_key (void *it)
{
    return json_object_iter_key (it);
}

struct json *json_iter_value (void *it)
{
    return (struct json *)json_object_iter_value (it);
}

/* --- parsing --- */

/* What the library would take and we do not: returns the complaint about the
 * first such place and sets *at to it; or NULL.
 */
static const char *check_text (const char *text, size_t len, size_t *at)
{
    bool in_string = false;
    int depth = 0;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];

        *at = i;
        if (c == '\0')
            return "a NUL character";
        if (in_string) {
            in_string = c != '"';
            i += c == '\\';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > DEPTH_MAX)
                return "nested too deep";
        } else if (c == ']' || c == '}') {
            depth--;
        }
    }
    return NULL;
}

static void set_complaint (struct error *err,
                           const char *name,
                           const char *text,
                           size_t at,
                           const char *complaint)
{
    int line = 1, column = 1;

    for (size_t i = 0; i < at; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    error_set (err, "%s:%d:%d: %s", name, line, column, complaint);
}

struct json *json_parse (const char *text,
                         size_t len,
                         const char *name,
                         struct error *err)
{
    size_t at = 0;
    const char *complaint = check_text (text, len, &at);
    json_error_t failure;
    json_t *v;

    if (complaint) {
        set_complaint (err, name, text, at, complaint);
        return NULL;
    }
    v = json_loadb (text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY,
                    &failure);
    if (!v)
        error_set (err, "%s:%d:%d: %s", name,
                   failure.line > 0 ? failure.line : 1,
                   failure.column > 0 ? failure.column : 1, failure.text);
    return (struct json *)v;
}
