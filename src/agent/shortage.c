/* SPDX-License-Identifier: BSD-3-Clause */
/* shortage.c - did a node lack memory, or room on its disk? */
#include "base/base.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include "agent/shortage.h"
#include "base/file.h"

/* --- memory --- */

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
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char *rest = NULL;

    if (file_read (path, bytes_max, &text, NULL) == 0)
        rest = line_after (text.buf, key);
    return rest;
}

/* "5:cpu,memory:/a" -> "/a", when it is the line of the memory controller. */
static const char *memory_group (const char *line)
{
    const char *controllers = strchr (line, ':');
    const char *group = controllers ? strchr (controllers + 1, ':') : NULL;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ char *list = NULL;
    bool found;

    if (!group)
        return NULL;
    list = xstrndup (controllers + 1, (size_t)(group - controllers - 1));
    strvec_split (&names, list, ",");
    found = strvec_contains (&names, "memory");
    return found ? group + 1 : NULL;
}

static char *file_of_version_1 (const char *self_cgroup,
                                const char *cgroup_mount)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    char *file = NULL;

    if (file_read (self_cgroup, bytes_max, &text, NULL) == 0)
        strvec_split (&lines, text.buf, "\n");
    for (size_t i = 0; i < lines.n && !file; i++) {
        const char *group = memory_group (lines.v[i]);

        if (group)
            file = xasprintf ("%s/memory%s/memory.oom_control", cgroup_mount,
                              group);
    }
    return file;
}

char *own_cgroup (const char *self_cgroup)
{
    return read_line_after (self_cgroup, "0::");
}

char *oom_kills_file (const char *self_cgroup, const char *cgroup_mount)
{
    char *cgroup = own_cgroup (self_cgroup);
    char *file =
        cgroup ? xasprintf ("%s%s/memory.events", cgroup_mount, cgroup) : NULL;

    free (cgroup);
    if (oom_kills (file) >= 0)
        return file;
    free (file);
    return file_of_version_1 (self_cgroup, cgroup_mount);
}

int64_t memory_events (const char *file, const char *key)
{
    _cleanup_free_ char *count = file ? read_line_after (file, key) : NULL;

    return count ? strtoll (count, NULL, 10) : -1;
}

int64_t oom_kills (const char *file)
{
    return memory_events (file, "oom_kill ");
}

/* --- room --- */

/* A program that fails for want of room leaves at most a few blocks. */
enum { FULL_BYTES = 1 << 16 };

bool room_is_left (const char *dir, struct error *err)
{
    struct statvfs fs;
    unsigned long long blocks, inodes;

    if (statvfs (dir, &fs) < 0)
        return true; /* that is not known */
    blocks = geteuid () == 0 ? fs.f_bfree : fs.f_bavail;
    inodes = geteuid () == 0 ? fs.f_ffree : fs.f_favail;
    errno = ENOSPC;
    if (fs.f_blocks > 0 && blocks * fs.f_frsize < FULL_BYTES) {
        error_errno (err, "the file system of '%s' is full", dir);
        return false;
    }
    if (fs.f_files > 0 && inodes == 0) {
        error_errno (err, "the file system of '%s' has no inodes left", dir);
        return false;
    }
    return true;
}
