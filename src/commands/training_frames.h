/* SPDX-License-Identifier: BSD-3-Clause */
/* training_frames.h - how many labelled frames the campaign trains on */
#ifndef COMMANDS_TRAINING_FRAMES_H
#define COMMANDS_TRAINING_FRAMES_H

struct engine;
struct stage;

/* Those that 'stage' published in all iterations in which it is done; what
 * cannot be read counts as none.
 */
int64_t training_frames_of_stage (const struct engine *engine,
                                  const struct stage *stage);

/* Those of all stages, and those that resets kept. */
int64_t training_frames_of_campaign (const struct engine *engine);

#endif /* !COMMANDS_TRAINING_FRAMES_H */
