/* SPDX-License-Identifier: BSD-3-Clause */
/* job_around.h - the job that the calling process is part of */
#ifndef SCHEDULER_JOB_AROUND_H
#define SCHEDULER_JOB_AROUND_H

#include <stdbool.h>

struct scheduler_adapter;

struct job_around {
    const struct scheduler_adapter *adapter; /* whose job it is */
    const char *id;                          /* lent by the environment */
    int nodes;                               /* at least 1 */
    const char *node; /* what the scheduler calls this one; NULL: not told */
};

/* Told by the environment alone.  False: it is part of none, or of one of a
 * scheduler that does not tell its nodes.
 */
bool job_around_find (struct job_around *around);

#endif /* !SCHEDULER_JOB_AROUND_H */
