/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h - run a program and wait for it
 *
 * argv arrays only, never a shell.  The child gets its own process group; at
 * the deadline, or when the group outlives its leader while holding the
 * captured pipes, the whole group is sent SIGTERM and, 'grace_s' later,
 * SIGKILL.  When the caller dies the program is sent SIGTERM.  Descriptors
 * other than 0-2 are closed in the child, signals are reset to their defaults
 * and unblocked.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <sys/types.h>

#include "base/heartbeat.h"

struct process_spec {
    const char *const *argv;    /* NULL-terminated; argv[0] is looked up on PATH
                                   (the one in 'env', if it has one) */
    const char *cwd;            /* NULL: stay */
    char *const *env;           /* NULL: inherit ours */
    const char *stdin_path;     /* NULL: /dev/null */
    int output_fd;              /* >= 0: stdout and stderr both go there */
    size_t capture_bytes;       /* with output_fd < 0: keep at most this much of
                                   each stream (the rest is read and dropped) */
    double deadline_s;          /* 0: none */
    double grace_s;             /* between SIGTERM and SIGKILL; 0: 2 s */
    struct heartbeat heartbeat; /* sent about once a second meanwhile */
    const volatile int *stop;   /* becomes non-zero: the group is ended at once,
                                   as at the deadline; NULL: never */
};

#define PROCESS_SPEC_INIT                                                      \
    {                                                                          \
        .output_fd = -1, .capture_bytes = 1 << 20                              \
    }

struct process_result {
    bool started; /* false: could not exec; 'err' says why */
    bool timed_out;
    bool stopped;  /* ended, since *spec->stop was set */
    int exit_code; /* 0..255, or -1 when ended by a signal */
    int signal;    /* 0, or the signal that ended it */
    double wall_s;
    struct strbuf out; /* captured stdout */
    struct strbuf err; /* captured stderr */
};

#define PROCESS_RESULT_INIT                                                    \
    {                                                                          \
        .out = STRBUF_INIT, .err = STRBUF_INIT                                 \
    }

void process_result_release (struct process_result *result);

/* Run to the end.  0 when the program was started and has ended in any way
 * (look at 'result'); -1 with 'err' when it could not be started (no such
 * program, cwd missing, out of processes): result->started is then false.
 */
int process_run (const struct process_spec *spec, struct process_result *result,
                 struct error *err);

/* True when it started, was not timed out nor stopped, and exited 0. */
bool process_succeeded (const struct process_result *result);

/* Append "exited with status 2", "was killed by signal 9 (Killed)", "ran out
 * of time after 10 s", for messages.
 */
void process_describe (const struct process_result *result, struct strbuf *out);

/* The first thing that a program does: descriptors 0-2 that it was started
 * without are opened on /dev/null.  Else the first files that it opens would
 * get these numbers, and what is printed would go into them.  -1 with errno.
 */
int process_open_standard (void);

/* Full path of 'program' as exec would find it (PATH from 'path', or from the
 * environment when NULL), or NULL.  Caller frees.
 */
char *process_which (const char *program, const char *path);

/* Path of the running executable (/proc/self/exe).  Caller frees. */
char *process_self (void);

/* Has process 'pid', one of this user, the entry 'tag' ("NAME=value") in its
 * environment?
 */
bool process_is_tagged (pid_t pid, const char *tag);

/* Send 'signal' to every process of this user whose environment has the entry
 * 'tag', except ourselves; returns how many there were.  Finds
 * what left its group or session.
 */
int process_kill_tagged (const char *tag, int signal);

/* What process_start_ticks says of a process that is there and that /proc does
 * not show to this user (hidepid).
 */
#define PROCESS_HIDDEN (~0ULL)

/* Identity of a process that a reused pid cannot fake: its start time in
 * clock ticks since boot, PROCESS_HIDDEN, or 0 when there is no such process
 * (kill says ESRCH) or it has ended and only waits to be reaped.
 */
unsigned long long process_start_ticks (pid_t pid);

#endif /* !BASE_PROCESS_H */
