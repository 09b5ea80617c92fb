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

struct error;
struct plan;
struct selection;
struct survey;

/* Write plan->provenance_path, if there is one. */
int provenance_write (const struct plan *plan,
                      const struct survey *survey,
                      const struct selection *selection,
                      struct error *err);

#endif /* !REDUCE_PROVENANCE_H */
