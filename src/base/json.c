/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON values: make them, look at them */
#include "base/base.h"

#include <assert.h>

#include "base/hash.h"
#include "base/json_private.h"

struct member {
    char *key;
    struct json *value;
};

/* An object that could hold more members than this has an index behind them:
 * 2 * alloc numbers of members (from 1; 0: free), found by the hash of the key
 * or in the places that follow it.
 */
enum { INDEXED = 16 };

struct json {
    enum json_kind kind;
    uint32_t references;
    union {
        bool truth;
        int64_t integer;
        double real;
        char *string;
        struct json **elements;
        struct member *members;
    };
    uint32_t n, alloc; /* of elements or members; 'alloc' is a power of two */
};

static struct json *make (enum json_kind kind)
{
    struct json *v = xcalloc (1, sizeof (*v));

    v->kind = kind;
    v->references = 1;
    return v;
}

static bool is_array (const struct json *v)
{
    return v && v->kind == JSON_KIND_ARRAY;
}

static bool is_object (const struct json *v)
{
    return v && v->kind == JSON_KIND_OBJECT;
}

/* --- text --- */

size_t json_utf8_length (const char *s, size_t len)
{
    unsigned char first = (unsigned char)s[0], low = 0x80, high = 0xbf;
    size_t wanted;

    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    wanted = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    if (len < wanted || (unsigned char)s[1] < low || (unsigned char)s[1] > high)
        return 0;
    for (size_t i = 2; i < wanted; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    }
    return wanted;
}

bool json_is_text (const char *s)
{
    size_t len = 1;

    for (size_t left = strlen (s); left > 0 && len > 0; left -= len) {
        len = json_utf8_length (s, left);
        s += len;
    }
    return len > 0;
}

/* A copy of 's' with every byte that is no UTF-8 replaced. */
static char *copy_as_utf8 (const char *s)
{
    struct strbuf clean = STRBUF_INIT;
    size_t left = strlen (s), good = 0, len;

    for (;;) {
        while (good < left
               && (len = json_utf8_length (s + good, left - good)) > 0)
            good += len;
        if (good == left && clean.len == 0)
            return xstrndup (s, left);
        strbuf_add (&clean, s, good);
        if (good == left)
            return strbuf_detach (&clean);
        strbuf_add_str (&clean, "\xef\xbf\xbd");
        s += good + 1;
        left -= good + 1;
        good = 0;
    }
}

/* --- making --- */

struct json *json_null (void)
{
    return make (JSON_KIND_NULL);
}

struct json *json_bool (bool v)
{
    struct json *made = make (JSON_KIND_BOOL);

    made->truth = v;
    return made;
}

struct json *json_int (int64_t v)
{
    struct json *made = make (JSON_KIND_INT);

    made->integer = v;
    return made;
}

struct json *json_real (double v)
{
    struct json *made;

    if (!isfinite (v))
        return json_null ();
    made = make (JSON_KIND_REAL);
    made->real = v;
    return made;
}

struct json *json_own_string (char *s)
{
    struct json *made = make (JSON_KIND_STRING);

    made->string = s;
    return made;
}

struct json *json_string (const char *s)
{
    return s ? json_own_string (copy_as_utf8 (s)) : json_null ();
}

struct json *json_stringf (const char *fmt, ...)
{
    struct json *v;
    va_list ap;
    _cleanup_free_ char *text = NULL;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    v = json_string (text);
    return v;
}

struct json *json_strings (const struct strvec *texts)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < texts->n; i++)
        json_push (v, json_string (texts->v[i]));
    return v;
}

struct json *json_array (void)
{
    return make (JSON_KIND_ARRAY);
}

struct json *json_object (void)
{
    return make (JSON_KIND_OBJECT);
}

struct json *json_ref (struct json *v)
{
    if (v)
        v->references++;
    return v;
}

static struct json **slot (const struct json *v, uint32_t i)
{
    return is_array (v) ? &v->elements[i] : &v->members[i].value;
}

static void destroy_empty (struct json *v)
{
    if (v->kind >= JSON_KIND_STRING)
        free (v->string); /* or the elements, or the members */
    free (v);
}

/* Not recursive, so that no depth is too deep: on the way down each container
 * keeps the way back, in the slot of the child that was taken out of it.
 */
void json_unref (struct json *v)
{
    struct json *up = NULL, *child;

    if (!v || --v->references > 0)
        return;
    while (v) {
        if (v->n == 0) {
            destroy_empty (v);
            v = up;
            if (v)
                up = *slot (v, v->n);
            continue;
        }
        v->n--;
        if (is_object (v))
            free (v->members[v->n].key);
        child = *slot (v, v->n);
        if (--child->references > 0)
            continue;
        *slot (v, v->n) = up;
        up = v;
        v = child;
    }
}

struct json *json_deep_copy (const struct json *v)
{
    struct json *copy;

    if (!v || v->kind == JSON_KIND_NULL)
        return json_null ();
    copy = make (v->kind);
    switch (v->kind) {
    case JSON_KIND_STRING:
        copy->string = xstrdup (v->string);
        break;
    case JSON_KIND_ARRAY:
        for (uint32_t i = 0; i < v->n; i++)
            json_push (copy, json_deep_copy (v->elements[i]));
        break;
    case JSON_KIND_OBJECT:
        for (uint32_t i = 0; i < v->n; i++)
            json_own_member (copy, xstrdup (v->members[i].key),
                             json_deep_copy (v->members[i].value));
        break;
    default:
        copy->real = v->real;
        copy->integer = v->integer;
    }
    return copy;
}

/* --- arrays and objects --- */

/* Room for one more; objects keep their index up to date. */
static uint32_t next_alloc (const struct json *v)
{
    if (v->alloc > UINT32_MAX / 4)
        alloc_failed (SIZE_MAX);
    return v->alloc > 0 ? 2 * v->alloc : 4;
}

void json_push (struct json *array, struct json *v)
{
    assert (is_array (array));
    if (array->n == array->alloc) {
        array->alloc = next_alloc (array);
        array->elements = xreallocarray (array->elements, array->alloc,
                                         sizeof (struct json *));
    }
    array->elements[array->n++] = v ? v : json_null ();
}

static uint32_t *index_of (const struct json *object)
{
    return object->alloc > INDEXED
               ? (uint32_t *)(object->members + object->alloc)
               : NULL;
}

/* The place in the index of 'key', or where it would be. */
static uint32_t *indexed (const struct json *object, const char *key)
{
    uint32_t *index = index_of (object), mask = 2 * object->alloc - 1;
    uint32_t i = (uint32_t)hash_string (0, key) & mask;

    while (index[i] > 0 && strcmp (object->members[index[i] - 1].key, key) != 0)
        i = (i + 1) & mask;
    return &index[i];
}

static void index_members (struct json *object)
{
    uint32_t *index = index_of (object);

    if (!index)
        return;
    memset (index, 0, 2 * object->alloc * sizeof (*index));
    for (uint32_t i = 0; i < object->n; i++)
        *indexed (object, object->members[i].key) = i + 1;
}

static struct member *find (const struct json *object, const char *key)
{
    if (!is_object (object))
        return NULL;
    if (index_of (object)) {
        uint32_t i = *indexed (object, key);

        return i > 0 ? &object->members[i - 1] : NULL;
    }
    for (uint32_t i = 0; i < object->n; i++) {
        if (strcmp (object->members[i].key, key) == 0)
            return &object->members[i];
    }
    return NULL;
}

bool json_own_member (struct json *object, char *key, struct json *v)
{
    assert (is_object (object));
    if (find (object, key))
        return false;
    if (object->n == object->alloc) {
        size_t size = sizeof (struct member);

        object->alloc = next_alloc (object);
        if (index_of (object))
            size += 2 * sizeof (uint32_t);
        object->members = xreallocarray (object->members, object->alloc, size);
        index_members (object);
    }
    if (index_of (object))
        *indexed (object, key) = object->n + 1;
    object->members[object->n++] = (struct member){ key, v };
    return true;
}

void json_set (struct json *object, const char *key, struct json *v)
{
    char *clean = copy_as_utf8 (key);

    if (!v)
        v = json_null ();
    if (!json_own_member (object, clean, v)) {
        struct member *member = find (object, clean);

        json_unref (member->value);
        member->value = v;
        free (clean);
    }
}

void json_set_from (struct json *object, const char *key,
                    const struct json *from)
{
    struct json *v = json_get (from, key);

    if (v)
        json_set (object, key, json_ref (v));
}

void json_delete (struct json *object, const char *key)
{
    struct member *member = find (object, key), *end;

    if (!member)
        return;
    free (member->key);
    json_unref (member->value);
    end = object->members + object->n--;
    memmove (member, member + 1, (size_t)(end - member - 1) * sizeof (*member));
    index_members (object);
}

/* --- looking --- */

enum json_kind json_kind (const struct json *v)
{
    return v ? v->kind : JSON_KIND_NULL;
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

bool json_is_number (const struct json *v)
{
    return json_kind (v) == JSON_KIND_INT || json_kind (v) == JSON_KIND_REAL;
}

size_t json_count (const struct json *v)
{
    return v ? v->n : 0;
}

struct json *json_get (const struct json *object, const char *key)
{
    struct member *member = find (object, key);

    return member ? member->value : NULL;
}

struct json *json_at (const struct json *array, size_t i)
{
    return is_array (array) && i < array->n ? array->elements[i] : NULL;
}

bool json_as_bool (const struct json *v)
{
    return json_kind (v) == JSON_KIND_BOOL && v->truth;
}

int64_t json_as_int (const struct json *v)
{
    return json_kind (v) == JSON_KIND_INT ? v->integer : 0;
}

double json_as_double (const struct json *v)
{
    if (json_kind (v) == JSON_KIND_INT)
        return (double)v->integer;
    return json_kind (v) == JSON_KIND_REAL ? v->real : 0;
}

const char *json_as_string (const struct json *v)
{
    return json_kind (v) == JSON_KIND_STRING ? v->string : "";
}

int64_t json_get_int (const struct json *object, const char *key)
{
    return json_as_int (json_get (object, key));
}

double json_get_double (const struct json *object, const char *key)
{
    return json_as_double (json_get (object, key));
}

bool json_array_has_string (const struct json *array, const char *s)
{
    for (size_t i = 0; i < json_count (array); i++) {
        if (strcmp (json_as_string (json_at (array, i)), s) == 0)
            return true;
    }
    return false;
}

const char *json_get_string (const struct json *object, const char *key)
{
    return json_as_string (json_get (object, key));
}

/* Of two containers of one kind and size; members may be in any order. */
static bool same_inside (const struct json *a, const struct json *b)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const struct json *other =
            is_object (a) ? json_get (b, a->members[i].key) : b->elements[i];

        if (!other || !json_equal (*slot (a, i), other))
            return false;
    }
    return true;
}

bool json_equal (const struct json *a, const struct json *b)
{
    if (json_kind (a) != json_kind (b) || json_count (a) != json_count (b))
        return false;
    switch (json_kind (a)) {
    case JSON_KIND_NULL:
        return true;
    case JSON_KIND_BOOL:
        return a->truth == b->truth;
    case JSON_KIND_INT:
        return a->integer == b->integer;
    case JSON_KIND_REAL:
        return a->real == b->real;
    case JSON_KIND_STRING:
        return strcmp (a->string, b->string) == 0;
    case JSON_KIND_ARRAY:
    case JSON_KIND_OBJECT:
        return same_inside (a, b);
    }
    return false;
}

void *json_iter (const struct json *object)
{
    return is_object (object) && object->n > 0 ? object->members : NULL;
}

void *json_iter_next (const struct json *object, void *it)
{
    struct member *next = (struct member *)it + 1;

    return next < object->members + object->n ? next : NULL;
}

const char *json_iter_key (void *it)
{
    return ((struct member *)it)->key;
}

struct json *json_iter_value (void *it)
{
    return ((struct member *)it)->value;
}
