/* SPDX-License-Identifier: BSD-3-Clause */
/* resources.h - what one task needs while it runs */
#ifndef SIGNATURE_RESOURCES_H
#define SIGNATURE_RESOURCES_H

/* Of the whole task: each of its nodes gives an equal share. */
struct resources {
    int ranks; /* MPI processes, a multiple of nodes; 1: none needed */
    int cores; /* all ranks together; a multiple of ranks */
    int gpus;
    int64_t memory_bytes; /* 0: not stated */
    double walltime_s;    /* 0: not stated */
    int nodes;            /* at most 1: a share of one */
    int gpu_share;        /* n > 1: 'gpus' is 1, which n tasks share */
    int core_share;       /* n > 1: 'cores' is 1, which n instances of programs
                             of a group share; of nothing else */
    bool memory_auto;     /* memory_bytes: as long as nothing was learned */
    bool walltime_auto;
};

enum { SHARE_MAX = 16 };

/* How many share a device or a core of which each has this part (0.5: 2; 0.33:
 * 3); -1 when it is no 1/n, or too small.
 */
int share_of_part (double part);

/* "2 cores", "1 core", "1/3 core" */
void format_cores (const struct resources *resources, struct strbuf *out);

/* What each of its nodes gives; itself where it needs one.  What cannot be
 * shared evenly is rounded up.
 */
struct resources resources_of_node (const struct resources *resources);

struct json *resources_to_json (const struct resources *resources);
int resources_from_json (const struct json *v, struct resources *resources,
                         struct error *err);

#endif /* !SIGNATURE_RESOURCES_H */
