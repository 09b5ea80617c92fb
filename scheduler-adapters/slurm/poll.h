/* SPDX-License-Identifier: BSD-3-Clause */
/* poll.h - ask how submissions stand */
#ifndef SLURM_POLL_H
#define SLURM_POLL_H

#include "adapter.h"

/* As `poll` of adapter.h: one squeue for all; sacct only when squeue has no
 * word on an element and the site has accounting.  What was pending is kept in
 * cache_dir until the next poll (memory.h).
 */
enum answer slurm_poll (const struct scheduler *scheduler,
                        struct job_status *jobs,
                        size_t n,
                        struct error *err);

#endif /* !SLURM_POLL_H */
