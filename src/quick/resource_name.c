/* SPDX-License-Identifier: BSD-3-Clause */
/* resource_name.c - what algorithms, datasets and models are called */
#include "base/base.h"

#include "base/file.h"
#include "quick/resource_name.h"

static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "abcdefghijklmnopqrstuvwxyz0123456789";
static const char legal[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "abcdefghijklmnopqrstuvwxyz0123456789_.-";

enum { VERSION_DIGITS_MAX = 9 };

bool resource_name_ok (const char *name)
{
    size_t len = strlen (name);

    return len > 0 && len <= RESOURCE_NAME_MAX && strchr (first, name[0])
           && strspn (name, legal) == len;
}

size_t archive_name_length (const char *path)
{
    static const char *const ends[] = { ".tar",    ".tar.gz",  ".tgz",
                                        ".tar.xz", ".txz",     ".tar.bz2",
                                        ".tbz2",   ".tar.zst", ".tzst",
                                        ".zip" };
    const char *base = path_base (path);
    size_t len = strlen (path), before = (size_t)(base - path);

    for (size_t i = 0; i < ARRAY_SIZE (ends); i++) {
        size_t end = strlen (ends[i]);

        if (len > before + end && strcmp (path + len - end, ends[i]) == 0)
            return len - end;
    }
    return 0;
}

char *resource_name_of_path (const char *path)
{
    size_t len = archive_name_length (path);
    const char *base = path_base (path);
    char *name =
        len > 0 ? xstrndup (base, len - (size_t)(base - path)) : xstrdup (base);

    for (char *c = name; *c; c++) {
        if (!strchr (legal, *c))
            *c = '-';
    }
    if (strlen (name) > RESOURCE_NAME_MAX)
        name[RESOURCE_NAME_MAX] = '\0';
    if (!*name || !strchr (first, *name)) {
        char *whole = xasprintf ("x%.*s", RESOURCE_NAME_MAX - 1, name);

        free (name);
        return whole;
    }
    return name;
}

/* Where the version begins: the digits behind the last dot; NULL: there is
 * none.
 */
static const char *version_of (const char *id)
{
    const char *dot = strrchr (id, '.');
    size_t digits = dot ? strspn (dot + 1, "0123456789") : 0;

    if (digits == 0 || digits > VERSION_DIGITS_MAX || dot[1] == '0'
        || dot[1 + digits] != '\0' || dot == id)
        return NULL;
    return dot + 1;
}

bool resource_id_ok (const char *id)
{
    return strlen (id) <= RESOURCE_NAME_MAX + 1 + VERSION_DIGITS_MAX
           && strchr (first, id[0]) && strspn (id, legal) == strlen (id)
           && version_of (id);
}

int resource_id_version (const char *id, const char *name)
{
    const char *version = version_of (id);
    size_t len = strlen (name);

    if (!version || (size_t)(version - id) != len + 1
        || memcmp (id, name, len) != 0)
        return 0;
    return atoi (version);
}

int resource_next_version (const struct strvec *ids, const char *name)
{
    int most = 0;

    for (size_t i = 0; i < ids->n; i++) {
        int version = resource_id_version (ids->v[i], name);

        most = version > most ? version : most;
    }
    return most + 1;
}
