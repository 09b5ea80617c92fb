/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.h - what commands that submit probe jobs have in common */
#ifndef COMMANDS_PROBE_H
#define COMMANDS_PROBE_H

#include "commands/command.h"

struct plan;
struct profile;

/* The profile of that name, or NULL after complaining and saying which there
 * are.
 */
const struct profile *probe_profile (const struct plan *plan, const char *name);

/* How long the start of a job may take: --timeout, or what holds without. */
enum exit_status probe_timeout (const struct invocation *invocation,
                                double *timeout_s);

#endif /* !COMMANDS_PROBE_H */
