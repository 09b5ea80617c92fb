/* SPDX-License-Identifier: BSD-3-Clause */
/* local.h - the local adapter: jobs on this machine, without a scheduler */
#ifndef LOCAL_LOCAL_H
#define LOCAL_LOCAL_H

#include "adapter.h"

extern const struct scheduler_adapter local_adapter;

#endif /* !LOCAL_LOCAL_H */
