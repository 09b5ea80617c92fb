/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.h - what the complaints of PBS's commands mean (pure) */
#ifndef PBS_TROUBLE_H
#define PBS_TROUBLE_H

#include "command_trouble.h"

/* What 'message', all that a failed command wrote to stderr, means.  *advice
 * (lent; may be NULL): what of site.yaml to look at, or NULL.
 */
enum trouble pbs_trouble (const char *message, const char **advice);

/* Does qstat complain of nothing but jobs that it does not know?  What it says
 * of the others then counts.
 */
bool pbs_only_unknown (const char *message);

/* What messages begin with and nobody needs to read; ends with NULL. */
extern const char *const pbs_prefixes[];

#endif /* !PBS_TROUBLE_H */
