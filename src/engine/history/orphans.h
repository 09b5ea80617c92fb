/* SPDX-License-Identifier: BSD-3-Clause */
/* orphans.h - definitions that what has run does not fit any more
 *
 * A definition that would leave results without a stage is not taken on: one of
 * its stages says that it was renamed_from that one, or it is forgotten.  Nor
 * is one with the elements in another order.
 */
#ifndef ENGINE_ORPHANS_H
#define ENGINE_ORPHANS_H

struct plan;
struct state;

/* {OLD: NEW} of the stages of 'plan' that go on with what the state knows under
 * an old name.  Caller unrefs.
 */
struct json *renames_due (const struct plan *plan, const struct state *state);

/* Push the names of stages that are running or have results, and are neither in
 * 'plan' nor renamed by it.
 */
void orphans_find (const struct plan *plan, const struct state *state,
                   struct strvec *names);

/* How many tasks of a stage are ok, in all iterations. */
int64_t orphan_results (const struct state *state, const char *name);

/* Is it the definition that was taken on last? */
bool definition_is_taken (const struct plan *plan, const struct state *state);

/* As orphans_find, of a definition that was not taken on. */
void orphans_find_new (const struct plan *plan, const struct state *state,
                       struct strvec *names);

/* Append what would become of a stage's results with 'plan', and what to do;
 * 'frames': how many it published, 0: none, or not known.
 */
void orphan_text (const struct plan *plan, const struct state *state,
                  const char *name, int64_t frames, struct strbuf *text);

/* Append what is wrong with one that was not taken on and would leave results
 * without a stage, and what to do, a line each; false: nothing is.
 */
bool orphans_text (const struct plan *plan, const struct state *state,
                   struct strbuf *text);

/* Append that 'plan' has other elements where 'before', by which the campaign
 * ran, has some, and what to do; false: it goes on with them, and may have
 * more.
 */
bool elements_moved_text (const struct plan *plan, const struct plan *before,
                          struct strbuf *text);

#endif /* !ENGINE_ORPHANS_H */
