/* SPDX-License-Identifier: BSD-3-Clause */
/* poll.h - ask how submissions stand */
#ifndef PBS_POLL_H
#define PBS_POLL_H

#include "adapter.h"

/* As `poll` of adapter.h: one qstat for all, of OpenPBS and of TORQUE. */
enum answer pbs_poll (const struct scheduler *scheduler,
                      struct job_status *jobs,
                      size_t n,
                      struct error *err);
enum answer torque_poll (const struct scheduler *scheduler,
                         struct job_status *jobs,
                         size_t n,
                         struct error *err);

#endif /* !PBS_POLL_H */
