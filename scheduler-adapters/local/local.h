/* SPDX-License-Identifier: BSD-3-Clause */
/* local.h - the local adapter: jobs on this machine, without a scheduler */
#ifndef LOCAL_LOCAL_H
#define LOCAL_LOCAL_H

#include "adapter.h"

extern const struct scheduler_adapter local_adapter;

/* Append what is to be said of a spool on such a file system (pure). */
struct file_system;
void local_judge_spool (const char *spool,
                        const struct file_system *fs,
                        struct findings *findings);

#endif /* !LOCAL_LOCAL_H */
