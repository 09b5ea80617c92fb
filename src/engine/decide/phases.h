/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.h - which phase of the campaign is next (pure)
 *
 * An iteration says in the journal to which phase it belongs, and at its end
 * whether the phase's `until:` held; the next one follows from these and the
 * plan.
 */
#ifndef ENGINE_PHASES_H
#define ENGINE_PHASES_H

struct phase;
struct plan;
struct state;

/* The phase of the current iteration; NULL where the plan has none, or no
 * iteration has begun, or the current one began before there were any.
 */
const struct phase *phase_now (const struct plan *plan,
                               const struct state *state);

struct phase_step {
    enum {
        PHASE_GOES_ON,   /* with phase 'number' */
        PHASE_FAILED,    /* its `until:` did not hold in time: stop */
        PHASE_LAST_HELD, /* the last is over by its `until:` */
        PHASE_LAST_OVER, /* ... by its number of iterations */
    } kind;
    int number;
};

/* What comes after the current iteration, which is closed; the plan has phases.
 */
struct phase_step phase_step (const struct plan *plan,
                              const struct state *state);

#endif /* !ENGINE_PHASES_H */
