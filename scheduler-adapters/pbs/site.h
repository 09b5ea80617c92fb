/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - what `qstat -Bf` and `qstat -Qf` tell of a site (pure) */
#ifndef PBS_SITE_H
#define PBS_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json;

struct pbs_site {
    char server[64];
    char version[32];
    char queue[64];    /* the default one; "": none */
    bool history;      /* jobs that have ended are shown, by -x */
    int64_t max_array; /* elements of an array; 0: no limit is told */
    int64_t submit;    /* elements queued at a time; 0: no limit */
    double walltime_s; /* 0: no limit */
};

/* Read the answer of `qstat -Bf`, or of `qstat -Qf QUEUE`, whose limits make
 * those in 'site' tighter.  'user' has limits of his own.  -1 with 'err': it is
 * no such answer.
 */
int pbs_read_server (const char *text,
                     size_t len,
                     const char *user,
                     struct pbs_site *site,
                     struct error *err);
int pbs_read_queue (const char *text,
                    size_t len,
                    const char *user,
                    struct pbs_site *site,
                    struct error *err);

/* The smallest number that a limit such as "[u:PBS_GENERIC=5],[u:me=9]" or
 * "[o:PBS_ALL=100]" sets to 'user'; one of his own counts before the generic
 * one.  0: none.
 */
int64_t pbs_read_limit (const char *text, const char *user);

/* For the cache. */
struct json *pbs_site_to_json (const struct pbs_site *site);
bool pbs_site_from_json (const struct json *v, struct pbs_site *site);

#endif /* !PBS_SITE_H */
