/* SPDX-License-Identifier: BSD-3-Clause */
/* dependency_jobs.c - dependency jobs and the plan (pure) */
#include "config.h"

#include "campaign/plan.h"
#include "engine/decide/dependency_jobs.h"
#include "engine/history/state.h"

int dependency_job_stage (const struct plan *plan,
                          const struct dependency_job *dependency_job)
{
    int stage = plan_stage_find (plan, dependency_job->stage);

    return stage >= 0 ? stage : 0;
}

const struct profile *dependency_job_profile (
    const struct plan *plan,
    const struct dependency_job *dependency_job)
{
    return plan->stages[dependency_job_stage (plan, dependency_job)].profile;
}
