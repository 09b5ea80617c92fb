/* SPDX-License-Identifier: BSD-3-Clause */
/* resources.h - what one task needs while it runs */
#ifndef SIGNATURE_RESOURCES_H
#define SIGNATURE_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct error;
struct json;

/* Of the whole task: each of its nodes gives an equal share. */
struct resources {
    int ranks; /* MPI processes, a multiple of nodes; 1: none needed */
    int cores; /* all ranks together; a multiple of ranks */
    int gpus;
    int64_t memory_bytes; /* 0: not stated */
    double walltime_s;    /* 0: not stated */
    int nodes;            /* at most 1: a share of one */
    int gpu_share;        /* n > 1: 'gpus' is 1, which n tasks share */
    bool memory_auto;     /* memory_bytes: as long as nothing was learned */
    bool walltime_auto;
};

enum { TASKS_ON_GPU_MAX = 16 };

/* How many tasks share a GPU of which each has this part (0.5: 2; 0.33: 3); -1
 * when it is no 1/n, or too small.
 */
int gpu_share_of (double part);

/* What each of its nodes gives; itself where it needs one.  What cannot be
 * shared evenly is rounded up.
 */
struct resources resources_of_node (const struct resources *resources);

struct json *resources_to_json (const struct resources *resources);
int resources_from_json (const struct json *v, struct resources *resources,
                         struct error *err);

#endif /* !SIGNATURE_RESOURCES_H */
