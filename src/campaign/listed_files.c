/* SPDX-License-Identifier: BSD-3-Clause */
/* listed_files.c - the files that `files:` of an operator stands for */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/file_glob.h"
#include "base/tree_walk.h"
#include "campaign/listed_files.h"

/* A directory that is walked. */
struct walk {
    const char *item;    /* as it is to be spelled */
    size_t full_len;     /* of its path on the disk */
    struct strvec found; /* of the directory */
};

/* Has 'below', "/a/b" of a directory, a name that globs pass over, or one that
 * Python makes where it imports from?
 */
static bool is_passed_over (const char *below)
{
    static const char cache[] = "/__pycache__";
    size_t len = strlen (cache);

    for (; below; below = strchr (below + 1, '/')) {
        if (below[0] == '/'
            && (below[1] == '.'
                || (strncmp (below, cache, len) == 0
                    && (below[len] == '/' || !below[len]))))
            return true;
    }
    return false;
}

static int visit (const struct tree_entry *entry, void *arg, struct error *err)
{
    struct walk *walk = arg;
    const char *below = entry->path + walk->full_len;
    struct stat st;

    if (entry->kind == TREE_DIR || entry->kind == TREE_DIR_END
        || is_passed_over (below))
        return 0;
    if (entry->kind == TREE_LINK
        && fstatat (entry->dir_fd, entry->name, &st, 0) == 0
        && S_ISDIR (st.st_mode))
        return error_set (
            err,
            "'%s%s' is a link to a directory; name that directory "
            "in files:, or remove the link",
            walk->item, below);
    strvec_pushf (&walk->found, "%s%s", walk->item, below);
    return 0;
}

static int walk_directory (const char *full, const char *item,
                           struct strvec *paths, struct error *err)
{
    struct walk walk = { .item = item,
                         .full_len = strlen (full),
                         .found = STRVEC_INIT };
    int rc = tree_walk (full, true, visit, &walk, NULL, err);

    if (rc == 0 && walk.found.n == 0)
        rc = error_set (err,
                        "there is no file below '%s'; put one there, or remove "
                        "it from the list",
                        item);
    if (rc == 0) {
        strvec_sort (&walk.found);
        strvec_push_all (paths, walk.found.v);
    }
    strvec_release (&walk.found);
    return rc;
}

/* 'path' is what an item is, or what one matches. */
static int add_path (const char *dir, const char *path, struct strvec *paths,
                     struct error *err)
{
    _cleanup_free_ char *item = xstrdup (path);
    _cleanup_free_ char *full = NULL;
    size_t len = strlen (item);
    struct stat st;
    int rc = 0;

    while (len > 1 && item[len - 1] == '/')
        item[--len] = '\0';
    full = path_join (dir, item);
    if (stat (full, &st) < 0)
        rc = error_errno (err, "cannot read '%s'", item);
    else if (S_ISDIR (st.st_mode))
        rc = walk_directory (full, item, paths, err);
    else
        strvec_push (paths, item);
    return rc;
}

int listed_files (const char *dir, const char *item, struct strvec *paths,
                  struct error *err)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    int rc = file_glob (dir, item, &found, err);

    for (size_t i = 0; rc == 0 && i < found.n; i++)
        rc = add_path (dir, found.v[i], paths, err);
    return rc;
}
