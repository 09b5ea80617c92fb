/* SPDX-License-Identifier: BSD-3-Clause */
/* key_report.h - what became of every key of an imported file
 *
 * A table of known keys says in words what Fanfold makes of each; a translator
 * that knows better says so for one key (report_say).  What is in no table is
 * unknown, and told with the nearest known key.
 */
#ifndef IMPORT_KEY_REPORT_H
#define IMPORT_KEY_REPORT_H

#include <stddef.h>

#include "base/compiler.h"

struct json;
struct strbuf;

enum key_fate {
    KEY_TRANSLATED,
    KEY_DEFAULT,     /* not given: what holds instead */
    KEY_NOT_NEEDED,  /* Fanfold does that in any case, or it is no setting */
    KEY_UNSUPPORTED, /* and what happens instead */
    KEY_UNKNOWN,
    KEY_COMMENT, /* begins with _ */
};

struct known_key {
    const char *name;
    enum key_fate fate;
    const char *words;  /* what becomes of it */
    const char *absent; /* what holds where it is not given; NULL: is not told
                         */
};

/* Rows of a table, and the last one. */
#define YES(name, words)                                                       \
    {                                                                          \
        name, KEY_TRANSLATED, words, NULL                                      \
    }
#define YES_OR(name, words, absent)                                            \
    {                                                                          \
        name, KEY_TRANSLATED, words, absent                                    \
    }
#define IDLE(name, words)                                                      \
    {                                                                          \
        name, KEY_NOT_NEEDED, words, NULL                                      \
    }
#define NOT(name, words)                                                       \
    {                                                                          \
        name, KEY_UNSUPPORTED, words, NULL                                     \
    }
#define KEYS_END                                                               \
    {                                                                          \
        .name = NULL                                                           \
    }

struct key_entry {
    char *path; /* "model_devi_jobs[0].temps" */
    enum key_fate fate;
    char *words;
};

struct key_report {
    struct key_entry *v;
    size_t n, alloc;
    struct json *places; /* {path: index in v} */
};

void key_report_init (struct key_report *report);
void key_report_release (struct key_report *report);

/* Say what became of the key at 'path', in place of what was said before. */
void key_report_say (struct key_report *report, const char *path,
                     enum key_fate fate, const char *fmt, ...)
    PRINTF_LIKE (4, 5);

/* Say for every key of 'object' what the tables (which end with a NULL name;
 * 'more' may be NULL) say of it, and what they say of those that are not
 * there.  Paths begin with 'prefix' ("" or "train.machine.").  What was said
 * already stays.
 */
void key_report_table (struct key_report *report, const struct json *object,
                       const char *prefix, const struct known_key *table,
                       const struct known_key *more);

/* As text for people: those of one fate, with a heading if there are any. */
void key_report_fate_text (const struct key_report *report, enum key_fate fate,
                           struct strbuf *out);

/* Keys of one fate together. */
void key_report_text (const struct key_report *report, struct strbuf *out);

/* [{"key", "fate", "words"}]; the caller unrefs. */
struct json *key_report_json (const struct key_report *report);

size_t key_report_count (const struct key_report *report, enum key_fate fate);

/* "translated", "default", ... */
const char *key_fate_name (enum key_fate fate);

#endif /* !IMPORT_KEY_REPORT_H */
