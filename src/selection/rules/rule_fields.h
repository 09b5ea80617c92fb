/* SPDX-License-Identifier: BSD-3-Clause */
/* rule_fields.h - what a user may write, by a table of fields
 *
 * Absent, or null, leaves what is there as it is; another kind of value, or one
 * out of its range, is an error that names the key.
 */
#ifndef SELECTION_RULE_FIELDS_H
#define SELECTION_RULE_FIELDS_H

enum rule_kind {
    RULE_COUNT,  /* int64_t, uint64_t or size_t */
    RULE_REAL,   /* double */
    RULE_BOOL,   /* bool */
    RULE_CHOICE, /* int: the number of one of 'names' */
    RULE_TEXT,   /* const char *, lent by the JSON; not empty */
    RULE_OTHER,  /* it is read elsewhere */
};

struct rule_field {
    const char *key;
    enum rule_kind kind;
    size_t offset;
    double least, most;       /* of numbers; most 0: no limit */
    bool above;               /* more than 'least' */
    bool needed;              /* to be absent is an error */
    const char *const *names; /* NULL-terminated */
};

#define RULE_FIELD(type, member, name, what, ...)                              \
    {                                                                          \
        .key = (name), .kind = RULE_##what, .offset = offsetof (type, member), \
        __VA_ARGS__                                                            \
    }
#define RULE_FIELD_OTHER(name)                                                 \
    {                                                                          \
        .key = (name), .kind = RULE_OTHER                                      \
    }
#define RULE_FIELDS_END                                                        \
    {                                                                          \
        .key = NULL                                                            \
    }

/* Fill the members of 'record' from the object 'v'; 'fields' end with no key.
 * -1: some may be filled.  rules_read_only: 'v' may have no other keys.
 */
int rules_read (const struct json *v, const struct rule_field *fields,
                void *record, struct error *err);
int rules_read_only (const struct json *v, const struct rule_field *fields,
                     void *record, struct error *err);

/* Only the keys in 'keys' (NULL-terminated) may be in an object. */
int rules_only_keys (const struct json *v, const char *const *keys,
                     struct error *err);

/* Is there a value that is not null, also in a section: "pick.quota"? */
bool rules_given (const struct json *v, const char *key);

/* What sections have beside rules: data.  NULL-terminated. */
extern const char *const rules_data_keys[];

/* Is there a rule in a section that is not null? */
bool rules_any_given (const struct json *v, const char *section);

#endif /* !SELECTION_RULE_FIELDS_H */
