/* SPDX-License-Identifier: BSD-3-Clause */
/* gpus.c - the node's GPUs, shared by all jobs of a user */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "allocation/allocation.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/file.h"
#include "spool.h"

const char *gpus_find (struct strvec *entries)
{
    static const char *const variables[] = { "CUDA_VISIBLE_DEVICES",
                                             "ROCR_VISIBLE_DEVICES",
                                             "ZE_AFFINITY_MASK" };

    for (size_t i = 0; i < ARRAY_SIZE (variables); i++) {
        const char *list = getenv (variables[i]);

        if (!list)
            continue;
        strvec_split (entries, list, ",");
        return entries->n > 0 ? variables[i] : NULL;
    }
    for (int i = 0; i < 64; i++) {
        char *device = xasprintf ("/dev/nvidia%d", i);

        if (file_exists (device))
            strvec_pushf (entries, "%d", i);
        free (device);
    }
    return entries->n > 0 ? variables[0] : NULL;
}

/* Names of partitions have slashes. */
static char *lock_path (const char *dir, const char *entry)
{
    char *path = path_join (dir, entry);

    for (char *c = path + strlen (dir) + 1; *c; c++) {
        if (*c == '/')
            *c = '_';
    }
    return path;
}

static void add_gpu (struct gpus *gpus, int fd, const char *entry)
{
    gpus->fds[gpus->n++] = fd;
    strvec_push (&gpus->entries, entry);
}

int gpus_take (const char *spool, const struct strvec *entries, int n,
               struct gpus *gpus, struct error *err)
{
    char *dir = path_join (spool, "gpus");
    int rc = file_make_dirs (dir, err);

    *gpus = (struct gpus){ .fds = xcalloc ((size_t)n + 1, sizeof (int)),
                           .entries = STRVEC_INIT };
    for (size_t i = 0; rc == 0 && gpus->n < n && i < entries->n; i++) {
        char *path = lock_path (dir, entries->v[i]);
        int fd = spool_flock (path, LOCK_EX | LOCK_NB);

        if (fd >= 0)
            add_gpu (gpus, fd, entries->v[i]);
        else if (errno != EWOULDBLOCK)
            rc = error_errno (err, "cannot lock '%s'", path);
        free (path);
    }
    if (rc == 0 && gpus->n < n)
        rc = 1;
    if (rc != 0)
        gpus_give (gpus);
    free (dir);
    return rc;
}

void gpus_give (struct gpus *gpus)
{
    for (int i = 0; i < gpus->n; i++)
        close (gpus->fds[i]);
    free (gpus->fds);
    strvec_release (&gpus->entries);
    *gpus = (struct gpus){ .entries = STRVEC_INIT };
}
