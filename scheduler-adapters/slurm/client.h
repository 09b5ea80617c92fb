/* SPDX-License-Identifier: BSD-3-Clause */
/* command_client.h - run Slurm's commands
 *
 * Each under a deadline, in a process group of its own, and without what the
 * caller's environment would change: SBATCH_*, SQUEUE_*, SLURM_* of the job
 * the caller itself may run in, ...
 */
#ifndef SLURM_CLIENT_H
#define SLURM_CLIENT_H

#include "command_client.h"
#include "slurm/trouble.h"

struct client slurm_client (const struct scheduler *scheduler);

/* Run to its end.  True when it exited with 0; else *trouble says why, with
 * words for a person in 'err'.  'result' is made anew; caller releases.
 */
bool slurm_run (const struct client *client,
                const char *const *argv,
                struct process_result *result,
                enum trouble *trouble,
                struct error *err);

/* As slurm_run, for sbatch: all that the job is to find in its environment is
 * handed to it, so nothing else is.
 */
bool slurm_run_sbatch (const struct client *client,
                       const char *const *argv,
                       struct process_result *result,
                       enum trouble *trouble,
                       struct error *err);

/* Append to 'env' what of the environment 'from' a command is run with. */
void slurm_command_env (char *const *from, struct strvec *env);

/* ... what sbatch is run with, and so what the job starts from. */
void slurm_job_env (char *const *from, struct strvec *env);

#endif /* !SLURM_CLIENT_H */
