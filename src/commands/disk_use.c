/* SPDX-License-Identifier: BSD-3-Clause */
/* disk_use.c - what a campaign takes of the disk, by what it is for */
#include "base/base.h"

#include <sys/stat.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/tree_walk.h"
#include "commands/disk_use.h"
#include "engine/history/removal.h"
#include "space/layout.h"

enum { TIMES_MOST = 10 };

/* --- files with several names --- */

struct seen_file {
    uint64_t device, inode; /* inode 0: a free place */
};

struct seen_files {
    struct seen_file *table; /* of a power of two places */
    size_t n, places;
};

/* Where it is, or would be. */
static struct seen_file *seen_place (const struct seen_files *seen,
                                     const struct seen_file *file)
{
    const uint64_t words[] = { file->device, file->inode };
    size_t i = (size_t)hash_words (0, words, 2);

    for (;; i++) {
        struct seen_file *place = &seen->table[i & (seen->places - 1)];

        if (place->inode == 0
            || (place->inode == file->inode && place->device == file->device))
            return place;
    }
}

static void seen_grow (struct seen_files *seen)
{
    struct seen_files grown = { .n = seen->n,
                                .places =
                                    seen->places ? 2 * seen->places : 1024 };

    grown.table = xcalloc (grown.places, sizeof (*grown.table));
    for (size_t i = 0; i < seen->places; i++) {
        if (seen->table[i].inode != 0)
            *seen_place (&grown, &seen->table[i]) = seen->table[i];
    }
    free (seen->table);
    *seen = grown;
}

/* Was it counted under another name? */
static bool was_seen (struct seen_files *seen, const struct stat *st)
{
    const struct seen_file file = { (uint64_t)st->st_dev,
                                    (uint64_t)st->st_ino };
    struct seen_file *place;

    if (2 * (seen->n + 1) > seen->places)
        seen_grow (seen);
    place = seen_place (seen, &file);
    if (place->inode != 0)
        return true;
    *place = file;
    seen->n++;
    return false;
}

/* --- rows --- */

struct disk_walk {
    struct disk_use *use;
    struct seen_files seen;
    const char *dir;
    size_t prefix; /* length of the campaign's directory, and the slash */
    size_t last;   /* the row that was met last */
};

static bool is_row (const struct disk_row *row, const struct space_path *path)
{
    return row->kind == path->kind && row->iteration == path->iteration
           && row->generation == path->generation
           && strcmp (row->name, path->name) == 0;
}

static struct disk_row *row_of (struct disk_walk *walk,
                                const struct space_path *path)
{
    struct disk_use *use = walk->use;

    if (walk->last < use->n && is_row (&use->rows[walk->last], path))
        return &use->rows[walk->last];
    for (walk->last = 0; walk->last < use->n; walk->last++) {
        if (is_row (&use->rows[walk->last], path))
            return &use->rows[walk->last];
    }
    use->rows =
        grow_array (use->rows, use->n, &use->alloc, sizeof (*use->rows));
    use->rows[use->n] = (struct disk_row){ .kind = path->kind,
                                           .iteration = path->iteration,
                                           .generation = path->generation,
                                           .unneeded = -1 };
    memcpy (use->rows[use->n].name, path->name, sizeof (path->name));
    return &use->rows[use->n++];
}

/* What was removed of a stage's outputs. */
static int64_t freed_of (const struct disk_walk *walk,
                         const struct space_path *path)
{
    const struct stage_place place = { path->name, path->code, path->iteration,
                                       0 };
    _cleanup_json_ struct json *removals = NULL;
    int64_t bytes = 0;

    if (path->kind != SPACE_STAGE || path->task >= 0
        || strcmp (path->rest, LAYOUT_REMOVED) != 0)
        return 0;
    removals = removals_read (walk->dir, &place);
    JSON_FOREACH (removals, it)
        bytes += json_get_int (json_iter_value (it), "bytes");
    return bytes;
}

static int count_entry (const struct tree_entry *entry, void *arg,
                        struct error *err)
{
    struct disk_walk *walk = arg;
    struct space_path path;
    struct disk_row *row;

    (void)err;
    if (entry->kind == TREE_DIR_END
        || (entry->kind != TREE_DIR && entry->st->st_nlink > 1
            && was_seen (&walk->seen, entry->st)))
        return 0;
    space_path_read (entry->level > 0 ? entry->path + walk->prefix : "", &path);
    row = row_of (walk, &path);
    row->inodes++;
    row->bytes += (int64_t)entry->st->st_blocks * 512;
    row->freed += freed_of (walk, &path);
    return 0;
}

static int compare_rows (const void *x, const void *y)
{
    const struct disk_row *a = x, *b = y;
    int order = (a->kind > b->kind) - (a->kind < b->kind);

    if (order == 0)
        order = (a->iteration > b->iteration) - (a->iteration < b->iteration);
    return order != 0 ? order : strcmp (a->name, b->name);
}

static int walk_once (const char *dir, struct disk_use *use, struct error *err)
{
    struct disk_walk walk = { .use = use,
                              .dir = dir,
                              .prefix = strlen (dir) + 1 };
    int rc;

    use->n = 0;
    rc = tree_walk_changing (dir, count_entry, &walk, err);
    free (walk.seen.table);
    return rc;
}

/* A directory that moved while it was read: what a task commits, mostly. */
int disk_use_read (const char *dir, struct disk_use *use, struct error *err)
{
    int rc = -1;

    for (int i = 0; rc < 0 && i < TIMES_MOST; i++)
        rc = walk_once (dir, use, err);
    if (rc < 0)
        return -1;
    qsort (use->rows, use->n, sizeof (*use->rows), compare_rows);
    for (size_t i = 0; i < use->n; i++) {
        use->all.bytes += use->rows[i].bytes;
        use->all.inodes += use->rows[i].inodes;
        use->all.freed += use->rows[i].freed;
    }
    return 0;
}

void disk_use_name_runs (struct disk_use *use,
                         void (*tell) (struct disk_row *row, void *arg),
                         void *arg)
{
    struct disk_row *rest = NULL;
    size_t n = 0;

    for (size_t i = 0; i < use->n; i++) {
        struct disk_row *row = &use->rows[i];

        if (row->kind == SPACE_RUN)
            tell (row, arg);
        if (row->kind == SPACE_RUN && !row->name[0] && rest) {
            rest->bytes += row->bytes;
            rest->inodes += row->inodes;
            continue;
        }
        use->rows[n] = *row;
        if (row->kind == SPACE_RUN && !row->name[0])
            rest = &use->rows[n];
        n++;
    }
    use->n = n;
    qsort (use->rows, use->n, sizeof (*use->rows), compare_rows);
}

void disk_use_release (struct disk_use *use)
{
    free (use->rows);
    *use = (struct disk_use)DISK_USE_INIT;
}

struct disk_row *disk_use_stage (const struct disk_use *use, const char *name,
                                 int iteration)
{
    for (size_t i = 0; i < use->n; i++) {
        struct disk_row *row = &use->rows[i];

        if (row->kind == SPACE_STAGE && row->iteration == iteration
            && strcmp (row->name, name) == 0)
            return row;
    }
    return NULL;
}
