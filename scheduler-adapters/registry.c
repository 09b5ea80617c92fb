/* SPDX-License-Identifier: BSD-3-Clause */
/* registry.c - the list of adapters */
#include "config.h"

#include <string.h>

#include "adapter.h"
#include "local/local.h"
#include "pbs/pbs.h"
#include "slurm/slurm.h"

static const struct scheduler_adapter *const adapters[] = {
    &local_adapter,
    &slurm_adapter,
    &pbs_adapter,
    &torque_adapter,
    NULL,
};

const struct scheduler_adapter *const *scheduler_adapters (void)
{
    return adapters;
}

const struct scheduler_adapter *scheduler_adapter_find (const char *name)
{
    for (size_t i = 0; adapters[i]; i++) {
        if (strcmp (adapters[i]->name, name) == 0)
            return adapters[i];
    }
    return NULL;
}

const char *answer_name (enum answer answer)
{
    switch (answer) {
    case ANSWER_OK:
        return "ok";
    case ANSWER_TRY_LATER:
        return "try later";
    case ANSWER_REFUSED:
        return "refused";
    case ANSWER_BROKEN:
        return "broken";
    }
    return "?";
}
