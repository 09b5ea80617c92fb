/* SPDX-License-Identifier: BSD-3-Clause */
/* element_run.h - an element as a process of this host: what it has, its time,
 * its end
 */
#ifndef SCHEDULER_ELEMENT_RUN_H
#define SCHEDULER_ELEMENT_RUN_H

#include <signal.h>
#include <sys/types.h>

#include "arrays/outcome.h"
#include "cores.h"
#include "placement/node_gpus.h"

struct spool_job;

struct element_run {
    int64_t element;
    pid_t pid; /* 0: it does not run */
    struct cores cores;
    struct gpus gpus;
    double deadline_s;  /* mono; 0: none */
    double kill_s;      /* mono; 0: not being ended */
    enum outcome cause; /* why we end it; NONE: we do not */
};

/* Start the job's script for run->element on run->cores, for as long as the job
 * allows; it ends with this process.  'more' has entries for its environment,
 * such as those that name run->gpus, or is NULL.  With an error what it has is
 * given back.
 */
int element_run_start (struct element_run *run, const struct spool_job *job,
                       const struct strvec *more, struct error *err);

/* Give back what it was to run on. */
void element_run_give (struct element_run *run);

/* Begin to end it: SIGTERM now, SIGKILL when it has had time to end its tasks.
 * The first cause given stays.
 */
void element_run_end (struct element_run *run, enum outcome cause);

/* End it when its time is over, kill it when it does not end; the next such
 * instant (mono; 0: none).
 */
double element_run_keep_time (struct element_run *run);

/* It was reaped: it will not be ended, or killed, any more; but a cause for its
 * end may yet be found.
 */
void element_run_reaped (struct element_run *run);

/* It was reaped with 'status': end what it left behind and give back what it
 * had; how it ended.
 */
enum outcome element_run_finish (struct element_run *run,
                                 const struct spool_job *job, int status);

/* Kill what an element left behind. */
void kill_orphan_processes (const struct spool_job *job, int64_t element);

/* Append the environment without the marks of the job and the task that this
 * process may be part of: whoever cleans up after those must not take what
 * outlives them for theirs.
 */
void unmarked_environment (struct strvec *env);

/* Wait for a signal of the set; at most until 'until_s' (mono; 0: for ever). */
int wait_signal (const sigset_t *set, double until_s);

#endif /* !SCHEDULER_ELEMENT_RUN_H */
