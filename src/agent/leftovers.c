/* SPDX-License-Identifier: BSD-3-Clause */
/* leftovers.c - what a task leaves running when its commands have ended */
#include "config.h"

#include <signal.h>

#include "agent/leftovers.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/strvec.h"

/* Waits double from a millisecond: two seconds in all. */
enum { KILL_ROUNDS = 11 };

bool leftovers_possible (int n_known)
{
    struct strbuf text = STRBUF_INIT;
    struct strvec pids = STRVEC_INIT;
    bool possible = true; /* also where the kernel does not tell */

    if (file_read ("/proc/thread-self/children", 1 << 24, &text, NULL) == 0) {
        strvec_split (&pids, text.buf, " ");
        possible = pids.n > (size_t)n_known;
    }
    strvec_release (&pids);
    strbuf_release (&text);
    return possible;
}

void leftovers_kill (const char *tag)
{
    double wait_s = 0.001;

    for (int i = 0; i < KILL_ROUNDS; i++) {
        if (process_kill_tagged (tag, SIGKILL) == 0)
            return;
        clock_sleep (wait_s, NULL);
        wait_s *= 2;
    }
}
