/* SPDX-License-Identifier: BSD-3-Clause */
/* identity.h - what a task's result depends on, as one SHA-256
 *
 * Of the operator as stage.json has it, version included (but for how and where
 * it runs), the contents of files below the campaign that its commands name,
 * the contents of its inputs, the campaign's seed, the stage's first name,
 * iteration and task.  Results carry it: one with another identity was made by
 * another definition.
 */
#ifndef ENGINE_IDENTITY_H
#define ENGINE_IDENTITY_H

#include "base/digest_cache.h"
#include "base/strbuf.h"

struct error;
struct heartbeat;
struct json;
struct operator_spec;
struct port;
struct stage_manifest;

/* Digests of artifacts by their paths: those of stages are in outputs.json,
 * others are read, once each.
 */
struct contents {
    const char *dir;     /* the campaign's */
    struct json *sha256; /* {PATH: DIGEST} */
    struct json
        *stages; /* {STAGE_DIR: true}: those whose outputs.json was read */
    const struct heartbeat *heartbeat;
    struct digest_cache cache; /* of files that no stage made; read when the
                                  first is looked at */
    struct strbuf text;        /* of the task at hand */
};

void contents_init (struct contents *contents, const char *dir,
                    const struct heartbeat *heartbeat);
void contents_release (struct contents *contents);

/* SHA-256 of what 'path' (absolute) is now. */
int contents_digest (struct contents *contents, const char *path,
                     char hex[DIGEST_HEX_SIZE], struct error *err);

/* Keep the digests of files that were read, for who holds the lease: a cache,
 * so it does not matter if that fails.
 */
void contents_keep (struct contents *contents);

/* 'value' of 'port' with digests in place of paths; a new reference, NULL with
 * 'err'.
 */
struct json *contents_of (struct contents *contents, const struct port *port,
                          struct json *value, struct error *err);

/* Of all tasks of the stage: what they have in common. */
int stage_identity (struct contents *contents,
                    const struct stage_manifest *manifest,
                    char hex[DIGEST_HEX_SIZE], struct error *err);

/* The same with what prepare and collect run, and with all inputs of the
 * operator, sliced or not: would the stage be prepared as it was?
 */
int stage_definition (struct contents *contents, const struct operator_spec *op,
                      const struct stage_manifest *manifest,
                      const struct json *values, char hex[DIGEST_HEX_SIZE],
                      struct error *err);

/* Of task 'task', whose slice (without its identity) is {NAME: value} of the
 * manifest's inputs.
 */
int task_identity (struct contents *contents,
                   const struct stage_manifest *manifest, int task,
                   const struct json *slice, char hex[DIGEST_HEX_SIZE],
                   struct error *err);

#endif /* !ENGINE_IDENTITY_H */
