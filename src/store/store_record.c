/* SPDX-License-Identifier: BSD-3-Clause */
/* store_record.c - documents */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_private.h"

enum { WORD_BYTES_MAX = 200 };

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
