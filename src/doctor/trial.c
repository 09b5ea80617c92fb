/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - does a directory do what the data space depends on? */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/findings.h"
#include "base/units.h"
#include "doctor/doctor.h"

/* A directory of this trial alone: other hosts may be trying too. */
struct place {
    char *dir;
    char *a, *b; /* two names in it */
    int fd;      /* of 'a', a new file open for appending */
};

static int create_file (const char *path)
{
    int fd = file_open (path, O_RDWR | O_CREAT | O_EXCL, 0666);

    if (fd >= 0)
        close (fd);
    return fd >= 0 ? 0 : -1;
}

/* --- each ability: 0, or -1 with what is wrong --- */

static int try_exclusive (const struct place *place, struct error *err)
{
    if (create_file (place->a) == 0)
        return error_set (err, "a name that is there is made again");
    return errno == EEXIST ? 0 : error_errno (err, "a name that is there");
}

static int try_link (const struct place *place, struct error *err)
{
    struct stat st;

    if (link (place->a, place->b) < 0)
        return error_errno (err, "a second name cannot be made");
    if (link (place->a, place->b) == 0)
        return error_set (err, "a name that is there is made again");
    if (stat (place->a, &st) < 0 || st.st_nlink != 2)
        return error_set (err, "names are not counted");
    return 0;
}

static int try_rename (const struct place *place, struct error *err)
{
    struct stat before, after;

    if (create_file (place->b) < 0 || stat (place->a, &before) < 0
        || rename (place->a, place->b) < 0)
        return error_errno (err, "a file cannot replace another");
    if (stat (place->b, &after) < 0 || after.st_ino != before.st_ino)
        return error_set (err, "the replaced file is still seen");
    return 0;
}

static int try_sync (const struct place *place, struct error *err)
{
    if (file_sync (place->fd, place->a, NULL) < 0)
        return error_errno (err, "a file cannot be synced");
    if (file_sync_dir (place->dir, NULL) < 0)
        return error_errno (err, "a directory cannot be synced");
    return 0;
}

static int try_append (const struct place *place, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = 0;

    if (file_write_all (place->fd, "half", 4, NULL) < 0
        || file_write_all (place->fd, "half", 4, NULL) < 0
        || file_read (place->a, 4096, &text, NULL) < 0)
        rc = error_errno (err, "a file cannot be appended to");
    else if (strcmp (text.buf, "halfhalf") != 0)
        rc = error_set (err, "what was appended does not come back");
    return rc;
}

static int try_lock (const struct place *place, struct error *err)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    if (fcntl (place->fd, F_OFD_SETLK, &whole) < 0)
        return error_errno (err, "a file cannot be locked");
    return 0;
}

#define OTHER_FILE_SYSTEM "keep the campaign on another file system: "

static const struct {
    int (*try) (const struct place *place, struct error *err);
    const char *name;
    enum grade grade; /* of its failure */
    const char *advice;
} abilities[ABILITY_COUNT] = {
    [ABILITY_EXCLUSIVE] = { try_exclusive, "exclusive creation", GRADE_BAD,
                            OTHER_FILE_SYSTEM
                            "tasks could take effect twice here" },
    [ABILITY_LINK] = { try_link, "hard links", GRADE_BAD,
                       OTHER_FILE_SYSTEM
                       "two drivers could not be told apart here" },
    [ABILITY_RENAME] = { try_rename, "renaming", GRADE_BAD,
                         OTHER_FILE_SYSTEM
                         "files could be seen half written here" },
    [ABILITY_SYNC] = { try_sync, "fsync", GRADE_BAD,
                       OTHER_FILE_SYSTEM
                       "a crash could take back what was decided here" },
    [ABILITY_APPEND] = { try_append, "appending", GRADE_BAD,
                         OTHER_FILE_SYSTEM
                         "the journal could not be written here" },
    [ABILITY_LOCK] = { try_lock, "locks", GRADE_WARNING,
                       "nothing for Fanfold, which does not need them; "
                       "programs that do (HDF5, SQLite) fail here: for HDF5 "
                       "set HDF5_USE_FILE_LOCKING=FALSE in `setup`" },
};

static void try_all (struct place *place, struct trial *trial)
{
    for (int a = 0; a < ABILITY_COUNT; a++) {
        place->fd =
            file_open (place->a, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0666);
        if (place->fd < 0) {
            error_errno (&trial->failure[a], "a new name cannot be made");
            continue;
        }
        abilities[a].try (place, &trial->failure[a]);
        close (place->fd);
        unlink (place->a);
        unlink (place->b);
    }
}

int trial_run (const char *dir, struct trial *trial, struct error *err)
{
    struct trial made = { 0 };
    struct place place = { .dir = xasprintf ("%s/trial.XXXXXX", dir) };
    int rc = -1;

    if (file_system_look (dir, &made.fs, err) < 0)
        goto done;
    if (!mkdtemp (place.dir)) {
        error_errno (err, "nothing can be made in '%s'", dir);
        goto done;
    }
    place.a = path_join (place.dir, "a");
    place.b = path_join (place.dir, "b");
    try_all (&place, &made);
    file_remove_tree (place.dir, NULL, NULL);
    *trial = made;
    rc = 0;
done:
    free (place.a);
    free (place.b);
    free (place.dir);
    return rc;
}

/* --- what it means (pure) --- */

static const uint64_t least_bytes = (uint64_t)64 << 20;
static const uint64_t enough_bytes = (uint64_t)4 << 30;
enum { LEAST_INODES = 1000, ENOUGH_INODES = 100000 };

static void judge_free_space (const struct trial *trial, const char *where,
                              struct findings *findings)
{
    const struct file_system *fs = &trial->fs;
    bool counted = fs->inodes > 0;
    _cleanup_ (strbuf_release) struct strbuf space = STRBUF_INIT;
    enum grade grade = GRADE_GOOD;

    format_bytes ((int64_t)fs->free_bytes, &space);
    if (counted)
        strbuf_addf (&space, " and %llu inodes",
                     (unsigned long long)fs->free_inodes);
    if (fs->free_bytes < enough_bytes
        || (counted && fs->free_inodes < ENOUGH_INODES))
        grade = GRADE_WARNING;
    if (fs->free_bytes < least_bytes
        || (counted && fs->free_inodes < LEAST_INODES))
        grade = GRADE_BAD;
    findings_add (findings, grade, where,
                  grade == GRADE_GOOD ? NULL
                                      : "free some there, or keep the "
                                        "campaign on another file system",
                  "%s free", space.buf);
}

void trial_judge (const struct trial *trial, const char *where,
                  struct findings *findings)
{
    bool all = true;

    for (int a = 0; a < ABILITY_COUNT; a++) {
        if (!trial->failure[a].text[0])
            continue;
        all = false;
        findings_add (findings, abilities[a].grade, where, abilities[a].advice,
                      "%s: %s (%s)", abilities[a].name, trial->failure[a].text,
                      trial->fs.type);
    }
    if (all)
        findings_add (findings, GRADE_GOOD, where, NULL,
                      "exclusive creation, links, renaming, fsync, appending "
                      "and locks work (%s)",
                      trial->fs.type);
    judge_free_space (trial, where, findings);
}
