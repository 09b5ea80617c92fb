/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - the store's directory, its lock, and what is asked of it */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_private.h"

#define HEAD_FILE "store.json"
#define LOCK_FILE "lock"

enum { FORMAT = 1, SHELF_DIGITS = 3 };

static const double lock_poll_s = 0.1, wait_alone_s = 60, wait_shared_s = 600;

/* --- where it is --- */

static const char *environment (const char *name)
{
    const char *value = getenv (name);

    return value && value[0] ? value : NULL;
}

char *store_dir (const char *site_store)
{
    const char *name = site_store ? site_store : environment ("FANFOLD_STORE");
    const char *data = environment ("XDG_DATA_HOME");
    const char *home = environment ("HOME");
    char *dir, *absolute;

    if (name)
        return strcmp (path_base (name), "none") != 0 ? path_absolute (name)
                                                      : NULL;
    /* A relative one is not to be used, by the XDG specification. */
    if (data && data[0] == '/')
        dir = path_join (data, "fanfold");
    else if (home)
        dir = path_join (home, ".local/share/fanfold");
    else
        return NULL;
    absolute = path_absolute (dir);
    free (dir);
    return absolute;
}

char *store_file (const struct store *store, const char *folder,
                  const char *name)
{
    return xasprintf ("%s/%s/%s", store->dir, folder, name);
}

char *store_shelf (const struct store *store, const char *folder,
                   const char *hex)
{
    return xasprintf ("%s/%s/%.*s", store->dir, folder, SHELF_DIGITS, hex);
}

char *store_temporary (struct store *store, struct error *err)
{
    char *dir = store_file (store, STORE_TMP, "");
    char *path = NULL;

    if (store_make_dirs (store, dir, err) == 0)
        path = xasprintf ("%s%s-%d-%u", dir, store->token, (int)getpid (),
                          ++store->n_temporary);
    free (dir);
    return path;
}

/* Whoever lets the group write to the store lets it write to all of it. */
static int share_dir (const struct store *store, const char *path,
                      struct error *err)
{
    struct stat st;

    if (!store->shared)
        return 0;
    if (stat (path, &st) < 0)
        return error_errno (err, "cannot look at '%s'", path);
    if ((st.st_mode & S_IWGRP) != 0
        || chmod (path, (st.st_mode | S_IWGRP) & 07777) == 0)
        return 0;
    return error_errno (err, "cannot let the group write to '%s'", path);
}

int store_make_shelf (const struct store *store, const char *shelf,
                      struct error *err)
{
    if (file_look (shelf, NULL) == 1)
        return 0;
    if (mkdir (shelf, 0777) == 0)
        return share_dir (store, shelf, err);
    return errno == ENOENT ? store_make_dirs (store, shelf, err)
           : errno == EEXIST
               ? 0
               : error_errno (err, "cannot create directory '%s'", shelf);
}

int store_make_dirs (const struct store *store, const char *path,
                     struct error *err)
{
    char *above;
    int rc;

    if (file_look (path, NULL) == 1)
        return 0;
    above = xasprintf ("%s/..", path);
    if (mkdir (path, 0777) == 0) {
        rc = share_dir (store, path, err);
        if (rc == 0)
            rc = file_sync_dir (above, err);
    } else if (errno == ENOENT) {
        char *parent = path_absolute (above);

        rc = store_make_dirs (store, parent, err);
        free (parent);
        if (rc == 0)
            rc = store_make_dirs (store, path, err);
    } else {
        rc = errno == EEXIST
                 ? 0
                 : error_errno (err, "cannot create directory '%s'", path);
    }
    free (above);
    return rc;
}

int store_make_folder (const struct store *store, const char *name,
                       struct error *err)
{
    char *path = path_join (store->dir, name);
    int rc = store_make_dirs (store, path, err);

    free (path);
    return rc;
}

int store_list_folder (const struct store *store, const char *folder,
                       struct strvec *names, struct error *err)
{
    char *path = path_join (store->dir, folder);
    struct error why = ERROR_INIT;
    int rc = file_list_dir (path, names, &why);

    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    free (path);
    return rc;
}

/* --- opening --- */

static int check_head (const char *dir, const char *file, struct error *err)
{
    struct json *head = json_read_file (file, err);
    int64_t format;
    int rc = head ? json_want_int (head, "format", &format, err) : -1;

    if (head && rc < 0)
        error_prefix (err, "'%s'", file);
    if (rc == 0 && format != FORMAT)
        rc = error_set (err,
                        "the store '%s' has format %lld, and this program "
                        "reads %d; use the program that made it",
                        dir, (long long)format, FORMAT);
    json_unref (head);
    return rc;
}

/* Make a store of an empty directory, which may not be there. */
static int make_head (const char *dir, const char *file, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    struct json *head = json_object ();
    int rc = file_make_dirs (dir, err);

    json_set (head, "format", json_int (FORMAT));
    if (rc == 0)
        rc = file_list_dir (dir, &names, err);
    if (rc == 0 && names.n > 0)
        /* Or another program has made it a store in this moment. */
        rc = strvec_contains (&names, HEAD_FILE)
                 ? 0
                 : error_set (err,
                              "'%s' has other things in it ('%s') and is no "
                              "store; name an empty directory, or one that is "
                              "not there",
                              dir, names.v[0]);
    else if (rc == 0)
        rc = json_write_file (file, head, err);
    json_unref (head);
    strvec_release (&names);
    return rc;
}

/* A store that may only be read has no lock, or one that may only be read. */
static int open_lock (const char *dir)
{
    char *path = path_join (dir, LOCK_FILE);
    int fd = file_open (path, O_RDWR | O_CREAT, 0666);

    if (fd < 0)
        fd = file_open (path, O_RDONLY | O_NONBLOCK, 0);
    free (path);
    return fd;
}

int store_there (const char *dir, struct error *err)
{
    char *file = path_join (dir, HEAD_FILE);
    int there = file_look (file, err);

    free (file);
    return there;
}

/* In a store that the group may write to it may read all, whatever this user's
 * umask keeps from it elsewhere.
 */
static bool share_with_group (const char *dir)
{
    struct stat st;
    bool shared = stat (dir, &st) == 0 && (st.st_mode & S_IWGRP) != 0;

    if (shared)
        umask (umask (0) & ~(mode_t)(S_IRGRP | S_IXGRP));
    return shared;
}

struct store *store_open (const char *dir, struct error *err)
{
    char *file = path_join (dir, HEAD_FILE);
    bool shared = share_with_group (dir);
    int there = store_there (dir, err);
    struct store *store = NULL;
    int rc = there < 0 ? -1 : there ? 0 : make_head (dir, file, err);

    if (rc == 0 && check_head (dir, file, err) == 0) {
        store = xcalloc (1, sizeof (*store));
        store->dir = path_absolute (dir);
        store->shared = shared;
        store->lock_fd = open_lock (store->dir);
        random_token (store->token, sizeof (store->token) - 1);
    }
    if (!store)
        error_prefix (err, "cannot open the store");
    free (file);
    return store;
}

void store_close (struct store *store)
{
    if (!store)
        return;
    store_batch_drop (store);
    file_close (store->lock_fd);
    free (store->dir);
    free (store);
}

const char *store_path (const struct store *store)
{
    return store->dir;
}

void store_beat (struct store *store, const struct heartbeat *heartbeat)
{
    store->heartbeat = *heartbeat;
}

/* --- its lock --- */

/* 1; 0: another has it; -1 with errno, which may say that there are none. */
static int try_lock (const struct store *store, bool alone)
{
    int how = (alone ? LOCK_EX : LOCK_SH) | LOCK_NB;

    if (TEMP_FAILURE_RETRY (flock (store->lock_fd, how)) == 0)
        return 1;
    return errno == EWOULDBLOCK ? 0 : -1;
}

static bool has_no_locks (int number)
{
    return number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP
           || number == EINVAL || number == EBADF;
}

int store_lock (struct store *store, bool alone, struct error *err)
{
    double wait_s = alone ? wait_alone_s : wait_shared_s;
    double start_s = clock_mono_s ();
    int had = store->lock_depth > 0 || store->lock_fd < 0;

    while (!had && (had = try_lock (store, alone)) == 0
           && clock_mono_s () - start_s < wait_s) {
        heartbeat_send (&store->heartbeat);
        clock_sleep (lock_poll_s, NULL);
    }
    if (had < 0 && !has_no_locks (errno))
        return error_errno (err, "cannot lock '%s/" LOCK_FILE "'", store->dir);
    if (had == 0) {
        errno = EBUSY;
        return error_errno (err,
                            alone
                                ? "another program puts things into the store "
                                  "'%s'; try again later"
                                : "gc of the store '%s' goes on and on; look "
                                  "who runs it",
                            store->dir);
    }
    store->lock_depth++;
    return 0;
}

void store_unlock (struct store *store)
{
    if (--store->lock_depth == 0 && store->lock_fd >= 0)
        flock (store->lock_fd, LOCK_UN);
}

/* --- contents of either kind --- */

static int put_any (struct store *store, const char *path,
                    char hex[DIGEST_HEX_SIZE], struct error *err)
{
    struct stat st;
    bool executable;

    if (lstat (path, &st) < 0)
        return error_errno (err, "cannot look at '%s'", path);
    if (S_ISDIR (st.st_mode))
        return store_tree_put (store, path, hex, err);
    if (S_ISREG (st.st_mode))
        return store_file_put (store, path, hex, &executable, err);
    return error_set (err, "'%s' is neither a file nor a directory", path);
}

int store_put (struct store *store, const char *path, char hex[DIGEST_HEX_SIZE],
               struct error *err)
{
    char *real = realpath (path, NULL);
    char found[DIGEST_HEX_SIZE];
    int rc;

    if (!real)
        return error_errno (err, "cannot keep '%s' in the store", path);
    if ((rc = store_lock (store, false, err)) == 0) {
        rc = put_any (store, real, found, err);
        if (rc == 0)
            rc = store_batch_commit (store, err);
        else
            store_batch_drop (store);
        store_unlock (store);
    }
    free (real);
    if (rc < 0)
        return error_prefix (err, "cannot keep '%s' in the store", path);
    memcpy (hex, found, sizeof (found));
    return 0;
}

/* Nothing is said of what is not there. */
static int check_hex (const char *hex, struct error *err)
{
    if (err)
        *err = (struct error)ERROR_INIT;
    return digest_is_hex (hex) ? 0 : error_set (err, "'%s' is no SHA-256", hex);
}

static int file_has (struct store *store, const char *hex, struct error *err)
{
    struct store_entry entry = { 0 };
    int rc = store_file_find (store, hex, RIGHT_ANY, &entry, err);

    free (entry.path);
    return rc;
}

int store_has_kind (struct store *store, enum store_kind kind, const char *hex,
                    struct error *err)
{
    int rc = check_hex (hex, err);

    if (rc == 0 && kind != STORE_TREE)
        rc = file_has (store, hex, err);
    if (rc == 0 && kind != STORE_FILE)
        rc = store_tree_has (store, hex, err);
    return rc;
}

int store_has (struct store *store, const char *hex, struct error *err)
{
    return store_has_kind (store, STORE_ANY, hex, err);
}

/* 'to' is ours to make. */
static int check_absent (const char *to, struct error *err)
{
    struct stat st;

    if (lstat (to, &st) == 0) {
        errno = EEXIST;
        return error_errno (err, "cannot make '%s'", to);
    }
    return errno == ENOENT ? 0 : error_errno (err, "cannot make '%s'", to);
}

/* A name beside 'to' that is not looked at.  Caller frees. */
static char *name_beside (const char *to)
{
    char token[17];

    random_token (token, 16);
    return xasprintf ("%.*s" FILE_TEMPORARY "%s", (int)(path_base (to) - to),
                      to, token);
}

static int place_any (struct store *store, enum store_kind kind,
                      const char *hex, bool own, const char *to,
                      struct error *err)
{
    struct strvec copies = STRVEC_INIT;
    int rc = 0;

    if (kind != STORE_TREE)
        rc = store_file_place (store, hex, RIGHT_ANY, own, to, &copies, err);
    if (rc > 0 && file_sync_all (&copies, &store->heartbeat, err) < 0)
        rc = -1;
    strvec_release (&copies);
    if (rc == 0 && kind != STORE_FILE)
        rc = store_tree_place (store, hex, own, to, err);
    return rc;
}

static int place (struct store *store, enum store_kind kind, const char *hex,
                  bool own, const char *to, struct error *err)
{
    char *temporary;
    int rc;

    if (check_hex (hex, err) < 0 || check_absent (to, err) < 0
        || store_lock (store, false, err) < 0)
        return -1;
    temporary = name_beside (to);
    rc = place_any (store, kind, hex, own, temporary, err);
    if (rc > 0 && file_rename (temporary, to, err) < 0)
        rc = -1;
    if (rc <= 0)
        (void)file_remove_tree (temporary, &store->heartbeat, NULL);
    free (temporary);
    store_unlock (store);
    return rc < 0 ? error_prefix (err, "cannot take '%s' from the store", to)
                  : rc;
}

int store_place (struct store *store, const char *hex, const char *to,
                 struct error *err)
{
    return place (store, STORE_ANY, hex, false, to, err);
}

int store_place_kind (struct store *store, enum store_kind kind,
                      const char *hex, const char *to, struct error *err)
{
    return place (store, kind, hex, false, to, err);
}

int store_copy (struct store *store, enum store_kind kind, const char *hex,
                const char *to, struct error *err)
{
    return place (store, kind, hex, true, to, err);
}
