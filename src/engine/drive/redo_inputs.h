/* SPDX-License-Identifier: BSD-3-Clause */
/* redo_inputs.h - is there what a stage would read?
 *
 * What `keep:` let go may be an input of what is to be done again, or of what
 * was edited.
 */
#ifndef ENGINE_REDO_INPUTS_H
#define ENGINE_REDO_INPUTS_H

#include "base/problems.h"

struct engine;
struct plan;
struct state;

/* Which stages of the plan wait, in one iteration, for 'stage' (NULL: all),
 * which is one of them.  Caller frees.
 */
bool *redo_depending (const struct plan *plan, const char *stage);

/* 0; -1 where an input was removed: 'err' names it, and the redo that begins
 * early enough.
 */
int redo_check_inputs (const struct engine *engine, const char *stage,
                       int iteration, struct error *err);

/* Call 'tell' for every stage that would find an input removed when it is
 * prepared next, which only an edit can make: where that is bound, and a
 * sentence with what makes it again.
 */
void removed_inputs_each (const struct plan *plan, const struct state *state,
                          void (*tell) (struct mark mark, const char *text,
                                        void *arg),
                          void *arg);

#endif /* !ENGINE_REDO_INPUTS_H */
