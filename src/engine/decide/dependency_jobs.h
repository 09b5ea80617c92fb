/* SPDX-License-Identifier: BSD-3-Clause */
/* dependency_jobs.h - dependency jobs, which drive a chained campaign, and the
 * plan (pure)
 */
#ifndef ENGINE_DEPENDENCY_JOBS_H
#define ENGINE_DEPENDENCY_JOBS_H

#include "engine/history/state.h"

struct plan;
struct profile;

/* Elements of them there may be beside an array: that of the driver, and the
 * next one.
 */
enum { DEPENDENCY_JOBS_MOST = 2 * DEPENDENCY_JOB_ELEMENTS };

/* What a dependency job runs with: its stage's profile, or that of the first
 * stage where the plan no longer has its own.
 */
const struct profile *dependency_job_profile (
    const struct plan *plan, const struct dependency_job *dependency_job);

#endif /* !ENGINE_DEPENDENCY_JOBS_H */
