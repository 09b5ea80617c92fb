/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs_write.h - outputs.json, and how the artifacts look that it tells of
 *
 * Both are read-only.  How they look is in a file of its own, seen.json:
 *   {"format": 1, "seen": {PATH: tree_look}}
 * since outputs.json is the same whenever they were made.
 */
#ifndef ENGINE_OUTPUTS_WRITE_H
#define ENGINE_OUTPUTS_WRITE_H

#include "base/digest.h"

struct engine;
struct stage_place;
struct stage_state;

/* 'outputs' and 'artifacts' as outputs_store.h has them; 'seen': {PATH: look}.
 * 'sha256': of outputs.json.
 */
int outputs_write (const struct engine *engine, const struct stage_place *place,
                   const struct stage_state *state, struct json *outputs,
                   struct json *artifacts, struct json *seen,
                   char sha256[DIGEST_HEX_SIZE], struct error *err);

#endif /* !ENGINE_OUTPUTS_WRITE_H */
