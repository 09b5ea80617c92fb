/* SPDX-License-Identifier: BSD-3-Clause */
/* point.c - named points at which a test may stop a process */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/point.h"

void point_reached (const char *name)
{
    const char *stop_at = getenv ("FANFOLD_STOP_AT");

    if (!stop_at || strcmp (stop_at, name) != 0)
        return;
    unsetenv ("FANFOLD_STOP_AT");
    raise (SIGSTOP);
}
