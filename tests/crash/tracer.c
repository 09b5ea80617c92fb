/* SPDX-License-Identifier: BSD-3-Clause */
/* tracer.c - follow a program and all it starts from call to call */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer.h"

enum { DEADLINE_S = 300, AT_EXIT = SIGTRAP | 0x80 };

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
    role_after_fork (process, find_process (t, role_parent (pid)));
    return process;
}

static void forget_process (struct tracer *t, pid_t pid)
{
    struct process *process = find_process (t, pid);

    if (process)
        *process = t->processes[--t->n_processes];
}

int tracer_count (struct tracer *t, const char *what)
{
    struct counter *c;

    for (size_t i = 0; i < t->n_counters; i++) {
        c = &t->counters[i];
        if (strcmp (c->what, what) == 0)
            return ++c->n;
    }
    t->counters = grow (t->counters, t->n_counters, sizeof (*c));
    c = &t->counters[t->n_counters++];
    c->what = strdup (what);
    if (!c->what)
        abort ();
    return ++c->n;
}

void tracer_kill_all (const struct tracer *t)
{
    for (size_t i = 0; i < t->n_processes; i++)
        kill (t->processes[i].pid, SIGKILL);
}

void tracer_release (struct tracer *t)
{
    for (size_t i = 0; i < t->n_counters; i++)
        free (t->counters[i].what);
    free (t->counters);
    free (t->processes);
}

/* --- the loop --- */

static bool stops_group (int signal)
{
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN
           || signal == SIGTTOU;
}

static enum verdict judge_call (struct tracer *t, struct process *process)
{
    struct call call;

    if (t->struck || !process->role[0])
        return GO_ON;
    calls_look (process->pid, &call);
    return call.name ? t->on_call (t, process, &call) : GO_ON;
}

static void on_stop (struct tracer *t, pid_t pid, int status)
{
    struct process *process = know_process (t, pid);
    int event = status >> 16;
    int signal = WSTOPSIG (status);
    enum verdict verdict = GO_ON;

    if (t->doomed) {
        kill (pid, SIGKILL);
        return;
    }
    if (event == 0 && signal == AT_EXIT) {
        t->on_exit (t, process);
        signal = 0;
    }
    if (event == PTRACE_EVENT_EXEC)
        role_after_exec (process);
    if (event == PTRACE_EVENT_SECCOMP)
        verdict = judge_call (t, process);
    if (verdict == LEAVE)
        return;
    if (event == PTRACE_EVENT_STOP && stops_group (signal))
        ptrace (PTRACE_LISTEN, pid, 0, 0);
    else
        ptrace (verdict == GO_TO_EXIT ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0,
                event == 0 ? signal : 0);
}

static void on_end (struct tracer *t, pid_t pid, int status)
{
    const struct process *process = find_process (t, pid);

    if (pid == t->first)
        t->first_status = status;
    if (process && t->on_end)
        t->on_end (t, process, status);
    forget_process (t, pid);
}

static int follow (struct tracer *t)
{
    for (;;) {
        int status;
        pid_t pid = waitpid (-1, &status, __WALL);

        if (over_time)
            return TRACER_STUCK;
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            break;
        if (WIFSTOPPED (status))
            on_stop (t, pid, status);
        else
            on_end (t, pid, status);
    }
    return WIFEXITED (t->first_status) ? WEXITSTATUS (t->first_status) : 1;
}

/* Start the program; it goes on when the pipe is closed. */
static pid_t start (enum call_set set, char **argv, const int gate[2])
{
    pid_t pid = fork ();
    char byte;

    if (pid != 0)
        return pid;
    close (gate[1]);
    if (read (gate[0], &byte, 1) == 0 && dup2 (2, 1) == 1
        && calls_stop_here (set) == 0)
        execvp (argv[0], argv);
    perror (argv[0]);
    _exit (127);
}

int tracer_run (struct tracer *t, char **argv)
{
    const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
                         | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC
                         | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD
                         | PTRACE_O_EXITKILL;
    struct sigaction action = { .sa_handler = on_alarm };
    int gate[2];
    int rc;

    sigaction (SIGALRM, &action, NULL);
    alarm (DEADLINE_S);
    if (pipe2 (gate, O_CLOEXEC) < 0
        || (t->first = start (t->set, argv, gate)) < 0) {
        perror ("cannot start");
        return 1;
    }
    close (gate[0]);
    if (ptrace (PTRACE_SEIZE, t->first, 0, options) < 0) {
        perror ("cannot trace");
        kill (t->first, SIGKILL);
        return TRACER_CANNOT;
    }
    close (gate[1]);
    rc = follow (t);
    for (size_t i = 0; rc == TRACER_STUCK && i < t->n_processes; i++)
        fprintf (stderr, "has not ended: %s %d: %s\n", t->processes[i].role,
                 (int)t->processes[i].pid, t->processes[i].words);
    return rc;
}
