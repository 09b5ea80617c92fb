/* SPDX-License-Identifier: BSD-3-Clause */
/* examine_profile.h - does what a profile asks for exist on the site? (pure) */
#ifndef SLURM_EXAMINE_PROFILE_H
#define SLURM_EXAMINE_PROFILE_H

struct findings;
struct profile_use;

/* Append what is to be said of the profile's partition, walltime, nodes and
 * GPUs: 'partitions' is what `scontrol --oneliner show partition` printed,
 * 'nodes' what sinfo did (nodes.h).
 */
void slurm_judge_profile (const struct profile_use *use,
                          const char *partitions,
                          const char *nodes,
                          struct findings *findings);

/* ... of its account, where the site enforces that there is one; 'associations'
 * are the user's (submit_limits.h).
 */
void slurm_judge_account (const struct profile_use *use,
                          const char *associations,
                          struct findings *findings);

#endif /* !SLURM_EXAMINE_PROFILE_H */
