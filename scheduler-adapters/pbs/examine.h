/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.h - what is wrong with this site? */
#ifndef PBS_EXAMINE_H
#define PBS_EXAMINE_H

#include "adapter.h"

/* What PBS's commands print. */
struct pbs_replies {
    const char *version; /* qsub --version; NULL: it failed */
    const char *server;  /* qstat -B -f */
    const char *queues;  /* qstat -Q -f */
    const char *nodes;   /* pbsnodes -a; "": it does not answer */
};

/* Append what is to be said of the site as a whole, for the adapter "pbs" or
 * "torque"; and of a profile's queue, walltime and nodes (both pure).
 */
void pbs_judge_site (const char *adapter,
                     const struct pbs_replies *replies,
                     struct findings *findings);
void pbs_judge_profile (const struct profile_use *use,
                        const struct pbs_replies *replies,
                        struct findings *findings);

/* As `examine` of adapter.h. */
enum answer pbs_examine (const struct scheduler *scheduler,
                         const struct profile_use *uses,
                         size_t n,
                         struct findings *findings,
                         struct error *err);
enum answer torque_examine (const struct scheduler *scheduler,
                            const struct profile_use *uses,
                            size_t n,
                            struct findings *findings,
                            struct error *err);

#endif /* !PBS_EXAMINE_H */
