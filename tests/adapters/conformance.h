/* SPDX-License-Identifier: BSD-3-Clause */
/* conformance.h - what every scheduler adapter owes
 *
 * A new adapter is done when it passes.  Its test program is a few lines:
 *
 *     int main (int argc, char **argv)
 *     {
 *         const struct conformance c = { &my_adapter, ... };
 *
 *         return conformance_run (&c);
 *     }
 *
 * Jobs run a small shell script as their agent, in a directory of the test's
 * own; it notes what ran, and does what the test wants.
 */
#ifndef TESTS_CONFORMANCE_H
#define TESTS_CONFORMANCE_H

#include "adapter.h"

struct conformance {
    const struct scheduler_adapter *adapter;
    /* Set up the scheduler for a test in the empty directory 'dir'. */
    void (*set_up) (const char *dir, struct scheduler *scheduler);
    /* End what it runs, when a test is over; NULL: nothing of it runs then. */
    void (*tear_down) (void);
    /* A scheduler that cannot answer: either one of its own, or the same while
     * 'silence' says so.  One of them is NULL.
     */
    void (*set_up_broken) (const char *dir, struct scheduler *scheduler);
    void (*silence) (bool silent);
    /* Let the walltime of job 'id', whose elements run, be over; NULL: it is by
     * itself, and soon.
     */
    void (*expire) (const char *id);
    /* Let this process look like one of job 'id', NULL: like one of no job;
     * where the adapter can tell the time left.
     */
    void (*pretend) (const char *id);
    /* Lines of sh the agent script starts with; NULL: none. */
    const char *agent_prologue;
    bool kills;        /* it ends elements itself, in base/point.h's time */
    double patience_s; /* for a job of three elements to start and end */
};

/* Run the suite; the exit status of the test program. */
int conformance_run (const struct conformance *conformance);

#endif /* !TESTS_CONFORMANCE_H */
