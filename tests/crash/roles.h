/* SPDX-License-Identifier: BSD-3-Clause */
/* roles.h - what a traced process is
 *
 * Roles: run, advance, submit, wake, redo, forget, reset (drivers); supervisor;
 * agent; group (its runner); step (what a driver runs); task; reduce; script
 * (between the supervisor's child and the agent); and each driver, supervisor,
 * agent and group with "-child" between fork and exec.  Others have none.
 */
#ifndef TESTS_CRASH_ROLES_H
#define TESTS_CRASH_ROLES_H

#include <sys/types.h>

struct process {
    pid_t pid;
    char role[32];   /* "": none */
    char words[160]; /* its command line, for messages */
    bool marked;     /* for whoever uses the tracer */
};

/* Set the role of a process that has just become another program, or that was
 * just forked by 'parent' (NULL: by somebody unknown).
 */
void role_after_exec (struct process *process);
void role_after_fork (struct process *process, const struct process *parent);

/* 0 when it is gone. */
pid_t role_parent (pid_t pid);

#endif /* !TESTS_CRASH_ROLES_H */
