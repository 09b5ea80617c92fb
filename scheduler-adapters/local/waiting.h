/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.h - when a job that waits for its time, or for another job, may start
 */
#ifndef LOCAL_WAITING_H
#define LOCAL_WAITING_H

struct spool_job;

/* Seconds until to ask again; 0: it may start.  Restarts the supervisor of the
 * job it waits for, should that have died.
 */
double waiting_left_s (const char *spool, const struct spool_job *job);

/* Job 'token' has ended: start the supervisors, where they died, of those that
 * waited for it.
 */
void waiting_notify (const char *spool, const char *token);

#endif /* !LOCAL_WAITING_H */
