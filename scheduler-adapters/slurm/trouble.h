/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.h - what the error messages of Slurm's commands mean (pure) */
#ifndef SLURM_TROUBLE_H
#define SLURM_TROUBLE_H

#include "adapter.h"

enum slurm_trouble {
    TROUBLE_UNCLEAR, /* anything may be: the controller did not answer, a
                        wrapper failed, words nobody has seen yet */
    TROUBLE_REFUSED, /* the controller looked at the request and said no */
    TROUBLE_FULL,    /* it said no, for now: a limit, a drained partition */
    TROUBLE_UNKNOWN_JOB,
    TROUBLE_OVER,   /* the job has ended already */
    TROUBLE_BROKEN, /* this host is not set up to reach a Slurm */
};

/* What 'message', all that a failed command wrote to stderr, means.  *advice
 * (lent; may be NULL): what of site.yaml to look at, or NULL.
 */
enum slurm_trouble slurm_trouble (const char *message, const char **advice);

/* The words of 'message' that count, on one line, into 'out' of 'size' bytes:
 * "sbatch: error: Batch job submission failed: " and the like are dropped.
 */
void slurm_trouble_words (const char *message, char *out, size_t size);

#endif /* !SLURM_TROUBLE_H */
