/* SPDX-License-Identifier: BSD-3-Clause */
/* oom_kills.c - did the kernel kill something here for want of memory? */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "agent/oom_kills.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"

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

/* The count in a file of the kernel's; -1: it is not there. */
static int64_t read_kills (char *path)
{
    char *count = path ? read_line_after (path, "oom_kill ") : NULL;
    int64_t n = count ? strtoll (count, NULL, 10) : -1;

    free (count);
    free (path);
    return n;
}

/* "5:cpu,memory:/a" -> "/a", when it is the line of the memory controller. */
static const char *memory_group (const char *line)
{
    const char *controllers = strchr (line, ':');
    const char *group = controllers ? strchr (controllers + 1, ':') : NULL;
    struct strvec names = STRVEC_INIT;
    char *list;
    bool found;

    if (!group)
        return NULL;
    list = xstrndup (controllers + 1, (size_t)(group - controllers - 1));
    strvec_split (&names, list, ",");
    found = strvec_contains (&names, "memory");
    strvec_release (&names);
    free (list);
    return found ? group + 1 : NULL;
}

static int64_t kills_of_version_1 (const char *self_cgroup,
                                   const char *cgroup_mount)
{
    struct strbuf text = STRBUF_INIT;
    struct strvec lines = STRVEC_INIT;
    int64_t n = -1;

    if (file_read (self_cgroup, bytes_max, &text, NULL) == 0)
        strvec_split (&lines, text.buf, "\n");
    for (size_t i = 0; i < lines.n && n < 0; i++) {
        const char *group = memory_group (lines.v[i]);

        if (group)
            n = read_kills (xasprintf ("%s/memory%s/memory.oom_control",
                                       cgroup_mount, group));
    }
    strvec_release (&lines);
    strbuf_release (&text);
    return n;
}

int64_t oom_kills (const char *self_cgroup, const char *cgroup_mount)
{
    char *cgroup = read_line_after (self_cgroup, "0::");
    int64_t n = cgroup ? read_kills (
                    xasprintf ("%s%s/memory.events", cgroup_mount, cgroup))
                       : -1;

    free (cgroup);
    return n >= 0 ? n : kills_of_version_1 (self_cgroup, cgroup_mount);
}
