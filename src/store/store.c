/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - the store's directory */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/tree_walk.h"
#include "store/store_private.h"

#define HEAD_FILE "store.json"

enum { FORMAT = 2 };

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

/* --- opening --- */

static int check_head (const char *dir, const char *file, struct error *err)
{
    _cleanup_json_ struct json *head = json_read_file (file, err);
    int64_t format;
    int rc = head ? json_want_int (head, "format", &format, err) : -1;

    if (head && rc < 0)
        error_prefix (err, "'%s'", file);
    if (rc == 0 && format != FORMAT)
        rc = error_set (err,
                        "the store '%s' has format %lld, and this program "
                        "reads %d; use the program that made it",
                        dir, (long long)format, FORMAT);
    return rc;
}

/* Make a store of an empty directory, which may not be there. */
static int make_head (const char *dir, const char *file, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_json_ struct json *head = json_object ();
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
    return rc;
}

int store_there (const char *dir, struct error *err)
{
    _cleanup_free_ char *file = path_join (dir, HEAD_FILE);

    return file_look (file, err);
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
    bool shared = share_with_group (dir);
    _cleanup_free_ char *file = path_join (dir, HEAD_FILE);
    int there = store_there (dir, err);
    struct store *store = NULL;
    int rc = there < 0 ? -1 : there ? 0 : make_head (dir, file, err);

    if (rc == 0 && check_head (dir, file, err) == 0) {
        store = xcalloc (1, sizeof (*store));
        store->dir = path_absolute (dir);
        store->shared = shared;
    }
    if (!store)
        error_prefix (err, "cannot open the store");
    return store;
}

void store_close (struct store *store)
{
    if (store)
        free (store->dir);
    free (store);
}

const char *store_path (const struct store *store)
{
    return store->dir;
}

/* --- its folders --- */

int store_list_folder (const struct store *store, const char *folder,
                       struct strvec *names, struct error *err)
{
    _cleanup_free_ char *path = path_join (store->dir, folder);
    struct error why = ERROR_INIT;
    int rc = file_list_dir (path, names, &why);

    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    return rc;
}

/* What is another's and lacks rights fails where they are needed. */
static int let_write (int dir_fd, const char *name, const struct stat *st)
{
    if ((st->st_mode & S_IWGRP) != 0
        || fchmodat (dir_fd, name, (st->st_mode | S_IWGRP) & 07777, 0) == 0)
        return 0;
    return errno == EPERM ? 0 : -1;
}

static int share_entry (const struct tree_entry *entry, void *arg,
                        struct error *err)
{
    (void)arg;
    if (entry->kind != TREE_DIR
        || let_write (entry->dir_fd, entry->name, entry->st) == 0)
        return 0;
    return error_errno (err, "cannot let the group write to '%s'", entry->path);
}

int store_share (const struct store *store, const char *path, struct error *err)
{
    return store->shared ? tree_walk (path, false, share_entry, NULL, NULL, err)
                         : 0;
}

int store_make_folder (const struct store *store, const char *folder,
                       struct error *err)
{
    _cleanup_free_ char *path = path_join (store->dir, folder);
    struct stat st;
    int rc = file_make_lasting_dirs (path, err);

    if (rc == 0 && store->shared
        && (stat (path, &st) < 0 || let_write (AT_FDCWD, path, &st) < 0))
        rc = error_errno (err, "cannot let the group write to '%s'", path);
    return rc;
}

char *store_temporary (const struct store *store, struct error *err)
{
    char token[17];

    if (store_make_folder (store, STORE_TMP, err) < 0)
        return NULL;
    random_token (token, sizeof (token) - 1);
    return xasprintf ("%s/" STORE_TMP "/%s", store->dir, token);
}
