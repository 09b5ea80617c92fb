/* SPDX-License-Identifier: BSD-3-Clause */
/* type.h - the types of operator inputs and outputs
 *
 * Parameters are small values kept as JSON; artifacts are files or
 * directories, kept as JSON strings (paths relative to the campaign
 * directory, or absolute).  'depth' counts list nesting: stacking a fan-out's
 * outputs adds one.
 */
#ifndef SIGNATURE_TYPE_H
#define SIGNATURE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct json;
struct strbuf;

enum type_kind {
    TYPE_NONE, /* terminates tables */
    TYPE_INT,
    TYPE_FLOAT, /* accepts an integer */
    TYPE_STRING,
    TYPE_BOOL,
    TYPE_DURATION, /* JSON number, seconds */
    TYPE_BYTES,    /* JSON integer */
    TYPE_LIST,     /* any JSON array */
    TYPE_MAP,      /* any JSON object */
    TYPE_ANY,      /* any JSON value but null; accepts every parameter */
    TYPE_FILE,     /* artifacts from here on */
    TYPE_DIR,
    TYPE_FRAMES, /* an extxyz file, or one frame of one (see value.h) */
    TYPE_NPY,
};

enum { TYPE_MAX_DEPTH = 4, TYPE_MAX_DIMS = 8 };

struct type {
    enum type_kind kind;
    int depth;
    const char *dtype;            /* npy: "f8", "f4", "i4", "i8"; NULL: any */
    int n_dims;                   /* npy: 0 = any shape */
    int64_t shape[TYPE_MAX_DIMS]; /* npy: -1 = any extent */
};

/* For tables: LIST_OF (FILE) */
#define ONE(what)                                                              \
    {                                                                          \
        .kind = TYPE_##what                                                    \
    }
#define LIST_OF(what)                                                          \
    {                                                                          \
        .kind = TYPE_##what, .depth = 1                                        \
    }
#define LISTS_OF(what)                                                         \
    {                                                                          \
        .kind = TYPE_##what, .depth = 2                                        \
    }

/* "int", "frames", ... ; TYPE_NONE for an unknown word. */
enum type_kind type_kind_from_name (const char *name);
const char *type_kind_name (enum type_kind kind);
extern const char *const type_kind_names[]; /* without TYPE_NONE's */
bool type_is_artifact (const struct type *type);

/* Append "list of list of file", "npy(f8,[?,3])". */
void type_describe (const struct type *type, struct strbuf *out);

/* Can a value of type 'from' be bound where 'to' is expected?  Same kind and
 * depth, int where float is wanted, a list of any parameters where `list` is
 * wanted, an npy that promises at least what is asked, and a list of frames
 * files where frames of depth 0 are wanted (they are read one after the
 * other).
 */
bool type_accepts (const struct type *to, const struct type *from);

/* {"kind": "file", "depth": 1, ...} and back (strings of the result are lent
 * by 'v').
 */
struct json *type_to_json (const struct type *type);
int type_from_json (const struct json *v, struct type *type, struct error *err);

#endif /* !SIGNATURE_TYPE_H */
