/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - what `scontrol show` and `sacctmgr show` tell of a site (pure) */
#ifndef SLURM_SITE_H
#define SLURM_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct json;

struct slurm_site {
    char version[32]; /* "22.05.8"; "": not told */
    char cluster[64];
    int64_t max_array;    /* MaxArraySize: one more than the largest index;
                             0: not told */
    int64_t max_tasks;    /* max_array_tasks; 0: none */
    int64_t max_jobs;     /* MaxJobCount, of all users; 0: not told */
    double min_job_age_s; /* how long ended jobs are shown; 0: not told */
    bool accounting;      /* sacct can answer */
    bool enforces_limits; /* of accounts and QOS, on submission */
    double walltime_s;    /* of the partition; 0: no limit */
    int64_t submit;       /* what accounting lets the user have queued and
                             running (submit_limits.h); 0: anything */
    char partition_qos[64]; /* of the partition itself; "": none */
    int64_t node_cpus;      /* what most nodes of the partition have; 0: not
                               told */
    int64_t node_memory_mib;
    int64_t node_gpus;
};

/* Read the answer of `scontrol show config`: what is there is filled in, the
 * rest stays.  False when it is no such answer (no MaxArraySize).
 */
bool slurm_read_config (const char *text, struct slurm_site *site);

/* The value of one setting in that answer (the last one, should there be more),
 * or NULL.  Caller frees.
 */
char *slurm_config_value (const char *text, const char *key);

/* ... of `scontrol --oneliner show partition [NAME]`: walltime and QOS of the
 * partition called 'name', or of the default one (NULL).  False: it is not
 * there.
 */
bool slurm_read_partition (const char *text,
                           const char *name,
                           struct slurm_site *site);

/* The line of partition 'name' (NULL: the default one) in that answer, or NULL.
 * Caller frees.
 */
char *slurm_find_partition (const char *text, const char *name);

/* The value of "KEY=value" in such a line, or NULL; caller frees.  The same as
 * a time in seconds; 0: none or no limit.
 */
char *slurm_record_value (const char *record, const char *key);
double slurm_record_time (const char *record, const char *key);

/* Slurm's "UNLIMITED", "60", "1:00", "1-00:00:00", "300 sec" -> seconds; 0 for
 * no limit, -1 for something else.
 */
double slurm_read_minutes (const char *text);

/* What squeue calls TIME_LEFT, on a line of its own, -> seconds; INFINITY
 * without limit, -1 for something else.
 */
double slurm_read_time_left (const char *text);

/* For the cache. */
struct json *slurm_site_to_json (const struct slurm_site *site);
bool slurm_site_from_json (const struct json *v, struct slurm_site *site);

#endif /* !SLURM_SITE_H */
