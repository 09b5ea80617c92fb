/* SPDX-License-Identifier: BSD-3-Clause */
/* invocation.h - from argv to a command that runs */
#ifndef COMMANDS_INVOCATION_H
#define COMMANDS_INVOCATION_H

#include "commands/command.h"

struct json;

/* Parse, run, return the exit status: the whole program but for main(). */
int invocation_main (int argc, char **argv);

/* Print "fanfold: message" on stderr and return 'status'. */
enum exit_status complain (enum exit_status status, const char *fmt, ...)
    __attribute__ ((format (printf, 2, 3)));

void print_json (const struct json *v);

/* SIGINT, SIGTERM and SIGHUP end a driver in good order: catch them; *the
 * returned flag* becomes their number.
 */
const volatile int *stopping_flag (void);

/* A whole number >= 0 given as an option or argument; -1 after complaining. */
int parse_number (const char *what, const char *text);

#endif /* !COMMANDS_INVOCATION_H */
