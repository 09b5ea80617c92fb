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
    size_t len = strlen (name);

    if (!stop_at || strncmp (stop_at, name, len) != 0)
        return;
    if (stop_at[len] == ',')
        setenv ("FANFOLD_STOP_AT", stop_at + len + 1, 1);
    else if (stop_at[len] == '\0')
        unsetenv ("FANFOLD_STOP_AT");
    else
        return;
    raise (SIGSTOP);
}
