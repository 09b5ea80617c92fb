/* SPDX-License-Identifier: BSD-3-Clause */
/* agent_signals.c - the signals that an agent waits for */
#include "base/base.h"

#include <time.h>

#include "agent/agent_signals.h"
#include "base/clock.h"

void agent_signals_block (struct agent_signals *signals)
{
    static const int interrupts[] = { SIGUSR1, SIGTERM, SIGINT, SIGHUP };
    const struct sigaction standard = { .sa_handler = SIG_DFL };

    sigemptyset (&signals->interrupts);
    for (size_t i = 0; i < ARRAY_SIZE (interrupts); i++)
        sigaddset (&signals->interrupts, interrupts[i]);
    signals->all = signals->interrupts;
    sigaddset (&signals->all, SIGCHLD);
    sigaddset (&signals->all, SIGIO);
    sigaddset (&signals->all, SIGPIPE);
    sigprocmask (SIG_BLOCK, &signals->all, &signals->before);
    /* What is ignored never becomes pending, and whoever started us may have
     * ignored any of these.
     */
    for (int sig = 1; sig < NSIG; sig++) {
        if (sigismember (&signals->all, sig) == 1)
            sigaction (sig, &standard, NULL);
    }
}

void agent_signals_unblock (struct agent_signals *signals)
{
    const struct timespec now = { 0, 0 };

    /* What came too late is not to end our caller. */
    while (sigtimedwait (&signals->all, NULL, &now) > 0)
        continue;
    sigprocmask (SIG_SETMASK, &signals->before, NULL);
}

int agent_signals_wait (const struct agent_signals *signals, double due_s)
{
    double wait_s = fmax (due_s - clock_mono_s (), 0);
    struct timespec wait;
    int sig;

    /* An hour at most: INFINITY is no time, and looking is harmless. */
    wait_s = fmin (wait_s, 3600);
    wait.tv_sec = (time_t)wait_s;
    wait.tv_nsec = (long)(fmod (wait_s, 1) * 1e9);
    sig = sigtimedwait (&signals->all, NULL, &wait);
    return sig > 0 ? sig : 0;
}

int agent_signals_listen (const struct agent_signals *signals, double wait_s)
{
    const struct timespec soon = { (time_t)wait_s,
                                   (long)(fmod (wait_s, 1) * 1e9) };
    int sig = sigtimedwait (&signals->interrupts, NULL, &soon);

    return sig > 0 ? sig : 0;
}
