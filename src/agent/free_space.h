/* SPDX-License-Identifier: BSD-3-Clause */
/* free_space.h - is there room left on a file system? */
#ifndef AGENT_ROOM_H
#define AGENT_ROOM_H

#include <stdbool.h>

struct error;

/* False with 'err' (number ENOSPC) when the file system of 'dir' is as good as
 * full, in bytes or in inodes.  A quota is not seen.
 */
bool room_is_left (const char *dir, struct error *err);

#endif /* !AGENT_ROOM_H */
