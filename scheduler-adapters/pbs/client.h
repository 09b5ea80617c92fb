/* SPDX-License-Identifier: BSD-3-Clause */
/* client.h - run PBS's commands
 *
 * Against a server that hangs they wait for ever, so each has a deadline.
 */
#ifndef PBS_CLIENT_H
#define PBS_CLIENT_H

#include "command_client.h"

struct client pbs_client (const struct scheduler *scheduler);

/* As client_run, without PBS_* of the job the caller itself may run in. */
bool pbs_run (const struct client *client,
              const char *const *argv,
              struct process_result *result,
              enum trouble *trouble,
              struct error *err);

/* ... for qsub, which reads the script at 'script_path'.  PBS writes down where
 * qsub was called, how, and parts of its environment, and shows it in one
 * record with the job's state: all of that is plain.
 */
bool pbs_run_qsub (const struct client *client,
                   const char *const *argv,
                   const char *script_path,
                   struct process_result *result,
                   enum trouble *trouble,
                   struct error *err);

/* Append to 'env' what of the environment 'from' a command is run with, and
 * what qsub is run with.
 */
void pbs_command_env (char *const *from, struct strvec *env);
void pbs_qsub_env (char *const *from, struct strvec *env);

/* What tells one server from another; NULL: the only one of this host. */
const char *pbs_cluster (void);

#endif /* !PBS_CLIENT_H */
