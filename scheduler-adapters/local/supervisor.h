/* SPDX-License-Identifier: BSD-3-Clause */
/* supervisor.h - runs the elements of one local job to their ends
 *
 * Started detached by launch.c, holding the job's lock.  Elements run in order,
 * as many at a time as the job allows and cores are free; each is confined to
 * its cores and its walltime.  SIGUSR1: look at the cancel marks again.
 * SIGTERM: end all elements (they count as cancelled).
 */
#ifndef LOCAL_SUPERVISOR_H
#define LOCAL_SUPERVISOR_H

struct error;

/* Returns when every element has ended. */
int local_supervisor_run (const char *job_dir, struct error *err);

#endif /* !LOCAL_SUPERVISOR_H */
