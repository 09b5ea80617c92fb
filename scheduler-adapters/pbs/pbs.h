/* SPDX-License-Identifier: BSD-3-Clause */
/* pbs.h - the adapters of the PBS family: OpenPBS and PBS Professional, and
 * TORQUE, which is written from its manual and was never tried
 */
#ifndef PBS_PBS_H
#define PBS_PBS_H

#include "adapter.h"

extern const struct scheduler_adapter pbs_adapter;
extern const struct scheduler_adapter torque_adapter;

#endif /* !PBS_PBS_H */
