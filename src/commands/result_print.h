/* SPDX-License-Identifier: BSD-3-Clause */
/* result_print.h - what a stage or a call made, as programs and people read it
 */
#ifndef COMMANDS_RESULT_PRINT_H
#define COMMANDS_RESULT_PRINT_H

#include "commands/command.h"

struct operator_spec;

/* Print 'result', {NAME: value} of 'op', or of it the output 'output' (NULL:
 * all), text as it is.  'typed': {"outputs": {NAME: value}, "types": {NAME:
 * "npy"}} in any case, so that a path can be told from text.  STATUS_USAGE
 * after complaining of an 'output' that is not there.
 */
enum exit_status result_print (const struct operator_spec *op,
                               const struct json *result, const char *output,
                               bool typed);

#endif /* !COMMANDS_RESULT_PRINT_H */
