/* SPDX-License-Identifier: BSD-3-Clause */
/* json_record.h - structures as JSON objects and back, by a table of fields
 *
 *     static const struct json_field fields[] = {
 *         JSON_FIELD (struct job, token, TEXT),
 *         JSON_FIELD (struct job, chunk, COUNT, .least = 1),
 *         JSON_FIELD_AS (struct job, limits.cores, "cores", COUNT),
 *         JSON_FIELDS_END,
 *     };
 */
#ifndef BASE_JSON_RECORD_H
#define BASE_JSON_RECORD_H

enum json_field_kind {
    JSON_FIELD_BOOL,   /* bool */
    JSON_FIELD_COUNT,  /* int, enum or int64_t; 0 or more */
    JSON_FIELD_REAL,   /* double; an integer is read, too */
    JSON_FIELD_TEXT,   /* char[]; what does not fit is refused */
    JSON_FIELD_STRING, /* char *, on the heap; NULL is written as no key */
    JSON_FIELD_TREE,   /* struct json *, copied; NULL is no key, and back */
};

struct json_field {
    const char *key;
    enum json_field_kind kind;
    size_t offset, size; /* of the member */
    int64_t least, most; /* of a count; most 0: what the member can hold */
    bool optional;       /* what is not there leaves the member as it is */
};

#define JSON_FIELD_AS(type, member, name, what, ...)                           \
    {                                                                          \
        .key = (name), .kind = JSON_FIELD_##what,                              \
        .offset = offsetof (type, member),                                     \
        .size = sizeof (((type *)0)->member), __VA_ARGS__                      \
    }
#define JSON_FIELD(type, member, what, ...)                                    \
    JSON_FIELD_AS (type, member, #member, what, __VA_ARGS__)
#define JSON_FIELDS_END                                                        \
    {                                                                          \
        .key = NULL                                                            \
    }

/* Set the keys of the object 'v' to what 'record' has. */
void json_record_write (const void *record, const struct json_field *fields,
                        struct json *v);

/* Fill the members of 'record' from 'v'; keys that are in no table are not
 * looked at.  0, or -1 with "key 'x': expected ..., got ..." when the members
 * of the fields before may be filled: the caller reads into a new record, and
 * frees its strings and trees.
 */
int json_record_read (const struct json *v, const struct json_field *fields,
                      void *record, struct error *err);

/* The integer 'key' of 'v', which must be in least .. most. */
int json_want_in (const struct json *v, const char *key, int64_t least,
                  int64_t most, int64_t *out, struct error *err);

#endif /* !BASE_JSON_RECORD_H */
