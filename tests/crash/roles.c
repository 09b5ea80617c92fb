/* SPDX-License-Identifier: BSD-3-Clause */
/* roles.c - what a traced process is */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "roles.h"

static const char *const drivers[] = { "run",   "advance", "submit", "wake",
                                       "redo",  "forget",  "reset",  "store",
                                       "quick", "call",    "result", "recover",
                                       "export" };
enum { N_DRIVERS = sizeof (drivers) / sizeof (drivers[0]) };

static bool is_driver (const char *role)
{
    for (size_t i = 0; i < N_DRIVERS; i++) {
        if (strcmp (role, drivers[i]) == 0)
            return true;
    }
    return false;
}

/* Between fork and exec, or what it became. */
static bool is_child_of_driver (const char *role)
{
    for (size_t i = 0; i < N_DRIVERS; i++) {
        size_t len = strlen (drivers[i]);

        if (strncmp (role, drivers[i], len) == 0 && role[len] == '-')
            return true;
    }
    return false;
}

/* Read /proc/PID/NAME; its length. */
static size_t read_proc (pid_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    ssize_t n = 0;
    int fd;

    snprintf (path, sizeof (path), "/proc/%d/%s", (int)pid, name);
    if ((fd = open (path, O_RDONLY | O_CLOEXEC)) >= 0) {
        n = read (fd, text, size - 1);
        close (fd);
    }
    if (n < 0)
        n = 0;
    text[n] = '\0';
    return (size_t)n;
}

pid_t role_parent (pid_t pid)
{
    char text[2048];
    const char *line;

    read_proc (pid, "status", text, sizeof (text));
    line = strstr (text, "\nPPid:");
    return line ? (pid_t)atoi (line + 6) : 0;
}

/* The command word of `fanfold [-C DIR] WORD ...`. */
static const char *command_word (const char *words, size_t len)
{
    const char *end = words + len;
    const char *p = words + strlen (words) + 1;

    while (p < end && p[0] == '-') {
        if (strcmp (p, "-C") == 0)
            p += strlen (p) + 1;
        p += strlen (p) + 1;
    }
    return p < end ? p : "";
}

static void name_role (struct process *process, const char *role)
{
    snprintf (process->role, sizeof (process->role), "%s", role);
}

/* What a process is that has just become another program. */
void role_after_exec (struct process *process)
{
    char words[4096];
    size_t len = read_proc (process->pid, "cmdline", words, sizeof (words));
    const char *base = strrchr (words, '/') ? strrchr (words, '/') + 1 : words;
    const char *word = command_word (words, len);
    bool below_driver = is_child_of_driver (process->role);

    if (strcmp (base, "fanfold-reduce") == 0)
        name_role (process, "reduce");
    else if (strcmp (base, "use_store") == 0)
        name_role (process, "use");
    else if (strcmp (base, "fanfold") == 0 && strcmp (word, "agent") == 0)
        name_role (process, "agent");
    else if (strcmp (base, "fanfold") == 0 && strcmp (word, "group") == 0)
        name_role (process, "group");
    else if (strcmp (base, "fanfold") == 0
             && strcmp (word, "local-supervisor") == 0)
        name_role (process, "supervisor");
    else if (strcmp (base, "fanfold") == 0 && is_driver (word))
        name_role (process, word);
    else if (below_driver)
        name_role (process, "step");
    else if (strcmp (process->role, "agent-child") == 0
             || strcmp (process->role, "group-child") == 0)
        name_role (process, "task");
    else if (strcmp (process->role, "supervisor-child") == 0)
        name_role (process, "script");
    else
        name_role (process, "");
    for (size_t i = 0; i + 1 < len; i++)
        words[i] = words[i] ? words[i] : ' ';
    snprintf (process->words, sizeof (process->words), "%.150s", words);
}

void role_after_fork (struct process *process, const struct process *parent)
{
    if (!parent)
        return;
    memcpy (process->words, parent->words, sizeof (process->words));
    if (strstr (parent->role, "-child"))
        name_role (process, parent->role);
    else if (is_driver (parent->role) || strcmp (parent->role, "agent") == 0
             || strcmp (parent->role, "group") == 0
             || strcmp (parent->role, "supervisor") == 0)
        snprintf (process->role, sizeof (process->role), "%.20s-child",
                  parent->role);
}
