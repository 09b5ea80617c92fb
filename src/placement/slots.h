/* SPDX-License-Identifier: BSD-3-Clause */
/* slots.h - what this process was given of a node, cut into slots
 *
 * Given is what the cgroup and the CPU affinity of this process allow, of the
 * devices those that variables such as CUDA_VISIBLE_DEVICES name.  How it is
 * cut says placement/place.h.  HWLOC_SYNTHETIC and HWLOC_XMLFILE replace the
 * node by another one, to which nothing is bound.
 */
#ifndef PLACEMENT_SLOTS_H
#define PLACEMENT_SLOTS_H

#include <sched.h>
#include <sys/types.h>

#include "placement/node_gpus.h"
#include "placement/place.h"

struct slot {
    char *cpus;     /* its hardware threads, "0-1,64-65"; "" when shared */
    cpu_set_t *set; /* the same; NULL: this slot is not bound */
    size_t set_bytes;
    char *gpus; /* "0000:c1:00.0 ...": by PCI address or, where that is not
                   known, as they were given; "" none */
    struct strvec env; /* by which its tasks see these and no other */
    char *memory;      /* the NUMA nodes its memory is from, OS numbers, "0-1";
                          "" not bound */
    unsigned long *memory_nodes; /* the same as a mask; NULL: not bound */
    size_t memory_bits;          /* of the mask */
    bool strict_memory;          /* from nowhere else; else preferred */
};

struct slots {
    struct slot *v;
    size_t n;
    int cores; /* in each slot: as asked, or fewer when fewer were given */
    struct gpus gpus; /* that are locked; else the job was told which it has */
    bool whole_node;  /* there is one, and no other job has CPUs of this node */
};

#define SLOTS_INIT                                                             \
    {                                                                          \
        NULL, 0, 0, GPUS_INIT, false                                           \
    }

void slots_release (struct slots *slots);

/* For wanted->gpus: tasks choose their devices themselves; a slot has none, and
 * says nothing of any.
 */
enum { GPUS_LEFT_ALONE = -1 };

/* How long to wait for devices of jobs that are about to end. */
#define GPUS_WAIT_S 30.0

/* What an element is to do with what it was given. */
struct element_wish {
    struct place_group tasks; /* .tasks 0: as many as fit */
    struct place_rules rules;
    int cores;          /* that were asked for; 0: what so many tasks need */
    double gpus_wait_s; /* for devices that are to be locked */
};

/* Cut what was given into slots for one task each, so many of them at most, at
 * least one.  When more cores were given than were asked for, the node may be
 * shared and which part is ours is not known: the slots are then not bound.
 * Where fewer were given nothing is reserved before a task goes short of cores.
 * A node that has less memory than the tasks were said to need runs them all
 * the same, unless their memory is strict.  Where GPUs are asked for and
 * neither hwloc nor a variable shows any, none are handed out; where no
 * variable names the job's, those are locked that are free.
 */
int slots_cut (const struct element_wish *wish, struct slots *slots,
               struct error *err);

/* Tasks that run beside others. */
struct cut_group {
    struct place_group tasks; /* .tasks of them */
    int core_share;           /* n > 1: .cores is 1, which n tasks share */
};

/* Cut what was given, the slot of a task, into slots for 'n' groups of tasks
 * that all run at once, those of the first group first; each has a number of
 * tasks. 'asked' cores were asked for: when more were given, or fewer than the
 * tasks need, or without 'bind', no slot is bound.  Tasks that share a core do
 * so with those of the same 1/n, of any group, in their order.  Devices are
 * handed out as by slots_cut; memory is not counted.
 */
int slots_cut_together (const struct cut_group *wanted, size_t n, int asked,
                        bool bind, struct slots *slots, struct error *err);

/* How many cores this process was given, and how many of them the rules leave
 * to the system; the memory of the node (NULL: not of interest), 0 where that
 * is not known.
 */
int granted_cores (const struct place_rules *rules, int *cores, int *reserved,
                   int64_t *memory_bytes, struct error *err);

/* As place_strict_room, of what this process was given. */
struct strict_room granted_strict_room (const struct place_group *group,
                                        const struct place_rules *rules);

/* --- sets of CPUs as the kernel writes them: "0-1,64-65" --- */

/* Append the CPUs of a set of 'bytes' bytes; nothing for the empty set. */
void cpu_list_format (const cpu_set_t *set, size_t bytes, struct strbuf *out);

/* Append the CPUs that process 'pid' (0: this one) may run on.  0, or -1 with
 * errno when there is no such process; 'out' is then untouched.
 */
int cpu_list_of_process (pid_t pid, struct strbuf *out);

#endif /* !PLACEMENT_SLOTS_H */
