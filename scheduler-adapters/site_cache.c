/* SPDX-License-Identifier: BSD-3-Clause */
/* site_cache.c - what a site told, remembered for some minutes */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "site_cache.h"

/* How old what is remembered may be. */
#define FRESH_S 600.0

enum { FORMAT = 2 };

static uint64_t hash_word (uint64_t hash, const char *word)
{
    return hash_string (hash, word ? word : "");
}

/* A file for each cluster, queue, account and QOS; NULL without a directory. */
static char *cache_path (const struct scheduler *scheduler, const char *cluster)
{
    uint64_t hash = hash_word (0, cluster);

    if (!scheduler->cache_dir)
        return NULL;
    hash = hash_word (hash_word (hash, scheduler->queue), scheduler->account);
    hash = hash_word (hash, scheduler->qos);
    return xasprintf ("%s/%s-%016" PRIx64 ".json", scheduler->cache_dir,
                      scheduler->adapter->name, hash);
}

struct json *site_facts_to_json (const struct site_facts *facts)
{
    const struct scheduler_limits *limits = &facts->limits;
    struct json *v = json_object ();

    json_set (v, "elements", json_int (limits->elements));
    json_set (v, "submit", json_int (limits->submit));
    json_set (v, "walltime_s", json_real (limits->walltime_s));
    json_set (v, "node_cores", json_int (limits->node_cores));
    json_set (v, "node_gpus", json_int (limits->node_gpus));
    json_set (v, "node_memory_bytes", json_int (limits->node_memory_bytes));
    json_set (v, "shown_s", json_real (facts->shown_s));
    json_set (v, "accounting", json_bool (facts->accounting));
    return v;
}

bool site_facts_from_json (const struct json *v, struct site_facts *facts)
{
    struct site_facts read = { .shown_s = 0 };
    struct scheduler_limits *limits = &read.limits;
    int64_t cores, gpus;

    if (json_want_int (v, "elements", &limits->elements, NULL) < 0
        || json_want_int (v, "submit", &limits->submit, NULL) < 0
        || json_want_double (v, "walltime_s", &limits->walltime_s, NULL) < 0
        || json_want_int (v, "node_cores", &cores, NULL) < 0
        || json_want_int (v, "node_gpus", &gpus, NULL) < 0
        || json_want_int (v, "node_memory_bytes", &limits->node_memory_bytes,
                          NULL)
               < 0
        || json_want_double (v, "shown_s", &read.shown_s, NULL) < 0
        || json_want_bool (v, "accounting", &read.accounting, NULL) < 0)
        return false;
    limits->node_cores = (int)cores;
    limits->node_gpus = (int)gpus;
    *facts = read;
    return true;
}

bool site_cache_get (const struct scheduler *scheduler,
                     const char *cluster,
                     struct site_facts *facts)
{
    char *path = cache_path (scheduler, cluster);
    struct json *v = path ? json_read_file (path, NULL) : NULL;
    double age_s = clock_wall_s () - json_as_double (json_get (v, "read_s"));
    bool fresh = json_as_int (json_get (v, "format")) == FORMAT && age_s >= 0
                 && age_s < FRESH_S
                 && site_facts_from_json (json_get (v, "site"), facts);

    json_unref (v);
    free (path);
    return fresh;
}

void site_cache_put (const struct scheduler *scheduler,
                     const char *cluster,
                     const struct site_facts *facts)
{
    char *path = cache_path (scheduler, cluster);
    struct json *v = json_object ();

    json_set (v, "format", json_int (FORMAT));
    json_set (v, "read_s", json_real (clock_wall_s ()));
    json_set (v, "site", site_facts_to_json (facts));
    if (path && file_make_dirs (scheduler->cache_dir, NULL) == 0)
        json_write_file (path, v, NULL);
    json_unref (v);
    free (path);
}
