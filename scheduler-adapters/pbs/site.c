/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - what qstat -Bf, qstat -Qf and pbsnodes -a tell of a site */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/packing.h"
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "base/units.h"
#include "pbs/records.h"
#include "pbs/site.h"

/* --- server and queue --- */

enum { HISTORY_DEFAULT_S = 14 * 24 * 3600 };

/* The number of "KIND:NAME=NUMBER", else 0. */
static int64_t limit_of (const char *text, const char *kind, const char *name)
{
    size_t n = strlen (kind), len = strlen (name);
    long long number;

    if (strncmp (text, kind, n) != 0 || strncmp (text + n, name, len) != 0
        || text[n + len] != '=')
        return 0;
    number = strtoll (text + n + len + 1, NULL, 10);
    return number > 0 ? number : 0;
}

int64_t pbs_read_limit (const char *text, const char *user)
{
    struct strvec parts = STRVEC_INIT;
    int64_t all = 0, generic = 0, own = 0;

    strvec_split (&parts, text, "[], ");
    for (size_t i = 0; i < parts.n; i++) {
        const char *part = parts.v[i];

        all = tighter_limit (all, limit_of (part, "o:", "PBS_ALL"));
        generic = tighter_limit (generic, limit_of (part, "u:", "PBS_GENERIC"));
        own = tighter_limit (own, limit_of (part, "u:", user));
    }
    strvec_release (&parts);
    return tighter_limit (all, own > 0 ? own : generic);
}

/* TORQUE says max_job_array_size. */
static int tighten (const struct pbs_record *record,
                    void *arg,
                    struct error *err)
{
    struct pbs_site *site = arg;
    const char *queued = pbs_value (record, "max_queued");
    const char *walltime = pbs_value (record, "resources_max.walltime");
    double s;

    (void)err;
    site->max_array = tighter_limit (site->max_array,
                                     pbs_number (record, "max_array_size", 0));
    site->max_array = tighter_limit (
        site->max_array, pbs_number (record, "max_job_array_size", 0));
    if (queued)
        site->submit =
            tighter_limit (site->submit, pbs_read_limit (queued, site->user));
    if (walltime && parse_duration (walltime, &s) == 0 && s > 0
        && (site->walltime_s <= 0 || s < site->walltime_s))
        site->walltime_s = s;
    return 0;
}

static int take_server (const struct pbs_record *record,
                        void *arg,
                        struct error *err)
{
    struct pbs_site *site = arg;
    const char *history = pbs_value (record, "job_history_enable");
    const char *kept = pbs_value (record, "job_history_duration");
    const char *version = pbs_value (record, "pbs_version");
    const char *queue = pbs_value (record, "default_queue");

    site->history = history && strcmp (history, "True") == 0;
    if (!kept || parse_duration (kept, &site->history_s) < 0)
        site->history_s = HISTORY_DEFAULT_S;
    snprintf (site->version, sizeof (site->version), "%s",
              version ? version : "?");
    if (!site->queue[0] && queue)
        snprintf (site->queue, sizeof (site->queue), "%s", queue);
    return tighten (record, arg, err);
}

int pbs_read_server (const char *text,
                     size_t len,
                     void *site,
                     struct error *err)
{
    struct pbs_site read = *(struct pbs_site *)site;

    read.version[0] = '\0';
    if (pbs_read_records ("Server: ", text, len, take_server, &read, err) < 0)
        return -1;
    if (!read.version[0])
        return error_set (err, "qstat -Bf told of no server");
    *(struct pbs_site *)site = read;
    return 0;
}

int pbs_read_queue (const char *text, size_t len, void *site, struct error *err)
{
    return pbs_read_records ("Queue: ", text, len, tighten, site, err);
}

/* --- nodes --- */

struct shapes {
    struct pbs_node v[16]; /* a site with more kinds has no usual one */
    int nodes[16];
    size_t n;
};

/* "8gb", "16384kb": powers of 1024. */
static int64_t read_memory (const char *text)
{
    static const char units[] = "kmgt";
    char *end;
    long long n = text ? strtoll (text, &end, 10) : 0;
    const char *unit = n > 0 && *end ? strchr (units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;

    return n > 0 && n <= INT64_MAX >> shift ? (int64_t)n << shift : 0;
}

void pbs_read_node (const struct pbs_record *record,
                    const char *gres,
                    struct pbs_node *node)
{
    char *gpus = xasprintf ("resources_available.%s", gres ? gres : "ngpus");

    *node = (struct pbs_node){
        pbs_number (record, "resources_available.ncpus", 0),
        pbs_number (record, gpus, 0),
        read_memory (pbs_value (record, "resources_available.mem"))
    };
    free (gpus);
}

static int take_node (const struct pbs_record *record,
                      void *arg,
                      struct error *err)
{
    struct shapes *shapes = arg;
    struct pbs_node node;
    size_t i = 0;

    (void)err;
    pbs_read_node (record, NULL, &node);
    if (node.cores < 1 || node.cores > INT16_MAX || node.gpus < 0
        || node.gpus > INT16_MAX)
        return 0;
    while (i < shapes->n && memcmp (&shapes->v[i], &node, sizeof (node)) != 0)
        i++;
    if (i == ARRAY_SIZE (shapes->v))
        return 0;
    if (i == shapes->n)
        shapes->v[shapes->n++] = node;
    shapes->nodes[i]++;
    return 0;
}

int pbs_read_nodes (const char *text, size_t len, void *site, struct error *err)
{
    struct shapes shapes = { .n = 0 };
    struct pbs_site *into = site;
    size_t usual = 0;

    if (pbs_read_records ("", text, len, take_node, &shapes, err) < 0)
        return -1;
    for (size_t i = 1; i < shapes.n; i++) {
        if (shapes.nodes[i] > shapes.nodes[usual])
            usual = i;
    }
    into->node_cores = (int)shapes.v[usual].cores;
    into->node_gpus = (int)shapes.v[usual].gpus;
    into->node_memory_bytes = shapes.v[usual].memory_bytes;
    return 0;
}

/* --- cache --- */

struct json *pbs_site_to_json (const struct pbs_site *site)
{
    struct json *v = json_object ();

    json_set (v, "version", json_string (site->version));
    json_set (v, "history", json_bool (site->history));
    json_set (v, "max_array", json_int (site->max_array));
    json_set (v, "submit", json_int (site->submit));
    json_set (v, "walltime_s", json_real (site->walltime_s));
    json_set (v, "node_cores", json_int (site->node_cores));
    json_set (v, "node_gpus", json_int (site->node_gpus));
    json_set (v, "node_memory_bytes", json_int (site->node_memory_bytes));
    return v;
}

bool pbs_site_from_json (const struct json *v, struct pbs_site *site)
{
    struct pbs_site read = { 0 };
    const char *version;
    int64_t cores, gpus;

    if (json_want_string (v, "version", &version, NULL) < 0
        || json_want_bool (v, "history", &read.history, NULL) < 0
        || json_want_int (v, "max_array", &read.max_array, NULL) < 0
        || json_want_int (v, "submit", &read.submit, NULL) < 0
        || json_want_double (v, "walltime_s", &read.walltime_s, NULL) < 0
        || json_want_int (v, "node_cores", &cores, NULL) < 0
        || json_want_int (v, "node_gpus", &gpus, NULL) < 0
        || json_want_int (v, "node_memory_bytes", &read.node_memory_bytes, NULL)
               < 0)
        return false;
    read.node_cores = (int)cores;
    read.node_gpus = (int)gpus;
    snprintf (read.version, sizeof (read.version), "%s", version);
    *site = read;
    return true;
}
