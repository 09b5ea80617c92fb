/* SPDX-License-Identifier: BSD-3-Clause */
/* path_similar.c - the file that was meant by a path that is not there */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/path_similar.h"
#include "base/problems.h"
#include "base/strvec.h"

char *path_similar (const char *dir, const char *path)
{
    const char *base = path_base (path);
    char *parent = xstrndup (path, (size_t)(base - path));
    char *where = path_join (dir, parent[0] ? parent : ".");
    struct strvec names = STRVEC_INIT;
    const char *near = NULL;
    char *similar = NULL;

    if (file_list_dir (where, &names, NULL) == 0)
        near = nearest_word (base, &names);
    if (near)
        similar = xasprintf ("%s%s", parent, near);
    strvec_release (&names);
    free (where);
    free (parent);
    return similar;
}
