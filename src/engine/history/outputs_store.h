/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs_store.h - the typed results of stages, read once
 *
 * outputs.json of a stage in an iteration:
 *   {"format": 1, "stage", "code", "iteration", "tasks": N,
 *    "outputs": {"count": N, "proceed": true, NAME: value, ...}}
 * A stage with tasks has one entry per task in every stacked output, null for
 * a task that is not ok.  Artifact paths are relative to the campaign.
 * "artifacts" has {bytes, sha256} of each, in the same order.
 *
 * A file that is not what it was when the stage ended is an error, which says
 * what to do.
 */
#ifndef ENGINE_OUTPUTS_STORE_H
#define ENGINE_OUTPUTS_STORE_H

struct outputs_store;
struct stage_place;
struct state;

/* 'dir': the campaign directory (copied); 'state', lent, knows where the files
 * are, and what they are to be; NULL: none does, and there is no
 * outputs_store_get.
 */
struct outputs_store *outputs_store_create (const char *dir,
                                            const struct state *state);
/* What was read may have been replaced; NULL is legal. */
void outputs_store_forget (struct outputs_store *store);

void outputs_store_destroy (struct outputs_store *store); /* NULL is legal */

/* What the stage made in the iteration: the "outputs" object, lent; NULL with
 * 'err' when it cannot be read.
 */
const struct json *outputs_store_get (struct outputs_store *store,
                                      int iteration, const char *stage,
                                      struct error *err);

/* The whole file, which is read each time; caller unrefs. */
struct json *outputs_store_file (const struct outputs_store *store,
                                 const struct stage_place *place,
                                 struct error *err);

/* Append to 'err', which tells that something the stage made was changed, what
 * to do.  -1.
 */
int outputs_store_say (const struct outputs_store *store,
                       const struct stage_place *place, struct error *err);

#endif /* !ENGINE_OUTPUTS_STORE_H */
