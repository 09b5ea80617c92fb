/* SPDX-License-Identifier: BSD-3-Clause */
/* client.h - run PBS's commands
 *
 * Against a server that hangs they wait for ever, so each has a deadline.
 */
#ifndef PBS_CLIENT_H
#define PBS_CLIENT_H

#include "command_client.h"

struct client pbs_client (const struct scheduler *scheduler);

/* A command without what the environment of the job that the caller may run in
 * would change; and qsub, reading a script.  PBS writes down where qsub was
 * called, how, and in what environment, and shows it in one record with the
 * job's state: all of that is plain.
 */
struct client_command pbs_command (const char *const *argv);
struct client_command pbs_qsub (const char *const *argv, const char *script);

/* Append to 'env' what of the environment 'from' they are run with. */
void pbs_command_env (char *const *from, struct strvec *env);
void pbs_qsub_env (char *const *from, struct strvec *env);

/* What tells one server from another; NULL: the only one of this host. */
const char *pbs_cluster (void);

#endif /* !PBS_CLIENT_H */
