/* SPDX-License-Identifier: BSD-3-Clause */
/* fail_at.c - run a program and all it starts; let calls of one of them fail
 *
 *     fail_at trace DIR:DIR... PROGRAM ARG...
 *     fail_at fail DIR:DIR... ROLE CALL CLASS N FAULT HOW PROGRAM ARG...
 *
 * Only files below the directories count (and those in /proc when no more can
 * be opened).  CLASS is a file's path with what changes from run to run left
 * out, so that N, which counts the calls of all processes of a role (roles.h)
 * to files of a class, means the same in the next run.  Tracing prints the
 * first two of each, with every FAULT (faults.h) that suits, as
 * "ROLE CALL CLASS N FAULT HOW":
 *   once   this call fails and does nothing
 *   after  this call does its work and seems to fail
 *   on     this one and all later calls of the role to any file that the fault
 *          suits fail, a hundred of them
 * Failing prints "failed PATH" and "why TEXT" when it came to that, "ended ROLE
 * STATUS" for a driver that did not end with 0, and "crashed ROLE STATUS" for
 * a process that did not end by itself with a status that is documented.
 *
 * The program's standard output becomes standard error.  Exit status: the
 * program's, or that of tracer.h.
 */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>

#include "faults.h"
#include "tracer.h"

enum { LASTING_HITS = 100, TRACED_TIMES = 2 };

/* Room for a point in words. */
enum { POINT_SIZE = CALL_PATH_SIZE + 100 };

struct wish {
    char *dirs;       /* "DIR:DIR" */
    const char *role; /* NULL: trace */
    const char *call;
    const char *class;
    int n;
    const struct fault *fault;
    bool lasts;
    bool after;
    int hits;
};

/* --- classes of files --- */

/* The part of 'path' below the i-th directory; NULL when it is not. */
static const char *below (const char *path, const char *dirs, int *i)
{
    for (*i = 0; *dirs; (*i)++) {
        size_t len = strcspn (dirs, ":");

        if (strncmp (path, dirs, len) == 0
            && (path[len] == '/' || path[len] == '\0'))
            return path + len;
        dirs += len + (dirs[len] == ':');
    }
    return NULL;
}

/* Is this component a job's directory in the spool: a letter and 14 more? */
static bool is_token (const char *name, size_t len)
{
    return len == 15
           && strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789") == 15;
}

/* Add one component of a path: numbers become 0, and what follows one behind a
 * dot or dash, or is drawn by lot, a star.
 */
static char *add_component (char *to, const char *name, size_t len)
{
    if (is_token (name, len))
        return stpcpy (to, "*");
    if (len > 5 && strncmp (name, ".tmp-", 5) == 0)
        return stpcpy (to, ".tmp-*");
    for (size_t i = 0; i < len;) {
        size_t digits = strspn (name + i, "0123456789");

        if (digits > 0) {
            *to++ = '0';
            i += digits;
            if (i + 1 < len && (name[i] == '.' || name[i] == '-')
                && strncmp (name + i, ".free", 5) != 0) {
                *to++ = name[i];
                return stpcpy (to, "*");
            }
        } else {
            *to++ = name[i] == ' ' || name[i] == '\n' ? '_' : name[i];
            i++;
        }
    }
    *to = '\0';
    return to;
}

/* The name of a training's directory, or of its maker's file. */
static bool is_task_id (const char *above, const char *name, size_t len)
{
    return (strncmp (above, "quick/", 6) == 0
            || strncmp (above, "making/", 7) == 0)
           && len >= 8
           && strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789") >= 8;
}

static void add_class (char *to, const char *path)
{
    const char *above = path;

    while (*path) {
        size_t len = strcspn (path, "/");

        if (is_task_id (above, path, len))
            to = stpcpy (to, path[8] == '.' ? "*.json" : "*");
        else
            to = add_component (to, path, len);
        above = path;
        path += len;
        if (*path == '/')
            *to++ = *path++;
    }
    *to = '\0';
}

/* What a job prints is not written by way of the file layer. */
static bool is_printed (const char *path)
{
    const char *name = strrchr (path, '/');

    return name && strcmp (name, "/output") == 0;
}

/* False: none of our files (MPI's are its own).  'class' has room for
 * CALL_PATH_SIZE. */
static bool classify (const struct wish *wish, const struct call *call,
                      char *class)
{
    int dir;
    const char *path = below (call->path, wish->dirs, &dir);

    if (strstr (call->path, "/ompi.") || is_printed (call->path))
        return false;
    if (!path && call->path_2[0])
        path = below (call->path_2, wish->dirs, &dir);
    if (path) {
        *class ++ = (char)('A' + dir);
        add_class (class, path);
        return true;
    }
    add_class (class, call->path);
    return strncmp (call->path, "/proc/", 6) == 0 && call->opens
           && strcmp (call->path, "/proc/self/maps") != 0;
}

static bool suits (const struct fault *fault, const struct call *call,
                   const char *class)
{
    return fault->suits (call) && (class[0] != '/' || fault->number == EMFILE);
}

/* --- tracing --- */

static void print_point (const char *what, int n, const struct call *call,
                         const char *class)
{
    for (size_t i = 0; i < n_faults; i++) {
        const struct fault *fault = &faults[i];

        if (!suits (fault, call, class))
            continue;
        if (!fault_comes_after (call))
            printf ("%s %d %s once\n", what, n, fault->name);
        if (fault_comes_after (call) || fault_may_come_after (fault, call))
            printf ("%s %d %s after\n", what, n, fault->name);
        if (fault->lasts && !fault_comes_after (call))
            printf ("%s %d %s on\n", what, n, fault->name);
    }
}

/* --- failing --- */

static enum verdict inject (struct wish *wish, struct process *process,
                            const struct call *call)
{
    if (wish->hits++ == 0) {
        printf ("failed %s\nwhy %s\n", call->path,
                strerror (wish->fault->number));
        fflush (stdout);
    }
    if (wish->fault->number == 0) {
        calls_shorten (process->pid, call);
        return GO_ON;
    }
    if (wish->after) {
        process->marked = true;
        return GO_TO_EXIT;
    }
    if (calls_skip (process->pid, -wish->fault->number) < 0)
        perror ("fail_at: cannot set registers");
    return GO_ON;
}

static bool is_due (const struct wish *wish, const struct process *process,
                    const struct call *call, const char *class, int n)
{
    if (strcmp (process->role, wish->role) != 0
        || !suits (wish->fault, call, class))
        return false;
    if (wish->hits > 0)
        return wish->lasts && wish->hits < LASTING_HITS
               && !fault_comes_after (call);
    return n == wish->n && strcmp (call->name, wish->call) == 0
           && strcmp (class, wish->class) == 0;
}

static enum verdict on_call (struct tracer *t, struct process *process,
                             const struct call *call)
{
    struct wish *wish = t->arg;
    char class[CALL_PATH_SIZE + 1];
    char what[POINT_SIZE];
    int n;

    if (!classify (wish, call, class))
        return GO_ON;
    snprintf (what, sizeof (what), "%s %s %s", process->role, call->name,
              class);
    n = tracer_count (t, what);
    if (!wish->role && n <= TRACED_TIMES)
        print_point (what, n, call, class);
    if (!wish->role || !is_due (wish, process, call, class, n))
        return GO_ON;
    return inject (wish, process, call);
}

/* The call is done. */
static void on_exit_of_call (struct tracer *t, struct process *process)
{
    const struct wish *wish = t->arg;

    if (process->marked)
        calls_set_result (process->pid, -wish->fault->number);
    process->marked = false;
}

/* Whoever is told to end may be ended by us or by the kernel. */
static bool ended_well (int status)
{
    static const int documented[] = { 0, 1, 2, 3, 4, 5, 130 };

    if (WIFSIGNALED (status))
        return WTERMSIG (status) == SIGKILL || WTERMSIG (status) == SIGTERM;
    for (size_t i = 0; i < sizeof (documented) / sizeof (documented[0]); i++) {
        if (WEXITSTATUS (status) == documented[i])
            return true;
    }
    return false;
}

static void on_end (struct tracer *t, const struct process *process, int status)
{
    enum { N_DRIVERS = 2 };
    static const char *const ours[] = { "run", "advance", "supervisor", "agent",
                                        "reduce" };
    const struct wish *wish = t->arg;

    for (size_t i = 0; wish->role && i < sizeof (ours) / sizeof (ours[0]);
         i++) {
        if (strcmp (process->role, ours[i]) != 0 || status == 0)
            continue;
        if (!ended_well (status))
            printf ("crashed %s %d\n", process->role, status);
        else if (i < N_DRIVERS)
            printf ("ended %s %d\n", process->role, WEXITSTATUS (status));
    }
}

/* --- the command line --- */

static int read_wish (char **argv, struct wish *wish)
{
    const char *how = argv[5];

    wish->role = argv[0];
    wish->call = argv[1];
    wish->class = argv[2];
    wish->n = atoi (argv[3]);
    wish->fault = fault_find (argv[4]);
    wish->lasts = strcmp (how, "on") == 0;
    wish->after = strcmp (how, "after") == 0;
    return wish->fault
                   && (wish->lasts || wish->after || strcmp (how, "once") == 0)
               ? 0
               : -1;
}

int main (int argc, char **argv)
{
    struct wish wish = { 0 };
    struct tracer t = { .set = CALLS_OF_FILES,
                        .on_call = on_call,
                        .on_exit = on_exit_of_call,
                        .on_end = on_end,
                        .arg = &wish };
    int rc = 2;

    if (argc > 3)
        wish.dirs = argv[2];
    if (argc > 3 && strcmp (argv[1], "trace") == 0)
        rc = tracer_run (&t, argv + 3);
    else if (argc > 9 && strcmp (argv[1], "fail") == 0
             && read_wish (argv + 3, &wish) == 0)
        rc = tracer_run (&t, argv + 9);
    else
        fprintf (stderr,
                 "usage: fail_at trace DIR:DIR... PROGRAM ARG...\n"
                 "       fail_at fail DIR:DIR... ROLE CALL CLASS N FAULT "
                 "once|after|on PROGRAM ARG...\n");
    tracer_release (&t);
    return rc;
}
