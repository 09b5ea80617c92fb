/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.h - what is wrong with this site? */
#ifndef SLURM_EXAMINE_H
#define SLURM_EXAMINE_H

#include "adapter.h"

/* As `examine` of adapter.h. */
enum answer slurm_examine (const struct scheduler *scheduler,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings,
                           struct error *err);

#endif /* !SLURM_EXAMINE_H */
