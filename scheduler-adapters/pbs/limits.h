/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - what a site allows: asked once, then remembered */
#ifndef PBS_LIMITS_H
#define PBS_LIMITS_H

#include "adapter.h"
#include "pbs/site.h"

/* What the site told some minutes ago; false: it was not asked. */
bool pbs_site_remembered (const struct scheduler *scheduler,
                          struct pbs_site *site);

/* Whose jobs these are; "": nobody knows him here.  Never free it. */
const char *pbs_user (void);

/* As `limits` of adapter.h, with up to three commands. */
enum answer pbs_limits (const struct scheduler *scheduler,
                        struct scheduler_limits *limits,
                        struct error *err);

#endif /* !PBS_LIMITS_H */
