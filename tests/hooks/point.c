/* SPDX-License-Identifier: BSD-3-Clause */
/* point.c - in the place of src/base/point.c: what the environment of a test
 * says
 */
#include "base/base.h"

#include <signal.h>

#include "base/point.h"
#include "base/units.h"

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

double point_seconds (const char *name, double s)
{
    const char *text =
        getenv (strcmp (name, "lease") == 0   ? "FANFOLD_LEASE_S"
                : strcmp (name, "quiet") == 0 ? "FANFOLD_QUIET_S"
                                              : "FANFOLD_GRACE_S");

    if (text)
        parse_duration (text, &s);
    return s;
}
