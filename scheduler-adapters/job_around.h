/* SPDX-License-Identifier: BSD-3-Clause */
/* job_around.h - the job that the calling process is part of */
#ifndef SCHEDULER_JOB_AROUND_H
#define SCHEDULER_JOB_AROUND_H

#include "adapter.h"

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

/* How long it may still run, as the adapter's time_left tells; INFINITY also
 * where this node has no program that could tell.  REFUSED: it is over.
 */
enum answer job_around_time_left (const struct job_around *around,
                                  double *left_s, struct error *err);

/* Processes on its other nodes may have nothing of its environment: write what
 * tells them of which job they are, and with which PATH it can be asked; and
 * take that over, where nothing tells it.
 */
int job_around_write (const struct job_around *around, const char *path,
                      struct error *err);
int job_around_take_over (const char *path, struct error *err);

#endif /* !SCHEDULER_JOB_AROUND_H */
