/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_policy.h - from which NUMA nodes a process really has its memory
 *
 * The kernel keeps the policy of a process when it execs another program
 * (set_mempolicy(2)), and cuts it down to what its cpuset allows; so it is read
 * of the program that runs, in /proc/PID/numa_maps, not taken from what was
 * asked for.
 */
#ifndef PLACEMENT_MEMORY_POLICY_H
#define PLACEMENT_MEMORY_POLICY_H

#include <sys/types.h>

enum memory_mode {
    MEMORY_UNKNOWN = 0, /* the process has ended, or the kernel does not tell */
    MEMORY_ANY,         /* where it runs */
    MEMORY_PREFERRED,
    MEMORY_STRICT,
    MEMORY_INTERLEAVED,
};

/* "preferred", "strict", "interleaved"; "" of the others */
const char *memory_mode_name (enum memory_mode mode);

struct memory_policy {
    enum memory_mode mode;
    char nodes[256]; /* "0-1"; "": none are named */
};

/* The policy of process 'pid', which may be any of ours. */
struct memory_policy memory_policy_of_process (pid_t pid);

/* As memory_policy_of_process, from the text of its numa_maps. */
struct memory_policy memory_policy_parse (const char *numa_maps);

#endif /* !PLACEMENT_MEMORY_POLICY_H */
