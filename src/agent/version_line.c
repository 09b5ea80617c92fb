/* SPDX-License-Identifier: BSD-3-Clause */
/* version_line.c - the line in which a code tells its version */
#include "base/base.h"

#include <unistd.h>

#include "agent/version_line.h"
#include "base/harmless.h"

/* What is looked at of one line. */
struct piece {
    const char *text;
    size_t len;
};

static struct piece behind (struct piece p, size_t n)
{
    return (struct piece){ p.text + n, p.len - n };
}

static struct piece skip_blanks (struct piece p)
{
    while (p.len > 0 && (*p.text == ' ' || *p.text == '\t'))
        p = behind (p, 1);
    return p;
}

/* "[2026-11-21 01:51:54,313]" */
static struct piece skip_time (struct piece p)
{
    const char *end =
        p.len > 0 && *p.text == '[' ? memchr (p.text, ']', p.len) : NULL;

    return end ? skip_blanks (behind (p, (size_t)(end + 1 - p.text))) : p;
}

/* "local/force:2: ", as a group names whose a line is. */
static struct piece skip_name (struct piece p)
{
    const char *end = memchr (p.text, ' ', p.len);

    return end && end > p.text && end[-1] == ':'
               ? skip_blanks (behind (p, (size_t)(end - p.text)))
               : p;
}

static bool begins_with (struct piece p, const char *begins)
{
    size_t n = strlen (begins);

    return p.len >= n && memcmp (p.text, begins, n) == 0;
}

static size_t without_date (struct piece p)
{
    static const char date[] = " starts on ";
    const char *at = memmem (p.text, p.len, date, sizeof (date) - 1);

    return at ? (size_t)(at - p.text) : p.len;
}

static void add_line (struct piece p, struct strbuf *line)
{
    size_t n = without_date (p), before = line->len;

    while (n > 0 && strchr (" \t\r", p.text[n - 1]))
        n--;
    (void)harmless_add (p.text, n < VERSION_LINE_BYTES ? n : VERSION_LINE_BYTES,
                        line);
    if (line->len - before > VERSION_LINE_BYTES)
        strbuf_truncate (line, before + VERSION_LINE_BYTES);
}

bool version_line_find (const char *text, size_t len, const char *begins,
                        bool of_group, struct strbuf *line)
{
    while (len > 0) {
        const char *end = memchr (text, '\n', len);
        struct piece whole = { text, end ? (size_t)(end - text) : len }, p;

        p = skip_blanks (whole);
        if (of_group && !begins_with (p, begins))
            p = skip_name (p);
        if (!begins_with (p, begins))
            p = skip_time (p);
        if (begins_with (p, begins)) {
            add_line (p, line);
            return true;
        }
        len -= whole.len + (end != NULL);
        text += whole.len + (end != NULL);
    }
    return false;
}

bool version_line_read (int fd, const char *begins, bool of_group,
                        struct strbuf *line)
{
    _cleanup_free_ char *text = xmalloc (VERSION_LOG_BYTES);
    size_t len = 0;
    bool found;
    ssize_t n;

    while (len < VERSION_LOG_BYTES
           && (n = pread (fd, text + len, VERSION_LOG_BYTES - len, (off_t)len))
                  > 0)
        len += (size_t)n;
    /* A line that is cut there is none. */
    if (len == VERSION_LOG_BYTES) {
        const char *end = memrchr (text, '\n', len);

        len = end ? (size_t)(end + 1 - text) : 0;
    }
    found = version_line_find (text, len, begins, of_group, line);
    return found;
}
