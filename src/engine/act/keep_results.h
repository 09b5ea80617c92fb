/* SPDX-License-Identifier: BSD-3-Clause */
/* keep_results.h - what a stage's tasks made, kept in the store */
#ifndef ENGINE_KEEP_RESULTS_H
#define ENGINE_KEEP_RESULTS_H

struct engine;
struct stage;
struct stage_place;
struct stage_state;

/* Of the tasks that are ok and ran here, whose results are final.  It may be
 * done again.  What fails is journaled (result_store.h) and holds up nothing.
 */
void keep_results (struct engine *engine, const struct stage *stage,
                   const struct stage_place *place,
                   const struct stage_state *state);

#endif /* !ENGINE_KEEP_RESULTS_H */
