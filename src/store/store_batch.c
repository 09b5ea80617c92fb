/* SPDX-License-Identifier: BSD-3-Clause */
/* store_batch.c - files that come to their places together
 *
 * They lie below tmp/ until they are on the disk.  Then each is renamed, and
 * the directories are synced: the file system commits a few times for all of
 * them, not for each.
 */
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
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_private.h"

enum { BATCH_FILES = 4096 };

void store_batch_init (struct store_batch *batch)
{
    *batch = (struct store_batch){ .from = STRVEC_INIT,
                                   .to = STRVEC_INIT,
                                   .contents = json_object () };
}

void store_batch_release (struct store_batch *batch)
{
    int saved = errno;

    for (size_t i = batch->n_done; i < batch->from.n; i++)
        unlink (batch->from.v[i]);
    strvec_release (&batch->from);
    strvec_release (&batch->to);
    json_unref (batch->contents);
    errno = saved;
}

static char *content_key (const char *hex, const struct stat *st)
{
    return xasprintf ("%s%s", hex, (st->st_mode & 0111) ? "x" : "");
}

bool store_batch_has (const struct store_batch *batch, const char *hex,
                      const struct stat *st)
{
    char *key = content_key (hex, st);
    bool has = json_get (batch->contents, key) != NULL;

    free (key);
    return has;
}

void store_batch_add (struct store_batch *batch, const char *hex,
                      const struct stat *st, const char *from, const char *to)
{
    char *key = content_key (hex, st);

    json_set (batch->contents, key, json_bool (true));
    strvec_push (&batch->from, from);
    strvec_push (&batch->to, to);
    free (key);
}

bool store_batch_is_full (const struct store_batch *batch)
{
    return batch->from.n >= BATCH_FILES;
}

/* Rename all, and note the directories that have to be synced. */
static int rename_all (struct store *store, struct store_batch *batch,
                       struct strvec *dirs, struct error *err)
{
    struct json *shelves = json_object ();
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < batch->from.n; i++) {
        const char *to = batch->to.v[i];
        char *shelf = xstrndup (to, (size_t)(path_base (to) - to));

        heartbeat_send (&store->heartbeat);
        if (!json_get (shelves, shelf)) {
            json_set (shelves, shelf, json_bool (true));
            strvec_push (dirs, shelf);
            rc = store_make_shelf (store, shelf, err);
        }
        if (rc == 0 && rename (batch->from.v[i], to) < 0)
            rc = error_errno (err, "cannot rename '%s' to '%s'",
                              batch->from.v[i], to);
        batch->n_done += rc == 0;
        free (shelf);
    }
    json_unref (shelves);
    return rc;
}

int store_batch_commit (struct store *store, struct store_batch *batch,
                        struct error *err)
{
    char *files = path_join (store->dir, STORE_FILES);
    struct strvec dirs = STRVEC_INIT;
    int rc = 0;

    if (batch->from.n > 0) {
        strvec_push (&dirs, files);
        rc = file_sync_all (&batch->from, &store->heartbeat, err);
        if (rc == 0)
            rc = rename_all (store, batch, &dirs, err);
        if (rc == 0)
            rc = file_sync_all (&dirs, &store->heartbeat, err);
    }
    if (rc == 0) {
        store_batch_release (batch);
        store_batch_init (batch);
    }
    strvec_release (&dirs);
    free (files);
    return rc;
}
