/* SPDX-License-Identifier: BSD-3-Clause */
/* resources.c - what one task needs while it runs */
#include "base/base.h"

#include "base/json.h"
#include "base/json_record.h"
#include "signature/resources.h"

static const struct json_field fields[] = {
    JSON_FIELD (struct resources, ranks, COUNT, .least = 1),
    JSON_FIELD (struct resources, cores, COUNT, .least = 1),
    JSON_FIELD (struct resources, gpus, COUNT),
    JSON_FIELD (struct resources, memory_bytes, COUNT),
    JSON_FIELD (struct resources, walltime_s, REAL),
    JSON_FIELD (struct resources, nodes, COUNT, .least = 1, .optional = true),
    JSON_FIELD (struct resources, gpu_share, COUNT, .most = SHARE_MAX,
                .optional = true),
    JSON_FIELDS_END,
};

/* Those that need not be there; they are written where they say something. */
static const struct json_field rare[] = {
    JSON_FIELD (struct resources, core_share, COUNT, .most = SHARE_MAX,
                .optional = true),
    JSON_FIELD (struct resources, memory_auto, BOOL, .optional = true),
    JSON_FIELD (struct resources, walltime_auto, BOOL, .optional = true),
    JSON_FIELDS_END,
};

int share_of_part (double part)
{
    double n = part > 0 ? round (1 / part) : 0;

    return n >= 1 && n <= SHARE_MAX && fabs (part * n - 1) < 0.02 ? (int)n : -1;
}

void format_cores (const struct resources *resources, struct strbuf *out)
{
    if (resources->core_share > 1)
        strbuf_addf (out, "1/%d core", resources->core_share);
    else
        strbuf_addf (out, "%d core%s", resources->cores,
                     resources->cores == 1 ? "" : "s");
}

struct json *resources_to_json (const struct resources *resources)
{
    struct resources written = *resources;
    struct json *v = json_object ();

    if (written.nodes < 1)
        written.nodes = 1;
    json_record_write (&written, fields, v);
    if (written.core_share > 1)
        json_set (v, "core_share", json_int (written.core_share));
    if (written.memory_auto)
        json_set (v, "memory_auto", json_bool (true));
    if (written.walltime_auto)
        json_set (v, "walltime_auto", json_bool (true));
    return v;
}

int resources_from_json (const struct json *v, struct resources *resources,
                         struct error *err)
{
    struct resources read = { .nodes = 1 };

    if (json_record_read (v, fields, &read, err) < 0
        || json_record_read (v, rare, &read, err) < 0)
        return -1;
    if (read.walltime_s < 0)
        return error_set (err, "key 'walltime_s': expected 0 or more, got %g",
                          read.walltime_s);
    if (read.gpu_share > 1 && (read.gpus != 1 || read.nodes > 1))
        return error_set (err, "a share of a GPU is of one, on one node");
    if (read.core_share > 1
        && (read.cores != 1 || read.ranks != 1 || read.gpus > 0))
        return error_set (err, "a share of a core is of one, without GPUs");
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
