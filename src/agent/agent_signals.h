/* SPDX-License-Identifier: BSD-3-Clause */
/* agent_signals.h - the signals that an agent waits for
 *
 * They are blocked and taken one by one, with a deadline, so that there is one
 * place to wait and no handler.
 */
#ifndef AGENT_AGENT_SIGNALS_H
#define AGENT_AGENT_SIGNALS_H

#include <signal.h>

struct agent_signals {
    sigset_t all;        /* these, SIGCHLD, and those of pipes to workers */
    sigset_t interrupts; /* those that ask the agent to do something */
    sigset_t before;     /* the mask as it was */
};

/* Block them; what was ignored is not any more. */
void agent_signals_block (struct agent_signals *signals);

/* The mask is as before; what came too late is dropped. */
void agent_signals_unblock (struct agent_signals *signals);

/* Wait for one, until 'due_s' (clock_mono_s; INFINITY: never) at most; 0: none
 * came.
 */
int agent_signals_wait (const struct agent_signals *signals, double due_s);

/* The same for one of 'interrupts', for that long at most. */
int agent_signals_listen (const struct agent_signals *signals, double wait_s);

#endif /* !AGENT_AGENT_SIGNALS_H */
