/* SPDX-License-Identifier: BSD-3-Clause */
/* examine_site.h - what `scontrol show config` means for campaigns (pure) */
#ifndef SLURM_EXAMINE_SITE_H
#define SLURM_EXAMINE_SITE_H

#include <stddef.h>

struct findings;
struct profile_use;

/* Append what is to be said of the site as a whole, and of how the profiles
 * fit it.  'config' is all that the command printed.
 */
void slurm_judge_config (const char *config,
                         const struct profile_use *uses,
                         size_t n,
                         struct findings *findings);

/* Are the commands ("slurm-wlm 22.05.8", as sbatch --version prints) of the
 * controller's version?
 */
void slurm_judge_version (const char *commands,
                          const char *config,
                          struct findings *findings);

#endif /* !SLURM_EXAMINE_SITE_H */
