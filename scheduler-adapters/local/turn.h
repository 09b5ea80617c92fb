/* SPDX-License-Identifier: BSD-3-Clause */
/* turn.h - when a job that waits for its time, or for another job, may start */
#ifndef LOCAL_TURN_H
#define LOCAL_TURN_H

struct spool_job;

/* Seconds until to ask again; 0: its turn has come.  Looks after the job it
 * waits for, whose supervisor may have died.
 */
double local_turn_s (const char *spool, const struct spool_job *job);

/* Job 'token' has ended: start the supervisors, where they died, of those that
 * waited for it.
 */
void local_turn_call (const char *spool, const char *token);

#endif /* !LOCAL_TURN_H */
