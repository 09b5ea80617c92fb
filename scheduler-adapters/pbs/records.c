/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c - what qsub, qselect, qstat -f and pbsnodes -a print */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "pbs/records.h"
#include "reply_text.h"

/* --- ids --- */

/* "" or ".server": what follows a dot is a host's name. */
static bool is_server (const char *text)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    return *text == '\0'
           || (text[0] == '.' && text[1] && text[strspn (text, name)] == '\0');
}

bool pbs_read_id (const char *text, struct pbs_id *id)
{
    struct pbs_id read = { .number = reply_take_number (&text), .index = -1 };

    if (read.number < 0)
        return false;
    if (*text == '[') {
        text++;
        read.array = true;
        if (*text != ']' && (read.index = reply_take_number (&text)) < 0)
            return false;
        if (*text++ != ']')
            return false;
    }
    if (!is_server (text))
        return false;
    *id = read;
    return true;
}

char *pbs_printed_id (const char *text)
{
    struct strvec lines = STRVEC_INIT;
    struct pbs_id id;
    char *found = NULL;

    strvec_split (&lines, text, "\r\n");
    for (size_t i = lines.n; i > 0 && !found; i--) {
        if (pbs_read_id (lines.v[i - 1], &id) && id.index < 0)
            found = xstrdup (lines.v[i - 1]);
    }
    strvec_release (&lines);
    return found;
}

int pbs_read_ids (const char *text, size_t len, void *ids, struct error *err)
{
    struct strvec lines = STRVEC_INIT;
    struct pbs_id id;
    int rc = 0;

    (void)len;
    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n && rc == 0; i++) {
        if (!pbs_read_id (lines.v[i], &id))
            rc = error_set (err, "qselect printed what is no job id: '%.200s'",
                            lines.v[i]);
    }
    if (rc == 0)
        strvec_push_all (ids, lines.v);
    strvec_release (&lines);
    return rc;
}

/* --- records --- */

const char *pbs_value (const struct pbs_record *record, const char *name)
{
    size_t len = strlen (name);

    for (const char *s = record->lines; *s; s += strlen (s) + 1) {
        if (strncmp (s, name, len) == 0 && strncmp (s + len, " = ", 3) == 0)
            return s + len + 3;
    }
    return NULL;
}

int64_t pbs_number (const struct pbs_record *record,
                    const char *name,
                    int64_t none)
{
    const char *value = pbs_value (record, name);
    long long n;
    char *end;

    if (!value)
        return none;
    errno = 0;
    n = strtoll (value, &end, 10);
    return end > value && *end == '\0' && errno == 0 ? n : none;
}

double pbs_time (const struct pbs_record *record, const char *name)
{
    const char *value = pbs_value (record, name);
    struct tm tm = { 0 };

    if (!value || !strptime (value, "%a %b %d %H:%M:%S %Y", &tm))
        return 0;
    return (double)timegm (&tm);
}

/* The record that is being read. */
struct reading {
    const char *heading;
    struct strbuf id; /* empty: between records */
    struct strbuf lines;
};

static int bad_line (const char *line, size_t len, struct error *err)
{
    return error_set (err, "PBS printed a line that cannot be read: '%.*s'",
                      len < 200 ? (int)len : 200, line);
}

static int begin_record (struct reading *reading,
                         const char *line,
                         size_t len,
                         struct error *err)
{
    size_t skip = strlen (reading->heading);

    if (len <= skip || strncmp (line, reading->heading, skip) != 0
        || line[0] == ' ')
        return bad_line (line, len, err);
    strbuf_add (&reading->id, line + skip, len - skip);
    return 0;
}

static int end_record (struct reading *reading,
                       pbs_each_record each,
                       void *arg,
                       struct error *err)
{
    struct pbs_record record;
    int rc = 0;

    if (reading->id.len > 0) {
        strbuf_add_char (&reading->lines, '\0');
        record = (struct pbs_record){ reading->id.buf, reading->lines.buf };
        rc = each (&record, arg, err);
    }
    strbuf_reset (&reading->id);
    strbuf_reset (&reading->lines);
    return rc;
}

/* "    name = value", or what a long value is continued with. */
static int add_line (struct reading *reading,
                     const char *line,
                     size_t len,
                     struct error *err)
{
    size_t blank = strspn (line, " ");
    struct strbuf *lines = &reading->lines;

    if (line[0] == '\t' && lines->len > 0) {
        strbuf_truncate (lines, lines->len - 1);
        strbuf_add (lines, line + 1, len - 1);
    } else if (blank >= 4 && blank < len && memmem (line, len, " = ", 3)) {
        strbuf_add (lines, line + blank, len - blank);
    } else {
        return bad_line (line, len, err);
    }
    strbuf_add_char (lines, '\0');
    return 0;
}

int pbs_read_records (const char *heading,
                      const char *text,
                      size_t len,
                      pbs_each_record each,
                      void *arg,
                      struct error *err)
{
    struct reading reading = { heading, STRBUF_INIT, STRBUF_INIT };
    const char *end = text + len;
    int rc = 0;

    while (rc == 0 && text < end) {
        const char *newline = memchr (text, '\n', (size_t)(end - text));
        size_t n = newline ? (size_t)(newline - text) : 0;

        if (!newline)
            rc = error_set (err, "PBS's answer was cut off at '%.*s'",
                            (int)(end - text < 200 ? end - text : 200), text);
        else if (memchr (text, '\0', n))
            rc = bad_line (text, n, err);
        else if (n == 0)
            rc = end_record (&reading, each, arg, err);
        else if (reading.id.len == 0)
            rc = begin_record (&reading, text, n, err);
        else
            rc = add_line (&reading, text, n, err);
        text += n + 1;
    }
    if (rc == 0 && reading.id.len > 0)
        rc = error_set (err, "PBS's answer was cut off in the record of %.200s",
                        reading.id.buf);
    strbuf_release (&reading.id);
    strbuf_release (&reading.lines);
    return rc < 0 ? -1 : 0;
}
