/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_cgroup.c - the kernel keeps each task to its memory */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/memory_cgroup.h"
#include "agent/shortage.h"
#include "base/file.h"

#define PREFIX "fanfold-"

/* Write 'text' to 'dir'/'name', which is there. */
static int put (const char *dir, const char *name, const char *text)
{
    _cleanup_free_ char *path = path_join (dir, name);
    _cleanup_fd_ int fd = file_open (path, O_WRONLY, 0);

    return fd < 0 ? -1 : file_write_all (fd, text, strlen (text), NULL);
}

/* Is the memory controller in this file of 'dir'? */
static bool names_memory (const char *dir, const char *name)
{
    _cleanup_free_ char *path = path_join (dir, name);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    bool has;

    if (file_read (path, 4096, &text, NULL) == 0)
        strvec_split (&names, text.buf, " \n");
    has = strvec_contains (&names, "memory");
    return has;
}

static char *agent_dir (const char *own)
{
    return xasprintf ("%s/" PREFIX "%d.agent", own, (int)getpid ());
}

/* Remove our groups, and those of agents that are no more; one that has
 * processes stays.
 */
static void remove_groups (const char *own)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (own, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *path = path_join (own, names.v[i]);
        int pid = 0;

        if (sscanf (names.v[i], PREFIX "%d.", &pid) == 1 && pid > 0
            && (pid == getpid () || (kill (pid, 0) < 0 && errno == ESRCH)))
            rmdir (path);
    }
}

/* Into a group below 'own', so that this can hand the controller down, unless
 * it does already.
 */
static int step_aside (const char *own, bool *handed_down)
{
    _cleanup_free_ char *dir = agent_dir (own);
    int rc = mkdir (dir, 0777) < 0 && errno != EEXIST ? -1 : 0;

    if (rc == 0)
        rc = put (dir, "cgroup.procs", "0");
    *handed_down = !names_memory (own, "cgroup.subtree_control");
    if (rc == 0 && *handed_down
        && put (own, "cgroup.subtree_control", "+memory") < 0) {
        put (own, "cgroup.procs", "0");
        rc = -1;
    }
    if (rc < 0)
        rmdir (dir);
    return rc;
}

void memory_cgroup_enter (struct memory_cgroup *cgroup, const char *self_cgroup,
                          const char *mount)
{
    char *name = own_cgroup (self_cgroup);
    char *own = name ? xasprintf ("%s%s", mount, name) : NULL;

    free (name);
    if (!own || !names_memory (own, "cgroup.controllers")
        || step_aside (own, &cgroup->handed_down) < 0) {
        free (own);
        return;
    }
    remove_groups (own);
    cgroup->own = own;
}

void memory_cgroup_leave (struct memory_cgroup *cgroup)
{
    if (!cgroup->own)
        return;
    if (cgroup->handed_down)
        put (cgroup->own, "cgroup.subtree_control", "-memory");
    put (cgroup->own, "cgroup.procs", "0");
    remove_groups (cgroup->own);
    free (cgroup->own);
    cgroup->own = NULL;
}

char *memory_cgroup_begin (const struct memory_cgroup *cgroup, int slot,
                           int64_t bytes)
{
    char text[24];
    char *dir;

    if (!cgroup->own || bytes <= 0)
        return NULL;
    dir = xasprintf ("%s/" PREFIX "%d.slot-%d", cgroup->own, (int)getpid (),
                     slot);
    snprintf (text, sizeof (text), "%" PRId64, bytes);
    /* Swapping is no memory; the file is not everywhere. */
    if ((mkdir (dir, 0777) == 0 || errno == EEXIST)
        && put (dir, "memory.max", text) == 0
        && put (dir, "memory.oom.group", "1") == 0) {
        put (dir, "memory.swap.max", "0");
        return dir;
    }
    memory_cgroup_end (dir);
    return NULL;
}

void memory_cgroup_end (char *dir)
{
    if (dir)
        rmdir (dir);
    free (dir);
}

bool memory_cgroup_was_full (const char *dir)
{
    _cleanup_free_ char *path = path_join (dir, "memory.events");

    return memory_events (path, "oom ") > 0;
}
