/* SPDX-License-Identifier: BSD-3-Clause */
/* site_cache.h - what a site told, remembered for some minutes */
#ifndef SCHEDULER_SITE_CACHE_H
#define SCHEDULER_SITE_CACHE_H

struct json;
struct scheduler;

/* The record that was put for the same 'adapter', 'cluster' (what tells one
 * from another; NULL: nothing does), queue, account and QOS less than ten
 * minutes ago, or NULL.  Caller unrefs.
 */
struct json *site_cache_get (const struct scheduler *scheduler,
                             const char *adapter,
                             const char *cluster);

/* Remember 'site', whose reference is taken over.  It only saves time: failing
 * is no matter.
 */
void site_cache_put (const struct scheduler *scheduler,
                     const char *adapter,
                     const char *cluster,
                     struct json *site);

#endif /* !SCHEDULER_SITE_CACHE_H */
