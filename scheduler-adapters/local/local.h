/* SPDX-License-Identifier: BSD-3-Clause */
/* local.h - the local adapter: jobs on this machine, without a scheduler */
#ifndef LOCAL_LOCAL_H
#define LOCAL_LOCAL_H

#include "adapter.h"

struct file_system;
struct spool_job;

extern const struct scheduler_adapter local_adapter;

/* Append what is to be said of a spool on such a file system (pure). */
void local_judge_spool (const char *spool, const struct file_system *fs,
                        struct findings *findings);

/* --- supervisor.c: being the process that runs the elements of one job --- */

/* Where a supervisor has its job's lock, which it holds as long as it lives. */
enum { LOCK_FD = 3 };

/* Run the elements in order, as many at a time as the job allows and cores are
 * free; each is confined to its cores and its walltime.  SIGUSR1: look at the
 * cancel marks again.  SIGTERM: end all elements (they count as cancelled).
 * Returns when every element has ended.
 */
int local_supervisor_run (const char *job_dir, struct error *err);

/* --- start.c: starting one that outlives its starter, and where one died ---
 */

/* Start a supervisor unless one lives or there is nothing to do for it; end
 * what a dead one left (below).  'job' is brought up to date.
 */
enum answer supervisor_restart (struct spool_job *job, struct error *err);

/* With the job's lock held and no supervisor: end what a dead one left, as
 * when a node fails.  Elements that never started stay queued, but cancelled
 * ones end.
 */
int supervisor_end_orphans (struct spool_job *job, struct error *err);

/* Remove a job that has ended, or with 'unfinished_too' any job, unless a
 * supervisor lives; what it printed is kept.  -1: 'err' says why not.
 */
int supervisor_remove_job (const char *spool, struct spool_job *job,
                           bool unfinished_too, struct error *err);

/* Seconds until to ask again whether a job that waits for its time, or for
 * another job, may start; 0: it may.  Restarts the supervisor of the job it
 * waits for, should that have died.
 */
double waiting_left_s (const char *spool, const struct spool_job *job);

/* Job 'token' has ended: start the supervisors, where they died, of those that
 * waited for it.
 */
void waiting_notify (const char *spool, const char *token);

#endif /* !LOCAL_LOCAL_H */
