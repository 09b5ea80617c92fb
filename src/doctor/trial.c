/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - does a directory do what the data space depends on? */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "doctor/trial.h"

/* A directory of this trial alone: other hosts may be trying too. */
struct place {
    char *dir;
    char *a, *b; /* two names in it */
};

static void note_errno (struct trial *trial,
                        enum ability ability,
                        const char *what)
{
    snprintf (trial->failure[ability], sizeof (trial->failure[ability]),
              "%s: %s", what, strerror (errno));
}

static void note_failure (struct trial *trial,
                          enum ability ability,
                          const char *what)
{
    snprintf (trial->failure[ability], sizeof (trial->failure[ability]), "%s",
              what);
}

static int create_file (const char *path, int flags)
{
    int fd = file_open (path, O_RDWR | O_CREAT | flags, 0666);

    if (fd >= 0)
        close (fd);
    return fd >= 0 ? 0 : -1;
}

static void remove_files (const struct place *place)
{
    unlink (place->a);
    unlink (place->b);
}

/* --- each ability --- */

static void try_exclusive (const struct place *place, struct trial *trial)
{
    if (create_file (place->a, O_EXCL) < 0)
        note_errno (trial, ABILITY_EXCLUSIVE, "a new name cannot be made");
    else if (create_file (place->a, O_EXCL) == 0)
        note_failure (trial, ABILITY_EXCLUSIVE,
                      "a name that is there is made again");
    else if (errno != EEXIST)
        note_errno (trial, ABILITY_EXCLUSIVE, "a name that is there");
}

static void try_link (const struct place *place, struct trial *trial)
{
    struct stat st;

    if (create_file (place->a, 0) < 0 || link (place->a, place->b) < 0)
        note_errno (trial, ABILITY_LINK, "a second name cannot be made");
    else if (link (place->a, place->b) == 0)
        note_failure (trial, ABILITY_LINK,
                      "a name that is there is made again");
    else if (stat (place->a, &st) < 0 || st.st_nlink != 2)
        note_failure (trial, ABILITY_LINK, "names are not counted");
}

static void try_rename (const struct place *place, struct trial *trial)
{
    struct stat before, after;

    if (create_file (place->a, 0) < 0 || create_file (place->b, 0) < 0
        || stat (place->a, &before) < 0 || rename (place->a, place->b) < 0)
        note_errno (trial, ABILITY_RENAME, "a file cannot replace another");
    else if (stat (place->b, &after) < 0 || after.st_ino != before.st_ino)
        note_failure (trial, ABILITY_RENAME, "the replaced file is still seen");
}

static void try_sync (const struct place *place, struct trial *trial)
{
    int fd = file_open (place->a, O_RDWR | O_CREAT, 0666);

    if (fd < 0 || file_sync (fd, place->a, NULL) < 0)
        note_errno (trial, ABILITY_SYNC, "a file cannot be synced");
    else if (file_sync_dir (place->dir, NULL) < 0)
        note_errno (trial, ABILITY_SYNC, "a directory cannot be synced");
    if (fd >= 0)
        close (fd);
}

static void try_append (const struct place *place, struct trial *trial)
{
    static const char half[] = "half";
    int fd = file_open (place->a, O_WRONLY | O_CREAT | O_APPEND, 0666);
    struct strbuf text = STRBUF_INIT;

    if (fd < 0 || file_write_all (fd, half, 4, NULL) < 0
        || file_write_all (fd, half, 4, NULL) < 0
        || file_read (place->a, 4096, &text, NULL) < 0)
        note_errno (trial, ABILITY_APPEND, "a file cannot be appended to");
    else if (strcmp (text.buf, "halfhalf") != 0)
        note_failure (trial, ABILITY_APPEND,
                      "what was appended does not come back");
    if (fd >= 0)
        close (fd);
    strbuf_release (&text);
}

static void try_lock (const struct place *place, struct trial *trial)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int fd = file_open (place->a, O_RDWR | O_CREAT, 0666);

    if (fd < 0 || fcntl (fd, F_OFD_SETLK, &whole) < 0)
        note_errno (trial, ABILITY_LOCK, "a file cannot be locked");
    if (fd >= 0)
        close (fd);
}

/* --- the whole --- */

static void try_all (const struct place *place, struct trial *trial)
{
    static void (*const tries[]) (const struct place *, struct trial *) = {
        try_exclusive, try_link, try_rename, try_sync, try_append, try_lock,
    };

    for (size_t i = 0; i < ARRAY_SIZE (tries); i++) {
        tries[i](place, trial);
        remove_files (place);
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

static const struct {
    const char *name;
    enum grade grade; /* of its failure */
    const char *advice;
} abilities[ABILITY_COUNT] = {
    [ABILITY_EXCLUSIVE] = { "exclusive creation", GRADE_BAD,
                            "keep the campaign on another file system: tasks "
                            "could take effect twice here" },
    [ABILITY_LINK] = { "hard links", GRADE_BAD,
                       "keep the campaign on another file system: two drivers "
                       "could not be told apart here" },
    [ABILITY_RENAME] = { "renaming", GRADE_BAD,
                         "keep the campaign on another file system: files "
                         "could be seen half written here" },
    [ABILITY_SYNC] = { "fsync", GRADE_BAD,
                       "keep the campaign on another file system: a crash "
                       "could take back what was decided here" },
    [ABILITY_APPEND] = { "appending", GRADE_BAD,
                         "keep the campaign on another file system: the "
                         "journal could not be written here" },
    [ABILITY_LOCK] = { "locks", GRADE_WARNING,
                       "nothing for Fanfold, which does not need them; "
                       "programs that do (HDF5, SQLite) fail here: for HDF5 "
                       "set HDF5_USE_FILE_LOCKING=FALSE in `setup`" },
};

static void judge_abilities (const struct trial *trial,
                             const char *where,
                             struct findings *findings)
{
    bool all = true;

    for (int a = 0; a < ABILITY_COUNT; a++) {
        if (!trial->failure[a][0])
            continue;
        all = false;
        findings_add (findings, abilities[a].grade, where, abilities[a].advice,
                      "%s: %s (%s)", abilities[a].name, trial->failure[a],
                      trial->fs.type);
    }
    if (all)
        findings_add (findings, GRADE_GOOD, where, NULL,
                      "exclusive creation, links, renaming, fsync, appending "
                      "and locks work (%s)",
                      trial->fs.type);
}

static void judge_free_space (const struct trial *trial,
                              const char *where,
                              struct findings *findings)
{
    const struct file_system *fs = &trial->fs;
    bool counted = fs->inodes > 0;
    struct strbuf space = STRBUF_INIT;
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
    strbuf_release (&space);
}

void trial_judge (const struct trial *trial,
                  const char *where,
                  struct findings *findings)
{
    judge_abilities (trial, where, findings);
    judge_free_space (trial, where, findings);
}
