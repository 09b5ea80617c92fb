/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c - names of files, as text */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"

char *path_join (const char *dir, const char *name)
{
    size_t len = strlen (dir);

    if (name[0] == '/' || len == 0 || strcmp (dir, ".") == 0)
        return xstrdup (name);
    return xasprintf (dir[len - 1] == '/' ? "%s%s" : "%s/%s", dir, name);
}

/* The directory we are in may have been removed: then "/" has to do. */
static void push_working_directory (struct strvec *parts)
{
    _cleanup_free_ char *cwd = getcwd (NULL, 0);

    if (cwd)
        strvec_split (parts, cwd, "/");
}

char *path_absolute (const char *path)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    struct strbuf out = STRBUF_INIT;
    size_t n = 0;

    if (path[0] != '/')
        push_working_directory (&parts);
    strvec_split (&parts, path, "/");
    /* The first n pieces, reordered in place, are the answer so far. */
    for (size_t i = 0; i < parts.n; i++) {
        char *part = parts.v[i];

        if (strcmp (part, ".") == 0)
            continue;
        if (strcmp (part, "..") == 0) {
            n -= n > 0;
            continue;
        }
        parts.v[i] = parts.v[n];
        parts.v[n++] = part;
    }
    for (size_t i = 0; i < n; i++)
        strbuf_addf (&out, "/%s", parts.v[i]);
    if (n == 0)
        strbuf_add_char (&out, '/');
    return strbuf_detach (&out);
}

bool path_is_inside (const char *path)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    bool inside;

    strvec_split (&parts, path, "/");
    inside = path[0] != '/' && parts.n > 0 && !strvec_contains (&parts, ".")
             && !strvec_contains (&parts, "..");
    return inside;
}

bool path_is_at_or_below (const char *path, const char *above)
{
    size_t len = strlen (above);

    return strncmp (path, above, len) == 0
           && (path[len] == '/' || path[len] == '\0');
}

const char *path_base (const char *path)
{
    const char *slash = strrchr (path, '/');

    return slash ? slash + 1 : path;
}
