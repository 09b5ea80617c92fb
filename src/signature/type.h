/* SPDX-License-Identifier: BSD-3-Clause */
/* type.h - the types of operator inputs and outputs
 *
 * Parameters are small values kept as JSON; artifacts are files or
 * directories, kept as JSON strings (paths relative to the campaign
 * directory, or absolute).  'depth' counts list nesting: stacking a fan-out's
 * outputs adds one.  A map may say what may be in it: parameters, maps as well.
 */
#ifndef SIGNATURE_TYPE_H
#define SIGNATURE_TYPE_H

struct arena;
struct type_field;

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
    TYPE_PATH, /* a file or a directory; inputs of built-in operators */
};

enum { TYPE_MAX_DEPTH = 4, TYPE_MAX_DIMS = 8 };

struct type {
    enum type_kind kind;
    int depth;
    const char *dtype;                /* npy: one of type_dtypes; NULL: any */
    int n_dims;                       /* npy: 0 = any shape */
    int64_t shape[TYPE_MAX_DIMS];     /* npy: -1 = any extent */
    const char *sizes[TYPE_MAX_DIMS]; /* npy: where the extent is -1, the name
                                         of a size, which is the same in all
                                         ports of a task (sizes.h); or NULL */
    const struct type_field *fields;  /* map: all that may be in it, until one
                                         without a name; NULL: anything */
    bool is_fraction;      /* float of a built-in operator: from 0 to 1 */
    const struct type *of; /* map without fields: the type of every value;
                              NULL: any */
};

/* What a map has under a key.  Its type is a parameter's. */
struct type_field {
    const char *name;
    struct type type;
    bool optional; /* may be absent, or null */
};

/* For tables: LIST_OF (FILE) */
#define ONE(what)                                                              \
    {                                                                          \
        .kind = TYPE_##what                                                    \
    }
#define A_FRACTION                                                             \
    {                                                                          \
        .kind = TYPE_FLOAT, .is_fraction = true                                \
    }
#define LIST_OF(what)                                                          \
    {                                                                          \
        .kind = TYPE_##what, .depth = 1                                        \
    }
#define LISTS_OF(what)                                                         \
    {                                                                          \
        .kind = TYPE_##what, .depth = 2                                        \
    }

/* A map, in such a table: of what the named array of type_field has, and of
 * values of the named type.
 */
#define MAP_WITH(table)                                                        \
    {                                                                          \
        .kind = TYPE_MAP, .fields = (table)                                    \
    }
#define MAPS_WITH(table)                                                       \
    {                                                                          \
        .kind = TYPE_MAP, .depth = 1, .fields = (table)                        \
    }
#define MAP_OF(type)                                                           \
    {                                                                          \
        .kind = TYPE_MAP, .of = &(type)                                        \
    }

/* What the items of an array may be: "f8", "f4", ... */
enum { TYPE_DTYPES = 9 };
extern const char *const type_dtypes[TYPE_DTYPES];

/* "int", "frames", ... ; TYPE_NONE for an unknown word. */
enum type_kind type_kind_from_name (const char *name);
const char *type_kind_name (enum type_kind kind);
extern const char *const type_kind_names[]; /* without TYPE_NONE's */
bool type_is_artifact (const struct type *type);

/* More than one argument of a command, or it may be. */
bool type_is_list (const struct type *type);

/* Append "list of list of file", "npy(f8,[batch,?,3])", "map of float",
 * "map{low: float, high?: float}" (the latter optional).
 */
void type_describe (const struct type *type, struct strbuf *out);

/* The field called 'name' of a map that has fields, or NULL. */
const struct type_field *type_field_find (const struct type *type,
                                          const char *name);

/* Append the names of the fields of a map. */
void type_field_names (const struct type *type, struct strvec *names);

/* Can a value of type 'from' be bound where 'to' is expected?  Same kind and
 * depth, int where float is wanted, a file or a directory where a path is, a
 * list of any parameters where `list` is wanted, an npy that promises at least
 * what is asked, and a list of frames files where frames of depth 0 are wanted
 * (they are read one after the other).  Of maps only what can never fit is
 * refused: one that says nothing of a field may have it, which its value tells.
 */
bool type_accepts (const struct type *to, const struct type *from);

/* {"kind": "file", "depth": 1, ...} and back (what the result points to is in
 * 'arena').
 */
struct json *type_to_json (const struct type *type);
int type_from_json (const struct json *v, struct arena *arena,
                    struct type *type, struct error *err);

/* Of what type_to_json gave: remove what only says which values are refused.
 */
void type_json_drop_checks (struct json *v);

#endif /* !SIGNATURE_TYPE_H */
