/* SPDX-License-Identifier: BSD-3-Clause */
/* submit_limits.h - how many elements accounting lets a user have (pure) */
#ifndef SLURM_SUBMIT_LIMITS_H
#define SLURM_SUBMIT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* The columns asked of `sacctmgr --noheader --parsable2 show associations where
 * user=...` and of `... show qos`.
 */
#define SLURM_ASSOCIATION_FORMAT                                               \
    "format=Account,Partition,MaxSubmitJobs,QOS,DefaultQOS"
#define SLURM_QOS_FORMAT                                                       \
    "format=Name,MaxSubmitJobsPerUser,MaxSubmitJobsPerAccount,GrpSubmitJobs"

/* What a job would run under; NULL: the user's or the partition's default. */
struct slurm_claim {
    const char *account;
    const char *partition;
    const char *qos;
    const char *partition_qos; /* of the partition itself; NULL: none */
};

/* The smallest number of elements queued and running that 'associations' and
 * 'qos' (the tables) let the claimant have; 0: none is set.  Where several
 * associations may be meant, all count.  Limits of a group or an account are
 * shared with others: they bound what one user can have at best.
 */
int64_t slurm_submit_limit (const char *associations,
                            const char *qos,
                            const struct slurm_claim *claim);

/* Does the table have an association for 'account' and 'partition' (NULL:
 * any)?
 */
bool slurm_has_association (const char *associations,
                            const char *account,
                            const char *partition);

#endif /* !SLURM_SUBMIT_LIMITS_H */
