/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - what was looked at, how well it is, and what to do about it */
#include "base/base.h"

#include "base/findings.h"
#include "base/json.h"
#include "base/json_record.h"

void findings_release (struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        free (findings->v[i].subject);
        free (findings->v[i].text);
        free (findings->v[i].advice);
    }
    free (findings->v);
    free (findings->about);
    *findings = (struct findings)FINDINGS_INIT;
}

void findings_about (struct findings *findings, const char *fmt, ...)
{
    char *about;
    va_list ap;

    va_start (ap, fmt);
    about = xvasprintf (fmt, ap);
    va_end (ap);
    free (findings->about);
    findings->about = about;
}

void findings_add (struct findings *findings, enum grade grade,
                   const char *subject, const char *advice, const char *fmt,
                   ...)
{
    const char *about = findings->about ? findings->about : "";
    va_list ap;
    char *text;

    va_start (ap, fmt);
    text = xvasprintf (fmt, ap);
    va_end (ap);
    findings->v = grow_array (findings->v, findings->n, &findings->alloc,
                              sizeof (*findings->v));
    findings->v[findings->n++] = (struct finding){
        .grade = grade,
        .subject = text_made_plain (xasprintf ("%s%s", about, subject)),
        .text = text_made_plain (text),
        .advice = text_made_plain (xstrdup (advice ? advice : "")),
    };
}

size_t findings_count (const struct findings *findings, enum grade grade)
{
    size_t n = 0;

    for (size_t i = 0; i < findings->n; i++)
        n += findings->v[i].grade == grade;
    return n;
}

enum grade findings_worst (const struct findings *findings)
{
    if (findings_count (findings, GRADE_BAD) > 0)
        return GRADE_BAD;
    return findings_count (findings, GRADE_WARNING) > 0 ? GRADE_WARNING
                                                        : GRADE_GOOD;
}

const char *grade_name (enum grade grade)
{
    static const char *const names[] = { "good", "warning", "bad" };

    return names[grade];
}

void findings_append (struct findings *findings, const struct findings *more)
{
    for (size_t i = 0; i < more->n; i++)
        findings_add (findings, more->v[i].grade, more->v[i].subject,
                      more->v[i].advice, "%s", more->v[i].text);
}

void findings_text (const struct findings *findings, struct strbuf *out)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *finding = &findings->v[i];

        strbuf_addf (out, "%-7s  %s: %s\n", grade_name (finding->grade),
                     finding->subject, finding->text);
        if (finding->advice[0])
            strbuf_addf (out, "         -> %s\n", finding->advice);
    }
    strbuf_addf (out, "%zu good, %zu to look at, %zu bad\n",
                 findings_count (findings, GRADE_GOOD),
                 findings_count (findings, GRADE_WARNING),
                 findings_count (findings, GRADE_BAD));
}

static const struct json_field fields[] = {
    JSON_FIELD (struct finding, subject, STRING),
    JSON_FIELD (struct finding, text, STRING),
    JSON_FIELD (struct finding, advice, STRING),
    JSON_FIELDS_END,
};

struct json *findings_to_json (const struct findings *findings)
{
    struct json *v = json_array ();

    for (size_t i = 0; i < findings->n; i++) {
        struct json *one = json_object ();

        json_set (one, "grade",
                  json_string (grade_name (findings->v[i].grade)));
        json_record_write (&findings->v[i], fields, one);
        json_push (v, one);
    }
    return v;
}

/* The grade called 'name', or -1. */
static int grade_of (const char *name)
{
    for (int g = GRADE_GOOD; g <= GRADE_BAD; g++) {
        if (strcmp (grade_name ((enum grade)g), name) == 0)
            return g;
    }
    return -1;
}

int findings_add_json (struct findings *findings, const struct json *v,
                       struct error *err)
{
    _cleanup_ (findings_release) struct findings read = FINDINGS_INIT;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_count (v); i++) {
        struct finding one = { GRADE_GOOD, NULL, NULL, NULL };
        const char *grade;

        if (json_want_string (json_at (v, i), "grade", &grade, err) < 0
            || json_record_read (json_at (v, i), fields, &one, err) < 0)
            rc = -1;
        else if (grade_of (grade) < 0)
            rc = error_set (err, "there is no grade '%.40s'", grade);
        else
            findings_add (&read, (enum grade)grade_of (grade), one.subject,
                          one.advice, "%s", one.text);
        free (one.subject);
        free (one.text);
        free (one.advice);
    }
    if (rc == 0)
        findings_append (findings, &read);
    return rc;
}
