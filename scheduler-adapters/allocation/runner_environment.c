/* SPDX-License-Identifier: BSD-3-Clause */
/* runner_environment.c - what an element finds in its environment: its nodes,
 * its GPUs, and nothing of the step that its runner is
 */
#include "base/base.h"

#include <unistd.h>

#include "allocation/runner.h"
#include "command_scheduler.h"
#include "job_around.h"
#include "placement/visible_devices.h"

/* What a process that was started on several nodes has and what it starts must
 * not: a program would take itself for one of those.
 */
static bool is_step_variable (const char *entry)
{
    static const char *const mpi[] = {
        "OMPI_COMM_WORLD", "OMPI_MCA_ess", "OMPI_MCA_orte_", "OMPI_MCA_pmix",
        "OMPI_UNIVERSE",   "PMIX_",        "PMI_",           "PRTE_",
        "HYDRA_",          "MPI_LOCAL",    "HYDI_",          NULL
    };
    struct job_around around;
    const char *const *lists[] = { mpi, NULL };

    if (job_around_find (&around))
        lists[1] = around.adapter->commands->step_variables;
    for (size_t i = 0; i < 2; i++) {
        for (const char *const *p = lists[i]; p && *p; p++) {
            if (strncmp (entry, *p, strlen (*p)) == 0)
                return true;
        }
    }
    return false;
}

void runner_drop_step_variables (void)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (char **e = environ; *e; e++) {
        if (is_step_variable (*e))
            strvec_pushf (&names, "%.*s", (int)strcspn (*e, "="), *e);
    }
    for (size_t i = 0; i < names.n; i++)
        unsetenv (names.v[i]);
}

/* The names of its nodes. */
static void name_nodes (const struct runner_process *r, const struct run *run,
                        struct strvec *names)
{
    strvec_push (names, r->node.name);
    for (size_t i = 1; i < run->members.n; i++) {
        const struct runner *member =
            runners_find (&r->runners, run->members.v[i]);

        strvec_push (names, member ? member->node : "gone");
    }
}

/* On a local disk: who reads it is started here. */
static char *host_file_path (const struct runner_process *r,
                             const struct run *run)
{
    return xasprintf ("%s/hosts-%s.%" PRId64, r->node.local_spool,
                      run->job.token, run->process.element);
}

/* What makes MPI libraries start processes on the element's nodes, and nowhere
 * else.
 */
static int nodes_environment (const struct runner_process *r,
                              const struct run *run, struct strvec *env,
                              struct error *err)
{
    const struct spool_job *job = &run->job;
    int processes = job->nodes > 1 ? job->ranks : job->cores;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_free_ char *path = host_file_path (r, run);
    struct element_nodes nodes = { .names = &names,
                                   .processes = processes > 0 ? processes : 1,
                                   .cores = job->cores > 0 ? job->cores : 1,
                                   .host_file = path };
    struct job_around around;

    name_nodes (r, run, &names);
    return job_around_find (&around)
                   && around.adapter->commands->element_environment
               ? around.adapter->commands->element_environment (&nodes, env,
                                                                err)
               : 0;
}

/* The node, and which GPUs of it: later entries count. */
int run_environment (const struct runner_process *r, const struct run *run,
                     struct strvec *env, struct error *err)
{
    const struct gpus *gpus = &run->process.gpus;

    strvec_pushf (env, "FANFOLD_NODE=%s", r->node.name);
    visible_devices_env (environ, &r->node.shape, gpus->devices, gpus->n, env);
    return nodes_environment (r, run, env, err);
}

void run_remove_host_file (const struct runner_process *r,
                           const struct run *run)
{
    _cleanup_free_ char *path = host_file_path (r, run);

    unlink (path);
}
