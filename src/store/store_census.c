/* SPDX-License-Identifier: BSD-3-Clause */
/* store_census.c - all that is in the store, and what of it is kept */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strvec.h"
#include "store/store_census.h"
#include "store/store_private.h"

/* --- contents --- */

static int by_digest (const void *a, const void *b)
{
    const struct census_content *left = a, *right = b;

    return strcmp (left->hex, right->hex);
}

/* It was put (or put again) so short a time ago that whoever did may still be
 * about to refer to it; or the clocks are wrong.
 */
static bool is_young (const struct store_census *census,
                      const struct census_content *content)
{
    return content->age_s < census->age_s;
}

/* What goes away meanwhile is not there. */
static int add_content (const struct store_census *census, char *path,
                        const char *hex, struct census_contents *to,
                        struct error *err)
{
    struct census_content *content;
    struct stat st;

    if (lstat (path, &st) < 0) {
        int rc = errno == ENOENT
                     ? 0
                     : error_errno (err, "cannot look at '%s'", path);

        free (path);
        return rc;
    }
    to->v = grow_array (to->v, to->n, &to->alloc, sizeof (*to->v));
    content = &to->v[to->n++];
    *content = (struct census_content){ .path = path,
                                        .bytes = st.st_size,
                                        .links = (int64_t)st.st_nlink };
    memcpy (content->hex, hex, DIGEST_HEX_SIZE);
    content->age_s = census->now_s - (double)st.st_ctim.tv_sec;
    return 0;
}

/* All on one shelf; other names than ours are none of our business. */
static int read_shelf (const struct store_census *census, const char *shelf,
                       struct census_contents *to, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (shelf, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char hex[DIGEST_HEX_SIZE];

        snprintf (hex, sizeof (hex), "%s", names.v[i]);
        if (digest_is_hex (hex)
            && names.v[i][sizeof (hex) - 1] == (to->are_files ? '-' : '\0'))
            rc = add_content (census, path_join (shelf, names.v[i]), hex, to,
                              err);
    }
    strvec_release (&names);
    return rc;
}

static int read_shelves (struct store *store, const char *folder,
                         const struct store_census *census,
                         struct census_contents *to, struct error *err)
{
    struct strvec shelves = STRVEC_INIT;
    int rc = store_list_folder (store, folder, &shelves, err);

    for (size_t i = 0; rc == 0 && i < shelves.n; i++) {
        char *shelf = store_file (store, folder, shelves.v[i]);

        heartbeat_send (&store->heartbeat);
        rc = read_shelf (census, shelf, to, err);
        free (shelf);
    }
    strvec_release (&shelves);
    return rc;
}

static void sort_contents (struct census_contents *contents)
{
    if (contents->n > 0)
        qsort (contents->v, contents->n, sizeof (*contents->v), by_digest);
}

/* The first file that has this digest; or the end. */
static struct census_content *first_file (const struct store_census *census,
                                          const char *hex)
{
    size_t low = 0, high = census->files.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp (census->files.v[middle].hex, hex) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return &census->files.v[low];
}

/* --- what is kept --- */

static int by_hex (const void *a, const void *b)
{
    const struct census_reference *left = a, *right = b;
    int order = strcmp (left->hex, right->hex);

    return order != 0 ? order : (left->by > right->by) - (left->by < right->by);
}

static void sort_references (struct store_census *census)
{
    if (census->n_references > 0)
        qsort (census->references, census->n_references,
               sizeof (*census->references), by_hex);
}

const struct census_reference *store_census_references (
    const struct store_census *census, const char *hex, size_t *n)
{
    size_t low = 0, high = census->n_references, end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp (census->references[middle].hex, hex) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    end = low;
    while (end < census->n_references
           && strcmp (census->references[end].hex, hex) == 0)
        end++;
    *n = end - low;
    return census->references + low;
}

/* Does anything refer to it that keeps contents? */
static bool is_referred (const struct store_census *census, const char *hex)
{
    size_t n;
    const struct census_reference *reference =
        store_census_references (census, hex, &n);

    for (; n > 0; n--, reference++) {
        if (!census->referrers[reference->by].expired)
            return true;
    }
    return false;
}

struct in_tree {
    struct store_census *census;
    struct census_content *tree;
};

/* A file of a tree. */
static void note_leaf (const char *hex, void *arg)
{
    const struct in_tree *in = arg;
    const struct store_census *census = in->census;
    struct census_content *file = first_file (census, hex);
    const struct census_content *end = census->files.v + census->files.n;

    in->tree->files++;
    in->tree->bytes +=
        file < end && strcmp (file->hex, hex) == 0 ? file->bytes : 0;
    for (; file < end && strcmp (file->hex, hex) == 0; file++) {
        file->in_tree = true;
        file->kept = file->kept || in->tree->kept;
    }
}

static int judge_trees (struct store *store, struct store_census *census,
                        struct error *err)
{
    for (size_t i = 0; i < census->trees.n; i++) {
        struct census_content *tree = &census->trees.v[i];
        struct in_tree in = { census, tree };
        int rc;

        heartbeat_send (&store->heartbeat);
        tree->bytes = 0;
        tree->kept = is_young (census, tree) || is_referred (census, tree->hex);
        rc = store_tree_leaves (store, tree->hex, note_leaf, &in, err);
        if (rc <= 0)
            return rc < 0 || (err && err->text[0])
                       ? -1
                       : error_set (err, "'%s' went away while it was read",
                                    tree->path);
    }
    return 0;
}

static void judge_files (struct store_census *census)
{
    for (size_t i = 0; i < census->files.n; i++) {
        struct census_content *file = &census->files.v[i];

        file->kept = file->kept || is_young (census, file)
                     || is_referred (census, file->hex);
    }
}

/* What time it is where the files get theirs; where nothing can be written,
 * here.
 */
static double time_there (struct store *store)
{
    char *path = store_temporary (store, NULL);
    double now_s = clock_wall_s ();
    struct stat st;
    int fd = path ? file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0666) : -1;

    if (fd >= 0 && fstat (fd, &st) == 0)
        now_s = (double)st.st_ctim.tv_sec;
    file_close (fd);
    if (fd >= 0)
        unlink (path);
    free (path);
    return now_s;
}

int store_census_take (struct store *store, struct store_census *census,
                       struct error *err)
{
    census->now_s = time_there (store);
    if (read_shelves (store, STORE_FILES, census, &census->files, err) < 0
        || read_shelves (store, STORE_TREES, census, &census->trees, err) < 0
        || store_referrers_read (store, census, err) < 0)
        return -1;
    sort_contents (&census->files);
    sort_contents (&census->trees);
    sort_references (census);
    if (judge_trees (store, census, err) < 0)
        return -1;
    judge_files (census);
    return 0;
}

static void release_contents (struct census_contents *contents)
{
    for (size_t i = 0; i < contents->n; i++)
        free (contents->v[i].path);
    free (contents->v);
}

void store_census_release (struct store_census *census)
{
    release_contents (&census->files);
    release_contents (&census->trees);
    for (size_t i = 0; i < census->n_referrers; i++) {
        free (census->referrers[i].name);
        free (census->referrers[i].path);
    }
    free (census->referrers);
    free (census->references);
}
