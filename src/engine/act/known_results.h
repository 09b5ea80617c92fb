/* SPDX-License-Identifier: BSD-3-Clause */
/* known_results.h - what the store's documents of a stage's identity tell */
#ifndef ENGINE_KNOWN_RESULTS_H
#define ENGINE_KNOWN_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/act/result_table.h"

struct error;
struct heartbeat;
struct json;
struct store;

/* What one stage of one iteration of some campaign made. */
struct known {
    struct json *document;
    struct result_table table;
};

struct known_results {
    struct known *v; /* the newest first */
    size_t n;
};

/* The result for a task. */
struct match {
    int32_t task;
    uint32_t known; /* of known_results.v */
    int64_t number; /* of the entry in its table */
};

/* The documents with 'identity'; the newest KNOWN_RESULTS_MAX of them. */
enum { KNOWN_RESULTS_MAX = 128 };
int known_results_find (struct known_results *known, struct store *store,
                        const char *identity, struct error *err);
void known_results_release (struct known_results *known);

/* Open their tables, which are placed in 'dir' for a moment; those that cannot
 * be read know nothing, and are left out.
 */
void known_results_open (struct known_results *known, struct store *store,
                         const char *dir, const struct heartbeat *heartbeat);

/* Take a result with 'identity' for 'task'.  False: there is none. */
bool known_results_take (struct known_results *known, int32_t task,
                         const char *identity, struct match *match);

#endif /* !ENGINE_KNOWN_RESULTS_H */
