/* SPDX-License-Identifier: BSD-3-Clause */
/* key_report.h - what became of every key of an imported file
 *
 * A translator says it of one key (key_report_say), tables of rows of all
 * others (import/settings.h): translated is what was taken.
 */
#ifndef IMPORT_KEY_REPORT_H
#define IMPORT_KEY_REPORT_H

enum key_fate {
    KEY_TRANSLATED,
    KEY_DEFAULT,     /* not given: what holds instead */
    KEY_NOT_NEEDED,  /* Fanfold does that in any case, or it is no setting */
    KEY_UNSUPPORTED, /* and what happens instead */
    KEY_UNKNOWN,
    KEY_COMMENT, /* begins with _ */
};

struct key_entry {
    char *path; /* "model_devi_jobs[0].temps" */
    enum key_fate fate;
    char *words;
};

struct key_report {
    struct key_entry *v;
    size_t n, alloc;
    struct json *places; /* {path: index in v} */
    struct json *taken;  /* {path: true} */
};

void key_report_init (struct key_report *report);
void key_report_release (struct key_report *report);

/* Say what became of the key at 'path', in place of what was said before. */
void key_report_say (struct key_report *report, const char *path,
                     enum key_fate fate, const char *fmt, ...)
    PRINTF_LIKE (4, 5);

/* Has anything been said of the key at 'path'? */
bool key_report_has (const struct key_report *report, const char *path);

/* Note that a value at 'path' was taken, and ask for that. */
void key_report_take (struct key_report *report, const char *path);
bool key_report_is_taken (const struct key_report *report, const char *path);

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
