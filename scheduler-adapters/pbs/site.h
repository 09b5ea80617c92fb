/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - what qstat -Bf, qstat -Qf and pbsnodes -a tell of a site (pure) */
#ifndef PBS_SITE_H
#define PBS_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json;
struct pbs_record;

struct pbs_node {
    int64_t cores; /* 0: not told */
    int64_t gpus;
    int64_t memory_bytes;
};

/* 'gres' is what a GPU is called; NULL: ngpus. */
void pbs_read_node (const struct pbs_record *record,
                    const char *gres,
                    struct pbs_node *node);

struct pbs_site {
    char user[64];     /* who asks, and may have limits of his own */
    char queue[64];    /* the one meant; "": the server's default */
    char version[32];  /* "23.06.06"; "": not told */
    bool history;      /* jobs that have ended are shown, by -x */
    double history_s;  /* ... for so long; not remembered */
    int64_t max_array; /* elements of an array; 0: no limit is told */
    int64_t submit;    /* elements queued at a time; 0: no limit */
    double walltime_s; /* 0: no limit */
    int node_cores;    /* what most nodes have; 0: not told */
    int node_gpus;
    int64_t node_memory_bytes;
};

/* Each reads the answer of one command into 'site', a struct pbs_site, and
 * makes its limits tighter; -1 with 'err': it is no such answer.
 */
int pbs_read_server (const char *text, size_t len, void *site, struct error *);
int pbs_read_queue (const char *text, size_t len, void *site, struct error *);
int pbs_read_nodes (const char *text, size_t len, void *site, struct error *);

/* The smallest number that a limit such as "[u:PBS_GENERIC=5],[u:me=9]" or
 * "[o:PBS_ALL=100]" sets to 'user'; one of his own counts before the generic
 * one.  0: none.
 */
int64_t pbs_read_limit (const char *text, const char *user);

/* For the cache. */
struct json *pbs_site_to_json (const struct pbs_site *site);
bool pbs_site_from_json (const struct json *v, struct pbs_site *site);

#endif /* !PBS_SITE_H */
