/* SPDX-License-Identifier: BSD-3-Clause */
/* stale_files.h - unfinished files of drivers that were killed */
#ifndef ENGINE_STALE_FILES_H
#define ENGINE_STALE_FILES_H

#include <stdbool.h>

struct heartbeat;
struct plan;
struct state;

/* Remove what is certain to be unused: with the lease held and the
 * journal folded to 'state'; 'after_crash': the holder before
 * did not give the lease back.  What cannot be removed stays.
 */
void stale_files_remove (const struct plan *plan, const struct state *state,
                         bool after_crash, const struct heartbeat *heartbeat);

#endif /* !ENGINE_STALE_FILES_H */
