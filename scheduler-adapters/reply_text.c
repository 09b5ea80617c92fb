/* SPDX-License-Identifier: BSD-3-Clause */
/* reply_text.c - reading what schedulers print */
#include "base/base.h"

#include <time.h>

#include "base/units.h"
#include "reply_text.h"

/* --- numbers --- */

int64_t reply_take_number (const char **p)
{
    const char *s = *p;
    int64_t n = 0;

    while (isdigit ((unsigned char)*s)) {
        if (s - *p >= 18)
            return -1;
        n = 10 * n + (*s++ - '0');
    }
    if (s == *p)
        return -1;
    *p = s;
    return n;
}

int64_t reply_count (const char *text)
{
    long long n = text ? strtoll (text, NULL, 10) : 0;

    return n > 0 ? n : 0;
}

/* --- lines --- */

int reply_bad_line (const char *program, const char *line, struct error *err)
{
    return error_set (err, "%s printed a line that cannot be read: '%.200s'",
                      program, line);
}

struct reply_lines reply_lines (const char *program, const char *text,
                                size_t len)
{
    return (struct reply_lines){ program, text, text + len, NULL, 0 };
}

char *reply_next_line (struct reply_lines *lines, struct error *err)
{
    const char *text = lines->text;
    const char *newline;
    size_t n;

    free (lines->line);
    lines->line = NULL;
    if (lines->rc < 0 || text == lines->end)
        return NULL;
    newline = memchr (text, '\n', (size_t)(lines->end - text));
    n = (size_t)((newline ? newline : lines->end) - text);
    lines->text += n + (newline != NULL);
    lines->line = xstrndup (text, n);
    if (!newline)
        lines->rc = error_set (err, "%s was cut off at '%.200s'",
                               lines->program, lines->line);
    else if (strlen (lines->line) != n)
        lines->rc = reply_bad_line (lines->program, lines->line, err);
    return lines->rc < 0 ? NULL : lines->line;
}

int reply_lines_end (struct reply_lines *lines)
{
    free (lines->line);
    lines->line = NULL;
    return lines->rc;
}

int reply_cut (char *line, char *columns[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        columns[i] = line;
        if (i + 1 == n)
            break;
        line = strchr (line, '|');
        if (!line)
            return -1;
        *line++ = '\0';
    }
    return 0;
}

/* --- ids --- */

static char *trimmed (const char *line, const char *ends)
{
    size_t n;

    line += strspn (line, " \t");
    n = strlen (line);
    while (n > 0 && strchr (" \t", line[n - 1]))
        n--;
    /* Only behind one word: a sentence is no id. */
    if (ends && strcspn (line, " \t") >= n && strcspn (line, ends) + 1 < n)
        n = strcspn (line, ends);
    return xstrndup (line, n);
}

char *reply_last_id (const char *text, bool (*is_id) (const char *text),
                     const char *ends)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    char *found = NULL;

    strvec_split (&lines, text, "\r\n");
    for (size_t i = lines.n; i > 0 && !found; i--) {
        found = trimmed (lines.v[i - 1], ends);
        if (!is_id (found)) {
            free (found);
            found = NULL;
        }
    }
    return found;
}

int reply_ids (const char *program, const char *text, size_t len,
               bool (*is_id) (const char *text), struct strvec *ids,
               struct error *err)
{
    struct reply_lines lines = reply_lines (program, text, len);
    _cleanup_ (strvec_release) struct strvec read = STRVEC_INIT;
    const char *line;

    while ((line = reply_next_line (&lines, err))) {
        if (!is_id (line))
            lines.rc = error_set (err, "%s printed what is no job id: '%.200s'",
                                  program, line);
        else if (!strvec_contains (&read, line))
            strvec_push (&read, line);
    }
    if (lines.rc == 0)
        strvec_push_all (ids, read.v);
    return reply_lines_end (&lines);
}

/* --- settings --- */

const char *reply_value (const char *settings, const char *name)
{
    size_t len = strlen (name);
    const char *value = NULL;

    for (const char *s = settings; *s; s += strlen (s) + 1) {
        if (strncmp (s, name, len) == 0 && strncmp (s + len, " = ", 3) == 0)
            value = s + len + 3;
    }
    return value;
}

int64_t reply_number (const char *settings, const char *name, int64_t none)
{
    const char *value = reply_value (settings, name);
    long long n;
    char *end;

    if (!value)
        return none;
    errno = 0;
    n = strtoll (value, &end, 10);
    return end > value && *end == '\0' && errno == 0 ? n : none;
}

bool reply_says (const char *settings, const char *name, const char *value)
{
    const char *there = reply_value (settings, name);

    return there && strcmp (there, value) == 0;
}

double reply_duration (const char *settings, const char *name)
{
    const char *value = reply_value (settings, name);
    double s;

    return value && parse_duration (value, &s) == 0 ? s : 0;
}

double reply_time (const char *settings, const char *name)
{
    const char *value = reply_value (settings, name);
    struct tm tm = { 0 };

    if (!value || !strptime (value, "%a %b %d %H:%M:%S %Y", &tm))
        return 0;
    return (double)timegm (&tm);
}

int64_t reply_bytes (const char *settings, const char *name)
{
    static const char units[] = "bkmgt";
    const char *value = reply_value (settings, name);
    char unit = 'b';
    int64_t n = 0;
    int shift;

    if (!value || sscanf (value, "%" SCNd64 "%c", &n, &unit) < 1
        || !strchr (units, unit))
        return 0;
    shift = 10 * (int)(strchr (units, unit) - units);
    return n > 0 && n <= INT64_MAX >> shift ? n << shift : 0;
}
