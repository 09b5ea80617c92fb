/* SPDX-License-Identifier: BSD-3-Clause */
/* command_trouble.h - what the error messages of Slurm's commands mean (pure)
 */
#ifndef SLURM_TROUBLE_H
#define SLURM_TROUBLE_H

#include "command_trouble.h"

/* What 'message', all that a failed command wrote to stderr, means.  *advice
 * (lent; may be NULL): what of site.yaml to look at, or NULL.
 */
enum trouble slurm_trouble (const char *message, const char **advice);

/* What messages begin with and nobody needs to read: "sbatch: ", "error: ";
 * ends with NULL.
 */
extern const char *const slurm_prefixes[];

#endif /* !SLURM_TROUBLE_H */
