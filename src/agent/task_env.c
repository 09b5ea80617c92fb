/* SPDX-License-Identifier: BSD-3-Clause */
/* task_env.c - the environment of a task's commands */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "agent/assignment.h"
#include "agent/claim.h"
#include "agent/task.h"
#include "agent/task_env.h"

/* A program linked to Open MPI and started alone is an MPI world of one.  By
 * default it starts a helper and looks for networks (half a second); isolated
 * ones all use the same session directory unless each has its own.
 */
static void add_lone_rank (const struct task *task, struct strvec *env)
{
    strvec_push (env, "OMPI_MCA_pml=ob1");
    strvec_push (env, "OMPI_MCA_btl=self");
    strvec_push (env, "OMPI_MCA_ess_singleton_isolated=1");
    strvec_pushf (env, "OMPI_MCA_orte_tmpdir_base=%s", task->dir);
}

/* Launchers number the node's cores from 0 and would put every task on the
 * same ones: ranks inherit the slot's binding instead (Open MPI 4 and 5).
 */
static void add_ranks (struct strvec *env)
{
    strvec_push (env, "OMPI_MCA_hwloc_base_binding_policy=none");
    strvec_push (env, "PRTE_MCA_hwloc_default_binding_policy=none");
}

static void add_own (const struct task *task, struct strvec *env)
{
    const struct assignment *a = task->assignment;
    int threads = a->job.task.cores / a->job.task.ranks;

    strvec_push (env, task->tag);
    strvec_pushf (env, "FANFOLD_TAG=%s.%" PRId64 ".%s", a->job.token,
                  a->element, task->claim->name);
    strvec_pushf (env, "PWD=%s", task->dir);
    strvec_pushf (env, "TMPDIR=%s", task->dir);
    strvec_pushf (env, "OMP_NUM_THREADS=%d", threads);
    strvec_pushf (env, "OPENBLAS_NUM_THREADS=%d", threads);
    if (geteuid () == 0) {
        strvec_push (env, "OMPI_ALLOW_RUN_AS_ROOT=1");
        strvec_push (env, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    }
    if (a->job.task.ranks == 1)
        add_lone_rank (task, env);
    else
        add_ranks (env);
}

/* What a lone rank's settings would break in a larger world, should this
 * agent itself run below a task.
 */
static bool is_unwanted (const struct task *task, const char *entry)
{
    return task->assignment->job.task.ranks > 1
           && (strcmp (entry, "OMPI_MCA_btl=self") == 0
               || strcmp (entry, "OMPI_MCA_ess_singleton_isolated=1") == 0);
}

/* Is the variable of 'entry' among the first 'n'? */
static bool is_set (const struct strvec *env, size_t n, const char *entry)
{
    size_t len = strcspn (entry, "=") + 1;

    for (size_t i = 0; i < n; i++) {
        if (strncmp (env->v[i], entry, len) == 0)
            return true;
    }
    return false;
}

void task_env (const struct task *task, struct strvec *env)
{
    size_t n_own;

    add_own (task, env);
    n_own = env->n;
    for (char **entry = environ; *entry; entry++) {
        if (!is_set (env, n_own, *entry) && !is_unwanted (task, *entry))
            strvec_push (env, *entry);
    }
}
