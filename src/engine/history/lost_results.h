/* SPDX-License-Identifier: BSD-3-Clause */
/* lost_results.h - what a stage made, and is not there any more
 *
 * No retry brings it back; only doing the stage again does.
 */
#ifndef ENGINE_LOST_RESULTS_H
#define ENGINE_LOST_RESULTS_H

struct state;

/* Append to 'err' which command makes the results of a stage again.  -1. */
int lost_results_say (const char *stage, int iteration, struct error *err);

/* The same when a path of 'values', as seen from 'dir', is a result of a stage
 * and is not there.  -1.
 */
int lost_results_look (const struct state *state, const struct json *values,
                       const char *dir, struct error *err);

/* Is every path of 'values' there that a stage made?  If not 'err' says which
 * output `keep:` has removed, or what is missing, and what makes it again.
 */
bool lost_results_are_there (const struct state *state,
                             const struct json *values, const char *dir,
                             struct error *err);

#endif /* !ENGINE_LOST_RESULTS_H */
