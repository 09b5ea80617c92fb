/* SPDX-License-Identifier: BSD-3-Clause */
/* process_find.c - programs on PATH and processes in /proc */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/strvec.h"

/* The kernel's bound on arguments and environment is a quarter of the stack
 * limit; nobody gets near this.
 */
static const size_t environment_bytes_max = (size_t)64 << 20;

static bool is_program (const char *path)
{
    struct stat st;

    return stat (path, &st) == 0 && S_ISREG (st.st_mode)
           && access (path, X_OK) == 0;
}

char *process_which (const char *program, const char *path)
{
    if (!path)
        path = getenv ("PATH");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    if (strchr (program, '/'))
        return is_program (program) ? path_absolute (program) : NULL;
    for (;;) {
        size_t len = strcspn (path, ":"); /* 0: the current directory */
        char *dir = xstrndup (path, len);
        char *joined = path_join (dir, program);
        char *full = path_absolute (joined);
        bool found = program[0] != '\0' && is_program (full);

        free (joined);
        free (dir);
        if (found)
            return full;
        free (full);
        if (path[len] == '\0')
            return NULL;
        path += len + 1;
    }
}

char *process_self (void)
{
    char *path = file_read_link ("/proc/self/exe", NULL);

    return path ? path : xstrdup ("/proc/self/exe");
}

/* How often an empty environment is looked at. */
enum { EXEC_LOOKS = 5 };

/* Whether the NUL-separated list of 'environment' has the entry 'tag'. */
static bool has_entry (const struct strbuf *environment, const char *tag)
{
    size_t at = 0;

    while (at < environment->len) {
        const char *entry = environment->buf + at;

        if (strcmp (entry, tag) == 0)
            return true;
        at += strlen (entry) + 1;
    }
    return false;
}

/* Kernel threads and zombies run no program. */
static bool runs_program (pid_t pid)
{
    char *path = xasprintf ("/proc/%d/exe", (int)pid);
    char target[1];
    bool runs = readlink (path, target, sizeof (target)) > 0;

    free (path);
    return runs;
}

/* In the middle of execve a process has no environment for a moment: look
 * again before believing that.
 */
static int read_environment (pid_t pid,
                             const char *path,
                             struct strbuf *environment)
{
    for (int i = 0; i < EXEC_LOOKS; i++) {
        if (file_read (path, environment_bytes_max, environment, NULL) < 0)
            return -1;
        if (environment->len > 0 || !runs_program (pid))
            break;
        clock_sleep (0.001, NULL);
    }
    return 0;
}

static bool is_tagged (pid_t pid, const char *tag)
{
    struct strbuf environment = STRBUF_INIT;
    char *path = xasprintf ("/proc/%d/environ", (int)pid);
    struct stat st;
    bool tagged;

    /* For root, environments of other users can be read as well. */
    tagged = stat (path, &st) == 0 && st.st_uid == geteuid ()
             && read_environment (pid, path, &environment) == 0
             && has_entry (&environment, tag);
    free (path);
    strbuf_release (&environment);
    return tagged;
}

int process_kill_tagged (const char *tag, int signal)
{
    struct strvec names = STRVEC_INIT;
    int n = 0;

    file_list_dir ("/proc", &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        pid_t pid = (pid_t)atoi (names.v[i]); /* 0 for "self" and such */

        if (pid > 0 && pid != getpid () && is_tagged (pid, tag)
            && kill (pid, signal) == 0)
            n++;
    }
    strvec_release (&names);
    return n;
}

/* Field 22 of /proc/PID/stat (proc(5)).  The second is the program's name in
 * parentheses and may contain anything, so counting starts after the last ')'.
 */
static unsigned long long parse_start_ticks (const char *stat_line)
{
    const char *p = strrchr (stat_line, ')');

    if (!p || p[1] != ' ' || strchr ("ZXx", p[2]))
        return 0;
    for (int field = 2; field < 22; field++) {
        p = strchr (p + 1, ' ');
        if (!p)
            return 0;
    }
    return strtoull (p + 1, NULL, 10);
}

unsigned long long process_start_ticks (pid_t pid)
{
    struct strbuf line = STRBUF_INIT;
    char *path = xasprintf ("/proc/%d/stat", (int)pid);
    unsigned long long ticks = 0;

    if (pid > 0 && file_read (path, 1 << 16, &line, NULL) == 0)
        ticks = parse_start_ticks (line.buf);
    free (path);
    strbuf_release (&line);
    return ticks;
}
