/* SPDX-License-Identifier: BSD-3-Clause */
/* shortage.h - did a node lack memory, or room on its disk?
 *
 * What a task did wrong for want of them is not its fault.
 */
#ifndef AGENT_SHORTAGE_H
#define AGENT_SHORTAGE_H

/* Where the kernel says which cgroup we are in, and shows cgroups. */
#define OOM_SELF_CGROUP "/proc/self/cgroup"
#define OOM_CGROUP_MOUNT "/sys/fs/cgroup"

/* The cgroup of version 2 that we are in, "/a/b"; NULL: none.  Caller frees. */
char *own_cgroup (const char *self_cgroup);

/* The file that counts the processes of our cgroup that the kernel killed for
 * want of memory: memory.events, or memory.oom_control where the memory
 * controller is that of version 1 (the kernel's cgroup-v2.rst and
 * cgroup-v1/memory.rst); NULL when there is none.  Caller frees.
 */
char *oom_kills_file (const char *self_cgroup, const char *cgroup_mount);

/* The number in the line of such a file that begins with 'key', "oom "; -1 when
 * that cannot be known.
 */
int64_t memory_events (const char *file, const char *key);

/* Its `oom_kill`: how many there were so far; -1 when that cannot be known. */
int64_t oom_kills (const char *file);

/* False with 'err' (number ENOSPC) when the file system of 'dir' is as good as
 * full, in bytes or in inodes.  A quota is not seen.
 */
bool room_is_left (const char *dir, struct error *err);

#endif /* !AGENT_SHORTAGE_H */
