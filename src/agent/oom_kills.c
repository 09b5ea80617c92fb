/* SPDX-License-Identifier: BSD-3-Clause */
/* oom_kills.c - did the kernel kill something here for want of memory? */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agent/oom_kills.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/strbuf.h"

static const size_t bytes_max = 1 << 16;

/* What follows 'key' at the start of a line, up to its end; NULL if none. */
static char *line_after (const char *text, const char *key)
{
    size_t len = strlen (key);

    while (text) {
        if (strncmp (text, key, len) == 0)
            return xstrndup (text + len, strcspn (text + len, "\n"));
        text = strchr (text, '\n');
        text = text ? text + 1 : NULL;
    }
    return NULL;
}

/* The rest of the line of 'path' that starts with 'key'. */
static char *read_line_after (const char *path, const char *key)
{
    struct strbuf text = STRBUF_INIT;
    char *rest = NULL;

    if (file_read (path, bytes_max, &text, NULL) == 0)
        rest = line_after (text.buf, key);
    strbuf_release (&text);
    return rest;
}

int64_t oom_kills (const char *self_cgroup, const char *cgroup_mount)
{
    char *cgroup = read_line_after (self_cgroup, "0::");
    char *events =
        cgroup ? xasprintf ("%s%s/memory.events", cgroup_mount, cgroup) : NULL;
    char *count = events ? read_line_after (events, "oom_kill ") : NULL;
    int64_t n = count ? strtoll (count, NULL, 10) : -1;

    free (count);
    free (events);
    free (cgroup);
    return n;
}
