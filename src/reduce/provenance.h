/* SPDX-License-Identifier: BSD-3-Clause */
/* provenance.h - where each selected frame comes from, and why others do not
 *
 * {"format": 1, "request": {the rules, as asked for},
 *  "frames": [{"iteration", "system", "task", "part", "step", "atom",
 *              "deviation", "levels", "picked"}, ..],
 *  "refused": [{"iteration" .. "deviation", "why"}, ..]}
 *
 * Of the frames that were selected, and of those that were drawn and passed
 * over.  "atom" is there when atoms are judged, "iteration" when it is known.
 */
#ifndef REDUCE_PROVENANCE_H
#define REDUCE_PROVENANCE_H

struct selection;
struct selection_input;
struct frame_stats;

/* Make it.  Caller unrefs. */
struct json *provenance_of (const struct selection_input *input,
                            const struct frame_stats *stats,
                            const struct selection *selection);

/* Write input->provenance_path, if there is one. */
int provenance_write (const struct selection_input *input,
                      const struct frame_stats *stats,
                      const struct selection *selection, struct error *err);

#endif /* !REDUCE_PROVENANCE_H */
