/* SPDX-License-Identifier: BSD-3-Clause */
/* cores.h - the machine's cores, shared by all jobs of a user
 *
 * SPOOL/cores/<n> is flocked by whoever uses core n; a process that dies gives
 * its cores back.  Taking several is all or nothing, under SPOOL/cores/mutex,
 * so two takers never wait for each other's half.
 */
#ifndef SCHEDULER_CORES_H
#define SCHEDULER_CORES_H

#include <sched.h>

struct cores {
    int *fds; /* one for each core held */
    int n;
    cpu_set_t cpus; /* their hardware threads */
};

/* How many cores this process may use; at least 1. */
int cores_count (void);

/* Take 'n' cores (all there are, when there are fewer).  1: not now. */
int cores_take (const char *spool, int n, struct cores *cores,
                struct error *err);
void cores_give (struct cores *cores);

#endif /* !SCHEDULER_CORES_H */
