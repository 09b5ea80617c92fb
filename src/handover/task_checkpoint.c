/* SPDX-License-Identifier: BSD-3-Clause */
/* task_checkpoint.c - what a try leaves for the next one */
#include "base/base.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/json.h"
#include "base/tree_walk.h"
#include "handover/task_checkpoint.h"

char *task_checkpoint_place (const char *campaign_dir, int generation, int task)
{
    struct strbuf path = STRBUF_INIT;

    strbuf_addf (&path, "%s/", campaign_dir);
    layout_run (generation, &path);
    strbuf_addf (&path, "/" LAYOUT_CHECKPOINTS "/%06d", task);
    return strbuf_detach (&path);
}

/* --- what matches --- */

/* Made anew for every try, or its result. */
static bool is_ours (const char *path)
{
    return strcmp (path, "task.json") == 0 || strcmp (path, "params.json") == 0
           || strcmp (path, "out") == 0
           || strcmp (path, "out/" LAYOUT_RESULT_FILE) == 0
           || path_is_at_or_below (path, "in");
}

bool task_checkpoint_matches (const char *const *patterns, const char *path)
{
    if (is_ours (path))
        return false;
    for (; patterns && *patterns; patterns++) {
        if (fnmatch (*patterns, path, FNM_PATHNAME | FNM_PERIOD) == 0)
            return true;
    }
    return false;
}

/* What is found in a directory. */
struct search {
    const char *const *patterns; /* NULL: everything */
    size_t prefix;               /* of the directory, with its slash */
    struct strvec paths;         /* relative; of a directory that matches only
                                    the directory */
    struct strvec to_sync; /* every file and directory of these, absolute */
    struct strbuf stamps;  /* of all files of these: have they changed? */
    int64_t files;
    uint64_t bytes;
    struct strbuf first; /* of the files, by name */
    const char *whole;   /* the last directory that matched, in 'paths' */
};

static void stamp (struct search *search, const char *path,
                   const struct stat *st)
{
    if (search->files == 0 || strcmp (path, search->first.buf) < 0) {
        strbuf_reset (&search->first);
        strbuf_add_str (&search->first, path);
    }
    strbuf_addf (&search->stamps, "%s %ju %jd %jd.%09ld\n", path,
                 (uintmax_t)st->st_ino, (intmax_t)st->st_size,
                 (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
    search->files++;
    search->bytes += S_ISREG (st->st_mode) ? (uint64_t)st->st_size : 0;
}

static int visit (const struct tree_entry *entry, void *arg, struct error *err)
{
    struct search *search = arg;
    const char *path;
    bool within;

    (void)err;
    if (entry->level == 0 || entry->kind == TREE_DIR_END
        || entry->kind == TREE_SPECIAL)
        return 0;
    path = entry->path + search->prefix;
    within = search->whole && path_is_at_or_below (path, search->whole);
    if (!within && search->patterns
        && !task_checkpoint_matches (search->patterns, path))
        return 0;
    if (!within) {
        strvec_push (&search->paths, path);
        search->whole = entry->kind == TREE_DIR
                            ? search->paths.v[search->paths.n - 1]
                            : NULL;
    }
    if (entry->kind == TREE_DIR || entry->kind == TREE_FILE)
        strvec_push (&search->to_sync, entry->path);
    if (entry->kind != TREE_DIR)
        stamp (search, path, entry->st);
    return 0;
}

static void search_release (struct search *search)
{
    strvec_release (&search->paths);
    strvec_release (&search->to_sync);
    strbuf_release (&search->stamps);
    strbuf_release (&search->first);
}

/* A directory that is not there has nothing. */
static int look_into (const char *dir, const char *const *patterns,
                      const struct heartbeat *heartbeat, struct search *search,
                      struct error *err)
{
    int there = file_look (dir, err);

    *search = (struct search){ .patterns = patterns,
                               .prefix = strlen (dir) + 1,
                               .paths = STRVEC_INIT,
                               .to_sync = STRVEC_INIT,
                               .stamps = STRBUF_INIT,
                               .first = STRBUF_INIT };
    if (there <= 0)
        return there;
    return tree_walk (dir, false, visit, search, heartbeat, err);
}

/* --- gathering --- */

/* A task need not have synced what it wrote, and may have been killed. */
static int sync_found (const struct search *search,
                       const struct heartbeat *heartbeat, struct error *err)
{
    struct error why = ERROR_INIT;

    if (file_sync_all (&search->to_sync, heartbeat, &why) == 0
        || why.number == ENOENT  /* another driver moved it */
        || why.number == EACCES) /* and so is of no use to a task */
        return 0;
    return error_copy (err, &why);
}

/* Another driver may have moved it, which was replaced. */
static int move_one (const char *dir, const char *part, const char *path,
                     struct error *err)
{
    _cleanup_free_ char *from = path_join (dir, path);
    _cleanup_free_ char *to = path_join (part, path);
    struct error why = ERROR_INIT;

    if (file_make_lasting_parent (to, err) < 0)
        return -1;
    if (file_rename (from, to, &why) < 0 && why.number != ENOENT)
        return error_copy (err, &why);
    return 0;
}

/* All of it, before it is put in a place: who moved or copied it may have been
 * killed, or had no luck, before the names were on the disk; and the next try
 * may be cut short before it has written its own.  1; 0: there is no file, as
 * where another driver has put them in their place; -1.
 */
static int sync_part (const char *part, const struct heartbeat *heartbeat,
                      struct error *err)
{
    _cleanup_ (search_release) struct search search = { 0 };

    if (look_into (part, NULL, heartbeat, &search, err) < 0)
        return -1;
    strvec_push (&search.to_sync, part);
    if (search.files == 0)
        return 0;
    return sync_found (&search, heartbeat, err) < 0 ? -1 : 1;
}

/* Put what is whole in its place: where it is gone another driver did. */
static int settle (const char *part, const char *place,
                   const struct heartbeat *heartbeat, struct error *err)
{
    _cleanup_free_ char *old = xasprintf ("%s.old", place);
    struct error why = ERROR_INIT;

    if (file_remove_tree (old, heartbeat, err) < 0)
        return -1;
    if (rename (place, old) < 0 && errno != ENOENT)
        return error_errno (err, "cannot rename '%s'", place);
    if (file_rename (part, place, &why) < 0) {
        rename (old, place);
        if (why.number != ENOENT)
            return error_copy (err, &why);
    }
    return file_remove_tree (old, heartbeat, err);
}

/* After a crash in settle() the older one may be all there is. */
static int put_back_old (const char *place, bool *found, struct error *err)
{
    _cleanup_free_ char *old = xasprintf ("%s.old", place);
    int rc = file_look (place, err);

    if (rc == 0 && rename (old, place) == 0)
        rc = file_sync_parent (place, err) < 0 ? -1 : 1;
    *found = rc > 0;
    return rc < 0 ? -1 : 0;
}

int task_checkpoint_gather (const char *dir, const char *const *patterns,
                            const char *place,
                            const struct heartbeat *heartbeat, bool *found,
                            struct error *err)
{
    _cleanup_free_ char *part = xasprintf ("%s.part", place);
    _cleanup_ (search_release) struct search search = { 0 };
    int rc;

    if (look_into (dir, patterns, heartbeat, &search, err) < 0
        || sync_found (&search, heartbeat, err) < 0)
        return -1;
    for (size_t i = 0; i < search.paths.n; i++) {
        if (move_one (dir, part, search.paths.v[i], err) < 0)
            return -1;
    }
    rc = sync_part (part, heartbeat, err);
    if (rc > 0)
        rc = settle (part, place, heartbeat, err);
    return rc < 0 ? -1 : put_back_old (place, found, err);
}

struct json *task_checkpoint_describe (const char *place,
                                       const struct heartbeat *heartbeat,
                                       struct error *err)
{
    char sha256[DIGEST_HEX_SIZE];
    _cleanup_ (search_release) struct search search = { 0 };
    struct json *v;

    if (look_into (place, NULL, heartbeat, &search, err) < 0)
        return NULL;
    if (digest_tree (place, sha256, NULL, heartbeat, NULL) < 0)
        digest_bytes (search.stamps.buf, search.stamps.len, sha256);
    v = json_object ();
    json_set (v, "name", json_string (search.first.buf));
    json_set (v, "files", json_int (search.files));
    json_set (v, "bytes", json_int ((int64_t)search.bytes));
    json_set (v, "sha256", json_string (sha256));
    return v;
}

int task_checkpoint_discard (const char *place,
                             const struct heartbeat *heartbeat,
                             struct error *err)
{
    static const char *const ends[] = { "", ".part", ".old" };

    for (size_t i = 0; i < ARRAY_SIZE (ends); i++) {
        _cleanup_free_ char *path = xasprintf ("%s%s", place, ends[i]);

        if (file_remove_tree (path, heartbeat, err) < 0)
            return -1;
    }
    return 0;
}

/* --- taking --- */

int task_checkpoint_take (const char *place, const char *dir, bool *taken,
                          struct error *err)
{
    struct error why = ERROR_INIT;
    int rc = file_look (place, err);

    *taken = false;
    if (rc > 0) {
        rc = file_make_parent (dir, err);
        if (rc == 0 && file_rename (place, dir, &why) < 0)
            rc = why.number == ENOENT ? file_look (dir, err)
                                      : error_copy (err, &why);
        else
            rc = rc == 0 ? 1 : rc;
    }
    if (rc < 0)
        return -1;
    *taken = rc > 0;
    return 0;
}

struct copying {
    size_t prefix;
    const char *to; /* directory */
};

static int copy_link (const char *from, const char *to, struct error *err)
{
    _cleanup_free_ char *target = file_read_link (from, err);

    if (!target)
        return -1;
    return symlink (target, to) < 0
               ? error_errno (err, "cannot create '%s'", to)
               : 0;
}

static int copy_visited (const struct tree_entry *entry, void *arg,
                         struct error *err)
{
    const struct copying *copying = arg;
    _cleanup_free_ char *to =
        path_join (copying->to, entry->path + copying->prefix);
    int rc = 0;

    if (entry->kind == TREE_DIR)
        rc = file_make_dirs (to, err);
    else if (entry->kind != TREE_DIR_END)
        rc = file_make_parent (to, err);
    if (rc == 0 && entry->kind == TREE_FILE)
        rc = file_copy (entry->path, to, entry->st->st_mode, NULL, err);
    if (rc == 0 && entry->kind == TREE_LINK)
        rc = copy_link (entry->path, to, err);
    return rc;
}

/* Copy all of 'search'; 1: nothing of it changed meanwhile. */
static int copy_all (const char *from, const struct search *search,
                     const char *to, struct error *err)
{
    struct copying copying = { strlen (from) + 1, to };
    _cleanup_ (search_release) struct search after = { 0 };

    for (size_t i = 0; i < search->paths.n; i++) {
        _cleanup_free_ char *path = path_join (from, search->paths.v[i]);

        if (tree_walk (path, false, copy_visited, &copying, NULL, err) < 0)
            return error_is_absence (err) ? 0 : -1;
    }
    if (look_into (from, search->patterns, NULL, &after, err) < 0)
        return -1;
    return strcmp (after.stamps.buf, search->stamps.buf) == 0;
}

int task_checkpoint_copy (const char *from, const char *const *patterns,
                          const char *dir, bool *taken, struct error *err)
{
    _cleanup_free_ char *part = xasprintf ("%s.part", dir);
    _cleanup_ (search_release) struct search search = { 0 };
    int rc = look_into (from, patterns, NULL, &search, err);

    if (rc == 0 && search.paths.n > 0)
        rc = copy_all (from, &search, part, err);
    *taken = rc > 0;
    if (rc <= 0)
        return rc < 0 ? -1 : file_remove_tree (part, NULL, err);
    return sync_part (part, NULL, err) < 0 ? -1 : file_rename (part, dir, err);
}
