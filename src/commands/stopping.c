/* SPDX-License-Identifier: BSD-3-Clause */
/* stopping.c - SIGINT, SIGTERM and SIGHUP end a driver in good order */
#include "config.h"

#include <signal.h>
#include <stddef.h>

#include "commands/stopping.h"

static volatile int stopped_by; /* a signal handler can only write a global */

static void on_signal (int signal)
{
    stopped_by = signal;
}

const volatile int *stopping_flag (void)
{
    struct sigaction action = { .sa_handler = on_signal };

    sigemptyset (&action.sa_mask);
    sigaction (SIGINT, &action, NULL);
    sigaction (SIGTERM, &action, NULL);
    sigaction (SIGHUP, &action, NULL);
    return &stopped_by;
}
