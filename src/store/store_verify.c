/* SPDX-License-Identifier: BSD-3-Clause */
/* store_verify.c - read everything again, and put aside what is damaged */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_private.h"
#include "store/store_upkeep.h"

struct verifying {
    struct store *store;
    struct findings *findings;
    struct store_verify_counts *counts;
};

/* --- what is damaged --- */

/* Move what is at 'path' aside, if it still is what 'st' was of.  NULL with
 * 'err'; the caller frees.
 */
static char *put_aside (struct store *store, const char *path,
                        const struct stat *st, struct error *err)
{
    char *dir = path_join (store->dir, STORE_DAMAGED);
    char *aside = path_join (dir, path_base (path));
    struct stat now;
    int rc = store_lock (store, false, err);

    if (rc == 0) {
        rc = store_make_dirs (store, dir, err);
        if (rc == 0
            && (lstat (path, &now) < 0 || now.st_ino != st->st_ino
                || now.st_dev != st->st_dev))
            rc = error_set (err, "'%s' was replaced meanwhile", path);
        if (rc == 0)
            rc = file_rename (path, aside, err);
        store_unlock (store);
    }
    if (rc < 0) {
        free (aside);
        aside = NULL;
    }
    free (dir);
    return aside;
}

/* Say what is wrong with it, and where it is now. */
static void name_damage (struct verifying *verifying, const char *path,
                         const struct stat *st, const char *what)
{
    struct error err = ERROR_INIT;
    char *aside = put_aside (verifying->store, path, st, &err);
    char *advice = aside
                       ? xasprintf ("it is '%s' now, and not used any more; "
                                    "remove it when you know why",
                                    aside)
                       : xasprintf ("it could not be moved away: %s", err.text);

    verifying->counts->damaged++;
    findings_add (verifying->findings, GRADE_BAD, path, advice, "%s", what);
    free (advice);
    free (aside);
}

/* --- files --- */

static int verify_file (struct verifying *verifying, const char *shelf,
                        const char *name, struct error *err)
{
    char *path = path_join (shelf, name);
    char hex[DIGEST_HEX_SIZE], found[DIGEST_HEX_SIZE];
    struct error why = ERROR_INIT;
    struct stat st;
    int rc = 0;

    snprintf (hex, sizeof (hex), "%s", name);
    if (!digest_is_hex (hex) || name[sizeof (hex) - 1] != '-'
        || lstat (path, &st) < 0)
        goto done; /* not ours, or gone meanwhile */
    verifying->counts->files++;
    verifying->counts->bytes += st.st_size;
    if (!S_ISREG (st.st_mode))
        name_damage (verifying, path, &st, "it is no file");
    else if (digest_tree (path, found, NULL, &verifying->store->heartbeat, &why)
             < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    else if (strcmp (found, hex) != 0)
        name_damage (verifying, path, &st,
                     "its bytes are not those it was kept with");
    else
        free (store_file_rename (verifying->store, hex, path, &st));
done:
    free (path);
    return rc;
}

/* --- trees --- */

static int verify_tree (struct verifying *verifying, const char *shelf,
                        const char *name, struct error *err)
{
    char *path = path_join (shelf, name);
    struct error why = ERROR_INIT;
    struct stat st;
    int rc = 0;

    if (!digest_is_hex (name) || lstat (path, &st) < 0)
        goto done;
    verifying->counts->trees++;
    rc = store_tree_has (verifying->store, name, &why);
    if (rc < 0)
        error_copy (err, &why);
    else if (rc == 0 && why.text[0])
        name_damage (verifying, path, &st, why.text);
done:
    free (path);
    return rc < 0 ? -1 : 0;
}

/* --- everything --- */

typedef int verify_one (struct verifying *verifying, const char *dir,
                        const char *name, struct error *err);

static int verify_folder (struct verifying *verifying, const char *folder,
                          verify_one *verify, struct error *err)
{
    struct strvec shelves = STRVEC_INIT;
    int rc = store_list_folder (verifying->store, folder, &shelves, err);

    for (size_t i = 0; rc == 0 && i < shelves.n; i++) {
        char *shelf = store_file (verifying->store, folder, shelves.v[i]);
        struct strvec names = STRVEC_INIT;

        rc = file_list_dir (shelf, &names, err);
        for (size_t k = 0; rc == 0 && k < names.n; k++)
            rc = verify (verifying, shelf, names.v[k], err);
        strvec_release (&names);
        free (shelf);
    }
    strvec_release (&shelves);
    return rc;
}

/* A document has no digest to compare it with. */
static int verify_document (struct verifying *verifying, const char *dir,
                            const char *name, struct error *err)
{
    char *path = path_join (dir, name);
    struct error why = ERROR_INIT;
    struct json *v = json_read_file (path, &why);
    int rc = 0;

    verifying->counts->documents++;
    if (!v && error_is_machine_error (&why) && !error_is_absence (&why)) {
        rc = error_copy (err, &why);
    } else if (!v && !error_is_absence (&why)) {
        verifying->counts->damaged++;
        findings_add (verifying->findings, GRADE_BAD, path,
                      "restore it, or remove it if you know what it was; gc "
                      "removes nothing before",
                      "%s", why.text);
    }
    json_unref (v);
    free (path);
    return rc;
}

int store_verify (struct store *store, struct findings *findings,
                  struct store_verify_counts *counts, struct error *err)
{
    struct verifying verifying = { store, findings, counts };

    *counts = (struct store_verify_counts){ 0 };
    if (verify_folder (&verifying, STORE_FILES, verify_file, err) < 0
        || verify_folder (&verifying, STORE_TREES, verify_tree, err) < 0
        || verify_folder (&verifying, STORE_RECORDS, verify_document, err) < 0)
        return -1;
    return 0;
}
