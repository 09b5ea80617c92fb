/* SPDX-License-Identifier: BSD-3-Clause */
/* kill_at.c - run a program and all it starts; kill one of them at one call
 *
 *     kill_at trace PROGRAM ARG...
 *     kill_at kill ROLE CALL N HOW PROGRAM ARG...
 *
 * Tracing prints "ROLE CALL N DETAIL" for each call (calls.h) of each process
 * that has a role, N counting from 1 for each role and call.  Killing delivers
 * SIGKILL to the process of that role when it is about to make its n-th such
 * call, so that it does not make it, and prints "killed ..." when it is dead:
 *   alone  this process
 *   torn   the same, but a write is done by half
 *   tree   all processes at once
 * Then it waits for everything that was started to end.
 *
 * Roles: run, advance (drivers); supervisor; agent; step (what a driver runs);
 * task; reduce; script (between the supervisor's child and the agent); and each
 * of the first four with "-child" between fork and exec.
 *
 * The program's standard output becomes standard error.  Exit status: 0, or the
 * program's when it was not killed; 77 where no process may be traced; 124 when
 * something had not ended after a minute (it is named and killed).
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"

enum { CANNOT_TRACE = 77, STUCK = 124, DEADLINE_S = 60 };

struct process {
    pid_t pid;
    char role[32];
    char words[160]; /* its command line, for messages */
};

struct counter {
    char role[32];
    const char *call;
    int n;
};

struct wish {
    const char *role; /* NULL: trace */
    const char *call;
    int n;
    bool torn;
    bool tree;
};

struct tracer {
    struct wish wish;
    struct process *processes;
    size_t n_processes;
    struct counter *counters;
    size_t n_counters;
    pid_t first;      /* what we started */
    int first_status; /* how it ended */
    pid_t victim;     /* 0: nobody was killed yet */
    struct call last; /* the call it was killed at */
};

static volatile sig_atomic_t over_time; /* a handler can only write a global */

static void on_alarm (int signal)
{
    (void)signal;
    over_time = 1;
}

static void *grow (void *v, size_t n, size_t size)
{
    void *grown = realloc (v, (n + 1) * size);

    if (!grown)
        abort ();
    memset ((char *)grown + n * size, 0, size);
    return grown;
}

/* --- roles --- */

static bool is_driver (const char *role)
{
    return strcmp (role, "run") == 0 || strcmp (role, "advance") == 0;
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

static pid_t parent_of (pid_t pid)
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
static void role_after_exec (struct process *process)
{
    char words[4096];
    size_t len = read_proc (process->pid, "cmdline", words, sizeof (words));
    const char *base = strrchr (words, '/') ? strrchr (words, '/') + 1 : words;
    const char *word = command_word (words, len);
    bool below_driver = strncmp (process->role, "run-", 4) == 0
                        || strncmp (process->role, "advance-", 8) == 0;

    if (strcmp (base, "fanfold-reduce") == 0)
        name_role (process, "reduce");
    else if (strcmp (base, "fanfold") == 0 && strcmp (word, "agent") == 0)
        name_role (process, "agent");
    else if (strcmp (base, "fanfold") == 0
             && strcmp (word, "local-supervisor") == 0)
        name_role (process, "supervisor");
    else if (strcmp (base, "fanfold") == 0 && is_driver (word))
        name_role (process, word);
    else if (below_driver)
        name_role (process, "step");
    else if (strcmp (process->role, "agent-child") == 0)
        name_role (process, "task");
    else if (strcmp (process->role, "supervisor-child") == 0)
        name_role (process, "script");
    else
        name_role (process, "");
    for (size_t i = 0; i + 1 < len; i++)
        words[i] = words[i] ? words[i] : ' ';
    snprintf (process->words, sizeof (process->words), "%.150s", words);
}

static void role_after_fork (struct process *process,
                             const struct process *parent)
{
    static const char *const forking[] = { "run", "advance", "supervisor",
                                           "agent" };

    if (!parent)
        return;
    memcpy (process->words, parent->words, sizeof (process->words));
    if (strstr (parent->role, "-child"))
        name_role (process, parent->role);
    for (size_t i = 0; i < sizeof (forking) / sizeof (forking[0]); i++) {
        if (strcmp (parent->role, forking[i]) == 0)
            snprintf (process->role, sizeof (process->role), "%s-child",
                      forking[i]);
    }
}

/* --- processes and counts --- */

static struct process *find_process (struct tracer *t, pid_t pid)
{
    for (size_t i = 0; i < t->n_processes; i++) {
        if (t->processes[i].pid == pid)
            return &t->processes[i];
    }
    return NULL;
}

/* A process seen for the first time has not run yet, nor has its parent. */
static struct process *know_process (struct tracer *t, pid_t pid)
{
    struct process *process = find_process (t, pid);

    if (process)
        return process;
    t->processes = grow (t->processes, t->n_processes, sizeof (*process));
    process = &t->processes[t->n_processes++];
    process->pid = pid;
    role_after_fork (process, find_process (t, parent_of (pid)));
    return process;
}

static void forget_process (struct tracer *t, pid_t pid)
{
    struct process *process = find_process (t, pid);

    if (process)
        *process = t->processes[--t->n_processes];
}

static int count_call (struct tracer *t, const char *role, const char *call)
{
    struct counter *c;

    for (size_t i = 0; i < t->n_counters; i++) {
        c = &t->counters[i];
        if (strcmp (c->role, role) == 0 && strcmp (c->call, call) == 0)
            return ++c->n;
    }
    t->counters = grow (t->counters, t->n_counters, sizeof (*c));
    c = &t->counters[t->n_counters++];
    snprintf (c->role, sizeof (c->role), "%s", role);
    c->call = call;
    return ++c->n;
}

/* --- killing --- */

static void kill_all (struct tracer *t)
{
    for (size_t i = 0; i < t->n_processes; i++)
        kill (t->processes[i].pid, SIGKILL);
}

static void strike (struct tracer *t, pid_t pid, const struct call *call)
{
    t->victim = pid;
    t->last = *call;
    if (t->wish.torn && call->is_write)
        calls_tear (pid, call);
    if (t->wish.tree)
        kill_all (t);
    else
        kill (pid, SIGKILL);
}

static void tell_death (const struct tracer *t)
{
    printf ("killed %s %d at %s %d %s\n", t->wish.role, (int)t->victim,
            t->last.name, t->wish.n, t->last.detail);
    fflush (stdout);
}

/* A process is about to make one of the calls: does it get to? */
static bool may_go_on (struct tracer *t, struct process *process)
{
    struct call call;
    int n;

    if (!process->role[0])
        return true;
    calls_look (process->pid, &call);
    if (!call.name)
        return true;
    n = count_call (t, process->role, call.name);
    if (!t->wish.role) {
        printf ("%s %s %d %s\n", process->role, call.name, n, call.detail);
        return true;
    }
    if (t->victim || n != t->wish.n || strcmp (process->role, t->wish.role) != 0
        || strcmp (call.name, t->wish.call) != 0)
        return true;
    strike (t, process->pid, &call);
    return false;
}

/* --- the loop --- */

static bool stops_group (int signal)
{
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN
           || signal == SIGTTOU;
}

static void on_stop (struct tracer *t, pid_t pid, int status)
{
    struct process *process = know_process (t, pid);
    int event = status >> 16;
    int signal = WSTOPSIG (status);

    if (t->victim && t->wish.tree) {
        kill (pid, SIGKILL);
        return;
    }
    if (event == PTRACE_EVENT_EXEC)
        role_after_exec (process);
    if (event == PTRACE_EVENT_SECCOMP && !may_go_on (t, process))
        return;
    if (event == PTRACE_EVENT_STOP && stops_group (signal))
        ptrace (PTRACE_LISTEN, pid, 0, 0);
    else
        ptrace (PTRACE_CONT, pid, 0, event == 0 ? signal : 0);
}

static void on_end (struct tracer *t, pid_t pid, int status)
{
    if (pid == t->first)
        t->first_status = status;
    if (pid == t->victim)
        tell_death (t);
    forget_process (t, pid);
}

static int follow (struct tracer *t)
{
    for (;;) {
        int status;
        pid_t pid = waitpid (-1, &status, __WALL);

        if (over_time)
            return STUCK;
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            break;
        if (WIFSTOPPED (status))
            on_stop (t, pid, status);
        else
            on_end (t, pid, status);
    }
    if (t->victim)
        return 0;
    return WIFEXITED (t->first_status) ? WEXITSTATUS (t->first_status) : 1;
}

/* Start the program; it goes on when the pipe is closed. */
static pid_t start (char **argv, const int gate[2])
{
    pid_t pid = fork ();
    char byte;

    if (pid != 0)
        return pid;
    close (gate[1]);
    if (read (gate[0], &byte, 1) == 0 && dup2 (2, 1) == 1
        && calls_stop_here () == 0)
        execvp (argv[0], argv);
    perror (argv[0]);
    _exit (127);
}

static int run (struct tracer *t, char **argv)
{
    const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
                         | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC
                         | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
    int gate[2];
    int rc;

    if (pipe2 (gate, O_CLOEXEC) < 0 || (t->first = start (argv, gate)) < 0) {
        perror ("kill_at");
        return 1;
    }
    close (gate[0]);
    if (ptrace (PTRACE_SEIZE, t->first, 0, options) < 0) {
        perror ("kill_at: cannot trace");
        kill (t->first, SIGKILL);
        return CANNOT_TRACE;
    }
    close (gate[1]);
    rc = follow (t);
    if (rc == STUCK) {
        for (size_t i = 0; i < t->n_processes; i++)
            fprintf (stderr, "kill_at: has not ended: %s %d: %s\n",
                     t->processes[i].role, (int)t->processes[i].pid,
                     t->processes[i].words);
    }
    return rc;
}

static int read_wish (char **argv, struct wish *wish)
{
    const char *how = argv[3];

    wish->role = argv[0];
    wish->call = argv[1];
    wish->n = atoi (argv[2]);
    wish->torn = strcmp (how, "torn") == 0;
    wish->tree = strcmp (how, "tree") == 0;
    return wish->torn || wish->tree || strcmp (how, "alone") == 0 ? 0 : -1;
}

int main (int argc, char **argv)
{
    struct sigaction action = { .sa_handler = on_alarm };
    struct tracer t = { 0 };
    int rc = 2;

    sigaction (SIGALRM, &action, NULL);
    alarm (DEADLINE_S);
    if (argc > 2 && strcmp (argv[1], "trace") == 0)
        rc = run (&t, argv + 2);
    else if (argc > 6 && strcmp (argv[1], "kill") == 0
             && read_wish (argv + 2, &t.wish) == 0)
        rc = run (&t, argv + 6);
    else
        fprintf (stderr, "usage: kill_at trace PROGRAM ARG...\n"
                         "       kill_at kill ROLE CALL N alone|torn|tree "
                         "PROGRAM ARG...\n");
    free (t.processes);
    free (t.counters);
    return rc;
}
