/* SPDX-License-Identifier: BSD-3-Clause */
/* supervisor.h - the process that runs the elements of one local job
 *
 * It holds its job's lock for as long as it lives.
 */
#ifndef LOCAL_SUPERVISOR_H
#define LOCAL_SUPERVISOR_H

#include "adapter.h"

struct spool_job;

enum { LOCK_FD = 3 }; /* where a supervisor finds its lock */

/* --- supervisor.c: being one --- */

/* Run the elements in order, as many at a time as the job allows and cores are
 * free; each is confined to its cores and its walltime.  SIGUSR1: look at the
 * cancel marks again.  SIGTERM: end all elements (they count as cancelled).
 * Returns when every element has ended.
 */
int local_supervisor_run (const char *job_dir, struct error *err);

/* --- start.c: starting one that outlives its starter, and where one died ---
 */

/* Append the environment without the marks of the job and the task that this
 * process may be part of: whoever cleans up after those must not take what
 * outlives them for theirs.
 */
struct strvec;
void unmarked_environment (struct strvec *env);

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
int supervisor_remove_job (const char *spool,
                           struct spool_job *job,
                           bool unfinished_too,
                           struct error *err);

/* Kill what an element left behind. */
void kill_orphan_processes (const struct spool_job *job, int64_t element);

/* Seconds until to ask again whether a job that waits for its time, or for
 * another job, may start; 0: it may.  Restarts the supervisor of the job it
 * waits for, should that have died.
 */
double waiting_left_s (const char *spool, const struct spool_job *job);

/* Job 'token' has ended: start the supervisors, where they died, of those that
 * waited for it.
 */
void waiting_notify (const char *spool, const char *token);

#endif /* !LOCAL_SUPERVISOR_H */
