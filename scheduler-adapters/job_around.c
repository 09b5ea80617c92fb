/* SPDX-License-Identifier: BSD-3-Clause */
/* job_around.c - the job that the calling process is part of */
#include "config.h"

#include <stdlib.h>

#include "adapter.h"
#include "command_scheduler.h"
#include "job_around.h"

bool job_around_find (struct job_around *around)
{
    const struct scheduler_adapter *adapter;

    for (size_t i = 0; (adapter = scheduler_adapter_at (i)); i++) {
        const struct command_scheduler *commands = adapter->commands;
        const char *id = commands && commands->job_nodes
                             ? getenv (commands->job_variable)
                             : NULL;
        int nodes;

        if (!id || !commands->is_id (id))
            continue;
        nodes = commands->job_nodes ();
        *around = (struct job_around){
            .adapter = adapter,
            .id = id,
            .nodes = nodes > 0 ? nodes : 1,
            .node = commands->node_variable ? getenv (commands->node_variable)
                                            : NULL,
        };
        return true;
    }
    return false;
}
