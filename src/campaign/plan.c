/* SPDX-License-Identifier: BSD-3-Clause */
/* plan.c - a campaign that has been parsed, checked, bound and compiled */
#include "config.h"

#include <string.h>

#include "arrays/array_job.h"
#include "base/arena.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "signature/group.h"
#include "signature/expression.h"

static void release_stage (struct stage *stage)
{
    for (size_t i = 0; i < stage->n_bindings; i++) {
        json_unref (stage->bindings[i].literal);
        json_unref (stage->bindings[i].fallback);
    }
    expression_destroy (stage->when);
}

void plan_destroy (struct plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->n_stages; i++)
        release_stage (&plan->stages[i]);
    for (size_t i = 0; i < plan->n_history; i++)
        expression_destroy (plan->history[i].expression);
    expression_destroy (plan->stop);
    json_unref (plan->config);
    arena_destroy (plan->arena); /* the plan itself lives there */
}

int stage_ranks (const struct stage *stage)
{
    int most = 1;

    if (!stage->group || group_is_command (stage->group))
        return stage->needs.ranks;
    for (size_t i = 0; i < stage->group->n_programs; i++) {
        if (stage->group->programs[i].needs.ranks > most)
            most = stage->group->programs[i].needs.ranks;
    }
    return most;
}

int plan_stage_find (const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        if (strcmp (plan->stages[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

void profile_describe_job (const struct profile *profile, struct array_job *job)
{
    job->queue = profile->queue;
    job->account = profile->account;
    job->qos = profile->qos;
    job->gres = profile->gres;
    job->setup = profile->setup;
    if (profile->directives)
        strvec_push_all (&job->directives, (char *const *)profile->directives);
}

void stage_describe_job (const struct plan *plan, const struct stage *stage,
                         const struct packing *packing,
                         const struct resources *task, const char *program,
                         const char *run_dir, struct array_job *job)
{
    const char *const agent[] = { program, "-C",    plan->dir, "agent",
                                  "--run", run_dir, NULL };

    job->nodes = packing->nodes;
    job->ranks = resources_of_node (task).ranks;
    job->cores = packing->cores;
    job->gpus = packing->gpus;
    job->memory_bytes = packing->memory_bytes;
    job->walltime_s = packing->walltime_s;
    profile_describe_job (stage->profile, job);
    strvec_push_all (&job->agent, (char *const *)agent);
}
