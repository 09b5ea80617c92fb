/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.h - is this machine fit to run jobs? */
#ifndef LOCAL_EXAMINE_H
#define LOCAL_EXAMINE_H

#include "adapter.h"

struct file_system;

/* As `examine` of adapter.h. */
enum answer local_examine (const struct scheduler *scheduler,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings,
                           struct error *err);

/* What is to be said of a spool on such a file system (pure). */
void local_judge_spool (const char *spool,
                        const struct file_system *fs,
                        struct findings *findings);

#endif /* !LOCAL_EXAMINE_H */
