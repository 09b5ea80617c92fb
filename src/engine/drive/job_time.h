/* SPDX-License-Identifier: BSD-3-Clause */
/* job_time.h - how long a driver may drive that is part of a job itself */
#ifndef ENGINE_JOB_TIME_H
#define ENGINE_JOB_TIME_H

struct engine;

/* When (mono) to come to an end, some time before the job's own end, so that
 * everything is left in good order; 0: this process is part of no job, or the
 * job has no time limit, or the scheduler does not tell.  The margin is that of
 * the first call: a job may have been given more time.
 */
double job_time_end_s (struct engine *engine);

/* What to leave of 'left_s': a tenth, at least 10 s and at most 2 minutes. */
double job_time_margin_s (double left_s);

#endif /* !ENGINE_JOB_TIME_H */
