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
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "doctor/trial.h"

/* A directory of this trial alone: other hosts may be trying too. */
struct place {
    char *dir;
    char *a, *b; /* two names in it */
};

static void fail_with (struct trial *trial,
                       enum ability ability,
                       const char *what)
{
    snprintf (trial->failure[ability], sizeof (trial->failure[ability]),
              "%s: %s", what, strerror (errno));
}

static void fail (struct trial *trial, enum ability ability, const char *what)
{
    snprintf (trial->failure[ability], sizeof (trial->failure[ability]), "%s",
              what);
}

static int create (const char *path, int flags)
{
    int fd = file_open (path, O_RDWR | O_CREAT | flags, 0666);

    if (fd >= 0)
        close (fd);
    return fd >= 0 ? 0 : -1;
}

static void clear (const struct place *place)
{
    unlink (place->a);
    unlink (place->b);
}

/* --- each ability --- */

static void try_exclusive (const struct place *place, struct trial *trial)
{
    if (create (place->a, O_EXCL) < 0)
        fail_with (trial, ABILITY_EXCLUSIVE, "a new name cannot be made");
    else if (create (place->a, O_EXCL) == 0)
        fail (trial, ABILITY_EXCLUSIVE, "a name that is there is made again");
    else if (errno != EEXIST)
        fail_with (trial, ABILITY_EXCLUSIVE, "a name that is there");
}

static void try_link (const struct place *place, struct trial *trial)
{
    struct stat st;

    if (create (place->a, 0) < 0 || link (place->a, place->b) < 0)
        fail_with (trial, ABILITY_LINK, "a second name cannot be made");
    else if (link (place->a, place->b) == 0)
        fail (trial, ABILITY_LINK, "a name that is there is made again");
    else if (stat (place->a, &st) < 0 || st.st_nlink != 2)
        fail (trial, ABILITY_LINK, "names are not counted");
}

static void try_rename (const struct place *place, struct trial *trial)
{
    struct stat before, after;

    if (create (place->a, 0) < 0 || create (place->b, 0) < 0
        || stat (place->a, &before) < 0 || rename (place->a, place->b) < 0)
        fail_with (trial, ABILITY_RENAME, "a file cannot replace another");
    else if (stat (place->b, &after) < 0 || after.st_ino != before.st_ino)
        fail (trial, ABILITY_RENAME, "the replaced file is still seen");
}

static void try_sync (const struct place *place, struct trial *trial)
{
    int fd = file_open (place->a, O_RDWR | O_CREAT, 0666);

    if (fd < 0 || file_sync (fd, place->a, NULL) < 0)
        fail_with (trial, ABILITY_SYNC, "a file cannot be synced");
    else if (file_sync_dir (place->dir, NULL) < 0)
        fail_with (trial, ABILITY_SYNC, "a directory cannot be synced");
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
        fail_with (trial, ABILITY_APPEND, "a file cannot be appended to");
    else if (strcmp (text.buf, "halfhalf") != 0)
        fail (trial, ABILITY_APPEND, "what was appended does not come back");
    if (fd >= 0)
        close (fd);
    strbuf_release (&text);
}

static void try_lock (const struct place *place, struct trial *trial)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int fd = file_open (place->a, O_RDWR | O_CREAT, 0666);

    if (fd < 0 || fcntl (fd, F_OFD_SETLK, &whole) < 0)
        fail_with (trial, ABILITY_LOCK, "a file cannot be locked");
    if (fd >= 0)
        close (fd);
}

/* The time stamps of a file are the server's; ours lies between two looks. */
static void measure_clock (const struct place *place, struct trial *trial)
{
    double before_s = clock_wall_s (), after_s, file_s;
    struct stat st;

    clear (place);
    if (create (place->a, O_EXCL) < 0 || stat (place->a, &st) < 0)
        return;
    after_s = clock_wall_s ();
    file_s = (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec * 1e-9;
    if (file_s < before_s)
        trial->file_ahead_s = file_s - before_s;
    else if (file_s > after_s)
        trial->file_ahead_s = file_s - after_s;
}

/* --- the whole --- */

static void try_all (const struct place *place, struct trial *trial)
{
    static void (*const tries[]) (const struct place *, struct trial *) = {
        try_exclusive, try_link, try_rename,    try_sync,
        try_append,    try_lock, measure_clock,
    };

    for (size_t i = 0; i < ARRAY_SIZE (tries); i++) {
        tries[i](place, trial);
        clear (place);
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
    file_remove_tree (place.dir, NULL);
    *trial = made;
    rc = 0;
done:
    free (place.a);
    free (place.b);
    free (place.dir);
    return rc;
}
