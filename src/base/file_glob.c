/* SPDX-License-Identifier: BSD-3-Clause */
/* file_glob.c - paths that match a pattern of glob(7) */
#include "base/base.h"

#include <glob.h>

#include "base/file.h"
#include "base/file_glob.h"

bool path_is_pattern (const char *path)
{
    return strpbrk (path, "*?[") != NULL;
}

/* 'dir' is a name, not a pattern. */
static char *full_pattern (const char *dir, const char *pattern)
{
    _cleanup_ (strbuf_release) struct strbuf escaped = STRBUF_INIT;
    char *full;

    for (; *dir; dir++) {
        if (strchr ("*?[\\", *dir))
            strbuf_add_char (&escaped, '\\');
        strbuf_add_char (&escaped, *dir);
    }
    full = path_join (escaped.buf, pattern);
    return full;
}

static int stop_at_error (const char *path, int number)
{
    (void)path;
    return number != ENOENT && number != ENOTDIR;
}

/* Seen from 'dir' again. */
static void take_matches (const char *dir, const char *pattern,
                          const glob_t *matches, struct strvec *paths)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    _cleanup_free_ char *probe = path_join (dir, "x");
    size_t prefix = pattern[0] == '/' ? 0 : strlen (probe) - 1;

    for (size_t i = 0; i < matches->gl_pathc; i++)
        strvec_push (&found, matches->gl_pathv[i] + prefix);
    strvec_sort (&found);
    strvec_push_all (paths, found.v);
}

int file_glob (const char *dir, const char *pattern, struct strvec *paths,
               struct error *err)
{
    _cleanup_free_ char *itself = path_join (dir, pattern);
    bool is_name = !path_is_pattern (pattern) || file_exists (itself);
    _cleanup_free_ char *full = full_pattern (dir, pattern);
    glob_t matches = { 0 };
    int rc = 0, found;

    if (is_name) {
        strvec_push (paths, pattern);
        return 0;
    }
    errno = 0;
    found = glob (full, GLOB_NOSORT, stop_at_error, &matches);
    if (found == 0)
        take_matches (dir, pattern, &matches, paths);
    else if (found == GLOB_NOMATCH)
        rc = error_set (
            err,
            "no file matches '%s'; write a pattern of files that are there",
            pattern);
    else if (found == GLOB_NOSPACE)
        alloc_failed (0);
    else
        rc = error_errno (err, "cannot look for '%s'", pattern);
    globfree (&matches);
    return rc;
}
