/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c - run Slurm's commands */
#include "config.h"

#include "base/compiler.h"
#include "base/strvec.h"
#include "slurm/client.h"

/* --- environment --- */

/* What makes output the same everywhere: times as seconds since 1970, index
 * lists never cut off.
 */
static const char *const fixed[] = { "LC_ALL=C", "SLURM_TIME_FORMAT=%s",
                                     "SLURM_BITSTR_LEN=0" };

void slurm_command_env (char *const *from, struct strvec *env)
{
    static const char *const dropped[] = {
        "SLURM_",    "SLURMD_", "SBATCH_",  "SQUEUE_",   "SACCT_",
        "SACCTMGR_", "SALLOC_", "SCANCEL_", "SCONTROL_", "SINFO_",
        "SRUN_",     "LC_ALL=", NULL
    };
    static const char *const kept[] = { "SLURM_CONF=", "SLURM_CONF_SERVER=",
                                        NULL };

    client_env_drop (from, dropped, kept, env);
    for (size_t i = 0; i < ARRAY_SIZE (fixed); i++)
        strvec_push (env, fixed[i]);
}

void slurm_job_env (char *const *from, struct strvec *env)
{
    static const char *const handed_on[] = {
        "HOME=", "USER=", "LOGNAME=", "SHELL=", "LANG=", "TZ=", "PATH=",
        /* For sbatch itself, where Slurm is not installed in the usual place.
         */
        "LD_LIBRARY_PATH=", "SLURM_CONF=", "SLURM_CONF_SERVER=", NULL
    };

    client_env_pick (from, handed_on, env);
}

/* --- running --- */

static const struct client_words slurm_words = {
    "Slurm",
    slurm_trouble,
    slurm_prefixes,
};

struct client slurm_client (const struct scheduler *scheduler)
{
    return client_begin (scheduler, &slurm_words);
}

bool slurm_run (const struct client *client,
                const char *const *argv,
                struct process_result *result,
                enum trouble *trouble,
                struct error *err)
{
    const struct client_command command = { argv, slurm_command_env, NULL,
                                            NULL };

    return client_run (client, &command, result, trouble, err);
}

bool slurm_run_sbatch (const struct client *client,
                       const char *const *argv,
                       struct process_result *result,
                       enum trouble *trouble,
                       struct error *err)
{
    const struct client_command command = { argv, slurm_job_env, NULL, NULL };

    return client_run (client, &command, result, trouble, err);
}
