/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_cgroup.h - the kernel keeps each task to its memory
 *
 * Where the agent's cgroup is its own to divide (version 2; it may write there
 * and has the memory controller; no other process is in it, since only a group
 * without processes of its own may hand the controller down: the kernel's
 * cgroup-v2.rst, "No Internal Process Constraint"), the agent goes into a group
 * below it and gives each slot another one:
 *
 *   OWN/fanfold-PID.agent   OWN/fanfold-PID.slot-0   OWN/fanfold-PID.slot-1 ...
 *
 * What a killed agent leaves is empty when its tasks have ended; the next one
 * in OWN removes it, or whoever removes OWN, at the end of the job.
 */
#ifndef AGENT_MEMORY_CGROUP_H
#define AGENT_MEMORY_CGROUP_H

struct memory_cgroup {
    char *own;        /* where it is; NULL: no such group */
    bool handed_down; /* its controller, by us */
};

#define MEMORY_CGROUP_INIT                                                     \
    {                                                                          \
        NULL, false                                                            \
    }

/* Try it; 'self_cgroup' and 'mount' as in agent/shortage.h. */
void memory_cgroup_enter (struct memory_cgroup *cgroup, const char *self_cgroup,
                          const char *mount);

/* Go back and remove what was made. */
void memory_cgroup_leave (struct memory_cgroup *cgroup);

/* A group of at most 'bytes' of memory for the next task of a slot; what goes
 * over it is ended by the kernel with all of the group.  The group's directory,
 * freed by the caller; NULL: there is none.
 */
char *memory_cgroup_begin (const struct memory_cgroup *cgroup, int slot,
                           int64_t bytes);

/* The task of 'dir' is over: remove it, and free 'dir' (may be NULL). */
void memory_cgroup_end (char *dir);

/* Did the group ever want more than its limit?  Not if what its processes met
 * was a limit above it.
 */
bool memory_cgroup_was_full (const char *dir);

#endif /* !AGENT_MEMORY_CGROUP_H */
