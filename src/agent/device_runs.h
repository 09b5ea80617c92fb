/* SPDX-License-Identifier: BSD-3-Clause */
/* device_runs.h - which devices fail tasks that others do not fail (pure)
 *
 * A device is sick when the last three tasks on it failed fast, one after the
 * other, and a task was ok without it.  Fast is within ten seconds, or half of
 * what the tasks took on average that were ok without it.
 */
#ifndef AGENT_DEVICE_RUNS_H
#define AGENT_DEVICE_RUNS_H

#include "arrays/outcome.h"

enum {
    SICK_AFTER = 3,
    DEVICE_RUNS_MOST = 256 /* older ones are forgotten */
};

/* How one task ended. */
struct device_run {
    char *devices; /* of its slot, "0000:c1:00.0 0000:c2:00.0" */
    int task;
    enum outcome outcome;
    double wall_s;
};

struct device_runs {
    struct device_run *v; /* the oldest first */
    size_t n, alloc;
};

void device_runs_release (struct device_runs *runs);

/* Note one and forget the oldest: returns how many were forgotten. */
size_t device_runs_add (struct device_runs *runs, const char *devices, int task,
                        enum outcome outcome, double wall_s);

/* Is 'device' one of them? */
bool device_is_in (const char *devices, const char *device);

/* Was a task ok without it? */
bool device_has_witness (const struct device_runs *runs, const char *device);

/* How many of the last tasks on 'device' failed fast, one after the other, at
 * most SICK_AFTER; the first 'from' runs do not count.  Their indexes in
 * 'runs', the latest first, go into 'which' (may be NULL).
 */
int device_failures (const struct device_runs *runs, size_t from,
                     const char *device, size_t which[SICK_AFTER]);

#endif /* !AGENT_DEVICE_RUNS_H */
