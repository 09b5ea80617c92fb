/* SPDX-License-Identifier: BSD-3-Clause */
/* cores.c - the machine's cores, shared by all jobs of this user */
#include "base/base.h"

#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "cores.h"
#include "spool.h"

/* The first hardware thread of the core that 'cpu' belongs to: sysfs lists
 * siblings as "0,64" or "0-1".
 */
static int first_sibling (int cpu)
{
    char path[96];
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int first = cpu;

    snprintf (path, sizeof (path),
              "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
              cpu);
    if (file_read (path, 4096, &text, NULL) == 0)
        first = atoi (text.buf);
    return first;
}

/* Allowed hardware threads, as core numbers: cpu -> first sibling, or -1. */
static int read_cores (int core_of[CPU_SETSIZE])
{
    cpu_set_t allowed;
    int n = 0;

    CPU_ZERO (&allowed);
    if (sched_getaffinity (0, sizeof (allowed), &allowed) < 0)
        CPU_SET (0, &allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        core_of[cpu] = -1;
        if (!CPU_ISSET (cpu, &allowed))
            continue;
        core_of[cpu] = first_sibling (cpu);
        /* A core whose first thread is not ours is named by our first one. */
        if (core_of[cpu] < 0 || core_of[cpu] > cpu || core_of[core_of[cpu]] < 0)
            core_of[cpu] = cpu;
        n += core_of[cpu] == cpu;
    }
    return n;
}

int cores_count (void)
{
    int core_of[CPU_SETSIZE];
    int n = read_cores (core_of);

    return n > 0 ? n : 1;
}

static void add_core (struct cores *cores, int fd, int core,
                      const int core_of[CPU_SETSIZE])
{
    cores->fds[cores->n++] = fd;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (core_of[cpu] == core)
            CPU_SET (cpu, &cores->cpus);
    }
}

/* 0, 1 when not enough are free, -1 with errno. */
static int take_free (const char *dir, int n, const int core_of[CPU_SETSIZE],
                      struct cores *cores)
{
    for (int core = 0; core < CPU_SETSIZE && cores->n < n; core++) {
        char *path;
        int fd;

        if (core_of[core] != core)
            continue;
        path = xasprintf ("%s/%d", dir, core);
        fd = spool_flock (path, LOCK_EX | LOCK_NB);
        free (path);
        if (fd >= 0)
            add_core (cores, fd, core, core_of);
        else if (errno != EWOULDBLOCK)
            return -1;
    }
    return cores->n == n ? 0 : 1;
}

int cores_take (const char *spool, int n, struct cores *cores,
                struct error *err)
{
    int core_of[CPU_SETSIZE];
    int there = read_cores (core_of);
    char *dir = path_join (spool, "cores");
    char *mutex_path = path_join (dir, "mutex");
    int mutex = -1;
    int rc = -1;

    memset (cores, 0, sizeof (*cores));
    if (n > there)
        n = there > 0 ? there : 1;
    if (file_make_dirs (dir, err) < 0)
        goto done;
    if ((mutex = spool_flock (mutex_path, LOCK_EX)) < 0) {
        error_errno (err, "cannot lock '%s'", mutex_path);
        goto done;
    }
    cores->fds = xcalloc ((size_t)n + 1, sizeof (*cores->fds));
    if ((rc = take_free (dir, n, core_of, cores)) < 0)
        error_errno (err, "cannot lock a core in '%s'", dir);
    if (rc != 0)
        cores_give (cores);
done:
    if (mutex >= 0)
        close (mutex);
    free (mutex_path);
    free (dir);
    return rc;
}

void cores_give (struct cores *cores)
{
    for (int i = 0; i < cores->n; i++)
        close (cores->fds[i]);
    free (cores->fds);
    memset (cores, 0, sizeof (*cores));
}
