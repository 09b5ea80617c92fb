/* SPDX-License-Identifier: BSD-3-Clause */
/* retention.h - which outputs does anything need that may still run? (pure)
 *
 * Needed is what a stage binds that has not ended where it would look: in the
 * same iteration, in the next one (`previous.`, also when there is none yet: a
 * campaign that is done may be extended), in any later one until there is a
 * newer result (`latest.`), for ever (`all.`, and what a function binds, which
 * may be called at any time).  The bindings of every phase count.
 */
#ifndef ENGINE_RETENTION_H
#define ENGINE_RETENTION_H

struct binding;
struct plan;
struct stage;
struct state;

enum need {
    NEED_GONE,    /* it was removed */
    NEED_NEVER,   /* nothing binds it */
    NEED_OVER,    /* all that bind it are done with it */
    NEED_NOW,     /* something that may still run needs it */
    NEED_FOREVER, /* ... and always will: `all.` */
};

/* Who needs what output 'output' of stage 'stage' was in iteration 'at'? */
enum need output_need (const struct plan *plan, const struct state *state,
                       const char *stage, const char *output, int at);

/* A removed output that a stage binds. */
struct removed_input {
    const struct stage *user;
    int iteration; /* in which the stage would read it */
    const struct binding *part;
    int at; /* the iteration that it was made in */
};

/* The first input of stage 'user' that it would find removed in 'iteration', as
 * the state is; false: none.
 */
bool removed_input_find (const struct plan *plan, const struct state *state,
                         const struct stage *user, int iteration,
                         struct removed_input *input);

/* The iteration in which the stage is prepared next. */
int next_iteration (const struct state *state, const char *stage);

/* The same of all stages that a redo prepares again: those of iteration 'to'
 * that are in 'again' (by number in the plan), and all of later ones; what they
 * make is not missing.
 */
bool removed_input_of_redo (const struct plan *plan, const struct state *state,
                            const bool *again, int to,
                            struct removed_input *input);

/* Append "input 'x' of stage 'use' needs 'y' of stage 'make' in iteration 3,
 * which was removed in iteration 4 (keep: 1)".
 */
void removed_input_text (const struct plan *plan, const struct state *state,
                         const struct removed_input *input, struct strbuf *out);

#endif /* !ENGINE_RETENTION_H */
