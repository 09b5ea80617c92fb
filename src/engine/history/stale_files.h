/* SPDX-License-Identifier: BSD-3-Clause */
/* stale_files.h - unfinished files of drivers that were killed */
#ifndef ENGINE_STALE_FILES_H
#define ENGINE_STALE_FILES_H

struct engine;
struct heartbeat;
struct plan;
struct state;

/* Remove what is certain to be unused: with the lease held and the
 * journal folded to 'state'; 'after_crash': the holder before
 * did not give the lease back.  What cannot be removed stays.
 */
void stale_files_remove (const struct plan *plan, const struct state *state,
                         bool after_crash, const struct heartbeat *heartbeat);

/* Remove what this driver and those before were about to publish: one that goes
 * on late finds nothing that it could put in its place.  What a driver began to
 * publish is put together again before it is published.
 */
int unpublished_remove (const struct engine *engine, struct error *err);

#endif /* !ENGINE_STALE_FILES_H */
