/* SPDX-License-Identifier: BSD-3-Clause */
/* store_record.c - documents, and what campaigns refer to */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_system.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_private.h"

enum { WORD_BYTES_MAX = 200, ID_DIGITS = 32 };

#define SUFFIX ".json"

/* --- documents --- */

static int check_word (const char *word, const char *what, struct error *err)
{
    size_t len = strspn (word, "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");

    if (word[len] == '\0' && len > 0 && len <= WORD_BYTES_MAX
        && isalnum ((unsigned char)word[0]))
        return 0;
    return error_set (err,
                      "'%s' cannot be %s in the store: up to %d letters, "
                      "digits and '_.-', the first a letter or a digit",
                      word, what, WORD_BYTES_MAX);
}

/* The directory of a kind, and one document of it.  Caller frees; NULL. */
static char *kind_dir (const struct store *store, const char *kind,
                       struct error *err)
{
    if (check_word (kind, "a kind of document", err) < 0)
        return NULL;
    return store_file (store, STORE_RECORDS, kind);
}

char *store_record_path (const struct store *store, const char *kind,
                         const char *name, struct error *err)
{
    char *dir = kind_dir (store, kind, err);
    char *path = NULL;

    if (dir && check_word (name, "the name of a document", err) == 0)
        path = xasprintf ("%s/%s" SUFFIX, dir, name);
    free (dir);
    return path;
}

/* Commit what was put before, then write the document by 'write'. */
static int write_record (struct store *store, const char *kind,
                         const char *name, const struct json *record,
                         int (*write) (struct store *store, const char *path,
                                       const char *dir,
                                       const struct json *record,
                                       struct error *err),
                         struct error *err)
{
    char *path = store_record_path (store, kind, name, err);
    char *dir = path ? kind_dir (store, kind, err) : NULL;
    int rc = -1;

    if (path && store_lock (store, false, err) == 0) {
        rc = store_batch_commit (store, err);
        if (rc == 0)
            rc = store_make_dirs (store, dir, err);
        if (rc == 0)
            rc = write (store, path, dir, record, err);
        store_unlock (store);
    }
    free (dir);
    free (path);
    return rc;
}

static int replace_record (struct store *store, const char *path,
                           const char *dir, const struct json *record,
                           struct error *err)
{
    (void)store;
    (void)dir;
    return json_write_file (path, record, err);
}

int store_record_write (struct store *store, const char *kind, const char *name,
                        const struct json *record, struct error *err)
{
    return write_record (store, kind, name, record, replace_record, err);
}

/* A name appears with all that it stands for: a link to a file that is whole.
 */
static int link_record (struct store *store, const char *path, const char *dir,
                        const struct json *record, struct error *err)
{
    char *temporary = store_temporary (store, err);
    int rc = -1;

    if (temporary && json_write_file (temporary, record, err) == 0) {
        if (link (temporary, path) == 0 || file_was_linked (temporary))
            rc = 0;
        else if (errno == EEXIST)
            rc = 1;
        else
            error_errno (err, "cannot create '%s'", path);
        unlink (temporary);
    }
    free (temporary);
    return rc == 0 ? file_sync_dir (dir, err) : rc;
}

int store_record_create (struct store *store, const char *kind,
                         const char *name, const struct json *record,
                         struct error *err)
{
    return write_record (store, kind, name, record, link_record, err);
}

int store_record_read (struct store *store, const char *kind, const char *name,
                       struct json **record, struct error *err)
{
    char *path = store_record_path (store, kind, name, err);
    struct error why = ERROR_INIT;
    struct json *v;
    int rc = path ? 1 : -1;

    if (path && !(v = json_read_file (path, &why)))
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    else if (path)
        *record = v;
    free (path);
    return rc;
}

int store_record_remove (struct store *store, const char *kind,
                         const char *name, struct error *err)
{
    char *path = store_record_path (store, kind, name, err);
    char *dir = path ? kind_dir (store, kind, err) : NULL;
    int rc = path ? 0 : -1;

    if (path && unlink (path) < 0 && errno != ENOENT)
        rc = error_errno (err, "cannot remove '%s'", path);
    else if (path && file_exists (dir))
        rc = file_sync_dir (dir, err);
    free (dir);
    free (path);
    return rc;
}

int store_record_names (struct store *store, const char *kind,
                        struct strvec *names, struct error *err)
{
    char *folder = xasprintf (STORE_RECORDS "/%s", kind);
    struct strvec files = STRVEC_INIT;
    int rc = check_word (kind, "a kind of document", err);

    if (rc == 0)
        rc = store_list_folder (store, folder, &files, err);
    for (size_t i = 0; rc == 0 && i < files.n; i++) {
        size_t len = strlen (files.v[i]), end = strlen (SUFFIX);

        if (len > end && strcmp (files.v[i] + len - end, SUFFIX) == 0) {
            files.v[i][len - end] = '\0';
            strvec_push (names, files.v[i]);
        }
    }
    strvec_release (&files);
    free (folder);
    return rc;
}

/* --- what campaigns refer to --- */

/* The last directory of a path's that is on the same file system: without it
 * being mounted, what is below is not gone but out of sight.  Caller frees.
 */
static char *mount_of (const char *dir)
{
    char *path = xstrdup (dir), *slash;
    struct stat st, above;
    bool same = stat (path, &st) == 0;

    while (same && (slash = strrchr (path, '/')) && path[1]) {
        char *parent = slash == path ? xstrdup ("/")
                                     : xstrndup (path, (size_t)(slash - path));

        same = stat (parent, &above) == 0 && above.st_dev == st.st_dev;
        if (same) {
            free (path);
            path = parent;
        } else {
            free (parent);
        }
    }
    return path;
}

/* What gc must know of a campaign's directory, to tell whether it is there. */
static struct json *campaign_head (const char *dir)
{
    struct json *head = json_object ();
    struct file_system fs;
    char host[256] = "", *mount = mount_of (dir);

    json_set (head, "format", json_int (1));
    json_set (head, "campaign", json_string (dir));
    json_set (head, "mount", json_string (mount));
    if (file_system_look (dir, &fs, NULL) == 0 && fs.reach == REACH_LOCAL
        && gethostname (host, sizeof (host) - 1) == 0)
        json_set (head, "host", json_string (host));
    free (mount);
    return head;
}

static int write_head (const char *place, const char *dir, struct error *err)
{
    char *path = path_join (place, STORE_CAMPAIGN_FILE);
    struct json *head;
    int rc = file_look (path, err);

    if (rc == 0) {
        head = campaign_head (dir);
        rc = json_write_file (path, head, err);
        json_unref (head);
    }
    free (path);
    return rc < 0 ? -1 : 0;
}

static int write_refers (const char *place, const char *const *hex, size_t n,
                         struct error *err)
{
    struct json *v = json_object (), *list = json_array ();
    char token[17], *path;
    int rc;

    random_token (token, 16);
    path = xasprintf ("%s/refers-%s" SUFFIX, place, token);
    for (size_t i = 0; i < n; i++)
        json_push (list, json_string (hex[i]));
    json_set (v, "format", json_int (1));
    json_set (v, "sha256", list);
    rc = json_write_file (path, v, err);
    json_unref (v);
    free (path);
    return rc;
}

static int refer (struct store *store, const char *dir, const char *const *hex,
                  size_t n, struct error *err)
{
    char id[DIGEST_HEX_SIZE], *place;
    int rc;

    digest_bytes (dir, strlen (dir), id);
    id[ID_DIGITS] = '\0';
    place = store_file (store, STORE_CAMPAIGNS, id);
    rc = store_make_dirs (store, place, err);
    if (rc == 0)
        rc = write_head (place, dir, err);
    if (rc == 0)
        rc = write_refers (place, hex, n, err);
    free (place);
    return rc;
}

int store_refer (struct store *store, const char *campaign_dir,
                 const char *const *hex, size_t n, struct error *err)
{
    char *dir = realpath (campaign_dir, NULL);
    int rc = -1;

    if (!dir)
        return error_errno (err, "cannot look at '%s'", campaign_dir);
    for (size_t i = 0; i < n; i++) {
        if (!digest_is_hex (hex[i])) {
            error_set (err, "'%s' is no SHA-256", hex[i]);
            goto done;
        }
    }
    rc = 0;
    if (n > 0 && (rc = store_lock (store, false, err)) == 0) {
        rc = store_batch_commit (store, err);
        if (rc == 0)
            rc = refer (store, dir, hex, n, err);
        store_unlock (store);
    }
done:
    free (dir);
    return rc;
}
