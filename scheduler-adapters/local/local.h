/* SPDX-License-Identifier: BSD-3-Clause */
/* local.h - the local adapter: jobs on this machine, without a scheduler */
#ifndef LOCAL_LOCAL_H
#define LOCAL_LOCAL_H

#include <sched.h>

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

/* Append the environment without the marks of the job and the task that this
 * process may be part of: whoever cleans up after those must not take what
 * outlives them for theirs.
 */
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
int supervisor_remove_job (const char *spool, struct spool_job *job,
                           bool unfinished_too, struct error *err);

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

/* --- cores.c: the machine's cores, shared by all supervisors of a user ---
 *
 * SPOOL/cores/<n> is flocked by whoever uses core n; a process that dies gives
 * its cores back.  Taking several is all or nothing, under SPOOL/cores/mutex,
 * so two supervisors never wait for each other's half.
 */

struct cores {
    int *fds; /* one for each core held */
    int n;
    cpu_set_t cpus; /* their hardware threads */
};

/* How many cores this process may use; at least 1. */
int cores_count (void);

/* Take 'n' cores (all there are, when there are fewer).  1: not now. */
int cores_take (const char *spool, int n, struct cores *cores,
                struct error *err);
void cores_give (struct cores *cores);

#endif /* !LOCAL_LOCAL_H */
