/* SPDX-License-Identifier: BSD-3-Clause */
/* readiness.h - can a stage's inputs be bound? (pure) */
#ifndef ENGINE_READINESS_H
#define ENGINE_READINESS_H

struct binding;
struct plan;
struct stage;
struct stage_state;
struct state;

enum readiness {
    INPUTS_READY,
    INPUTS_WAIT, /* a stage it depends on has not ended */
    INPUTS_SKIP, /* a required source was skipped or says not to proceed */
};

/* Can stage 's' of iteration 'iteration' be bound?  For SKIP, 'why' (NULL: not
 * asked for) becomes a sentence for a person.
 */
enum readiness inputs_readiness (const struct plan *plan,
                                 const struct state *state,
                                 const struct stage *s, int iteration,
                                 struct strbuf *why);

/* Is it over for good, done or skipped?  NULL: nothing has happened to it. */
bool stage_has_ended (const struct stage_state *s);

/* Did the stage leave results that others may use?  No in iteration -1. */
bool stage_has_results (const struct state *state, const char *stage,
                        int iteration);

/* The iteration whose results the binding 'b' to a single stage (this, previous
 * or latest) reads in 'iteration'; -1 when there is nothing to read.
 */
int source_iteration (const struct plan *plan, const struct state *state,
                      const struct binding *b, int iteration);

#endif /* !ENGINE_READINESS_H */
