/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - a supervisor that outlives whoever starts it */
#ifndef LOCAL_LAUNCH_H
#define LOCAL_LAUNCH_H

struct error;
struct spool_job;
struct strvec;

enum { LOCK_FD = 3 }; /* where a supervisor finds its lock */

/* Append the environment without the marks of the job and the task that this
 * process may be part of: whoever cleans up after those must not take what
 * outlives them for theirs.
 */
void unmarked_environment (struct strvec *env);

/* Start `PROGRAM local-supervisor DIR` in a session of its own, with no
 * descriptors but /dev/null, its output file and the job's lock 'lock_fd',
 * which passes to it (and is closed here): it is alive as long as that lock is
 * held.  -1 when the program cannot be started.
 */
int supervisor_launch (const struct spool_job *job,
                       int lock_fd,
                       struct error *err);

#endif /* !LOCAL_LAUNCH_H */
