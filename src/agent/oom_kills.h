/* SPDX-License-Identifier: BSD-3-Clause */
/* oom_kills.h - did the kernel kill something here for want of memory? */
#ifndef AGENT_OOM_KILLS_H
#define AGENT_OOM_KILLS_H

#include <stdint.h>

/* Where the kernel says which cgroup we are in, and shows cgroups. */
#define OOM_SELF_CGROUP "/proc/self/cgroup"
#define OOM_CGROUP_MOUNT "/sys/fs/cgroup"

/* The number of processes killed so far in our cgroup: `oom_kill` of its
 * memory.events, or of memory.oom_control where the memory controller is that
 * of version 1 (the kernel's cgroup-v2.rst and cgroup-v1/memory.rst); -1 when
 * it cannot be known.
 */
int64_t oom_kills (const char *self_cgroup, const char *cgroup_mount);

#endif /* !AGENT_OOM_KILLS_H */
