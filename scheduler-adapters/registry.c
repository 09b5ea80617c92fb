/* SPDX-License-Identifier: BSD-3-Clause */
/* registry.c - the list of adapters */
#include "config.h"

#include <string.h>

#include "adapter.h"
#include "base/compiler.h"

/* A line for each, named as its folder: there it defines NAME_adapters, which
 * are its dialects.
 */
#define ADAPTERS                                                               \
    ADAPTER (local)                                                            \
    ADAPTER (slurm)                                                            \
    ADAPTER (pbs)

#define ADAPTER(name)                                                          \
    extern const struct scheduler_adapter *const name##_adapters[];
ADAPTERS
#undef ADAPTER

#define ADAPTER(name) name##_adapters,
static const struct scheduler_adapter *const *const families[] = { ADAPTERS };
#undef ADAPTER

const struct scheduler_adapter *scheduler_adapter_at (size_t i)
{
    for (size_t f = 0; f < ARRAY_SIZE (families); f++) {
        for (size_t d = 0; families[f][d]; d++) {
            if (i-- == 0)
                return families[f][d];
        }
    }
    return NULL;
}

const struct scheduler_adapter *scheduler_adapter_find (const char *name)
{
    const struct scheduler_adapter *adapter;

    for (size_t i = 0; (adapter = scheduler_adapter_at (i)); i++) {
        if (strcmp (adapter->name, name) == 0)
            return adapter;
    }
    return NULL;
}
