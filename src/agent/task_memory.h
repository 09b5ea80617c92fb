/* SPDX-License-Identifier: BSD-3-Clause */
/* task_memory.h - a task is kept to the memory that it stated
 *
 * By a cgroup of its own where there can be one (agent/memory_cgroup.h), and
 * else by looking every second.  What processes on other nodes use, or those
 * that a launcher has started by the scheduler, is the scheduler's business.
 */
#ifndef AGENT_TASK_MEMORY_H
#define AGENT_TASK_MEMORY_H

#include "agent/memory_use.h"

struct rusage;
struct task;

struct task_memory {
    int64_t limit_bytes; /* on this node; 0: not stated */
    char *cgroup;        /* its directory; NULL: none */
    char *cgroup_procs;  /* whom its processes join */
    char *oom_file;      /* counts what the kernel killed of it, or near it */
    int64_t oom_kills;   /* when it started */
    struct memory_use use;
    size_t most_children; /* of one process, at any look */
    double look_at_s;     /* clock_mono_s; INFINITY: never */
};

/* The task begins; task_memory_end frees what this sets. */
void task_memory_begin (struct task *task);

/* The next task of a worker begins, which is kept to the same. */
void task_memory_go_on (struct task *task);
void task_memory_end (struct task *task);

/* One of its commands has ended, with 'usage' by it and what it waited for. */
void task_memory_note (struct task *task, const struct rusage *usage);

/* The most that it used at a time, on this node; 0: not known.  Of several
 * ranks it is known when a launcher was seen to be the parent of all that are
 * here: some have them started by the scheduler.
 */
int64_t task_memory_peak (const struct task *task);

/* Look at what it uses; 'others' other tasks are running.  True with 'why' when
 * that is more than it stated, and no cgroup keeps it from that.
 */
bool task_memory_is_over (struct task *task, int others, struct error *why);

/* Did the kernel kill anything for want of memory since the task began: in its
 * own cgroup, or else in the one that it shares?
 */
bool task_memory_was_short (const struct task *task);

/* Append "; it used up its memory of 2.0 GiB", if it did. */
void task_memory_describe (const struct task *task, struct strbuf *message);

#endif /* !AGENT_TASK_MEMORY_H */
