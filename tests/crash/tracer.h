/* SPDX-License-Identifier: BSD-3-Clause */
/* tracer.h - follow a program and all it starts from call to call */
#ifndef TESTS_CRASH_TRACER_H
#define TESTS_CRASH_TRACER_H

#include <sys/types.h>

#include "calls.h"
#include "roles.h"

/* Exit statuses of what uses this. */
enum { TRACER_CANNOT = 77, TRACER_STUCK = 124 };

enum verdict {
    GO_ON,
    GO_TO_EXIT, /* and on_exit is asked when the call is done */
    LEAVE,      /* it was killed */
};

struct counter {
    char *what;
    int n;
};

struct tracer {
    enum call_set set;
    /* A process that has a role is about to make a call. */
    enum verdict (*on_call) (struct tracer *t, struct process *process,
                             const struct call *call);
    void (*on_exit) (struct tracer *t, struct process *process);
    /* May be NULL.  'status' as waitpid tells. */
    void (*on_end) (struct tracer *t, const struct process *process,
                    int status);
    void *arg;
    bool doomed; /* whatever stops is killed */
    bool struck; /* calls are asked about no more */

    struct process *processes;
    size_t n_processes;
    struct counter *counters;
    size_t n_counters;
    pid_t first;      /* what we started */
    int first_status; /* how it ended */
};

/* Run the program, its standard output becoming standard error, until all that
 * was started has ended: its exit status (1: it was killed), TRACER_CANNOT, or
 * TRACER_STUCK when something had not ended after five minutes (it is named and
 * killed).
 */
int tracer_run (struct tracer *t, char **argv);

/* How often this was counted, with this time. */
int tracer_count (struct tracer *t, const char *what);

void tracer_kill_all (const struct tracer *t);
void tracer_release (struct tracer *t);

#endif /* !TESTS_CRASH_TRACER_H */
