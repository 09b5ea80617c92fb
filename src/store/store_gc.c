/* SPDX-License-Identifier: BSD-3-Clause */
/* store_gc.c - remove what is referred to no more
 *
 * Lists of trees go before their files, and are durably gone by then: so who is
 * killed in between leaves nothing that promises what is not there.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
#include "base/tree_walk.h"
#include "store/store_census.h"
#include "store/store_private.h"
#include "store/store_upkeep.h"

struct removing {
    struct store *store;
    bool dry_run;
    double latest_s; /* what changed later is not touched */
    struct store_gc_counts *counts;
    char *unsynced; /* the directory that something was removed from */
};

/* --- one file --- */

static int sync_now (struct removing *removing, struct error *err)
{
    int rc = removing->unsynced ? file_sync_dir (removing->unsynced, err) : 0;

    free (removing->unsynced);
    removing->unsynced = NULL;
    return rc;
}

/* Files of one directory come one after the other. */
static int remove_file (struct removing *removing, const char *path,
                        struct error *err)
{
    size_t len = (size_t)(path_base (path) - path);
    const char *before = removing->unsynced;

    heartbeat_send (&removing->store->heartbeat);
    if (removing->dry_run)
        return 0;
    if (before && (strlen (before) != len || strncmp (before, path, len) != 0)
        && sync_now (removing, err) < 0)
        return -1;
    if (!removing->unsynced)
        removing->unsynced = xstrndup (path, len);
    if (unlink (path) == 0 || errno == ENOENT)
        return 0;
    return error_errno (err, "cannot remove '%s'", path);
}

/* --- marks --- */

static int remove_expired (struct removing *removing,
                           const struct store_census *census, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < census->n_referrers; i++) {
        const struct census_referrer *referrer = &census->referrers[i];

        if (referrer->expired)
            rc = remove_file (removing, referrer->path, err);
    }
    return rc < 0 ? -1 : sync_now (removing, err);
}

/* --- contents --- */

static int remove_contents (struct removing *removing,
                            const struct census_contents *contents,
                            int64_t *count, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < contents->n; i++) {
        const struct census_content *content = &contents->v[i];

        if (content->kept)
            continue;
        rc = remove_file (removing, content->path, err);
        ++*count;
        if (contents->are_files && content->links == 1)
            removing->counts->bytes += content->bytes;
    }
    return rc < 0 ? -1 : sync_now (removing, err);
}

/* --- what was left half written --- */

static bool is_old (const struct removing *removing, const struct stat *st)
{
    return (double)st->st_ctim.tv_sec <= removing->latest_s;
}

static int remove_if_half (struct removing *removing, const char *name,
                           const char *path, const struct stat *st,
                           struct error *err)
{
    if (strncmp (name, FILE_TEMPORARY, strlen (FILE_TEMPORARY)) != 0
        || !is_old (removing, st))
        return 0;
    removing->counts->temporaries++;
    return remove_file (removing, path, err);
}

static int remove_half (const struct tree_entry *entry, void *arg,
                        struct error *err)
{
    return entry->kind == TREE_FILE
               ? remove_if_half (arg, entry->name, entry->path, entry->st, err)
               : 0;
}

static int remove_halves (struct removing *removing, const char *folder,
                          struct error *err)
{
    char *path = path_join (removing->store->dir, folder);
    int there = file_look (path, err);
    int rc = there <= 0 ? there
                        : tree_walk (path, false, remove_half, removing,
                                     &removing->store->heartbeat, err);

    free (path);
    return rc;
}

/* Beside store.json; not below, where there may be more than ours. */
static int remove_halves_of_head (struct removing *removing, struct error *err)
{
    DIR *dir = opendir (removing->store->dir);
    struct dirent *entry;
    int rc = 0;

    if (!dir)
        return error_errno (err, "cannot read '%s'", removing->store->dir);
    while (rc == 0 && (entry = readdir (dir))) {
        char *path = path_join (removing->store->dir, entry->d_name);
        struct stat st;

        if (lstat (path, &st) == 0 && S_ISREG (st.st_mode))
            rc = remove_if_half (removing, entry->d_name, path, &st, err);
        free (path);
    }
    closedir (dir);
    return rc;
}

/* All of tmp/ on which no program can be at work any more. */
static int remove_left (struct removing *removing, struct error *err)
{
    struct store *store = removing->store;
    struct strvec names = STRVEC_INIT;
    int rc = store_list_folder (store, STORE_TMP, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path = store_file (store, STORE_TMP, names.v[i]);
        struct stat st;

        if (lstat (path, &st) == 0 && is_old (removing, &st)) {
            removing->counts->temporaries++;
            if (!removing->dry_run)
                rc = file_remove_tree (path, &store->heartbeat, err);
        }
        free (path);
    }
    strvec_release (&names);
    return rc;
}

static int remove_temporaries (struct removing *removing, struct error *err)
{
    static const char *const folders[] = { STORE_RECORDS, STORE_TREES };

    for (size_t i = 0; i < ARRAY_SIZE (folders); i++) {
        if (remove_halves (removing, folders[i], err) < 0)
            return -1;
    }
    if (remove_halves_of_head (removing, err) < 0)
        return -1;
    return remove_left (removing, err);
}

static int remove_all (struct removing *removing,
                       const struct store_census *census, struct error *err)
{
    struct store_gc_counts *counts = removing->counts;

    if (remove_expired (removing, census, err) < 0
        || remove_contents (removing, &census->trees, &counts->trees, err) < 0
        || remove_contents (removing, &census->files, &counts->files, err) < 0
        || remove_temporaries (removing, err) < 0)
        return -1;
    return sync_now (removing, err);
}

int store_gc (struct store *store, bool dry_run, struct store_census *census,
              struct store_gc_counts *counts, struct error *err)
{
    struct removing removing = { store, dry_run, 0, counts, NULL };
    int rc;

    *counts = (struct store_gc_counts){ 0 };
    if (store_lock (store, !dry_run, err) < 0)
        return -1;
    rc = store_census_take (store, census, err);
    removing.latest_s = census->now_s - census->age_s;
    if (rc == 0)
        rc = remove_all (&removing, census, err);
    free (removing.unsynced);
    store_unlock (store);
    return rc;
}
