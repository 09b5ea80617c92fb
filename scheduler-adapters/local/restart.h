/* SPDX-License-Identifier: BSD-3-Clause */
/* restart.h - a new supervisor where one has died
 *
 * A supervisor holds its job's lock for as long as it lives.
 */
#ifndef LOCAL_RESTART_H
#define LOCAL_RESTART_H

#include "adapter.h"

struct spool_job;

/* Start a supervisor unless one lives or there is nothing to do for it; end
 * what a dead one left (below).  'job' is brought up to date.
 */
enum answer supervisor_restart (struct spool_job *job, struct error *err);

/* With the job's lock held and no supervisor: end what a dead one left, as
 * when a node fails.  Elements that never started stay queued, but cancelled
 * ones end.
 */
int supervisor_end_orphans (struct spool_job *job, struct error *err);

/* Kill what an element left behind. */
void kill_orphan_processes (const struct spool_job *job, int64_t element);

#endif /* !LOCAL_RESTART_H */
