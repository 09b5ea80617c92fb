/* SPDX-License-Identifier: BSD-3-Clause */
/* store_tree.c - trees that are kept: a list (tree_list.h) and its files */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/tree_walk.h"
#include "store/store_private.h"
#include "store/tree_list.h"

enum { LIST_BYTES_MAX = 1 << 30 };

/* --- reading --- */

static char *list_path (const struct store *store, const char *hex)
{
    char *shelf = store_shelf (store, STORE_TREES, hex);
    char *path = path_join (shelf, hex);

    free (shelf);
    return path;
}

/* Of the tree that has this digest? */
static bool is_list_of (struct strbuf *text, const char *hex, struct tree *tree)
{
    char found[DIGEST_HEX_SIZE];

    if (!tree_parse (text, tree))
        return false;
    tree_digest (tree, found);
    return strcmp (found, hex) == 0;
}

/* 1, 0 (as store_has), -1; 'tree' is released by the caller in any case. */
static int tree_read (struct store *store, const char *hex, struct tree *tree,
                      struct error *err)
{
    char *path = list_path (store, hex);
    struct strbuf text = STRBUF_INIT;
    struct error why = ERROR_INIT;
    int rc = 1;

    if (file_read (path, LIST_BYTES_MAX, &text, &why) < 0) {
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    } else if (!is_list_of (&text, hex, tree)) {
        error_set (err,
                   "'%s' is damaged: it is not the list of the tree it was; "
                   "run 'fanfold store verify'",
                   path);
        rc = 0;
    }
    strbuf_release (&text);
    free (path);
    return rc;
}

/* --- keeping --- */

struct putting {
    struct store *store;
    struct tree tree;
    size_t prefix; /* of the path walked, with its slash */
};

static int put_link (struct putting *putting, const struct tree_entry *entry,
                     struct error *err)
{
    char *target = file_read_link (entry->path, err);
    int rc = target ? 0 : -1;

    if (target && strchr (target, '\n'))
        rc = error_set (err, "'%s': a line break in a link; make it anew",
                        entry->path);
    if (rc == 0)
        tree_add (&putting->tree, entry->path + putting->prefix)->target =
            target;
    else
        free (target);
    return rc;
}

static int put_file (struct putting *putting, const struct tree_entry *entry,
                     struct error *err)
{
    char hex[DIGEST_HEX_SIZE];
    struct leaf *leaf;
    bool executable;

    if (store_file_put (putting->store, entry->path, hex, &executable, err) < 0)
        return -1;
    if (store_batch_is_full (putting->store)
        && store_batch_commit (putting->store, err) < 0)
        return -1;
    leaf = tree_add (&putting->tree, entry->path + putting->prefix);
    memcpy (leaf->hex, hex, sizeof (hex));
    leaf->executable = executable;
    return 0;
}

static int put_entry (const struct tree_entry *entry, void *arg,
                      struct error *err)
{
    struct putting *putting = arg;

    if (entry->level == 0 || entry->kind == TREE_DIR_END)
        return 0;
    if (strchr (entry->path + putting->prefix, '\n'))
        return error_set (err, "'%s': a line break in a file name; rename it",
                          entry->path);
    switch (entry->kind) {
    case TREE_DIR:
        strvec_push (&putting->tree.dirs, entry->path + putting->prefix);
        return 0;
    case TREE_FILE:
        return put_file (putting, entry, err);
    case TREE_LINK:
        return put_link (putting, entry, err);
    default:
        return error_set (err, "'%s' is neither file, directory nor link",
                          entry->path);
    }
}

/* Two trees of one digest may have other rights, and other directories that
 * are empty: keep what either has.  Both are sorted.
 */
static bool merge (struct tree *tree, const struct tree *kept)
{
    bool changed = false;
    size_t own = tree->dirs.n;

    for (size_t i = 0; i < tree->n; i++) {
        if (kept->leaves[i].executable != tree->leaves[i].executable) {
            changed = changed || tree->leaves[i].executable;
            tree->leaves[i].executable = true;
        }
    }
    for (size_t i = 0, at = 0; i < kept->dirs.n; i++) {
        while (at < own && strcmp (tree->dirs.v[at], kept->dirs.v[i]) < 0)
            at++;
        if (at == own || strcmp (tree->dirs.v[at], kept->dirs.v[i]) != 0)
            strvec_push (&tree->dirs, kept->dirs.v[i]);
    }
    changed = changed || tree->dirs.n > kept->dirs.n;
    strvec_sort (&tree->dirs);
    return changed;
}

/* It comes to its place after the files. */
static int stage_list (struct store *store, const char *hex,
                       const struct tree *tree, struct error *err)
{
    char *temporary = store_temporary (store, err);
    char *path = list_path (store, hex);
    struct strbuf text = STRBUF_INIT;
    int fd = temporary
                 ? file_open (temporary, O_WRONLY | O_CREAT | O_EXCL, 0666)
                 : -1;
    int rc = -1;

    tree_format (tree, &text);
    if (temporary && fd < 0)
        error_errno (err, "cannot create '%s'", temporary);
    else if (temporary && file_write_all (fd, text.buf, text.len, err) < 0)
        error_prefix (err, "'%s'", temporary);
    else if (temporary)
        rc = 0;
    if (fd >= 0 && close (fd) < 0 && errno != EINTR && rc == 0)
        rc = error_errno (err, "cannot write '%s'", temporary);
    if (rc == 0)
        store_batch_add (store, hex, NULL, temporary, path);
    else if (fd >= 0)
        unlink (temporary);
    strbuf_release (&text);
    free (path);
    free (temporary);
    return rc;
}

static int refresh_list (struct store *store, const char *hex,
                         struct error *err)
{
    char *path = list_path (store, hex);
    struct stat st;
    int rc = lstat (path, &st) < 0
                 ? error_errno (err, "cannot look at '%s'", path)
                 : store_refresh (store, hex, path, &st, err);

    free (path);
    return rc;
}

/* All its files are kept, or in the batch: keep the list, too. */
static int keep_list (struct store *store, struct tree *tree,
                      char hex[DIGEST_HEX_SIZE], struct error *err)
{
    struct tree kept = TREE_INIT;
    struct error damage = ERROR_INIT;
    int rc;

    tree_sort (tree);
    tree_digest (tree, hex);
    if (store_batch_has (store, hex, NULL)
        && store_batch_commit (store, err) < 0)
        return -1;
    rc = tree_read (store, hex, &kept, &damage);
    if (rc < 0)
        error_copy (err, &damage);
    else if (rc == 0 || merge (tree, &kept))
        rc = stage_list (store, hex, tree, err);
    else
        rc = refresh_list (store, hex, err);
    tree_release (&kept);
    return rc < 0 ? -1 : 0;
}

int store_tree_put (struct store *store, const char *path,
                    char hex[DIGEST_HEX_SIZE], struct error *err)
{
    struct putting putting = { .store = store,
                               .tree = TREE_INIT,
                               .prefix = strlen (path) + 1 };
    int rc;

    rc = tree_walk (path, false, put_entry, &putting, &store->heartbeat, err);
    if (rc == 0)
        rc = keep_list (store, &putting.tree, hex, err);
    tree_release (&putting.tree);
    return rc;
}

/* --- taking --- */

/* A file of a tree is not there: say which, if it is not damaged. */
static void name_missing (const char *hex, const struct leaf *leaf,
                          struct error *err)
{
    if (err && err->text[0] == '\0')
        error_set (err,
                   "'%s' of the tree %.12s is not in the store any more; run "
                   "'fanfold store verify'",
                   leaf->path, hex);
}

int store_tree_leaves (struct store *store, const char *hex,
                       void (*each) (const char *hex, void *arg), void *arg,
                       struct error *err)
{
    struct tree tree = TREE_INIT;
    int rc = tree_read (store, hex, &tree, err);

    for (size_t i = 0; rc > 0 && i < tree.n; i++) {
        if (!tree.leaves[i].target)
            each (tree.leaves[i].hex, arg);
    }
    tree_release (&tree);
    return rc;
}

int store_tree_has (struct store *store, const char *hex, struct error *err)
{
    struct tree tree = TREE_INIT;
    int rc = tree_read (store, hex, &tree, err);

    for (size_t i = 0; rc > 0 && i < tree.n; i++) {
        struct store_entry entry = { 0 };

        heartbeat_send (&store->heartbeat);
        if (tree.leaves[i].target)
            continue;
        rc =
            store_file_find (store, tree.leaves[i].hex, RIGHT_ANY, &entry, err);
        free (entry.path);
        if (rc == 0)
            name_missing (hex, &tree.leaves[i], err);
    }
    tree_release (&tree);
    return rc;
}

static int make_dirs (const struct tree *tree, const char *to,
                      struct error *err)
{
    int rc = file_make_dirs (to, err);

    for (size_t i = 0; rc == 0 && i < tree->dirs.n; i++) {
        char *path = path_join (to, tree->dirs.v[i]);

        rc = file_make_dirs (path, err);
        free (path);
    }
    return rc;
}

/* 1, 0, -1. */
static int place_leaf (struct store *store, const char *hex,
                       const struct leaf *leaf, bool own, const char *to,
                       struct strvec *copies, struct error *err)
{
    char *path = path_join (to, leaf->path);
    int rc = 1;

    heartbeat_send (&store->heartbeat);
    if (leaf->target && symlink (leaf->target, path) < 0)
        rc = error_errno (err, "cannot create '%s'", path);
    else if (!leaf->target)
        rc = store_file_place (store, leaf->hex,
                               leaf->executable ? RIGHT_EXECUTE : RIGHT_PLAIN,
                               own, path, copies, err);
    if (rc == 0)
        name_missing (hex, leaf, err);
    free (path);
    return rc;
}

/* Everything that was made, but for links to what is on the disk already. */
static int sync_made (struct store *store, const struct tree *tree,
                      const char *to, struct strvec *made, struct error *err)
{
    strvec_push (made, to);
    for (size_t i = 0; i < tree->dirs.n; i++) {
        char *path = path_join (to, tree->dirs.v[i]);

        strvec_push (made, path);
        free (path);
    }
    return file_sync_all (made, &store->heartbeat, err);
}

int store_tree_place (struct store *store, const char *hex, bool own,
                      const char *to, struct error *err)
{
    struct tree tree = TREE_INIT;
    struct strvec made = STRVEC_INIT;
    int rc = tree_read (store, hex, &tree, err);

    if (rc > 0 && make_dirs (&tree, to, err) < 0)
        rc = -1;
    for (size_t i = 0; rc > 0 && i < tree.n; i++)
        rc = place_leaf (store, hex, &tree.leaves[i], own, to, &made, err);
    if (rc > 0 && sync_made (store, &tree, to, &made, err) < 0)
        rc = -1;
    strvec_release (&made);
    tree_release (&tree);
    return rc;
}
