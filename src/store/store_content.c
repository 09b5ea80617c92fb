/* SPDX-License-Identifier: BSD-3-Clause */
/* store_content.c - contents are put, found and placed */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/file_copy.h"
#include "base/hash.h"
#include "base/tree_walk.h"
#include "store/store_private.h"

/* --- names --- */

const char *content_kind_word (enum store_kind kind)
{
    static const char *const words[] = { "file", "tree" };

    return words[kind];
}

/* The directory for a content.  Caller frees. */
static char *content_path (const struct store *store,
                           const struct content_name *name)
{
    char token[17];

    random_token (token, sizeof (token) - 1);
    return xasprintf ("%s/" STORE_CONTENTS "/%s-%s-%s-%s-%s", store->dir,
                      content_kind_word (name->kind), name->hex, name->shape,
                      name->look, token);
}

bool content_parse (const char *text, struct content_name *name)
{
    char word[5];
    int end = 0;

    if (sscanf (text, "%4[a-z]-%64[0-9a-f]-%16[0-9a-f]-%16[0-9a-f]-%n", word,
                name->hex, name->shape, name->look, &end)
            != 4
        || end == 0 || !digest_is_hex (name->hex))
        return false;
    name->kind = strcmp (word, content_kind_word (STORE_FILE)) == 0
                     ? STORE_FILE
                     : STORE_TREE;
    return strcmp (word, content_kind_word (name->kind)) == 0;
}

char *content_in (const char *path)
{
    return path_join (path, "content");
}

/* --- shapes --- */

struct measuring {
    size_t prefix; /* of the path walked */
    struct strvec lines;
    struct content_shape *shape;
};

static int measure_link (const char *path, struct error *err)
{
    _cleanup_free_ char *target = file_read_link (path, err);

    if (target && strchr (target, '\n'))
        return error_set (err, "'%s': a line break in a link; make it anew",
                          path);
    return target ? 0 : -1;
}

static int measure_entry (const struct tree_entry *entry, void *arg,
                          struct error *err)
{
    struct measuring *measuring = arg;
    const char *relative = entry->path + measuring->prefix;
    struct content_shape *shape = measuring->shape;

    switch (entry->kind) {
    case TREE_DIR:
        strvec_pushf (&measuring->lines, "dir %s\n", relative);
        return 0;
    case TREE_FILE:
        shape->files++;
        shape->bytes += entry->st->st_size;
        shape->own_bytes += entry->st->st_nlink == 1 ? entry->st->st_size : 0;
        if (entry->st->st_mode & 0111)
            strvec_pushf (&measuring->lines, "exec %s\n", relative);
        return 0;
    case TREE_LINK:
        return measure_link (entry->path, err);
    case TREE_SPECIAL:
        strvec_pushf (&measuring->lines, "special %s\n", relative);
        return 0;
    default:
        return 0;
    }
}

int content_measure (const char *content, struct content_shape *shape,
                     struct error *err)
{
    struct content_shape found = { .files = 0 };
    struct measuring measuring = { strlen (content), STRVEC_INIT, &found };
    char hex[DIGEST_HEX_SIZE];
    int rc = tree_walk (content, false, measure_entry, &measuring, NULL, err);

    if (rc == 0) {
        digest_lines (&measuring.lines, hex);
        memcpy (found.hex, hex, sizeof (found.hex) - 1);
        *shape = found;
    }
    strvec_release (&measuring.lines);
    return rc;
}

/* --- finding --- */

/* 1; 0: it is not what it was; -1. */
static int is_as_named (const char *content, const struct content_name *name,
                        struct error *err)
{
    struct content_shape shape;
    struct tree_look look;
    char hex[DIGEST_HEX_SIZE];

    if (content_measure (content, &shape, err) < 0)
        return -1;
    if (strcmp (shape.hex, name->shape) != 0)
        return 0;
    if (tree_look (content, &look, NULL, err) < 0)
        return -1;
    if (strcmp (look.hex, name->look) == 0)
        return 1;
    if (digest_tree (content, hex, NULL, NULL, err) < 0)
        return -1;
    return strcmp (hex, name->hex) == 0;
}

/* 1; 0: it is damaged, which 'err' tells, or went away, or may not be read by
 * us; -1.
 */
static int is_good (const char *path, const struct content_name *name,
                    struct error *err)
{
    _cleanup_free_ char *content = content_in (path);
    struct error why = ERROR_INIT;
    int rc = is_as_named (content, name, &why);

    if (rc == 0)
        error_set (err,
                   "'%s' is damaged: it is not what was put; run 'fanfold "
                   "store verify'",
                   content);
    else if (rc < 0)
        rc = error_is_absence (&why) || why.number == EACCES
                 ? 0
                 : error_copy (err, &why);
    return rc;
}

/* Is it one of this digest, and of this shape if any? */
static bool is_wanted (const struct content_name *name, enum store_kind kind,
                       const char *hex, const char *shape)
{
    return name->kind == kind && strcmp (name->hex, hex) == 0
           && (!shape || strcmp (name->shape, shape) == 0);
}

static bool is_later (const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec
                                  : a->tv_nsec > b->tv_nsec;
}

/* The directory of the good one that was put last; the caller frees.  'shape'
 * may be NULL: any.  1, 0 (as store_has), -1.
 */
static int find (const struct store *store, enum store_kind kind,
                 const char *hex, const char *shape, char **found,
                 struct error *err)
{
    struct strvec names = STRVEC_INIT;
    struct timespec last = { 0 };
    struct error damage = ERROR_INIT;
    char *best = NULL;
    int rc = digest_is_hex (hex)
                 ? store_list_folder (store, STORE_CONTENTS, &names, &damage)
                 : error_set (&damage, "'%s' is no SHA-256", hex);

    for (size_t i = 0; rc >= 0 && i < names.n; i++) {
        struct content_name name;
        struct stat st;
        char *path;

        if (!content_parse (names.v[i], &name)
            || !is_wanted (&name, kind, hex, shape))
            continue;
        path = xasprintf ("%s/" STORE_CONTENTS "/%s", store->dir, names.v[i]);
        rc = is_good (path, &name, &damage);
        if (rc > 0 && stat (path, &st) == 0
            && (!best || is_later (&st.st_mtim, &last))) {
            free (best);
            best = path;
            last = st.st_mtim;
        } else {
            free (path);
        }
    }
    strvec_release (&names);
    if (rc >= 0 && best) {
        *found = best;
        return 1;
    }
    free (best);
    if (err)
        *err = damage;
    return rc < 0 ? -1 : 0;
}

/* Make it young.  Who has no right to may use what is young enough.  1; 0: it
 * went away; -1.
 */
static int refresh (const char *path, struct error *err)
{
    struct stat st;
    int saved;

    if (utimensat (AT_FDCWD, path, NULL, 0) == 0)
        return 1;
    if (errno == ENOENT)
        return 0;
    saved = errno;
    if (stat (path, &st) == 0
        && fabs (clock_wall_s () - (double)st.st_mtim.tv_sec)
               < (double)STORE_KEPT_AT_LEAST_S / 6)
        return 1;
    errno = saved;
    return error_errno (err, "cannot note in '%s' that it is used", path);
}

/* As find, and gc keeps it for a while from now on. */
static int find_and_refresh (const struct store *store, enum store_kind kind,
                             const char *hex, const char *shape,
                             struct error *err)
{
    _cleanup_free_ char *path = NULL;
    int rc = find (store, kind, hex, shape, &path, err);

    if (rc > 0)
        rc = refresh (path, err);
    return rc;
}

int store_has (const struct store *store, enum store_kind kind, const char *hex,
               struct error *err)
{
    return find_and_refresh (store, kind, hex, NULL, err);
}

/* --- putting --- */

/* What 'path' is, as it looked before it was read: so what changes meanwhile
 * looks otherwise then.
 */
static int describe (const char *path, struct content_name *name,
                     struct error *err)
{
    struct content_shape shape;
    struct tree_look look;
    struct stat st;

    if (tree_look (path, &look, NULL, err) < 0
        || content_measure (path, &shape, err) < 0
        || digest_tree (path, name->hex, NULL, NULL, err) < 0)
        return -1;
    if (lstat (path, &st) < 0)
        return error_errno (err, "cannot look at '%s'", path);
    name->kind = S_ISDIR (st.st_mode) ? STORE_TREE : STORE_FILE;
    memcpy (name->shape, shape.hex, sizeof (name->shape));
    memcpy (name->look, look.hex, sizeof (name->look));
    return 0;
}

/* Make it as it will lie in the directory 'temporary'. */
static int stage (const struct store *store, const char *path,
                  const char *temporary, struct content_name *name,
                  struct error *err)
{
    struct content_name made;
    _cleanup_free_ char *content = content_in (temporary);

    if (file_make_dirs (temporary, err) < 0
        || file_keep_tree (path, content, store->shared, err) < 0
        || describe (content, &made, err) < 0)
        return -1;
    if (!is_wanted (&made, name->kind, name->hex, name->shape))
        return error_set (err, "it changed while it was read; try again");
    if (store_share (store, temporary, err) < 0
        || file_sync_system (temporary, err) < 0)
        return -1;
    *name = made;
    return 0;
}

static int add (const struct store *store, const char *path,
                struct content_name *name, struct error *err)
{
    _cleanup_free_ char *temporary = store_temporary (store, err);
    _cleanup_free_ char *to = NULL;
    int rc = temporary ? stage (store, path, temporary, name, err) : -1;
    bool there;

    /* Another program may have been faster. */
    there =
        rc == 0
        && find_and_refresh (store, name->kind, name->hex, name->shape, NULL)
               > 0;
    if (rc == 0 && !there
        && (store_make_folder (store, STORE_CONTENTS, err) < 0
            || refresh (temporary, err) < 0))
        rc = -1;
    if (rc == 0 && !there) {
        to = content_path (store, name);
        rc = file_rename (temporary, to, err);
    }
    if (temporary && (rc < 0 || there))
        (void)file_remove_tree (temporary, NULL, NULL);
    return rc;
}

int store_put (const struct store *store, const char *path,
               char hex[DIGEST_HEX_SIZE], struct error *err)
{
    _cleanup_free_ char *real = realpath (path, NULL);
    struct content_name name;
    struct error why = ERROR_INIT;
    int rc = real ? describe (real, &name, &why)
                  : error_errno (&why, "cannot look at it");

    if (rc == 0)
        rc = find_and_refresh (store, name.kind, name.hex, name.shape, &why);
    if (rc == 0) {
        why = (struct error)ERROR_INIT; /* one that is damaged is left alone */
        rc = add (store, real, &name, &why);
    }
    if (rc < 0) {
        error_copy (err, &why);
        return error_prefix (err, "cannot keep '%s' in the store", path);
    }
    memcpy (hex, name.hex, sizeof (name.hex));
    return 0;
}

/* --- placing --- */

int store_place (const struct store *store, enum store_kind kind,
                 const char *hex, const char *to, struct error *err)
{
    _cleanup_free_ char *path = NULL;
    _cleanup_free_ char *content = NULL;
    int rc = find (store, kind, hex, NULL, &path, err);

    if (rc > 0) {
        content = content_in (path);
        if (file_place_tree (content, to, FILES_LINKED, err) < 0)
            rc = -1;
    }
    return rc < 0 ? error_prefix (err, "cannot take '%s' from the store", to)
                  : rc;
}
