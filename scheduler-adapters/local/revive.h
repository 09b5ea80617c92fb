/* SPDX-License-Identifier: BSD-3-Clause */
/* revive.h - a new supervisor where one has died */
#ifndef LOCAL_REVIVE_H
#define LOCAL_REVIVE_H

#include "adapter.h"

struct spool_job;

/* Start a supervisor unless one lives or there is nothing to do for it; bury
 * what a dead one left.  'job' is brought up to date.
 */
enum answer supervisor_revive (struct spool_job *job, struct error *err);

#endif /* !LOCAL_REVIVE_H */
