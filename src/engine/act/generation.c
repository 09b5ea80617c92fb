/* SPDX-License-Identifier: BSD-3-Clause */
/* generation.c - one preparation of a stage in an iteration, as a directory */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/point.h"
#include "engine/act/generation.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "space/lease.h"

/* More entries than these are synced by one call for all. */
enum { FEW_ENTRIES = 256 };

/* --- what lies somewhere --- */

static int number_in (const char *dir, const char *shown, int *number,
                      struct error *err)
{
    _cleanup_free_ char *file = path_join (dir, LAYOUT_STAGE_MANIFEST);
    _cleanup_json_ struct json *manifest = json_read_file (file, err);
    int rc = -1;

    if (manifest && json_get_int (manifest, "generation") > 0) {
        *number = (int)json_get_int (manifest, "generation");
        rc = 0;
    } else if (manifest || error_is_absence (err)) {
        error_set (err,
                   "'%s' holds results of no generation (no number in "
                   "its " LAYOUT_STAGE_MANIFEST
                   "): an older program made them, or a "
                   "file was taken away; move the directory somewhere else, "
                   "then run the command again",
                   shown);
    }
    return rc;
}

int generation_at (const struct engine *engine, const char *dir, int *number,
                   struct error *err)
{
    _cleanup_free_ char *path = path_join (engine->dir, dir);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_look (path, err);

    *number = 0;
    if (rc > 0)
        rc = file_list_dir (path, &names, err);
    if (rc == 0 && names.n > 0)
        rc = number_in (path, dir, number, err);
    return rc;
}

char *generation_replaced_dir (const struct engine *engine, int number)
{
    struct strbuf relative = STRBUF_INIT;

    layout_replaced_dir (number, &relative);
    return engine_path (engine, &relative);
}

/* --- making --- */

/* Of drivers that were killed.  One that goes on late, and begins only now,
 * leaves alone what others make since: their numbers are higher.
 */
static int remove_made_before (struct engine *engine, int number,
                               struct error *err)
{
    _cleanup_free_ char *all = path_join (engine->dir, LAYOUT_MAKING_DIR);

    return file_discard_numbered (all, "", number, &engine->heartbeat, err);
}

char *generation_begin (struct engine *engine, int number, struct error *err)
{
    struct strbuf relative = STRBUF_INIT;
    char *making = NULL;

    if (lease_check (engine->lease, err) == 0
        && remove_made_before (engine, number, err) == 0) {
        layout_making_dir (number, &relative);
        making = engine_path (engine, &relative);
    }
    if (making && file_make_lasting_dirs (making, err) < 0) {
        free (making);
        making = NULL;
    }
    return making;
}

/* --- moving --- */

/* In the place of what was not there: no directory can be renamed to one that
 * holds something.  A directory needs no temporary file.
 */
static int leave_marker (const char *target, struct error *err)
{
    _cleanup_free_ char *held = path_join (target, "nothing-was-here");

    return file_make_lasting_dirs (held, err);
}

/* A driver that was killed may have made half of the marker. */
static int finish_marker (const char *target, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (target, &names, err);

    if (rc == 0 && names.n == 0)
        rc = leave_marker (target, err);
    return rc;
}

/* Into the directory that 'to' is in, opened before the lease is looked at: who
 * goes on late, after somebody deleted it, finds none, also where a successor
 * made it anew.
 */
static int rename_into (const struct engine *engine, const char *from,
                        const char *to, struct error *err)
{
    _cleanup_free_ char *dir = xstrndup (to, (size_t)(path_base (to) - to));
    _cleanup_fd_ int fd = file_open (dir, O_RDONLY | O_DIRECTORY, 0);
    int rc = fd < 0 ? error_errno (err, "cannot open '%s'", dir)
                    : lease_check (engine->lease, err);

    if (rc == 0) {
        point_reached ("supersede.checked");
        if (renameat (AT_FDCWD, from, fd, path_base (to)) < 0)
            rc = error_errno (err, "cannot rename '%s' to '%s'", from, to);
        else if (file_sync (fd, dir, err) < 0
                 || file_sync_parent (from, err) < 0)
            rc = -1;
    }
    return rc;
}

/* Nothing is known of what is in a directory that another host has just made,
 * while it is not seen here: that it cannot be made tells this.
 */
static int see_parent (const char *path, struct error *err)
{
    if (file_make_lasting_parent (path, err) < 0)
        return error_prefix (err,
                             "it cannot be told yet whether '%s' is there (a "
                             "file system that shows late what another host "
                             "made?)",
                             path);
    return 0;
}

/* What another host has just made may not be seen here yet: only the rename
 * tells whether it is there, if what it is in is seen.  Done again, since
 * somebody may have deleted what the target is in.
 */
static int rename_or_mark (const struct engine *engine, const char *from,
                           const char *to, struct error *err)
{
    struct error why = ERROR_INIT;
    int rc = -1;

    for (int i = 0; i < 2; i++) {
        if (file_make_lasting_parent (to, err) < 0)
            return -1;
        why = (struct error)ERROR_INIT;
        if ((rc = rename_into (engine, from, to, &why)) == 0
            || !error_is_absence (&why))
            return rc == 0 ? 0 : error_copy (err, &why);
        if (see_parent (from, err) < 0)
            return -1;
    }
    (void)file_sync_parent (from, NULL); /* that it is gone */
    return leave_marker (to, err);
}

int move_aside (struct engine *engine, const char *path, const char *to,
                struct error *err)
{
    _cleanup_free_ char *from = path_join (engine->dir, path);
    int there;

    engine_heartbeat (engine);
    if ((there = file_look (to, err)) < 0)
        return -1;
    if (there > 0) { /* moved before a crash */
        return finish_marker (to, err);
    }
    return rename_or_mark (engine, from, to, err);
}

int generation_supersede (struct engine *engine, const char *dir, int number,
                          struct error *err)
{
    _cleanup_free_ char *to = generation_replaced_dir (engine, number);

    return move_aside (engine, dir, to, err);
}

/* What is to be seen must be on the disk before. */
static int sync_made (struct engine *engine, const char *making,
                      struct error *err)
{
    _cleanup_free_ char *jobs = path_join (making, LAYOUT_JOBS);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_look (jobs, err);

    if (rc > 0)
        rc = file_list_dir (jobs, &names, err);
    if (rc == 0)
        rc = names.n > FEW_ENTRIES
                 ? file_sync_system (making, err)
                 : file_seal_tree (making, &engine->heartbeat, err);
    return rc;
}

int generation_appear (struct engine *engine, const char *making,
                       const char *dir, struct error *err)
{
    _cleanup_free_ char *to = path_join (engine->dir, dir);
    int rc = -1;

    if (sync_made (engine, making, err) == 0
        && file_make_lasting_parent (to, err) == 0
        && lease_check (engine->lease, err) == 0) {
        point_reached ("appear.checked");
        rc = file_rename (making, to, err);
    }
    if (rc == 0) /* a driver that was killed may have made what it is in */
        rc = file_sync_way (to, engine->dir, err);
    return rc;
}

/* --- what is put into one --- */

/* The directory of the generation, open; -1 with 'err'. */
static int open_generation (const struct engine *engine,
                            const struct stage_place *place, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    struct stat opened, there;
    int fd, number = 0;
    _cleanup_free_ char *path = NULL;

    layout_stage_dir (place, &dir);
    path = path_join (engine->dir, dir.buf);
    fd = file_open (path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) {
        error_errno (err, "cannot open '%s'", path);
    } else if (generation_at (engine, dir.buf, &number, err) < 0
               || fstat (fd, &opened) < 0 || stat (path, &there) < 0
               || opened.st_ino != there.st_ino
               || number != place->generation) {
        error_set (err, "'%s' is no longer generation %d", path,
                   place->generation);
        file_close (fd);
        fd = -1;
    }
    return fd;
}

/* No rename replaces a directory that holds something. */
static int make_room (int fd, const char *from, const char *name,
                      const struct engine *engine, struct error *err)
{
    _cleanup_free_ char *aside = xasprintf ("%s.replaced", from);

    return renameat (fd, name, AT_FDCWD, aside) < 0
               ? error_errno (err, "cannot replace '%s'", name)
               : file_remove_tree (aside, &engine->heartbeat, err);
}

static int put_below (int fd, const char *from, const char *name,
                      const struct engine *engine, struct error *err)
{
    int rc = renameat (AT_FDCWD, from, fd, name);

    if (rc < 0 && (errno == ENOTEMPTY || errno == EEXIST)
        && make_room (fd, from, name, engine, err) == 0)
        rc = renameat (AT_FDCWD, from, fd, name);
    if (rc < 0)
        return error_errno (err, "cannot rename '%s'", from);
    return file_sync (fd, name, err) < 0 ? -1 : file_sync_parent (from, err);
}

int generation_put (const struct engine *engine,
                    const struct stage_place *place, const char *from,
                    const char *name, struct error *err)
{
    _cleanup_fd_ int fd = open_generation (engine, place, err);

    return fd < 0 ? -1 : put_below (fd, from, name, engine, err);
}

int generation_write (const struct engine *engine,
                      const struct stage_place *place, const char *name,
                      const struct strbuf *text, struct error *err)
{
    struct strbuf run = STRBUF_INIT;
    _cleanup_free_ char *dir = NULL;
    _cleanup_free_ char *from = NULL;
    int rc = -1;

    layout_run (place->generation, &run);
    dir = engine_path (engine, &run);
    from = path_join (dir, name);
    /* Of a driver that was killed here: what `keep:` removes is of iterations
     * that stale_files.h does not go through.
     */
    file_remove_temporaries (dir, 0);
    if (file_make_lasting_parent (from, err) == 0
        && file_write_sealed (from, text->buf, text->len, err) == 0)
        rc = generation_put (engine, place, from, name, err);
    return rc;
}
