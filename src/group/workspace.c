/* SPDX-License-Identifier: BSD-3-Clause */
/* workspace.c - {workspace}: one directory for all programs of a node */
#include "base/base.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "group/workspace.h"
#include "handover/group_file.h"

static const double wait_most_s = 120;
static const int look_every_ms = 500;

static int lock_now (int fd)
{
    return (int)TEMP_FAILURE_RETRY (flock (fd, LOCK_EX | LOCK_NB));
}

static int open_dir (const char *path)
{
    return file_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
}

/* --- private ones --- */

/* Ours, and no other's: its processes are gone. */
static void remove_if_left (const char *path)
{
    struct stat st;
    _cleanup_fd_ int fd = open_dir (path);

    if (fd >= 0 && fstat (fd, &st) == 0 && st.st_uid == geteuid ()
        && lock_now (fd) == 0)
        file_remove_tree (path, NULL, NULL);
}

static void remove_left_ones (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf prefix = STRBUF_INIT;

    group_workspace_prefix (&prefix);
    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        char *path;

        if (strncmp (names.v[i], prefix.buf, prefix.len) != 0)
            continue;
        path = path_join (dir, names.v[i]);
        remove_if_left (path);
        free (path);
    }
}

/* Another group may take it for one that was left before it is locked: then it
 * is made again.
 */
static int make_private (struct workspace *workspace, struct error *err)
{
    struct stat st;

    for (;;) {
        if (mkdir (workspace->path, 0700) < 0)
            return error_errno (err, "cannot make the workspace '%s'",
                                workspace->path);
        workspace->lock = open_dir (workspace->path);
        /* Where there are no locks none removes what another one left. */
        if (workspace->lock >= 0
            && (lock_now (workspace->lock) == 0 || errno != EWOULDBLOCK)
            && fstat (workspace->lock, &st) == 0 && st.st_nlink > 0)
            return 0;
        file_close (workspace->lock);
        workspace->lock = -1;
        if (rmdir (workspace->path) < 0 && errno != ENOENT)
            return error_errno (err, "cannot make the workspace '%s'",
                                workspace->path);
    }
}

static int take_private (const struct group_file *file,
                         struct workspace *workspace, struct error *err)
{
    _cleanup_free_ char *dir = NULL;
    int rc;

    workspace->path = group_workspace_path (file->workspace_dir, file->id);
    dir = xstrndup (workspace->path,
                    (size_t)(path_base (workspace->path) - workspace->path));
    remove_left_ones (dir);
    rc = make_private (workspace, err);
    if (rc < 0) {
        free (workspace->path); /* another's, or none: not ours to remove */
        workspace->path = NULL;
    }
    return rc;
}

/* --- global ones --- */

/* Who has it, for a person. */
static void note_holder (int lock)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char host[256] = "unknown";

    gethostname (host, sizeof (host) - 1);
    strbuf_addf (&text, "process %d on %s\n", (int)getpid (), host);
    if (ftruncate (lock, 0) == 0)
        (void)file_write_all (lock, text.buf, text.len, NULL);
}

/* "process 12 on node7" */
static void read_holder (const char *lock_path, struct strbuf *holder)
{
    file_read (lock_path, 4096, holder, NULL);
    strbuf_truncate (holder, strcspn (holder->buf, "\n"));
    text_made_plain (holder->buf);
}

/* Say what this waits for. */
static void note_wait (const char *path, const char *lock_path, int log_fd)
{
    _cleanup_ (strbuf_release) struct strbuf holder = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    read_holder (lock_path, &holder);
    strbuf_addf (&text, "=== waiting for the workspace '%s', used by %s\n",
                 path, holder.buf);
    (void)file_write_all (log_fd, text.buf, text.len, NULL);
}

static int refuse (const char *path, const char *lock_path, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf holder = STRBUF_INIT;

    if (errno != EWOULDBLOCK)
        return error_errno (err,
                            "cannot lock '%s', so two runs might use one "
                            "workspace; mount the file system with locks, or "
                            "use `workspace: private`",
                            lock_path);
    read_holder (lock_path, &holder);
    error_set (err, "the workspace '%s' is still used by another run (%s)",
               path, holder.buf);
    if (err)
        err->number = EBUSY;
    return -1;
}

/* Locks of other nodes cannot be waited for but by looking.  False: it is not
 * ours in time.
 */
static bool wait_for_lock (int lock, const sigset_t *interrupts)
{
    double end_s = clock_mono_s () + wait_most_s;
    struct pollfd told = { .fd = signalfd (-1, interrupts, SFD_CLOEXEC),
                           .events = POLLIN };
    int rc;

    while ((rc = lock_now (lock)) < 0 && errno == EWOULDBLOCK
           && clock_mono_s () < end_s && poll (&told, 1, look_every_ms) == 0)
        continue;
    rc = lock_now (lock); /* for errno */
    file_close (told.fd);
    return rc == 0;
}

static int take_global (const struct group_file *file,
                        const sigset_t *interrupts, int log_fd,
                        struct workspace *workspace, struct error *err)
{
    char *lock_path = xasprintf ("%s.lock", file->workspace_dir);
    int rc = -1;

    workspace->path = xstrdup (file->workspace_dir);
    if (file_make_dirs (workspace->path, err) < 0)
        goto done;
    workspace->lock = file_open (lock_path, O_RDWR | O_CREAT, 0666);
    if (workspace->lock >= 0 && lock_now (workspace->lock) < 0
        && errno == EWOULDBLOCK)
        note_wait (workspace->path, lock_path, log_fd);
    if (workspace->lock < 0)
        error_errno (err, "cannot create '%s'", lock_path);
    else if (!wait_for_lock (workspace->lock, interrupts))
        refuse (workspace->path, lock_path, err);
    else
        rc = 0;
done:
    if (rc == 0)
        note_holder (workspace->lock);
    free (lock_path);
    return rc;
}

/* --- either --- */

int workspace_take (const struct group_file *file, bool first,
                    const sigset_t *interrupts, int log_fd,
                    struct workspace *workspace, struct error *err)
{
    *workspace = (struct workspace)WORKSPACE_INIT;
    workspace->private = !file->group.workspace_global;
    if (workspace->private)
        return take_private (file, workspace, err);
    if (first)
        return take_global (file, interrupts, log_fd, workspace, err);
    workspace->path = xstrdup (file->workspace_dir);
    return 0;
}

void workspace_release (struct workspace *workspace)
{
    if (workspace->private && workspace->path)
        file_remove_tree (workspace->path, NULL, NULL);
    file_close (workspace->lock);
    free (workspace->path);
    *workspace = (struct workspace)WORKSPACE_INIT;
}
