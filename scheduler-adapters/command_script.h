/* SPDX-License-Identifier: BSD-3-Clause */
/* command_script.h - an array job as a script of directives (pure)
 *
 * commands_render writes it, for a login shell, so that `module` is there
 * whoever submits: what the scheduler's 'head' writes, the directives of the
 * profile, what 'tail' writes, and a body that opens the element's log itself.
 * It refuses words of a profile that cannot stand in a directive, and
 * directives that would take away what we depend on.
 */
#ifndef SCHEDULER_COMMAND_SCRIPT_H
#define SCHEDULER_COMMAND_SCRIPT_H

#include "adapter.h"

/* --- what directives say --- */

/* Append BEFORE VALUE "\n", or nothing (NULL). */
void script_option (struct strbuf *script,
                    const char *before,
                    const char *value);

/* Append BEFORE "0-9%4\n": all indices, and how many of them at a time. */
void script_indices (struct strbuf *script,
                     const char *before,
                     const struct array_job *job);

/* At least 1. */
int job_cores (const struct array_job *job);
int job_nodes (const struct array_job *job);

/* Processes on a node: one to a core, which mpirun takes for the number of its
 * slots; on several nodes it would fill the first one, so there one to a rank.
 */
int job_processes (const struct array_job *job);

/* MiB, rounded up; 0: unstated. */
int64_t job_memory_mib (const struct array_job *job);

#endif /* !SCHEDULER_COMMAND_SCRIPT_H */
