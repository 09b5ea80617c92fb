/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - JSON values: read, write, build
 *
 * Text is I-JSON (RFC 7493), read strictly: UTF-8, no duplicate keys, integers
 * within 2^53 - 1 (a larger one is text, by whoever writes it), no trailing
 * text, no NUL characters, nested 512 deep at most; what breaks a rule
 * is an error with the line and column.  30 is an integer and 30.0 is a real.
 * Reals are written with the fewest digits that read back to the same double;
 * one that is not finite is null.  The library behind reading (cJSON) is known
 * to json_parse.c only.
 *
 * Ownership: values are reference-counted, so that one value can be in many
 * containers (but in no cycle).  Functions that make a value give the caller
 * one reference; json_set and json_push *take over* the reference of the value
 * they store; getters lend.
 *
 * Cost: json_push, json_at, json_set and json_get take constant time, however
 * large the container is; json_delete takes linear time.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

/* The greatest integer; the least is its negative. */
#define JSON_INT_MAX ((INT64_C (1) << 53) - 1)

enum json_kind {
    JSON_KIND_NULL,
    JSON_KIND_BOOL,
    JSON_KIND_INT,
    JSON_KIND_REAL,
    JSON_KIND_STRING,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT,
};

static inline bool json_int_fits (int64_t v)
{
    return v >= -JSON_INT_MAX && v <= JSON_INT_MAX;
}

/* --- making --- */
struct json *json_null (void);
struct json *json_bool (bool v);

/* Any 'v' can be kept, but only what fits can be written (see json_check). */
struct json *json_int (int64_t v);
struct json *json_real (double v);

/* Is 's' UTF-8, which json_string keeps as it is? */
bool json_is_text (const char *s);

/* 's' that is not UTF-8 has its bad bytes replaced by U+FFFD.  NULL: null. */
struct json *json_string (const char *s);
struct json *json_stringf (const char *fmt, ...) PRINTF_LIKE (1, 2);
struct json *json_array (void);
struct json *json_strings (const struct strvec *texts); /* an array of them */
struct json *json_object (void);
struct json *json_ref (struct json *v); /* NULL stays NULL */
void json_unref (struct json *v);       /* NULL is legal */

/* A local whose reference ends with its block (base/cleanup.h). */
#define _cleanup_json_ _cleanup_ (json_unref_at)

static inline void json_unref_at (struct json **v)
{
    json_unref (*v);
}

struct json *json_deep_copy (const struct json *v);

/* Store under 'key' (replacing) or at the end.  The value's reference is
 * taken over.  The container must be of the right kind.
 */
void json_set (struct json *object, const char *key, struct json *v);
void json_push (struct json *array, struct json *v);
void json_delete (struct json *object, const char *key);

/* Store what 'from' has under 'key', too; where it has nothing, nothing. */
void json_set_from (struct json *object, const char *key,
                    const struct json *from);

/* The same below "a.b": 'object' gets a new object under "a", with what the old
 * one had (others may share that) and the value.
 */
void json_set_path (struct json *object, const char *path, struct json *v);

/* --- looking: lent values; NULL for 'v' reads as null --- */
enum json_kind json_kind (const struct json *v);
const char *json_kind_name (const struct json *v); /* "an integer", ... */
bool json_is_null (const struct json *v);
bool json_is_number (const struct json *v); /* whole or not; maybe infinite */
size_t json_count (const struct json *v);   /* elements or pairs; else 0 */
struct json *json_get (const struct json *object,
                       const char *key);                   /* or NULL */
struct json *json_at (const struct json *array, size_t i); /* or NULL */
bool json_array_has_string (const struct json *array, const char *s);

/* What is below "a.b": under "b" of the object under "a"; or NULL. */
struct json *json_get_path (const struct json *object, const char *path);

/* Value of a known kind; a neutral value (false, 0, "") for another kind.
 * json_as_double accepts integers too.
 */
bool json_as_bool (const struct json *v);
int64_t json_as_int (const struct json *v);
double json_as_double (const struct json *v);
const char *json_as_string (const struct json *v);
bool json_equal (const struct json *a, const struct json *b);

/* The same of what an object has under 'key'. */
int64_t json_get_int (const struct json *object, const char *key);
double json_get_double (const struct json *object, const char *key);
const char *json_get_string (const struct json *object, const char *key);

/* Walk an object in insertion order.  It must not get new keys meanwhile. */
void *json_iter (const struct json *object);
void *json_iter_next (const struct json *object, void *it);
const char *json_iter_key (void *it);
struct json *json_iter_value (void *it);
#define JSON_FOREACH(object, it)                                               \
    for (void *it = json_iter (object); it; it = json_iter_next (object, it))

/* --- typed getters for records: 0, or -1 with 'err' "key 'x': expected an
 * integer, got a string".  A missing key is an error.  *out is untouched on
 * failure; strings and values are lent.
 */
int json_want_bool (const struct json *object, const char *key, bool *out,
                    struct error *err);
int json_want_int (const struct json *object, const char *key, int64_t *out,
                   struct error *err);
int json_want_double (const struct json *object, const char *key, double *out,
                      struct error *err);
int json_want_string (const struct json *object, const char *key,
                      const char **out, struct error *err);
int json_want_array (const struct json *object, const char *key,
                     struct json **out, struct error *err);
int json_want_object (const struct json *object, const char *key,
                      struct json **out, struct error *err);

/* --- text --- */
/* NULL with 'err' "NAME:line:col: what" or, of a key or an integer,
 * "NAME:line:col: key 'jobs[3].id': what" when 'text' is not exactly one JSON
 * value (of any kind).
 */
struct json *json_parse (const char *text, size_t len, const char *name,
                         struct error *err);

/* Read a whole file of at most 1 GiB. */
struct json *json_read_file (const char *path, struct error *err);

enum { JSON_COMPACT = 0, JSON_PRETTY = 1, JSON_SORTED = 2 };

/* Append the text.  JSON_PRETTY indents by two and ends with a newline;
 * JSON_SORTED orders keys by strcmp, for digests.
 */
void json_dump (const struct json *v, int flags, struct strbuf *out);

/* 0, or -1 with "key 'jobs[3].id': ..." when an integer in 'v' does not fit.
 * Whoever writes text that is read again asks this first.
 */
int json_check (const struct json *v, struct error *err);

/* Write pretty text atomically (see base/file.h).  Refuses what json_check
 * does.
 */
int json_write_file (const char *path, const struct json *v, struct error *err);

#endif /* !BASE_JSON_H */
