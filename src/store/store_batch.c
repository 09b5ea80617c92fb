/* SPDX-License-Identifier: BSD-3-Clause */
/* store_batch.c - contents that come to their places together
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

enum { BATCH_CONTENTS = 4096 };

/* --- what is in it --- */

/* A file, which may be executed or not, or the list of a tree.  Caller frees.
 */
static char *content_key (const char *hex, const struct stat *st)
{
    return xasprintf ("%s%s", hex,
                      !st                    ? "tree"
                      : (st->st_mode & 0111) ? "x"
                                             : "");
}

bool store_batch_has (const struct store *store, const char *hex,
                      const struct stat *st)
{
    char *key = content_key (hex, st);
    bool has = json_get (store->batch.contents, key) != NULL;

    free (key);
    return has;
}

void store_batch_add (struct store *store, const char *hex,
                      const struct stat *st, const char *from, const char *to)
{
    struct store_batch *batch = &store->batch;
    struct store_moves *moves = st ? &batch->files : &batch->lists;
    char *key = content_key (hex, st);

    if (!batch->contents) {
        batch->contents = json_object ();
        strvec_init (&batch->files.from);
        strvec_init (&batch->files.to);
        strvec_init (&batch->lists.from);
        strvec_init (&batch->lists.to);
    }
    json_set (batch->contents, key, json_bool (true));
    strvec_push (&moves->from, from);
    strvec_push (&moves->to, to);
    free (key);
}

bool store_batch_is_full (const struct store *store)
{
    return json_count (store->batch.contents) >= BATCH_CONTENTS;
}

static void drop_moves (struct store_moves *moves)
{
    for (size_t i = moves->n_done; i < moves->from.n; i++)
        unlink (moves->from.v[i]);
    strvec_release (&moves->from);
    strvec_release (&moves->to);
}

void store_batch_drop (struct store *store)
{
    int saved = errno;

    if (store->batch.contents) {
        drop_moves (&store->batch.files);
        drop_moves (&store->batch.lists);
        json_unref (store->batch.contents);
    }
    store->batch = (struct store_batch){ .contents = NULL };
    errno = saved;
}

/* --- to their places --- */

/* Rename all, and note the directories that have to be synced. */
static int rename_all (struct store *store, struct store_moves *moves,
                       struct strvec *dirs, struct error *err)
{
    struct json *shelves = json_object ();
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < moves->from.n; i++) {
        const char *from = moves->from.v[i], *to = moves->to.v[i];
        char *shelf = xstrndup (to, (size_t)(path_base (to) - to));

        heartbeat_send (&store->heartbeat);
        if (!json_get (shelves, shelf)) {
            json_set (shelves, shelf, json_bool (true));
            strvec_push (dirs, shelf);
            rc = store_make_shelf (store, shelf, err);
        }
        if (rc == 0 && rename (from, to) < 0)
            rc = error_errno (err, "cannot rename '%s' to '%s'", from, to);
        moves->n_done += rc == 0;
        free (shelf);
    }
    json_unref (shelves);
    return rc;
}

static int commit_moves (struct store *store, struct store_moves *moves,
                         const char *folder, struct error *err)
{
    char *above = path_join (store->dir, folder);
    struct strvec dirs = STRVEC_INIT;
    int rc = 0;

    if (moves->from.n > 0) {
        strvec_push (&dirs, above);
        rc = file_sync_all (&moves->from, &store->heartbeat, err);
        if (rc == 0)
            rc = rename_all (store, moves, &dirs, err);
        if (rc == 0)
            rc = file_sync_all (&dirs, &store->heartbeat, err);
    }
    strvec_release (&dirs);
    free (above);
    return rc;
}

int store_batch_commit (struct store *store, struct error *err)
{
    struct store_batch *batch = &store->batch;
    int rc = 0;

    if (batch->contents
        && (commit_moves (store, &batch->files, STORE_FILES, err) < 0
            || commit_moves (store, &batch->lists, STORE_TREES, err) < 0))
        rc = -1;
    store_batch_drop (store);
    return rc;
}
