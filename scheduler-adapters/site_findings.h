/* SPDX-License-Identifier: BSD-3-Clause */
/* site_findings.h - what a site is like means for campaigns (pure) */
#ifndef SCHEDULER_SITE_FINDINGS_H
#define SCHEDULER_SITE_FINDINGS_H

#include "site_description.h"

/* Append what is to be said of the site as a whole, and of how often the
 * profiles look; its remarks are among it.
 */
void site_judge (struct site_description *site,
                 const struct profile_use *uses,
                 size_t n,
                 struct findings *findings);

/* ... of a profile's queue, account, walltime, nodes and directives there. */
void site_judge_profile (const struct site_description *site,
                         const struct profile_use *use,
                         struct findings *findings);

#endif /* !SCHEDULER_SITE_FINDINGS_H */
