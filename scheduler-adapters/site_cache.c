/* SPDX-License-Identifier: BSD-3-Clause */
/* site_cache.c - what a site told, remembered for some minutes */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "adapter.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "site_cache.h"

/* How old what is remembered may be. */
#define FRESH_S 600.0

static uint64_t hash_word (uint64_t hash, const char *word)
{
    return hash_string (hash, word ? word : "");
}

/* A file for each cluster, queue, account and QOS; NULL without a directory. */
static char *cache_path (const struct scheduler *scheduler,
                         const char *adapter,
                         const char *cluster)
{
    uint64_t hash = hash_word (0, cluster);

    if (!scheduler->cache_dir)
        return NULL;
    hash = hash_word (hash_word (hash, scheduler->queue), scheduler->account);
    hash = hash_word (hash, scheduler->qos);
    return xasprintf ("%s/%s-%016" PRIx64 ".json", scheduler->cache_dir,
                      adapter, hash);
}

struct json *site_cache_get (const struct scheduler *scheduler,
                             const char *adapter,
                             const char *cluster)
{
    char *path = cache_path (scheduler, adapter, cluster);
    struct json *v = path ? json_read_file (path, NULL) : NULL;
    double age_s = clock_wall_s () - json_as_double (json_get (v, "read_s"));
    struct json *site = NULL;

    if (v && json_as_int (json_get (v, "format")) == 1 && age_s >= 0
        && age_s < FRESH_S)
        site = json_ref (json_get (v, "site"));
    json_unref (v);
    free (path);
    return site;
}

void site_cache_put (const struct scheduler *scheduler,
                     const char *adapter,
                     const char *cluster,
                     struct json *site)
{
    char *path = cache_path (scheduler, adapter, cluster);
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "read_s", json_real (clock_wall_s ()));
    json_set (v, "site", site);
    if (path && file_make_dirs (scheduler->cache_dir, NULL) == 0)
        json_write_file (path, v, NULL);
    json_unref (v);
    free (path);
}
