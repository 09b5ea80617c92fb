/* SPDX-License-Identifier: BSD-3-Clause */
/* adapter.c - the list of adapters, and what does not depend on one */
#include "base/base.h"

#include "adapter.h"
#include "base/file.h"
#include "base/process.h"

/* A line for each, named as its folder: there it defines NAME_adapters, which
 * are its dialects.
 */
#define ADAPTERS                                                               \
    ADAPTER (local)                                                            \
    ADAPTER (slurm)                                                            \
    ADAPTER (pbs)                                                              \
    ADAPTER (allocation)

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

int scheduler_write_script (const struct scheduler *scheduler,
                            const struct array_job *job, const char *path,
                            struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf script = STRBUF_INIT;
    int rc = -1;

    if (scheduler->adapter->render (scheduler, job, &script, err) == ANSWER_OK
        && file_make_lasting_parent (path, err) == 0)
        rc = file_write_atomic (path, script.buf, script.len, err);
    return rc;
}

void scheduler_missing_programs (const char *const *programs,
                                 struct strbuf *missing)
{
    for (; programs && *programs; programs++) {
        _cleanup_free_ char *path = process_which (*programs, NULL);

        if (!path)
            strbuf_addf (missing, "%s%s", missing->len > 0 ? ", " : "",
                         *programs);
    }
}
