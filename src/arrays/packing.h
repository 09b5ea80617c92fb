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

#include <stddef.h>
#include <stdint.h>

#include "arrays/task_range.h"
#include "signature/resources.h"

struct error;
struct strvec;

struct node_room { /* what one element may have at most */
    int cores;
    int gpus;
    int64_t memory_bytes; /* 0: unknown, not a limit */
};

struct array_limits {
    int64_t elements;  /* per submission (the index bound); 0: none */
    int64_t running;   /* elements at a time; 0: none */
    double walltime_s; /* of an element; 0: none */
    int64_t submit;    /* elements queued and running at a time; 0: none */
};

/* Of two limits the one that counts, 0 being none. */
int64_t tighter_limit (int64_t a, int64_t b);

struct packing {
    int slots;           /* tasks at a time in an element */
    int64_t per_element; /* tasks of an element, at most */
    int64_t elements;    /* of all chunks together */
    int64_t chunks;      /* submissions */
    int64_t per_chunk;   /* elements of a chunk, at most */
    int cores;           /* of an element, on each of its nodes */
    int gpus;
    int64_t memory_bytes; /* 0: unstated */
    double walltime_s;    /* of an element; 0: unstated */
    int nodes;            /* of an element */
};

/* Plan 'tasks' tasks (>= 1).  Elements are as many as keep every slot of
 * limits.running elements busy, fewer when limits ask; then waves, as many as
 * the walltime allows; then chunks, none larger than limits.elements and
 * limits.submit.  A task that fits no node or no walltime is an error that
 * names the numbers.
 */
int packing_plan (int64_t tasks,
                  const struct resources *task,
                  const struct node_room *node,
                  const struct array_limits *limits,
                  struct packing *packing,
                  struct error *err);

/* How limits.running is shared when there are several chunks: 'arrays' of them
 * at a time (0: any number), each throttled to 'running' (0: not), so that the
 * sum keeps to the limit and no part of it is left unused.  More arrays than
 * limits.submit lets one have queued never share.
 */
struct throttle {
    int64_t arrays;
    int64_t running;
};
struct throttle packing_throttle (int64_t chunks,
                                  int64_t per_chunk,
                                  const struct array_limits *limits);

/* Append the bundles of chunk 'chunk' (from 0): one "0-9,15" line per element,
 * of 'tasks' dealt in order, as evenly as can be.
 */
void packing_bundles (const struct packing *packing,
                      const struct task_range *tasks,
                      int64_t chunk,
                      struct strvec *bundles);

#endif /* !ARRAYS_PACKING_H */
