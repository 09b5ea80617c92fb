/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - what goes wrong in one seed's world, and how often
 *
 * A seed picks some kinds of fault, how likely each is, and a budget for all
 * together: when that is spent nothing goes wrong any more, so a campaign must
 * come to its end.
 */
#ifndef TESTS_SIM_FAULTS_H
#define TESTS_SIM_FAULTS_H

#include "sim/sim.h"

enum fault { /* after those of the scheduler */
             FAULT_DRIVER_KILLED = SIM_FAULTS, /* between two system calls */
             FAULT_DRIVER_STOPPED, /* for minutes, then it goes on */
             FAULT_LOGIN_FAILS,
             FAULT_NODE_FAILS,
             FAULT_NODE_CUT, /* from the scheduler only: what runs there runs on
                              */
             FAULT_AGENT_KILLED,
             FAULT_AGENT_STOPPED,
             FAULT_PREEMPTED,
             FAULT_CANCELLED, /* by somebody outside */
             FAULT_FILE_LATE, /* seen late on other hosts */
             FAULT_DISK_ERROR,
             FAULT_INTERRUPTED, /* EINTR, or less written than asked */
             FAULT_CLOCK_STEPS,
             FAULT_PERSON, /* asks for something */
             FAULT_TASK_FAILS,
             FAULT_TASK_KILLED,
             FAULT_TASK_HANGS,
             FAULT_TASK_BAD_OUTPUT,
             FAULT_STEP_FAILS, /* prepare or collect */
             FAULTS,
};

struct faults {
    uint64_t state; /* of the draws */
    int64_t budget;
    double chance[FAULTS]; /* 0: does not happen in this world */
    int64_t struck[FAULTS];
};

/* With 'budget_max' 0 nothing ever goes wrong. */
void faults_init (struct faults *faults, uint64_t seed, int64_t budget_max);

/* [0, 1) */
double faults_draw (struct faults *faults);

/* 0 .. n-1 */
int64_t faults_pick (struct faults *faults, int64_t n);

/* Does it happen now?  That is paid from the budget. */
bool faults_strike (struct faults *faults, int fault);

const char *fault_name (int fault);

#endif /* !TESTS_SIM_FAULTS_H */
