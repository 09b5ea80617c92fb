/* SPDX-License-Identifier: BSD-3-Clause */
/* field_reader.h - YAML nodes -> checked values, every complaint recorded
 *
 * The readers of campaign.yaml and site.yaml go on after a complaint, so each
 * function records what is wrong with its node ("what; what to do") and says
 * whether there was anything.  'name' is what messages call the value: "cores",
 * "stage 'train'".  Outputs are untouched when there was a complaint.
 */
#ifndef CAMPAIGN_FIELD_READER_H
#define CAMPAIGN_FIELD_READER_H

#include "base/problems.h"
#include "base/yaml_tree.h"

struct arena;
struct heartbeat;

/* What is lent to a tree (yaml_tree_lend), and so known of its nodes. */
struct field_reader {
    struct arena *arena;       /* everything returned lives here */
    struct problems *problems; /* never NULL: readers look whether it grew */
    const char *dir; /* the campaign's: paths in its file are relative to it */
    bool recorded;   /* it was checked once: files are not looked at again */
    bool this_host;  /* its cores and programs are looked at */
    int64_t atoms;   /* of each file of frames so many are looked at */
    const struct heartbeat *heartbeat; /* told meanwhile; NULL: none */
};

static inline const struct field_reader *field_reader_of (
    const struct yaml_node *node)
{
    return yaml_lent (node);
}

static inline struct arena *field_arena (const struct yaml_node *node)
{
    return field_reader_of (node)->arena;
}

/* How many problems there are so far, warnings aside. */
static inline size_t field_problems (const struct yaml_node *node)
{
    return problems_errors (field_reader_of (node)->problems);
}

/* Record what is wrong with the node: "what; what to do".  Returns -1. */
#define field_problem(node, ...)                                               \
    problems_add (field_reader_of (node)->problems, (node)->mark, __VA_ARGS__)

/* The same where it only looks wrong. */
#define field_warning(node, ...)                                               \
    problems_warn (field_reader_of (node)->problems, (node)->mark, __VA_ARGS__)

/* The value of 'key' in a mapping; NULL when it is absent or null. */
const struct yaml_node *field_find (const struct yaml_node *node,
                                    const char *key);

/* Record that 'word' is not known: 'fmt', and as the remedy the candidate
 * nearest to it or all of them.  Returns -1.
 */
int field_unknown (const struct yaml_node *node, const char *word,
                   const struct strvec *candidates, const char *fmt, ...)
    PRINTF_LIKE (4, 5);

/* Which of the 'n' elements of a table, of 'size' bytes each and beginning with
 * its name, is called 'word'; -1 after recording as field_unknown does that
 * none is.
 */
int field_choose (const struct yaml_node *node, const char *word,
                  const void *table, size_t n, size_t size, const char *fmt,
                  ...) PRINTF_LIKE (6, 7);

/* The fields of a mapping, by key: where in a record a value goes and what it
 * may be.  A list of text and argvs end with NULL.
 *
 *     static const struct field fields[] = {
 *         FIELD (struct resources, cores, COUNT, .least = 1, .most = 1000),
 *         FIELD_AS (struct resources, memory_bytes, "memory", BYTES),
 *         FIELD_BY (struct profile, node, read_node),
 *         FIELD_KEY ("with"),
 *         FIELDS_END,
 *     };
 */
enum field_kind {
    FIELD_KEY_ONLY, /* it is read elsewhere */
    FIELD_TEXT,     /* const char *: one line, not empty */
    FIELD_BOOL,     /* bool */
    FIELD_COUNT,    /* int or int64_t, a whole number from least to most */
    FIELD_FRACTION, /* double, 0 to 1 */
    FIELD_DURATION, /* double, more than 0 */
    FIELD_BYTES,    /* int64_t, more than 0 and not less than least */
    FIELD_STRINGS,  /* const char *const *: a list of text */
    FIELD_ARGV,     /* const char *const *: [program, argument, ...] */
    FIELD_ARGVS,    /* const char *const *const *: one such or a list of them */
};

struct field {
    const char *key; /* NULL ends a table */
    enum field_kind kind;
    size_t offset, size; /* of the member */
    int64_t least, most; /* most 0: none */

    /* Reads it in place of 'kind' (NULL: none). */
    void (*read) (const struct yaml_node *node, void *member);
};

#define FIELD_AS(type, member, name, what, ...)                                \
    {                                                                          \
        .key = (name), .kind = FIELD_##what,                                   \
        .offset = offsetof (type, member),                                     \
        .size = sizeof (((type *)0)->member), __VA_ARGS__                      \
    }
#define FIELD(type, member, what, ...)                                         \
    FIELD_AS (type, member, #member, what, __VA_ARGS__)

/* 'function' reads into the member, or into the whole record. */
#define FIELD_BY(type, member, function)                                       \
    {                                                                          \
        .key = #member, .read = (function), .offset = offsetof (type, member)  \
    }
#define FIELD_BY_RECORD(name, function)                                        \
    {                                                                          \
        .key = (name), .read = (function)                                      \
    }
#define FIELD_KEY(name)                                                        \
    {                                                                          \
        .key = (name)                                                          \
    }
#define FIELDS_END                                                             \
    {                                                                          \
        .key = NULL                                                            \
    }

/* A mapping whose keys are all in 'fields'?  -1 when it is no mapping; unknown
 * keys are recorded and the answer is 0: what they stand beside can still be
 * read.
 */
int field_mapping (const struct yaml_node *node, const char *name,
                   const struct field *fields);

/* Fill the members of 'record' from what is in the mapping 'node', in the order
 * of the table; others stay.
 */
void field_members (const struct yaml_node *node, const struct field *fields,
                    void *record);

/* Both; the answer of field_mapping. */
int field_record (const struct yaml_node *node, const char *name,
                  const struct field *fields, void *record);

/* One value: 0 or -1. */
int field_value (const struct yaml_node *node, const struct field *field,
                 void *member);

/* Any mapping, any list: 0 or -1. */
int field_any_mapping (const struct yaml_node *node);
int field_list (const struct yaml_node *node);

/* For a struct field: text for whoever reads the file, checked and not kept. */
void field_remark (const struct yaml_node *node, void *unused);

/* Values that stand in no table. */
int field_text (const struct yaml_node *node, const char **out);
int field_strings (const struct yaml_node *node, const char *const **out);

/* The absolute path that a node of text names, seen from 'dir', with nothing
 * put in for ~ and $; NULL after recording what is wrong with it.
 */
const char *field_path (const struct yaml_node *node, const char *name,
                        const char *dir);
int field_argv (const struct yaml_node *node, const char *const **out);

/* Record that the campaign has no elements, where they are needed: once. */
void field_no_elements (const struct yaml_node *node);

/* 0, or -1 after recording that the node is "12:00", which is hours for some
 * and minutes for others.
 */
int field_refuse_clock (const struct yaml_node *node, const char *name);

/* A name made of [a-z][a-z0-9_]* ? */
bool word_is_name (const char *word);

/* A name of a campaign or a profile: [A-Za-z0-9][A-Za-z0-9_.-]*, at most 64 ?
 */
bool word_is_title (const char *word);

#endif /* !CAMPAIGN_FIELD_READER_H */
