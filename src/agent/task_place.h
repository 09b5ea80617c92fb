/* SPDX-License-Identifier: BSD-3-Clause */
/* task_place.h - job/<task> of the generation that an element works for
 *
 * Everything is seen from the directory of the generation as it was opened:
 * what a late agent writes lands in its own generation, wherever that lies by
 * then.
 */
#ifndef AGENT_TASK_PLACE_H
#define AGENT_TASK_PLACE_H

#include <sys/types.h>

struct assignment;

/* Rename the directory 'dir' (absolute) to job/<task>, where nothing may be
 * but an empty directory.
 */
int task_place_put (const struct assignment *assignment, int task,
                    const char *dir, struct error *err);

/* Rename job/<task>, which was 'inode' when it was found damaged, to the name
 * for that beside it (LAYOUT_DAMAGED): 0.  1 when it is to be read again:
 * another agent did so first, and what it put there since is left alone, since
 * no directory takes the place of what holds something, nor of a file.
 */
int task_place_set_aside (const struct assignment *assignment, int task,
                          ino_t inode, struct error *err);

/* Sync job/, and the directory of the generation unless *way_synced; it is
 * then.
 */
int task_place_sync (const struct assignment *assignment, bool *way_synced,
                     struct error *err);

#endif /* !AGENT_TASK_PLACE_H */
