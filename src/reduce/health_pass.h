/* SPDX-License-Identifier: BSD-3-Clause */
/* health_pass.h - all ranks' look at the atoms of all trajectories
 *
 * Collective.  Frames are those that count: rules.skip_steps and skip_frames.
 * A frame without a step, in a file where others have one, counts as of the
 * step before it.
 */
#ifndef REDUCE_HEALTH_PASS_H
#define REDUCE_HEALTH_PASS_H

struct closeness;
struct health_case;
struct selection_input;

/* Find the least distances in labelled frames, of which each rank reads some
 * files.
 */
int health_read_labelled (const struct selection_input *input,
                          struct closeness *closeness, struct error *err);

/* Note in cases[i] what was seen of trajectory i: blown_up is set where its
 * file is not there, too.
 */
int health_read_trajectories (const struct selection_input *input,
                              const struct closeness *closeness,
                              struct health_case *cases, struct error *err);

#endif /* !REDUCE_HEALTH_PASS_H */
