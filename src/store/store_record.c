/* SPDX-License-Identifier: BSD-3-Clause */
/* store_record.c - documents */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "store/store_private.h"

enum { WORD_BYTES_MAX = 200 };

#define SUFFIX ".json"

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

char *store_document_path (const struct store *store, const char *document)
{
    return xasprintf ("%s/" STORE_RECORDS "/%s" SUFFIX, store->dir, document);
}

/* Caller frees; NULL with 'err': not to be used as names. */
static char *record_path (const struct store *store, const char *kind,
                          const char *name, struct error *err)
{
    _cleanup_free_ char *document = NULL;
    char *path;

    if (check_word (kind, "a kind of document", err) < 0
        || check_word (name, "the name of a document", err) < 0)
        return NULL;
    document = path_join (kind, name);
    path = store_document_path (store, document);
    return path;
}

static int make_kind (const struct store *store, const char *kind,
                      struct error *err)
{
    _cleanup_free_ char *folder = path_join (STORE_RECORDS, kind);
    int rc = store_make_folder (store, STORE_RECORDS, err);

    if (rc == 0)
        rc = store_make_folder (store, folder, err);
    return rc;
}

int store_record_write (const struct store *store, const char *kind,
                        const char *name, const struct json *record,
                        struct error *err)
{
    _cleanup_free_ char *path = record_path (store, kind, name, err);
    int rc = path ? make_kind (store, kind, err) : -1;

    if (rc == 0)
        rc = json_write_file (path, record, err);
    return rc;
}

/* A name appears with all that it stands for: a link to a file that is whole.
 */
static int link_record (const struct store *store, const char *path,
                        const struct json *record, struct error *err)
{
    _cleanup_free_ char *temporary = store_temporary (store, err);
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
    return rc == 0 ? file_sync_parent (path, err) : rc;
}

int store_record_create (const struct store *store, const char *kind,
                         const char *name, const struct json *record,
                         struct error *err)
{
    _cleanup_free_ char *path = record_path (store, kind, name, err);
    int rc = path ? make_kind (store, kind, err) : -1;

    if (rc == 0)
        rc = link_record (store, path, record, err);
    return rc;
}

int store_record_read (const struct store *store, const char *kind,
                       const char *name, struct json **record,
                       struct error *err)
{
    _cleanup_free_ char *path = record_path (store, kind, name, err);
    struct error why = ERROR_INIT;
    struct json *v;
    int rc = path ? 1 : -1;

    if (path && !(v = json_read_file (path, &why)))
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    else if (path)
        *record = v;
    return rc;
}

int store_record_names (const struct store *store, const char *kind,
                        struct strvec *names, struct error *err)
{
    _cleanup_free_ char *folder = xasprintf (STORE_RECORDS "/%s", kind);
    _cleanup_ (strvec_release) struct strvec files = STRVEC_INIT;
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
    return rc;
}

int store_documents (const struct store *store, struct strvec *names,
                     struct error *err)
{
    _cleanup_ (strvec_release) struct strvec kinds = STRVEC_INIT;
    int rc = store_list_folder (store, STORE_RECORDS, &kinds, err);

    for (size_t i = 0; rc == 0 && i < kinds.n; i++) {
        _cleanup_ (strvec_release) struct strvec own = STRVEC_INIT;

        rc = store_record_names (store, kinds.v[i], &own, err);
        for (size_t k = 0; k < own.n; k++)
            strvec_pushf (names, "%s/%s", kinds.v[i], own.v[k]);
    }
    return rc;
}
