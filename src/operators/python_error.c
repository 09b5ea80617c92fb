/* SPDX-License-Identifier: BSD-3-Clause */
/* python_error.c - how a program written in Python says that it failed */
#include "base/base.h"

#include "operators/python_error.h"

static bool ends_with (const char *text, size_t len, const char *ending)
{
    size_t n = strlen (ending);

    return len >= n && memcmp (text + len - n, ending, n) == 0;
}

static bool begins_with (const char *text, size_t len, const char *beginning)
{
    size_t n = strlen (beginning);

    return len >= n && memcmp (text, beginning, n) == 0;
}

/* The length of "package.module.Name" that the line begins with. */
static size_t name_length (const char *line, size_t len)
{
    size_t n = 0;

    while (n < len
           && (isalnum ((unsigned char)line[n]) || strchr ("._-", line[n])))
        n++;
    return n;
}

bool python_tells_error (const char *line, size_t len)
{
    size_t n;

    if (len > 0 && line[len - 1] == '\r')
        len--;
    n = name_length (line, len);
    if (n > 0 && begins_with (line + n, len - n, ": error: "))
        return true;
    return (ends_with (line, n, "Error") || ends_with (line, n, "Exception"))
           && (n == len || line[n] == ':');
}

const char *python_last_error (const char *printed)
{
    const char *last = printed;
    bool is_ignored = false; /* by the line before */

    for (const char *at = printed; *at;) {
        size_t len = strcspn (at, "\n");
        const char *next = at + len + (at[len] == '\n');

        if (!is_ignored
            && (begins_with (at, len, "Traceback (most recent")
                || begins_with (at, len, "Original Traceback (most recent")))
            last = next;
        is_ignored = begins_with (at, len, "Exception ignored ");
        at = next;
    }
    return last;
}
