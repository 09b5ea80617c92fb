/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h - which elements of a job were pending when squeue was last asked
 *
 * A pending element that is cancelled alone leaves no trace anywhere: squeue
 * shows neither it nor how it ended, and sacct never knew it.  Slurm shows what
 * ended for MinJobAge.  So one that was pending less than that ago and is not
 * shown any more did not run in between: it was cancelled.
 */
#ifndef SLURM_MEMORY_H
#define SLURM_MEMORY_H

#include <stdbool.h>

#include "arrays/task_range.h"
#include "job_view.h"

struct json;
struct scheduler;

struct slurm_memory {
    double polled_s; /* wall clock; 0: nothing is remembered */
    struct task_range pending;
    struct task_range cancelled; /* what was concluded before */
};

#define SLURM_MEMORY_INIT                                                      \
    {                                                                          \
        0, TASK_RANGE_INIT, TASK_RANGE_INIT                                    \
    }

void slurm_memory_release (struct slurm_memory *memory);

/* Tell the view what the memory knows of elements without a word. */
void slurm_memory_recall (const struct slurm_memory *memory,
                          struct job_view_job *job,
                          double now_s,
                          double min_job_age_s);

/* Take in what the view knows by now.  True when there is anything to remember
 * of the job.
 */
bool slurm_memory_note (struct slurm_memory *memory,
                        const struct job_view_job *job,
                        double now_s);

/* Between two polls: one object for all jobs, by their ids.  A record that
 * cannot be read is none.
 */
struct json *slurm_memory_to_json (const struct slurm_memory *memory);
bool slurm_memory_from_json (const struct json *v, struct slurm_memory *memory);

/* Of all that was remembered, {ID: {...}}, what is worth keeping: the rest is
 * of jobs that nobody has asked about for a month.  Caller unrefs.
 */
struct json *slurm_memories_keep (const struct json *memories, double now_s);

#endif /* !SLURM_MEMORY_H */
