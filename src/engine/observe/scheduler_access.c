/* SPDX-License-Identifier: BSD-3-Clause */
/* scheduler_access.c - how the scheduler of a profile is reached */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "campaign/plan.h"
#include "campaign/strict_memory.h"
#include "engine/history/engine.h"
#include "engine/observe/scheduler_access.h"
#include "placement/node_gpus.h"
#include "placement/slots.h"
#include "space/layout.h"

static void call_lasts (void *arg)
{
    struct engine *engine = arg;

    engine_heartbeat (engine);
    if (engine->on_wait)
        engine->on_wait (engine->asking, engine->on_event_arg);
}

const struct scheduler_adapter *engine_scheduler (struct engine *engine,
                                                  const struct profile *profile,
                                                  struct scheduler *scheduler)
{
    memset (scheduler, 0, sizeof (*scheduler));
    scheduler->adapter = engine->adapter
                             ? engine->adapter
                             : scheduler_adapter_find (profile->scheduler);
    if (!engine->default_spool)
        engine->default_spool = node_spool ();
    scheduler->spool = profile->spool ? profile->spool : engine->default_spool;
    if (!engine->cache_dir)
        engine->cache_dir = path_join (engine->dir, LAYOUT_SITE_DIR);
    scheduler->queue = profile->queue;
    scheduler->account = profile->account;
    scheduler->qos = profile->qos;
    scheduler->cache_dir = engine->cache_dir;
    scheduler->deadline_s = profile->call_s;
    scheduler->heartbeat = (struct heartbeat){ call_lasts, engine };
    engine->asking = profile;
    scheduler->agents = profile->agents;
    if (scheduler->adapter->shared_spool) {
        if (!engine->shared_spool)
            engine->shared_spool =
                path_join (engine->dir, LAYOUT_ALLOCATION_DIR);
        scheduler->spool = engine->shared_spool;
    }
    scheduler->own = engine->adapter_own;
    return scheduler->adapter;
}

int node_capacity_of (const struct profile *profile,
                      const struct resources *task,
                      const struct scheduler_limits *site,
                      struct node_capacity *room, struct error *err)
{
    struct node_capacity all = profile->node;

    if (profile->node.cores > 0) {
        *room = profile->node; /* site.yaml was read so */
        strict_memory_count (profile, task, true, room);
        return 0;
    }
    if (profile_runs_here (profile)) {
        if (granted_cores (&profile->rules, &all.cores, &all.reserved_cores,
                           NULL, err)
            < 0)
            return -1;
    } else if (site && site->node_cores > 0) {
        all = (struct node_capacity){ .cores = site->node_cores,
                                      .gpus = site->node_gpus,
                                      .memory_bytes = site->node_memory_bytes,
                                      .reserved_cores =
                                          profile->rules.reserved_cores };
    } else {
        return error_set (err,
                          "profile '%s' does not say what a node has%s; add "
                          "node: {cores: N, memory: SIZE}",
                          profile->name,
                          site ? ", nor does the scheduler"
                               : " (the scheduler is asked when it runs)");
    }
    if (all.reserved_cores >= all.cores)
        return error_set (err,
                          "profile '%s' reserves %d cores and a node has %d; "
                          "lower reserved_cores",
                          profile->name, all.reserved_cores, all.cores);
    all.cores -= all.reserved_cores;
    strict_memory_count (profile, task, true, &all);
    *room = all;
    return 0;
}

struct array_limits limits_at_site (const struct profile *profile,
                                    const struct scheduler_limits *site)
{
    struct array_limits limits = profile->limits;

    limits.elements = tighter_limit (limits.elements, site->elements);
    limits.submit = tighter_limit (limits.submit, site->submit);
    if (site->walltime_s > 0
        && (limits.walltime_s <= 0 || site->walltime_s < limits.walltime_s))
        limits.walltime_s = site->walltime_s;
    return limits;
}
