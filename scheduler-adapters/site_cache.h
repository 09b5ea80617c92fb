/* SPDX-License-Identifier: BSD-3-Clause */
/* site_cache.h - what a site told, remembered for some minutes */
#ifndef SCHEDULER_SITE_CACHE_H
#define SCHEDULER_SITE_CACHE_H

#include "site.h"

/* The facts that were put for the same adapter, 'cluster' (what tells one from
 * another; NULL: nothing does), queue, account and QOS less than ten minutes
 * ago; false: there are none.
 */
bool site_cache_get (const struct scheduler *scheduler,
                     const char *cluster,
                     struct site_facts *facts);

/* It only saves time: failing is no matter. */
void site_cache_put (const struct scheduler *scheduler,
                     const char *cluster,
                     const struct site_facts *facts);

/* What the file holds (pure).  A record that cannot be read is none. */
struct json;
struct json *site_facts_to_json (const struct site_facts *facts);
bool site_facts_from_json (const struct json *v, struct site_facts *facts);

#endif /* !SCHEDULER_SITE_CACHE_H */
