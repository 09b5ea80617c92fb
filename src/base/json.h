/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - JSON values: read, write, build
 *
 * The library behind it (jansson) is known to json.c only.  Integers are
 * exact 64-bit; reals are written with the fewest digits that read back to
 * the same double; a real that is not finite is null.  Text must be UTF-8.
 * Duplicate keys, trailing text, NUL characters, and nesting deeper than 512
 * are errors with the line and column.
 *
 * Ownership: values are reference-counted.  Functions that make a value give
 * the caller one reference; json_set and json_push *take over* the reference
 * of the value they store; getters lend.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct error;
struct json;
struct strbuf;

/* jansson exports functions of these names: ours need others in the program's
 * symbol table, or the library would call them instead of its own.
 */
#define json_array fanfold_json_array
#define json_deep_copy fanfold_json_deep_copy
#define json_delete fanfold_json_delete
#define json_equal fanfold_json_equal
#define json_null fanfold_json_null
#define json_object fanfold_json_object
#define json_real fanfold_json_real
#define json_string fanfold_json_string

enum json_kind {
    JSON_KIND_NULL,
    JSON_KIND_BOOL,
    JSON_KIND_INT,
    JSON_KIND_REAL,
    JSON_KIND_STRING,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT,
};

/* --- making --- */
struct json *json_null (void);
struct json *json_bool (bool v);
struct json *json_int (int64_t v);
struct json *json_real (double v);

/* 's' that is not UTF-8 has its bad bytes replaced by U+FFFD.  NULL: null. */
struct json *json_string (const char *s);
struct json *json_stringf (const char *fmt, ...) PRINTF_LIKE (1, 2);
struct json *json_array (void);
struct json *json_object (void);
struct json *json_ref (struct json *v); /* NULL stays NULL */
void json_unref (struct json *v);       /* NULL is legal */
struct json *json_deep_copy (const struct json *v);

/* Store under 'key' (replacing) or at the end.  The value's reference is
 * taken over.  The container must be of the right kind.
 */
void json_set (struct json *object, const char *key, struct json *v);
void json_push (struct json *array, struct json *v);
void json_delete (struct json *object, const char *key);

/* --- looking: lent values; NULL for 'v' reads as null --- */
enum json_kind json_kind (const struct json *v);
const char *json_kind_name (const struct json *v); /* "an integer", ... */
bool json_is_null (const struct json *v);
size_t json_count (const struct json *v); /* elements or pairs; else 0 */
struct json *json_get (const struct json *object,
                       const char *key);                   /* or NULL */
struct json *json_at (const struct json *array, size_t i); /* or NULL */

/* Value of a known kind; a neutral value (false, 0, "") for another kind.
 * json_as_double accepts integers too.
 */
bool json_as_bool (const struct json *v);
int64_t json_as_int (const struct json *v);
double json_as_double (const struct json *v);
const char *json_as_string (const struct json *v);
bool json_equal (const struct json *a, const struct json *b);

/* Walk an object in insertion order. */
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
int json_want_bool (const struct json *object,
                    const char *key,
                    bool *out,
                    struct error *err);
int json_want_int (const struct json *object,
                   const char *key,
                   int64_t *out,
                   struct error *err);
int json_want_double (const struct json *object,
                      const char *key,
                      double *out,
                      struct error *err);
int json_want_string (const struct json *object,
                      const char *key,
                      const char **out,
                      struct error *err);
int json_want_array (const struct json *object,
                     const char *key,
                     struct json **out,
                     struct error *err);
int json_want_object (const struct json *object,
                      const char *key,
                      struct json **out,
                      struct error *err);

/* --- text --- */
/* NULL with 'err' "NAME:line:col: what" when 'text' is not exactly one JSON
 * value (of any kind).
 */
struct json *json_parse (const char *text,
                         size_t len,
                         const char *name,
                         struct error *err);

/* Read a whole file of at most 1 GiB. */
struct json *json_read_file (const char *path, struct error *err);

enum { JSON_COMPACT = 0, JSON_PRETTY = 1, JSON_SORTED = 2 };

/* Append the text.  JSON_PRETTY indents by two and ends with a newline;
 * JSON_SORTED orders keys by strcmp, for digests.
 */
void json_dump (const struct json *v, int flags, struct strbuf *out);

/* Write pretty text atomically (see base/file.h). */
int json_write_file (const char *path, const struct json *v, struct error *err);

#endif /* !BASE_JSON_H */
