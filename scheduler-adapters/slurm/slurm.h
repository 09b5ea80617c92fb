/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.h - the Slurm adapter: sbatch, squeue, sacct, scontrol, scancel */
#ifndef SLURM_SLURM_H
#define SLURM_SLURM_H

#include "adapter.h"

extern const struct scheduler_adapter slurm_adapter;

#endif /* !SLURM_SLURM_H */
