/* SPDX-License-Identifier: BSD-3-Clause */
/* history.h - states made from events written as text, for the engine's tests
 * (quoted_json.h)
 */
#ifndef TESTS_HISTORY_H
#define TESTS_HISTORY_H

#include "base/json.h"
#include "engine/history/state.h"
#include "quoted_json.h"

/* How an attempt was packed, for its event: chunks of at most 'per_chunk'
 * elements each.
 */
#define PACKED(elements, chunks, per_chunk)                                    \
    "'packing':{'slots':1,'per_element':1,'elements':" elements                \
    ",'chunks':" chunks ",'per_chunk':" per_chunk                              \
    ",'cores':1,'gpus':0,'memory_bytes':0,'walltime_s':0.0,'nodes':1},"        \
    "'task':{'ranks':1,'cores':1,'gpus':0,'memory_bytes':0,'walltime_s':0.0,"  \
    "'nodes':1}"

/* Fold in what must fit. */
static inline void happen (struct state *state, const char *text)
{
    struct json *event = json_of (text);
    struct error err = ERROR_INIT;

    json_set (event, "n", json_int (state->n + 1));
    if (state_apply (state, event, &err) < 0)
        fail_msg ("%s: %s", text, err.text);
    json_unref (event);
}

/* Fold in a NULL-terminated list of events. */
static inline void happen_all (struct state *state, const char *const *texts)
{
    for (; *texts; texts++)
        happen (state, *texts);
}

#endif /* !TESTS_HISTORY_H */
