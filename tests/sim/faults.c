/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.c - what goes wrong in one seed's world, and how often */
#include "base/base.h"

#include "faults.h"

/* Half of the worlds know a kind of fault. */
static const double kind_share = 0.5;

/* splitmix64, https://prng.di.unimi.it/splitmix64.c */
static uint64_t next (struct faults *faults)
{
    uint64_t z = faults->state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

double faults_draw (struct faults *faults)
{
    return (double)(next (faults) >> 11) * 0x1p-53;
}

int64_t faults_pick (struct faults *faults, int64_t n)
{
    return (int64_t)(faults_draw (faults) * (double)n);
}

/* Those that are asked for at nearly every system call. */
static double scale (int fault)
{
    switch (fault) {
    case FAULT_DISK_ERROR:
    case FAULT_INTERRUPTED:
        return 0.02;
    default:
        return 1;
    }
}

void faults_init (struct faults *faults, uint64_t seed, int64_t budget_max)
{
    memset (faults, 0, sizeof (*faults));
    faults->state = seed;
    if (budget_max == 0)
        return;
    faults->budget = 1 + faults_pick (faults, budget_max);
    for (int f = 0; f < FAULTS; f++) {
        bool known = faults_draw (faults) < kind_share;
        double chance = pow (10, -2 * faults_draw (faults));

        if (known)
            faults->chance[f] = chance * scale (f);
    }
}

/* What only takes time comes to its end by itself. */
static bool is_free (int fault)
{
    return fault == FAULT_FILE_LATE;
}

bool faults_strike (struct faults *faults, int fault)
{
    if (faults->budget == 0 || faults->chance[fault] == 0
        || faults_draw (faults) >= faults->chance[fault])
        return false;
    faults->budget -= !is_free (fault);
    faults->struck[fault]++;
    return true;
}

const char *fault_name (int fault)
{
    static const char *const names[] = {
        "driver killed", "driver stopped", "login fails",   "node fails",
        "node cut",      "agent killed",   "agent stopped", "preempted",
        "cancelled",     "file late",      "disk error",    "interrupted",
        "clock steps",   "person",         "task fails",    "task killed",
        "task hangs",    "bad output",     "step fails",
    };

    return fault < SIM_FAULTS ? sim_fault_name ((enum sim_fault)fault)
                              : names[fault - SIM_FAULTS];
}
