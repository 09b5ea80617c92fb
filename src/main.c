/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - argv -> one row of the command table -> exit status */
#include "config.h"

#include <stdio.h>

#include "commands/command.h"

int main (int argc, char **argv)
{
    int status = invocation_main (argc, argv);

    /* What could not be written (a full disk, a closed pipe) was not said. */
    if (fflush (stdout) != 0 && status == STATUS_DONE)
        status = STATUS_FAILED;
    return status;
}
