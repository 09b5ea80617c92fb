/* SPDX-License-Identifier: BSD-3-Clause */
/* task_checkpoint.h - what a try leaves for the next one
 *
 * Of an operator with `checkpoint:` patterns what matches them in the working
 * directory of a try that was cut short.  It waits in
 *
 *   .fanfold/run/<generation>/checkpoint/<task>/
 *
 * until an agent renames that to its own working directory of the task: it is
 * there as a whole or not at all, and one agent has it.  Beside it, while it is
 * put together, <task>.part, and while a newer one takes its place, <task>.old.
 * Every step is a rename; whoever comes after a crash goes on with it.
 */
#ifndef HANDOVER_TASK_CHECKPOINT_H
#define HANDOVER_TASK_CHECKPOINT_H

#include "space/layout.h"

struct heartbeat;

/* The place of a task's checkpoint.  Caller frees. */
char *task_checkpoint_place (const char *campaign_dir, int generation,
                             int task);

/* Is 'path', relative to a task's working directory, part of its checkpoint?
 * 'patterns' are as fnmatch(3) knows them, with FNM_PATHNAME and FNM_PERIOD;
 * what Fanfold itself writes there never is.  Pure.
 */
bool task_checkpoint_matches (const char *const *patterns, const char *path);

/* Move what matches in the working directory 'dir' (which may be gone) to
 * 'place', where it takes the place of an older one; with nothing there that
 * matches an older one stays.  *found: is there one now?
 */
int task_checkpoint_gather (const char *dir, const char *const *patterns,
                            const char *place,
                            const struct heartbeat *heartbeat, bool *found,
                            struct error *err);

/* What is at 'place': {"name" (of the file that comes first), "files", "bytes",
 * "sha256" (digest_tree; where that cannot be, of names, sizes and times)}.
 * NULL with 'err'.  Caller unrefs.
 */
struct json *task_checkpoint_describe (const char *place,
                                       const struct heartbeat *heartbeat,
                                       struct error *err);

/* Remove what is there, and what was being put together. */
int task_checkpoint_discard (const char *place,
                             const struct heartbeat *heartbeat,
                             struct error *err);

/* Make the checkpoint at 'place' the working directory 'dir', which is not
 * there yet.  *taken: there was one.
 */
int task_checkpoint_take (const char *place, const char *dir, bool *taken,
                          struct error *err);

/* The same with a copy of what matches in another agent's working directory of
 * the task, 'from', who may still be at work: nothing is taken when anything
 * changed meanwhile.
 */
int task_checkpoint_copy (const char *from, const char *const *patterns,
                          const char *dir, bool *taken, struct error *err);

#endif /* !HANDOVER_TASK_CHECKPOINT_H */
