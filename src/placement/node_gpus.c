/* SPDX-License-Identifier: BSD-3-Clause */
/* node_gpus.c - the devices of this node, shared by all jobs of a user */
#include "base/base.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "placement/node_gpus.h"
#include "placement/node_shape.h"
#include "placement/visible_devices.h"

char *node_spool (void)
{
    const char *told = getenv ("FANFOLD_SPOOL");

    return told && told[0]
               ? xstrdup (told)
               : xasprintf ("/var/tmp/fanfold-%ld", (long)getuid ());
}

int node_gpus_load (struct node_shape *shape, struct error *err)
{
    if (node_shape_of_this_node (true, shape, err) < 0)
        return -1;
    visible_devices_apply (environ, shape);
    return 0;
}

/* Partitions have slashes. */
static char *lock_path (const char *dir, const struct node_gpu *gpu)
{
    char *path = path_join (dir, gpu->address);

    for (char *c = path + strlen (dir) + 1; *c; c++) {
        if (*c == '/')
            *c = '_';
    }
    return path;
}

/* A descriptor, or -1 with errno: EWOULDBLOCK when 'how' does not wait. */
static int lock (const char *path, int how)
{
    int fd = file_open (path, O_RDWR | O_CREAT, 0600);
    int rc = 0, saved;

    while (fd >= 0 && (rc = flock (fd, how)) < 0 && errno == EINTR)
        continue;
    if (rc == 0)
        return fd;
    saved = errno;
    close (fd);
    errno = saved;
    return -1;
}

static int lock_mutex (const char *dir, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, "mutex");
    int fd = lock (path, LOCK_EX);

    if (fd < 0)
        error_errno (err, "cannot lock '%s'", path);
    return fd;
}

/* Those that are free.  -1: a lock cannot be made. */
static int lock_free_ones (const char *dir, const struct node_shape *shape,
                           struct gpus *gpus, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < shape->n_gpus; i++) {
        _cleanup_free_ char *path = lock_path (dir, &shape->gpus[i]);
        int fd = lock (path, LOCK_EX | LOCK_NB);

        if (fd >= 0) {
            gpus->fds[gpus->n] = fd;
            gpus->devices[gpus->n++] = (int)i;
        } else if (errno != EWOULDBLOCK) {
            rc = error_errno (err, "cannot lock '%s'", path);
        }
    }
    return rc;
}

int gpus_take_free (const char *spool, const struct node_shape *shape,
                    size_t least, struct gpus *gpus, struct error *err)
{
    _cleanup_free_ char *dir = path_join (spool, "gpus");
    int rc = file_make_dirs (dir, err);

    *gpus = (struct gpus)GPUS_INIT;
    if (rc == 0 && (gpus->mutex = lock_mutex (dir, err)) < 0)
        rc = -1;
    if (rc == 0) {
        gpus->fds = xcalloc (shape->n_gpus + 1, sizeof (int));
        gpus->devices = xcalloc (shape->n_gpus + 1, sizeof (int));
        rc = lock_free_ones (dir, shape, gpus, err);
    }
    if (rc == 0 && gpus->n < least)
        rc = 1;
    if (rc != 0)
        gpus_give (gpus);
    return rc;
}

void gpus_keep (struct gpus *gpus, const bool *needed)
{
    size_t kept = 0;

    for (size_t i = 0; i < gpus->n; i++) {
        if (!needed[gpus->devices[i]]) {
            close (gpus->fds[i]);
            continue;
        }
        gpus->fds[kept] = gpus->fds[i];
        gpus->devices[kept++] = gpus->devices[i];
    }
    gpus->n = kept;
    file_close (gpus->mutex);
    gpus->mutex = -1;
}

int gpus_take (const char *spool, const struct node_shape *shape, int n,
               struct gpus *gpus, struct error *err)
{
    size_t wanted = (size_t)n < shape->n_gpus ? (size_t)n : shape->n_gpus;
    int rc = gpus_take_free (spool, shape, wanted, gpus, err);
    _cleanup_free_ bool *needed = xcalloc (shape->n_gpus + 1, sizeof (*needed));

    for (size_t i = 0; rc == 0 && i < wanted; i++)
        needed[gpus->devices[i]] = true;
    if (rc == 0)
        gpus_keep (gpus, needed);
    return rc;
}

void gpus_give (struct gpus *gpus)
{
    for (size_t i = 0; i < gpus->n; i++)
        close (gpus->fds[i]);
    file_close (gpus->mutex);
    free (gpus->fds);
    free (gpus->devices);
    *gpus = (struct gpus)GPUS_INIT;
}
