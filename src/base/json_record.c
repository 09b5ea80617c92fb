/* SPDX-License-Identifier: BSD-3-Clause */
/* json_record.c - typed getters, and records by tables of fields */
#include "base/base.h"

#include "base/json.h"
#include "base/json_record.h"

/* The value of 'key' when it is of 'kind'; else NULL and "key 'x': expected
 * EXPECTED, got ...".
 */
static struct json *want (const struct json *object, const char *key,
                          enum json_kind kind, const char *expected,
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

/* The getter of one kind: 'value' is what 'v' holds. */
#define WANT(name, type, kind, expected, value)                                \
    int json_want_##name (const struct json *object, const char *key,          \
                          type *out, struct error *err)                        \
    {                                                                          \
        struct json *v = want (object, key, kind, expected, err);              \
                                                                               \
        if (!v)                                                                \
            return -1;                                                         \
        *out = value;                                                          \
        return 0;                                                              \
    }

WANT (bool, bool, JSON_KIND_BOOL, "a bool", json_as_bool (v))
WANT (int, int64_t, JSON_KIND_INT, "an integer", json_as_int (v))
WANT (string, const char *, JSON_KIND_STRING, "a string", json_as_string (v))
WANT (array, struct json *, JSON_KIND_ARRAY, "an array", v)
WANT (object, struct json *, JSON_KIND_OBJECT, "an object", v)

int json_want_double (const struct json *object, const char *key, double *out,
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

int json_want_in (const struct json *v, const char *key, int64_t least,
                  int64_t most, int64_t *out, struct error *err)
{
    int64_t n;

    if (json_want_int (v, key, &n, err) < 0)
        return -1;
    if (n < least || n > most)
        return error_set (
            err, "key '%s': expected %" PRId64 " or %s, got %" PRId64, key,
            n < least ? least : most, n < least ? "more" : "less", n);
    *out = n;
    return 0;
}

/* --- records --- */

/* A count is an int64_t, or an int or enum. */
static int64_t get_count (const void *member, size_t size)
{
    return size == sizeof (int64_t) ? *(const int64_t *)member
                                    : *(const int *)member;
}

static int read_count (const struct json *v, const struct json_field *field,
                       void *member, struct error *err)
{
    int64_t n, most = field->most;

    if (most == 0)
        most = field->size == sizeof (n) ? INT64_MAX : INT_MAX;
    if (json_want_in (v, field->key, field->least, most, &n, err) < 0)
        return -1;
    if (field->size == sizeof (n))
        *(int64_t *)member = n;
    else
        *(int *)member = (int)n;
    return 0;
}

static int read_text (const struct json *v, const struct json_field *field,
                      void *member, struct error *err)
{
    const char *text;

    if (json_want_string (v, field->key, &text, err) < 0)
        return -1;
    if (field->kind == JSON_FIELD_TEXT && strlen (text) >= field->size)
        return error_set (err,
                          "key '%s': expected fewer than %zu characters, got "
                          "'%.40s'",
                          field->key, field->size, text);
    if (field->kind == JSON_FIELD_TEXT)
        memcpy (member, text, strlen (text) + 1);
    else
        *(char **)member = xstrdup (text);
    return 0;
}

static int read_field (const struct json *v, const struct json_field *field,
                       void *member, struct error *err)
{
    switch (field->kind) {
    case JSON_FIELD_BOOL:
        return json_want_bool (v, field->key, member, err);
    case JSON_FIELD_COUNT:
        return read_count (v, field, member, err);
    case JSON_FIELD_REAL:
        return json_want_double (v, field->key, member, err);
    case JSON_FIELD_TEXT:
    case JSON_FIELD_STRING:
        return read_text (v, field, member, err);
    case JSON_FIELD_TREE:
        *(struct json **)member = json_deep_copy (json_get (v, field->key));
        return 0;
    }
    return error_set (err, "key '%s': no such kind of field", field->key);
}

int json_record_read (const struct json *v, const struct json_field *fields,
                      void *record, struct error *err)
{
    for (; fields->key; fields++) {
        if ((fields->optional || fields->kind == JSON_FIELD_TREE)
            && !json_get (v, fields->key))
            continue;
        if (read_field (v, fields, (char *)record + fields->offset, err) < 0)
            return -1;
    }
    return 0;
}

/* NULL: no key. */
static struct json *field_json (const struct json_field *field,
                                const void *member)
{
    const struct json *tree;
    const char *text;

    switch (field->kind) {
    case JSON_FIELD_BOOL:
        return json_bool (*(const bool *)member);
    case JSON_FIELD_COUNT:
        return json_int (get_count (member, field->size));
    case JSON_FIELD_REAL:
        return json_real (*(const double *)member);
    case JSON_FIELD_TEXT:
        return json_string (member);
    case JSON_FIELD_STRING:
        text = *(char *const *)member;
        return text ? json_string (text) : NULL;
    case JSON_FIELD_TREE:
        tree = *(struct json *const *)member;
        return tree ? json_deep_copy (tree) : NULL;
    }
    return NULL;
}

void json_record_write (const void *record, const struct json_field *fields,
                        struct json *v)
{
    for (; fields->key; fields++) {
        const void *member = (const char *)record + fields->offset;
        struct json *value = field_json (fields, member);

        if (value)
            json_set (v, fields->key, value);
    }
}
