/* SPDX-License-Identifier: BSD-3-Clause */
/* contents.h - digests of what artifacts hold
 *
 * What two paths lead to is the same when its digest is.  Those of what stages
 * made are in outputs.json, and are compared with what is there now; others are
 * read, once each.
 */
#ifndef ENGINE_CONTENTS_H
#define ENGINE_CONTENTS_H

#include "base/digest.h"
#include "base/digest_cache.h"
#include "engine/history/made.h"

struct heartbeat;
struct outputs_store;
struct port;

struct contents {
    const char *dir;     /* the campaign's */
    struct json *sha256; /* {PATH: DIGEST} */
    struct made made;    /* what stages made */
    struct json *copied; /* {COPY: PATH}: of which a file is a copy */
    const struct heartbeat *heartbeat;
    struct digest_cache cache; /* of files that no stage made; read when the
                                  first is looked at */
    struct strbuf text;        /* of the task at hand */
};

/* As made_init. */
void contents_init (struct contents *contents, const char *dir,
                    const struct outputs_store *outputs, bool always,
                    const struct heartbeat *heartbeat);
void contents_release (struct contents *contents);

/* SHA-256 of what 'path' (absolute) is now. */
int contents_digest (struct contents *contents, const char *path,
                     char hex[DIGEST_HEX_SIZE], struct error *err);

/* Keep the digests of files that were read, for who holds the lease: a cache,
 * so it does not matter if that fails.
 */
void contents_keep (struct contents *contents);

/* The digest of what 'path', relative to the campaign, leads to: lent; NULL
 * with 'err', also where it is what a stage made, and was changed since.
 */
struct json *contents_of_path (struct contents *contents, const char *path,
                               struct error *err);

/* 'value' of 'port' with digests in place of paths, and of frames; a new
 * reference, NULL with 'err'.
 */
struct json *contents_of (struct contents *contents, const struct port *port,
                          struct json *value, struct error *err);

/* {NAME: contents} of those of 'values' that are inputs among 'ports'; NULL
 * with 'err'.
 */
struct json *contents_of_all (struct contents *contents,
                              const struct port *ports,
                              const struct json *values, struct error *err);

#endif /* !ENGINE_CONTENTS_H */
