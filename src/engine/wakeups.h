/* SPDX-License-Identifier: BSD-3-Clause */
/* wakeups.h - the jobs that wake a chained campaign, and the plan */
#ifndef ENGINE_WAKEUPS_H
#define ENGINE_WAKEUPS_H

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct error;
struct plan;
struct profile;
struct wakeup;

/* Index of the stage whose profile a wake-up runs with; the first one where
 * the plan no longer has it.
 */
int wakeup_stage (const struct plan *plan, const struct wakeup *wakeup);
const struct profile *wakeup_profile (const struct plan *plan,
                                      const struct wakeup *wakeup);

/* Can jobs wake this campaign: does every scheduler of the plan let a job wait
 * for another, and leave submit limits room for that?
 */
int wakeups_possible (struct engine *engine, struct error *err);

/* As the driver: are jobs to wake it from now on? */
int wakeups_turn (struct engine *engine, bool on, struct error *err);

/* What is left for an array of a submit limit (elements; 0: none) when there
 * must be room for wake-ups besides.
 */
int64_t wakeups_leave (int64_t submit);

#endif /* !ENGINE_WAKEUPS_H */
