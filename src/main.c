/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - argv -> one row of the command table -> exit status */
#include "base/base.h"

#include <signal.h>

#include "commands/command.h"

/* What could not be written (a full disk, a closed pipe) was not said: now, or
 * with a line before.
 */
static int end_of_output (int status)
{
    bool failed = fflush (stdout) != 0 || ferror (stdout);

    if (!failed || status != STATUS_DONE)
        return status;
    return (int)complain (STATUS_FAILED,
                          "what it printed could not be written to standard "
                          "output");
}

int main (int argc, char **argv)
{
    int status;

    /* A limit of file sizes is an error of writing, like a full disk. */
    signal (SIGXFSZ, SIG_IGN);
    status = end_of_output (invocation_main (argc, argv));
    fclose (stdout);
    fclose (stderr);
    return status;
}
