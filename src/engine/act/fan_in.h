/* SPDX-License-Identifier: BSD-3-Clause */
/* fan_in.h - what a stage's tasks made, before the stage has ended */
#ifndef ENGINE_FAN_IN_H
#define ENGINE_FAN_IN_H

#include "base/digest.h"

struct engine;
struct stage_state;

/* Write outputs.json of a stage that is about to be superseded before it ended:
 * parameters of its tasks, which are in logs only, can be taken from there.
 * 'sha256' is its digest; "": there was nothing to write, since tasks left
 * artifacts, or the stage is done.
 */
int fan_in_unfinished (struct engine *engine, const struct stage_state *state,
                       int iteration, char sha256[DIGEST_HEX_SIZE],
                       struct error *err);

#endif /* !ENGINE_FAN_IN_H */
