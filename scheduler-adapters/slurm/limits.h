/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - what a site allows: asked once, then remembered */
#ifndef SLURM_LIMITS_H
#define SLURM_LIMITS_H

#include "slurm/client.h"
#include "slurm/site.h"

/* What the site tells, from the cache while that is fresh.  Else with up to
 * four commands; what they say is kept.
 */
enum answer slurm_site (const struct client *client,
                        struct slurm_site *site,
                        struct error *err);

/* The user's associations, as sacctmgr prints them (submit_limits.h), appended
 * to 'table'; nothing where accounting does not answer.
 */
void slurm_ask_associations (const struct client *client, struct strbuf *table);

/* As `limits` of adapter.h. */
enum answer slurm_limits (const struct scheduler *scheduler,
                          struct scheduler_limits *limits,
                          struct error *err);

#endif /* !SLURM_LIMITS_H */
