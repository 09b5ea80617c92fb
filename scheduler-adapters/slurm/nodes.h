/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.h - what sinfo tells of the nodes of partitions (pure) */
#ifndef SLURM_NODES_H
#define SLURM_NODES_H

#include <stdbool.h>
#include <stdint.h>

/* The columns asked of `sinfo --exact`, which groups nodes that are alike. */
#define SLURM_SINFO_FORMAT "%R|%D|%c|%m|%T|%G"

/* Nodes of one partition that are alike. */
struct slurm_nodes {
    const char *partition; /* strings are lent for the call */
    int64_t nodes;
    int64_t cpus;       /* of each */
    int64_t memory_mib; /* of each */
    bool usable;        /* not down, drained or the like */
    const char *gres;   /* "gpu:a100:4(S:0-1),fs:1"; "(null)" */
};

/* Call 'each' for every line of 'text' that has all columns; others are passed
 * over.
 */
void slurm_each_nodes (const char *text,
                       void (*each) (const struct slurm_nodes *nodes,
                                     void *arg),
                       void *arg);

/* What most nodes of 'partition' have (of equally many the fewer cores), asked
 * with SLURM_SINFO_FORMAT.  False: there are none.
 */
struct slurm_node {
    int64_t cpus;
    int64_t memory_mib; /* 0: not told */
    int64_t gpus;
};

bool slurm_common_node (const char *text,
                        const char *partition,
                        struct slurm_node *node);

/* How many of what the profile calls 'name' ("gpu", "gpu:a100") a node with
 * 'gres' has.
 */
int64_t slurm_gres_count (const char *gres, const char *name);

#endif /* !SLURM_NODES_H */
