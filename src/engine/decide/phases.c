/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.c - which phase of the campaign is next (pure) */
#include "base/base.h"

#include "campaign/plan.h"
#include "engine/decide/phases.h"
#include "engine/history/state.h"

/* The number of the current iteration's phase; -1: it has none. */
static int number_now (const struct plan *plan, const struct state *state)
{
    const struct iteration_state *it;

    if (plan->n_phases == 0 || state->n_iterations == 0)
        return -1;
    it = &state->iterations[state->n_iterations - 1];
    return it->phase ? plan_phase (plan, it->phase, it->phase_number) : -1;
}

const struct phase *phase_now (const struct plan *plan,
                               const struct state *state)
{
    int number = number_now (plan, state);

    return number < 0 ? NULL : &plan->phases[number];
}

/* How many iterations there were in a row in the phase of the last one. */
static int count_iterations (const struct state *state)
{
    const char *phase = state->iterations[state->n_iterations - 1].phase;
    int n = 0;

    for (size_t i = state->n_iterations; i-- > 0; n++) {
        const char *other = state->iterations[i].phase;

        if (!other || strcmp (other, phase) != 0)
            break;
    }
    return n;
}

struct phase_step phase_step (const struct plan *plan,
                              const struct state *state)
{
    int number = number_now (plan, state);
    const struct phase *phase = number < 0 ? NULL : &plan->phases[number];
    bool held = phase && phase->until
                && state->iterations[state->n_iterations - 1].until;

    if (!phase)
        return (struct phase_step){ PHASE_GOES_ON, 0 };
    if (!held && count_iterations (state) < phase->iterations)
        return (struct phase_step){ PHASE_GOES_ON, number };
    if (!held && phase->until && phase->stops)
        return (struct phase_step){ PHASE_FAILED, number };
    if (number + 1 < (int)plan->n_phases)
        return (struct phase_step){ PHASE_GOES_ON, number + 1 };
    return (struct phase_step){ held ? PHASE_LAST_HELD : PHASE_LAST_OVER,
                                number };
}
