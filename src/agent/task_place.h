/* SPDX-License-Identifier: BSD-3-Clause */
/* task_place.h - job/<task> of the generation that an element works for
 *
 * Everything is seen from the directory of the generation as it was opened:
 * what a late agent writes lands in its own generation, wherever that lies by
 * then.
 */
#ifndef AGENT_TASK_PLACE_H
#define AGENT_TASK_PLACE_H

#include <stdbool.h>

struct assignment;
struct error;

/* Rename the directory 'dir' (absolute) to job/<task>, where nothing may be
 * but an empty directory.
 */
int task_place_put (const struct assignment *assignment, int task,
                    const char *dir, struct error *err);

/* Rename job/<task>, whatever it is, to 'name' beside it (LAYOUT_DAMAGED),
 * which is free.
 */
int task_place_set_aside (const struct assignment *assignment, int task,
                          const char *name, struct error *err);

/* Sync job/, and the directory of the generation unless *way_synced; it is
 * then.
 */
int task_place_sync (const struct assignment *assignment, bool *way_synced,
                     struct error *err);

#endif /* !AGENT_TASK_PLACE_H */
