/* SPDX-License-Identifier: BSD-3-Clause */
/* orphan_processes.c - what a task leaves running when its commands have ended
 */
#include "base/base.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/orphan_processes.h"
#include "agent/task_processes.h"
#include "base/clock.h"
#include "base/process.h"

/* Waits double from a millisecond: two seconds in all. */
enum { KILL_ROUNDS = 11 };

bool orphan_processes_possible (int n_known)
{
    _cleanup_ (strvec_release) struct strvec pids = STRVEC_INIT;

    return own_children (&pids) < 0 || pids.n > (size_t)n_known;
}

/* Kill what is our child; what its end makes our child comes next. */
static size_t kill_children (void)
{
    _cleanup_ (strvec_release) struct strvec pids = STRVEC_INIT;
    size_t n;

    while (waitpid (-1, NULL, WNOHANG) > 0)
        continue;
    own_children (&pids);
    for (size_t i = 0; i < pids.n; i++)
        kill ((pid_t)atoi (pids.v[i]), SIGKILL);
    n = pids.n;
    return n;
}

void orphan_processes_kill_orphans (void)
{
    double wait_s = 0.001;

    for (int i = 0; i < KILL_ROUNDS && kill_children () > 0; i++) {
        clock_sleep (wait_s, NULL);
        wait_s *= 2;
    }
}

void orphan_processes_kill (const char *tag)
{
    double wait_s = 0.001;

    for (int i = 0; i < KILL_ROUNDS; i++) {
        if (process_kill_tagged (tag, SIGKILL) == 0)
            return;
        clock_sleep (wait_s, NULL);
        wait_s *= 2;
    }
}
