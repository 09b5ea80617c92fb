/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.h - what was looked at, how well it is, and what to do about it */
#ifndef BASE_FINDINGS_H
#define BASE_FINDINGS_H

enum grade {
    GRADE_GOOD,
    GRADE_WARNING, /* work runs, but slower or less safely than it could */
    GRADE_BAD,     /* work does not run, or not rightly */
};

struct finding {
    enum grade grade;
    char *subject; /* what was looked at: "profile 'cpu': partition" */
    char *text;    /* how it is */
    char *advice;  /* what to do; "" where nothing is to be done */
};

struct findings {
    struct finding *v;
    size_t n;
    size_t alloc;
    char *about; /* subjects of what is added begin with it; NULL: nothing */
};

#define FINDINGS_INIT                                                          \
    {                                                                          \
        NULL, 0, 0, NULL                                                       \
    }

void findings_release (struct findings *findings);

/* The subjects of what is added from now on begin with that. */
void findings_about (struct findings *findings, const char *fmt, ...)
    PRINTF_LIKE (2, 3);

/* Append one.  'advice' may be NULL: nothing is to be done.  Control characters
 * are shown as '?'.
 */
void findings_add (struct findings *findings, enum grade grade,
                   const char *subject, const char *advice, const char *fmt,
                   ...) PRINTF_LIKE (5, 6);

/* The worst grade; good where there are none. */
enum grade findings_worst (const struct findings *findings);

size_t findings_count (const struct findings *findings, enum grade grade);

/* "good", "warning", "bad" */
const char *grade_name (enum grade grade);

/* [{"subject", "grade", "text", "advice"}]; the caller unrefs. */
struct json *findings_to_json (const struct findings *findings);

/* Append a line for each, "good  SUBJECT: TEXT", with what to do on a line of
 * its own below, and a last line that counts them.
 */
void findings_text (const struct findings *findings, struct strbuf *out);

/* Append all of 'more'. */
void findings_append (struct findings *findings, const struct findings *more);

/* Append those of such an array.  -1 with 'err', and nothing appended, when it
 * is none.
 */
int findings_add_json (struct findings *findings, const struct json *v,
                       struct error *err);

#endif /* !BASE_FINDINGS_H */
