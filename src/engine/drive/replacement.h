/* SPDX-License-Identifier: BSD-3-Clause */
/* replacement.h - what is done again, and what makes way for it
 *
 * A `redo` goes back to an iteration; a `forget` drops a stage; a `reset` all
 * of them; a `retry` of a failed stage whose definition or inputs changed
 * prepares it anew.  The request's event says what:
 *
 *   to       the iteration that is current from then on; later ones are undone
 *   stages   [NAME]: those of it that nothing has happened to from then on
 *   fresh    [NAME]: of these, those that take nothing of before
 *   number   of the replacement: the next of those that generations have
 *   supersedes  [{generation, dir, stage, iteration [outputs]}]: each moves
 * from 'dir' to .fanfold/replaced/<generation>; outputs: the digest of its
 * outputs.json moves    [PATH]: what is moved below .fanfold/replaced/<number>/
 * besides forgotten  the stage that has not been, in any iteration results  how
 * many of its tasks were ok keep     PATH: what is moved to kept/<number>
 *   publish  [ITERATION]: those whose training data are put together again,
 *            from what other stages have
 */
#ifndef ENGINE_REPLACEMENT_H
#define ENGINE_REPLACEMENT_H

struct engine;

/* Of stage 'stage' (NULL: all stages) of iteration 'iteration', and what
 * depends on it: filled into 'event'.  -1 with why not.
 */
int replacement_of_redo (struct engine *engine, const char *stage,
                         int iteration, struct json *event, struct error *err);

/* Of stage 'stage', which no definition has any more, with all its results; and
 * of those that are prepared and have not ended, since they may use them.
 */
int replacement_of_forget (struct engine *engine, const char *stage,
                           struct json *event, struct error *err);

/* Of all that was computed: the campaign begins again, and takes nothing of
 * it. With 'keep_data' what was published stays, as initial data.
 */
int replacement_of_reset (struct engine *engine, bool keep_data,
                          struct json *event, struct error *err);

/* Of those failed stages (or of 'stage', if it failed) that are defined
 * otherwise now, or have other inputs; 'event' is untouched where there is
 * none. -1 when that cannot be known.
 */
int replacement_of_retry (struct engine *engine, const char *stage,
                          struct json *event, struct error *err);

#endif /* !ENGINE_REPLACEMENT_H */
