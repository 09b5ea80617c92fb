/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - keys of an input, each by its row: read, checked, stored, told
 *
 * A table has a row for every key that is known.  settings_apply follows the
 * rows that say where a value goes; others are read by name (key_number ...).
 * Both note what was read, so that settings_tell calls only that translated.
 */
#ifndef IMPORT_SETTINGS_H
#define IMPORT_SETTINGS_H

#include "import/key_report.h"

enum setting_kind {
    SETTING_OWN, /* read by name, where it is needed */
    SETTING_NUMBER,
    SETTING_WHOLE,
    SETTING_SWITCH, /* stored where it is true */
    SETTING_COPY,   /* stored as it is */
};

struct setting {
    const char *names; /* of the key, "trj_freq t_freq": the first is its own */
    enum key_fate fate;
    const char *words;  /* what becomes of it */
    const char *absent; /* what holds where it is not given; NULL: is not told
                         */
    enum setting_kind kind;
    const char *to;    /* "select.pick.quota": part, and path in its object */
    int64_t least;     /* of a whole number; 0: any */
    double otherwise;  /* stored where it is not given; 0: nothing */
    const char *needs; /* the key that is to be true, else it has no effect */
    bool required;     /* where it has one */
    const char *only;  /* the text it must be; "0", "false", "": not given */
    const char *why;   /* other values are refused: what follows the value */
    const char *off;   /* its words where it is false, and so not needed */
};

/* Rows of a table, and the last one. */
#define ROW(row_names, row_fate, ...)                                          \
    {                                                                          \
        .names = row_names, .fate = row_fate, .words = __VA_ARGS__             \
    }
#define YES(names, words) ROW (names, KEY_TRANSLATED, words)
#define YES_OR(names, words, holds)                                            \
    ROW (names, KEY_TRANSLATED, words, .absent = holds)
#define IDLE(names, words) ROW (names, KEY_NOT_NEEDED, words)
#define NOT(names, words) ROW (names, KEY_UNSUPPORTED, words)
#define STORED(names, what, path, ...)                                         \
    ROW (names, KEY_TRANSLATED, __VA_ARGS__, .kind = SETTING_##what, .to = path)
#define ONLY(names, value, words, ...)                                         \
    ROW (names, KEY_TRANSLATED, words, .only = value, .why = __VA_ARGS__)
#define KEYS_END                                                               \
    {                                                                          \
        .names = NULL                                                          \
    }

/* A mapping of an input, and the table of its keys. */
struct section {
    const struct json *v;        /* NULL: it is not there, and has no key */
    const char *prefix;          /* of its keys in messages: "train.config." */
    const struct setting *table; /* NULL: these keys are not reported */
    const struct setting *more;  /* further rows, or NULL */
    struct key_report *report;   /* NULL where 'table' is */
};

/* Refuse values that rows with `why` do not have. */
int settings_refuse (const struct section *s, struct error *err);

/* Store what the rows of 'part' say in 'out', behind what is there; 'notes'
 * (NULL: none) gets {path: key} of each.
 */
int settings_apply (const struct section *s, const char *part, struct json *out,
                    struct json *notes, struct error *err);

/* Tell of every key of the section, and of those that are not there, as which
 * null counts.  What was said already stays.
 */
void settings_tell (const struct section *s);

/* --- keys by their names --- */

/* The value; NULL: it is not there, or null.  Lent. */
struct json *section_get (const struct section *s, const char *names);

/* Is it there, and not null?  This does not use it. */
bool section_has (const struct section *s, const char *name);

/* What messages call the key: by the name it has, else its first.  Caller
 * frees.
 */
char *section_path (const struct section *s, const char *names);

/* Say that the key is missing, and which unknown one may be meant: -1. */
int key_missing (const struct section *s, const char *names, struct error *err);

/* Values of a kind (import/document.h): 0, 1 and *out untouched where the key
 * is not there, or -1 with 'err'.
 */
int key_number (const struct section *s, const char *names, double *out,
                struct error *err);
int key_int (const struct section *s, const char *names, int64_t *out,
             struct error *err);
int key_bool (const struct section *s, const char *names, bool *out,
              struct error *err);
int key_text (const struct section *s, const char *names, const char **out,
              struct error *err);
int key_list (const struct section *s, const char *names, struct json **out,
              struct error *err);
int key_mapping (const struct section *s, const char *names, struct json **out,
                 struct error *err);

#endif /* !IMPORT_SETTINGS_H */
