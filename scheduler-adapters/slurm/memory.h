/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - which elements of a job were pending when squeue was last asked
 *
 * A pending element that is cancelled alone leaves no trace anywhere: squeue
 * shows neither it nor how it ended, and sacct never knew it.  Slurm shows what
 * ended for MinJobAge.  So one that was pending less than that ago and is not
 * shown any more did not run in between: it was cancelled.
 *
 * What is remembered is {TOKEN: {"polled_s", "pending": RANGE, "cancelled":
 * RANGE}}: the latter was concluded before.  What cannot be read is nothing.
 */
#ifndef SLURM_MEMORY_H
#define SLURM_MEMORY_H

#include "job_view.h"

struct json;

/* Tell the view what is remembered of elements that were not told. */
void slurm_memory_recall (const struct json *memories,
                          struct job_view *view,
                          double now_s,
                          double min_job_age_s);

/* What is to be remembered after a poll: of the view's jobs what is known by
 * now, of others what was asked for within a month.  Caller unrefs.
 */
struct json *slurm_memory_after (const struct json *memories,
                                 const struct job_view *view,
                                 double now_s);

/* The file in 'dir' between two polls; NULL: there is none.  Caller unrefs.
 * Writing it only makes answers better: failing is no error.
 */
struct json *slurm_memory_read (const char *dir);
void slurm_memory_write (const char *dir, struct json *memories);

#endif /* !SLURM_MEMORY_H */
