/* SPDX-License-Identifier: BSD-3-Clause */
/* store_file.c - files that are kept, by digest */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/strvec.h"
#include "store/store_private.h"

enum { STAMP_SIZE = 64 };

/* What a file's name says of it behind its digest.  No time of its links
 * (ctime): that changes with each of them.
 */
static void format_stamp (const struct stat *st, char stamp[STAMP_SIZE])
{
    snprintf (stamp, STAMP_SIZE, "%" PRIdMAX "-%" PRIdMAX ".%09ld%s",
              (intmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec,
              st->st_mtim.tv_nsec, (st->st_mode & 0111) ? "x" : "");
}

static bool is_same_file (const struct stat *a, const struct stat *b)
{
    char then[STAMP_SIZE], now[STAMP_SIZE];

    format_stamp (a, then);
    format_stamp (b, now);
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino
           && strcmp (then, now) == 0;
}

/* The name of a file that has this digest.  Caller frees. */
static char *entry_path (const struct store *store, const char *hex,
                         const struct stat *st)
{
    char *shelf = store_shelf (store, STORE_FILES, hex);
    char stamp[STAMP_SIZE], *path;

    format_stamp (st, stamp);
    path = xasprintf ("%s/%s-%s", shelf, hex, stamp);
    free (shelf);
    return path;
}

/* --- finding --- */

struct search {
    struct store *store;
    const char *hex;
    char *shelf;
    enum store_right right;
    struct store_entry found; /* the best so far */
};

static bool has_right (const struct stat *st, enum store_right right)
{
    bool executable = (st->st_mode & 0111) != 0;

    return right == RIGHT_ANY || executable == (right == RIGHT_EXECUTE);
}

char *store_file_rename (const struct store *store, const char *hex,
                         const char *path, const struct stat *st)
{
    char *right = entry_path (store, hex, st);

    if (strcmp (path, right) == 0 || rename (path, right) == 0)
        return right;
    free (right);
    return xstrdup (path);
}

/* It is not as its name says: are its bytes? */
static int look_closely (const struct search *search, struct store_entry *entry,
                         struct error *err)
{
    char found[DIGEST_HEX_SIZE], *path;

    if (digest_tree (entry->path, found, NULL, &search->store->heartbeat, err)
        < 0)
        return -1;
    if (strcmp (found, search->hex) != 0) {
        error_set (err,
                   "'%s' is damaged: its bytes are not those it was kept "
                   "with; run 'fanfold store verify'",
                   entry->path);
        return 0;
    }
    path =
        store_file_rename (search->store, search->hex, entry->path, &entry->st);
    free (entry->path);
    entry->path = path;
    return 1;
}

/* Is the file 'name' whole, and may we read it?  1, 0 (damaged: with 'err'),
 * -1.
 */
static int look_at (const struct search *search, const char *name,
                    struct store_entry *entry, struct error *err)
{
    char stamp[STAMP_SIZE];

    if (lstat (entry->path, &entry->st) < 0)
        return errno == ENOENT
                   ? 0
                   : error_errno (err, "cannot look at '%s'", entry->path);
    if (!S_ISREG (entry->st.st_mode)
        || faccessat (AT_FDCWD, entry->path, R_OK, AT_EACCESS) < 0)
        return 0;
    format_stamp (&entry->st, stamp);
    if (strcmp (name + DIGEST_HEX_SIZE, stamp) == 0)
        return 1;
    return look_closely (search, entry, err);
}

/* Take the file 'name' if it is good, and better than what was found. */
static int consider (struct search *search, const char *name, struct error *err)
{
    struct store_entry entry = { 0 };
    int rc;

    if (strncmp (name, search->hex, DIGEST_HEX_SIZE - 1) != 0
        || name[DIGEST_HEX_SIZE - 1] != '-'
        || (search->found.path && has_right (&search->found.st, search->right)))
        return 0;
    entry.path = path_join (search->shelf, name);
    rc = look_at (search, name, &entry, err);
    if (rc > 0
        && (!search->found.path || has_right (&entry.st, search->right))) {
        free (search->found.path);
        search->found = entry;
    } else {
        free (entry.path);
    }
    return rc < 0 && !error_is_absence (err) ? -1 : 0;
}

int store_file_find (struct store *store, const char *hex,
                     enum store_right right, struct store_entry *entry,
                     struct error *err)
{
    struct search search = {
        store, hex, store_shelf (store, STORE_FILES, hex), right, { 0 }
    };
    struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;
    int rc = file_list_dir (search.shelf, &names, &why);

    if (rc < 0 && why.number == ENOENT) {
        why = (struct error)ERROR_INIT;
        rc = 0;
    }
    for (size_t i = 0; rc == 0 && i < names.n; i++)
        rc = consider (&search, names.v[i], &why);
    if (rc == 0 && search.found.path) {
        *entry = search.found;
        rc = 1;
    } else if (why.text[0]) {
        error_copy (err, &why);
    }
    if (rc < 0)
        free (search.found.path);
    strvec_release (&names);
    free (search.shelf);
    return rc;
}

/* --- keeping --- */

/* A mark beside the files, for gc: what is another user's may be read, and no
 * more.
 */
static int mark_fresh (const struct store *store, const char *hex,
                       struct error *err)
{
    char *dir = path_join (store->dir, STORE_FRESH);
    char *mark = path_join (dir, hex);
    int rc = store_make_dirs (store, dir, err);

    if (rc == 0) {
        unlink (mark);
        rc = file_create (mark, "", 0, err);
    }
    free (mark);
    free (dir);
    return rc < 0 ? -1 : 0;
}

int store_refresh (const struct store *store, const char *hex, const char *path,
                   const struct stat *st, struct error *err)
{
    double age_s = clock_wall_s () - (double)st->st_ctim.tv_sec;

    if (fabs (age_s) < (double)STORE_KEPT_AT_LEAST_S / 6
        || chmod (path, st->st_mode & 07777) == 0)
        return 0;
    return mark_fresh (store, hex, err);
}

/* Is a file with just this right kept?  1, 0, -1. */
static int is_kept (struct store *store, const char *hex, const struct stat *st,
                    struct error *err)
{
    enum store_right right = (st->st_mode & 0111) ? RIGHT_EXECUTE : RIGHT_PLAIN;
    struct store_entry entry = { 0 };
    struct error damage = ERROR_INIT;
    int rc = store_file_find (store, hex, right, &entry, &damage);

    if (rc < 0)
        return error_copy (err, &damage);
    if (rc > 0 && (rc = has_right (&entry.st, right)) > 0
        && store_refresh (store, hex, entry.path, &entry.st, err) < 0)
        rc = -1;
    free (entry.path);
    return rc;
}

/* It is read-only: it is linked as it is.  1; 0: it cannot be linked, the group
 * may not read it, or it is no longer what was read.
 */
static int stage_link (const struct store *store, const char *path,
                       const struct stat *st, const char *temporary)
{
    struct stat now;

    if ((st->st_mode & 07222) != 0
        || (store->shared && (st->st_mode & S_IRGRP) == 0)
        || link (path, temporary) < 0)
        return 0;
    if (lstat (temporary, &now) == 0 && is_same_file (st, &now))
        return 1;
    unlink (temporary);
    return 0;
}

/* Copy 'from', which has 'st', so that the copy has its rights, less those to
 * write unless 'own', and its time.
 */
static int copy_whole (struct store *store, const char *from,
                       const struct stat *st, bool own, const char *to,
                       struct error *err)
{
    struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, st->st_mtim };
    mode_t mode = (st->st_mode & 0111) ? 0777 : 0666;
    struct stat made;

    if (file_copy (from, to, mode, &store->heartbeat, err) < 0)
        return -1;
    if (utimensat (AT_FDCWD, to, times, 0) < 0 || lstat (to, &made) < 0
        || (!own && chmod (to, made.st_mode & 0555) < 0))
        return error_errno (err, "cannot set the rights and time of '%s'", to);
    return 0;
}

/* What was copied is what is kept, whatever has become of 'path'. */
static int stage_copy (struct store *store, const char *path,
                       const struct stat *from, const char *temporary,
                       char hex[DIGEST_HEX_SIZE], struct error *err)
{
    if (copy_whole (store, path, from, false, temporary, err) < 0)
        return -1;
    return digest_tree (temporary, hex, NULL, &store->heartbeat, err);
}

/* Add to the batch what has this digest and is not kept. */
static int stage (struct store *store, const char *path,
                  const struct stat *from, char hex[DIGEST_HEX_SIZE],
                  struct error *err)
{
    char *temporary = store_temporary (store, err), *to;
    struct stat st;
    int rc = temporary ? stage_link (store, path, from, temporary) : -1;

    if (rc == 0)
        rc = stage_copy (store, path, from, temporary, hex, err);
    if (rc >= 0 && lstat (temporary, &st) < 0)
        rc = error_errno (err, "cannot look at '%s'", temporary);
    if (rc >= 0) {
        to = entry_path (store, hex, &st);
        store_batch_add (store, hex, &st, temporary, to);
        free (to);
    } else if (temporary) {
        unlink (temporary);
    }
    free (temporary);
    return rc < 0 ? -1 : 0;
}

int store_file_put (struct store *store, const char *path,
                    char hex[DIGEST_HEX_SIZE], bool *executable,
                    struct error *err)
{
    struct stat st;
    int kept;

    if (lstat (path, &st) < 0)
        return error_errno (err, "cannot look at '%s'", path);
    if (digest_tree (path, hex, NULL, &store->heartbeat, err) < 0)
        return -1;
    *executable = (st.st_mode & 0111) != 0;
    if (store_batch_has (store, hex, &st))
        return 0;
    kept = is_kept (store, hex, &st, err);
    if (kept == 0)
        kept = stage (store, path, &st, hex, err);
    return kept < 0 ? -1 : 0;
}

/* --- placing --- */

int store_file_place (struct store *store, const char *hex,
                      enum store_right right, bool own, const char *to,
                      struct strvec *copies, struct error *err)
{
    struct store_entry entry = { 0 };
    int rc = store_file_find (store, hex, right, &entry, err);

    if (rc <= 0)
        return rc;
    /* Linked, it has the rights that it has. */
    if (own || !has_right (&entry.st, right) || link (entry.path, to) < 0) {
        if (right != RIGHT_ANY)
            entry.st.st_mode = right == RIGHT_EXECUTE
                                   ? entry.st.st_mode | 0111
                                   : entry.st.st_mode & ~(mode_t)0111;
        rc = copy_whole (store, entry.path, &entry.st, own, to, err) < 0 ? -1
                                                                         : 1;
        strvec_push (copies, to);
    }
    free (entry.path);
    return rc;
}
