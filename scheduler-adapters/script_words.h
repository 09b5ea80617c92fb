/* SPDX-License-Identifier: BSD-3-Clause */
/* script_words.h - words of a profile that may stand in a job script (pure) */
#ifndef SCHEDULER_SCRIPT_WORDS_H
#define SCHEDULER_SCRIPT_WORDS_H

#include "adapter.h"

/* May 'value' of the profile's 'key' stand as a name in a directive of
 * 'scheduler'?  NULL may.  Else REFUSED, with both in 'err'.
 */
enum answer script_check_name (const char *scheduler,
                               const char *key,
                               const char *value,
                               struct error *err);

/* May the profile's directives be passed on to 'program' ("sbatch")?  Each is
 * one option on one line, and none of 'ours' (ends with NULL): "--array", or
 * "-a" with whatever follows it.
 */
enum answer script_check_directives (const struct array_job *job,
                                     const char *program,
                                     const char *const *ours,
                                     struct error *err);

#endif /* !SCHEDULER_SCRIPT_WORDS_H */
