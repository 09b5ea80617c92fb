/* SPDX-License-Identifier: BSD-3-Clause */
/* kill_at.c - run a program and all it starts; kill one of them at one call
 *
 *     kill_at trace PROGRAM ARG...
 *     kill_at calls PROGRAM ARG...
 *     kill_at kill ROLE CALL N HOW PROGRAM ARG...
 *
 * Tracing prints "ROLE CALL N PATH" for each call (calls.h) of each process
 * that has a role (roles.h), N counting from 1 for each role and call; `calls`
 * the same as "PID ROLE CALL PATH PATH", with tabs between them.  Killing
 * delivers SIGKILL to the process of that role when it is about to make its
 * n-th such call, so that it does not make it, and prints "killed ..." when it
 * is dead:
 *   alone  this process
 *   torn   the same, but a write is done by half
 *   tree   all processes at once
 * Then it waits for everything that was started to end.
 *
 * The program's standard output becomes standard error.  Exit status: 0, or the
 * program's when it was not killed; 77 where no process may be traced; 124 when
 * something had not ended after five minutes (it is named and killed).
 */
#include "base/base.h"

#include <signal.h>

#include "tracer.h"

struct wish {
    const char *role; /* NULL: trace */
    bool by_pid;      /* `calls` */
    const char *call;
    int n;
    bool torn;
    bool tree;
    pid_t victim;     /* 0: nobody was killed yet */
    struct call last; /* the call it was killed at */
};

static void strike (struct tracer *t, pid_t pid, const struct call *call)
{
    struct wish *wish = t->arg;

    wish->victim = pid;
    wish->last = *call;
    if (wish->torn && call->is_write)
        calls_tear (pid, call);
    t->struck = true;
    t->doomed = wish->tree;
    if (wish->tree)
        tracer_kill_all (t);
    else
        kill (pid, SIGKILL);
}

static enum verdict on_call (struct tracer *t, struct process *process,
                             const struct call *call)
{
    struct wish *wish = t->arg;
    char what[80];
    int n;

    snprintf (what, sizeof (what), "%s %s", process->role, call->name);
    n = tracer_count (t, what);
    if (wish->by_pid)
        printf ("%d\t%s\t%s\t%s\t%s\n", (int)process->pid, process->role,
                call->name, call->path, call->path_2);
    else if (!wish->role)
        printf ("%s %d %s\n", what, n, call->path);
    if (!wish->role || n != wish->n || strcmp (process->role, wish->role) != 0
        || strcmp (call->name, wish->call) != 0)
        return GO_ON;
    strike (t, process->pid, call);
    return LEAVE;
}

static void on_end (struct tracer *t, const struct process *process, int status)
{
    const struct wish *wish = t->arg;

    (void)status;
    if (process->pid != wish->victim)
        return;
    printf ("killed %s %d at %s %d %s\n", wish->role, (int)wish->victim,
            wish->last.name, wish->n, wish->last.path);
    fflush (stdout);
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
    struct wish wish = { 0 };
    struct tracer t = { .set = CALLS_OF_CRASHES,
                        .on_call = on_call,
                        .on_end = on_end,
                        .arg = &wish };
    int rc = 2;

    wish.by_pid = argc > 2 && strcmp (argv[1], "calls") == 0;
    if (wish.by_pid || (argc > 2 && strcmp (argv[1], "trace") == 0))
        rc = tracer_run (&t, argv + 2);
    else if (argc > 6 && strcmp (argv[1], "kill") == 0
             && read_wish (argv + 2, &wish) == 0)
        rc = tracer_run (&t, argv + 6);
    else
        fprintf (stderr, "usage: kill_at trace|calls PROGRAM ARG...\n"
                         "       kill_at kill ROLE CALL N alone|torn|tree "
                         "PROGRAM ARG...\n");
    if (wish.victim && rc != TRACER_STUCK)
        rc = 0;
    tracer_release (&t);
    return rc;
}
