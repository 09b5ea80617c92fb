/* SPDX-License-Identifier: BSD-3-Clause */
/* path_similar.c - the file that was meant by a path that is not there */
#include "base/base.h"

#include "base/file.h"
#include "base/path_similar.h"
#include "base/problems.h"

/* Those of 'names' that end in 'end', without that, and the others. */
static void part_names (const struct strvec *names, const char *end,
                        struct strvec *stems, struct strvec *others)
{
    size_t tail = strlen (end);

    for (size_t i = 0; i < names->n; i++) {
        size_t len = strlen (names->v[i]);

        if (tail > 0 && len > tail
            && strcmp (names->v[i] + len - tail, end) == 0)
            strvec_pushf (stems, "%.*s", (int)(len - tail), names->v[i]);
        else
            strvec_push (others, names->v[i]);
    }
}

/* The name that 'base' is nearly, or NULL.  Of one with the same ending the
 * rest is compared: C.UPF is not nearly Si.UPF.  Caller frees.
 */
static char *nearest_name (const char *base, const struct strvec *names)
{
    const char *end = strrchr (base, '.');
    _cleanup_ (strvec_release) struct strvec stems = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec others = STRVEC_INIT;
    _cleanup_free_ char *stem = NULL;
    char *name = NULL;
    const char *near;

    end = end ? end : base + strlen (base);
    stem = xstrndup (base, (size_t)(end - base));
    part_names (names, end, &stems, &others);
    if ((near = nearest_word (stem, &stems)))
        name = xasprintf ("%s%s", near, end);
    else if ((near = nearest_word (base, &others)))
        name = xstrdup (near);
    return name;
}

char *path_similar (const char *dir, const char *path)
{
    const char *base = path_base (path);
    _cleanup_free_ char *parent = xstrndup (path, (size_t)(base - path));
    _cleanup_free_ char *where = path_join (dir, parent[0] ? parent : ".");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ char *near = NULL;
    char *similar = NULL;

    if (file_list_dir (where, &names, NULL) == 0)
        near = nearest_name (base, &names);
    if (near)
        similar = xasprintf ("%s%s", parent, near);
    return similar;
}
