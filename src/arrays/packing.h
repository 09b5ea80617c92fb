/* SPDX-License-Identifier: BSD-3-Clause */
/* packing.h - tasks -> slots -> elements -> chunks (pure)
 *
 * An element is given one node (or a share of one) and runs its bundle of
 * tasks in as many slots as fit, wave after wave.  A task of several nodes is
 * the only one of its element: what it leaves behind on the nodes where no
 * agent is, the scheduler ends with the element.
 */
#ifndef ARRAYS_PACKING_H
#define ARRAYS_PACKING_H

#include "arrays/task_range.h"
#include "signature/resources.h"

struct node_capacity { /* what one element may have at most */
    int cores;         /* for tasks */
    int gpus;
    int64_t memory_bytes; /* 0: unknown, not a limit */
    int reserved_cores;   /* more of them, for the system and the agent */
    /* Where the memory of a task is from the NUMA nodes of its cores alone and
     * these are known (else 0), for tasks of one shape:
     */
    int strict_tasks;          /* at a time */
    int64_t strict_task_bytes; /* the most memory of one */
    int64_t least_numa_bytes;  /* of the smallest NUMA node */
};

struct array_limits {
    int64_t elements;  /* per submission (the index bound); 0: none */
    int64_t running;   /* elements at a time; 0: none */
    double walltime_s; /* of an element; 0: none */
    int64_t submit;    /* elements queued and running at a time; 0: none */
};

/* Of two limits the one that counts, 0 being none. */
int64_t tighter_limit (int64_t a, int64_t b);

/* What a task may have too much of; where nothing is known of a node (0 cores)
 * or of a limit, nothing is too much.
 */
enum task_need {
    NEED_CORES,
    NEED_GPUS,
    NEED_MEMORY,
    NEED_WALLTIME,
    TASK_NEEDS
};

/* Its key in `task:`. */
const char *task_need_key (enum task_need need);

/* The most memory that a task may have on a node; 0: any. */
int64_t task_memory_most (const struct node_capacity *node);

/* False with 'err' "a task needs 8 cores and a node has 4; ...". */
bool task_need_fits (enum task_need need, const struct resources *task,
                     const struct node_capacity *node,
                     const struct array_limits *limits, struct error *err);

struct packing {
    int slots;           /* tasks at a time in an element */
    int64_t per_element; /* tasks of an element, at most */
    int64_t elements;    /* of all chunks together */
    int64_t chunks;      /* submissions */
    int64_t per_chunk;   /* elements of a chunk, at most */
    int cores;           /* of an element, on each of its nodes: with those
                            that are reserved where its tasks fill a node; all
                            where one NUMA node may not have the memory that
                            its tasks may have from nowhere else */
    int gpus;
    int64_t memory_bytes; /* 0: unstated */
    double walltime_s;    /* of an element; 0: unstated */
    int nodes;            /* of an element */
};

enum {
    ELEMENT_AIM_S = 300,  /* expected work of an element */
    ELEMENT_START_S = 2,  /* what starting one takes, about */
    ELEMENTS_AT_ONCE = 16 /* so many run at a time where no limit says it */
};

/* How long a task is taken to run: the mean of what was 'measured_s'; where
 * nothing was (0), a tenth of its walltime; 0: not known.
 */
double expected_task_s (const struct resources *task, double measured_s);

/* Plan 'tasks' tasks (>= 1).  Elements are as many as keep every slot of
 * limits.running elements busy.  Without that limit they are as many as give
 * each about ELEMENT_AIM_S of work, by the time a task is expected to take
 * ('measured_s' as above); where that is not known, an element's bundle grows
 * with the square root of the fan-out; never so few that ELEMENTS_AT_ONCE of
 * them are not busy.  Fewer when other limits ask; then waves, as many as the
 * walltime allows; then chunks, none larger than limits.elements and
 * limits.submit.  A task that fits no node or no walltime is an error that
 * names the numbers.
 */
int packing_plan (int64_t tasks, const struct resources *task,
                  double measured_s, const struct node_capacity *node,
                  const struct array_limits *limits, struct packing *packing,
                  struct error *err);

/* The part of a node that a task has: one by as many as fit; its nodes, of one
 * that has several.  0: it fits none.
 */
double packing_node_share (const struct resources *task,
                           const struct node_capacity *node);

/* How many tasks a slot of an element runs one after the other, at most. */
int64_t packing_waves (const struct packing *packing);

/* How limits.running is shared when there are several chunks: 'arrays' of them
 * at a time (0: any number), each throttled to 'running' (0: not), so that the
 * sum keeps to the limit and no part of it is left unused.  More arrays than
 * limits.submit lets one have queued never share.
 */
struct throttle {
    int64_t arrays;
    int64_t running;
};
struct throttle packing_throttle (int64_t chunks, int64_t per_chunk,
                                  const struct array_limits *limits);

/* Elements of chunk 'chunk' (from 0), and its share of the attempt's 'tasks',
 * which is added to 'share'.
 */
int64_t packing_chunk_elements (const struct packing *packing, int64_t chunk);
void packing_chunk_tasks (const struct packing *packing,
                          const struct task_range *tasks, int64_t chunk,
                          struct task_range *share);

/* The bundles of a chunk: its 'tasks' dealt to its 'elements' in order, as
 * evenly as can be.  Both the engine and the agents derive them from these two
 * values.  All of them ('bundles' has one initialised range for each element),
 * or that of one element only; tasks are added.
 */
void packing_deal (const struct task_range *tasks, int64_t elements,
                   struct task_range *bundles);
void packing_bundle (const struct task_range *tasks, int64_t elements,
                     int64_t element, struct task_range *bundle);

/* The element of a chunk that has 'task'; -1: none. */
int64_t packing_element_of (const struct task_range *tasks, int64_t elements,
                            int32_t task);

/* As it stands in the journal; the caller unrefs.  Reading checks every number
 * ('packing' is untouched on failure).
 */
struct json *packing_to_json (const struct packing *packing);
int packing_from_json (const struct json *v, struct packing *packing,
                       struct error *err);

#endif /* !ARRAYS_PACKING_H */
