/* SPDX-License-Identifier: BSD-3-Clause */
/* resources.c - what one task needs while it runs */
#include "config.h"

#include <inttypes.h>
#include <limits.h>

#include "base/error.h"
#include "base/json.h"
#include "signature/resources.h"

struct json *resources_to_json (const struct resources *resources)
{
    struct json *v = json_object ();

    json_set (v, "ranks", json_int (resources->ranks));
    json_set (v, "cores", json_int (resources->cores));
    json_set (v, "gpus", json_int (resources->gpus));
    json_set (v, "memory_bytes", json_int (resources->memory_bytes));
    json_set (v, "walltime_s", json_real (resources->walltime_s));
    json_set (v, "nodes",
              json_int (resources->nodes > 1 ? resources->nodes : 1));
    return v;
}

/* A count of at least 'least' that fits an int. */
static int want_count (const struct json *v,
                       const char *key,
                       int least,
                       int *out,
                       struct error *err)
{
    int64_t n;

    if (json_want_int (v, key, &n, err) < 0)
        return -1;
    if (n < least || n > INT_MAX)
        return error_set (err, "key '%s': %" PRId64 " is not in %d..%d", key, n,
                          least, INT_MAX);
    *out = (int)n;
    return 0;
}

int resources_from_json (const struct json *v,
                         struct resources *resources,
                         struct error *err)
{
    struct resources read = { .nodes = 1 };

    if (want_count (v, "ranks", 1, &read.ranks, err) < 0
        || want_count (v, "cores", 1, &read.cores, err) < 0
        || want_count (v, "gpus", 0, &read.gpus, err) < 0
        || json_want_int (v, "memory_bytes", &read.memory_bytes, err) < 0
        || json_want_double (v, "walltime_s", &read.walltime_s, err) < 0
        /* Older files do not have it. */
        || (json_get (v, "nodes")
            && want_count (v, "nodes", 1, &read.nodes, err) < 0))
        return -1;
    if (read.memory_bytes < 0 || read.walltime_s < 0)
        return error_set (err, "negative memory or walltime");
    if (read.cores % read.ranks != 0)
        return error_set (err, "%d cores cannot be shared by %d ranks",
                          read.cores, read.ranks);
    if (read.ranks % read.nodes != 0)
        return error_set (err, "%d ranks cannot be shared by %d nodes",
                          read.ranks, read.nodes);
    *resources = read;
    return 0;
}

struct resources resources_of_node (const struct resources *resources)
{
    struct resources share = *resources;
    int n = resources->nodes;

    share.nodes = 1;
    if (n <= 1)
        return share;
    share.ranks = (share.ranks - 1) / n + 1;
    share.cores = (share.cores - 1) / n + 1;
    share.gpus = share.gpus / n + (share.gpus % n > 0);
    share.memory_bytes = share.memory_bytes / n + (share.memory_bytes % n > 0);
    return share;
}
